/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import graphql.ExecutionInput;
import graphql.GraphQLError;
import graphql.ParseAndValidate;
import graphql.ParseAndValidateResult;
import graphql.language.OperationDefinition;
import graphql.schema.GraphQLSchema;
import graphql.schema.idl.SchemaParser;
import graphql.schema.idl.UnExecutableSchemaGenerator;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks GraphQL requests before they reach the back end: the form of the body, the syntax of the document, and the
 * document against the schema of the Star Wars API.
 *
 * <p>A document is parsed and validated once and its outcome remembered, as GraphQL servers do. The answers follow
 * "GraphQL over HTTP": 400 for a body that is no GraphQL request; for a document that is refused, 400 with the media type
 * {@code application/graphql-response+json} if the client asked for it, else 200 with {@code application/json}. Safe for
 * use by many threads.
 */
final class GraphQlCheck {
    static final MediaType RESPONSE = new MediaType("application", "graphql-response+json");

    private static final String SCHEMA = "starwars.graphqls";
    private static final long MAX_REMEMBERED_CHARACTERS = 16L * 1024 * 1024;

    private final JsonMapper json = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private final GraphQLSchema schema;
    private final Cache<String, Document> documents = Caffeine.newBuilder()
            .maximumWeight(MAX_REMEMBERED_CHARACTERS)
            .weigher((String query, Document document) -> query.length() + 100)
            .build();

    GraphQlCheck(GraphQLSchema schema) {
        this.schema = schema;
    }

    /** Loads the schema that comes with the gateway. */
    static GraphQlCheck starWars() {
        try (InputStream in = GraphQlCheck.class.getResourceAsStream(SCHEMA)) {
            if (in == null) {
                throw new IllegalStateException("the jar lacks " + SCHEMA);
            }
            String definition = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return new GraphQlCheck(
                    UnExecutableSchemaGenerator.makeUnExecutableSchema(new SchemaParser().parse(definition)));
        } catch (IOException e) {
            throw new IllegalStateException("the jar's " + SCHEMA + " cannot be read", e);
        }
    }

    /**
     * Checks one request.
     *
     * @param body the body of the request
     * @param accept the media types that the client accepts
     * @return the answer for a request that must not reach the back end, or empty for one that may
     */
    Optional<JsonAnswer> refusal(byte[] body, List<MediaType> accept) {
        JsonNode request;
        try {
            request = json.readTree(body);
        } catch (JacksonException e) {
            return Optional.of(malformed("the body is no JSON text: " + e.getOriginalMessage()));
        }
        if (!request.isObject() || !request.path("query").isString()) {
            return Optional.of(malformed("the body must be a JSON object with the string member 'query'"));
        }
        if (!isNullOr(
                request.path("operationName"), request.path("operationName").isString())) {
            return Optional.of(malformed("the member 'operationName' must be a string"));
        }
        if (!isNullOr(request.path("variables"), request.path("variables").isObject())) {
            return Optional.of(malformed("the member 'variables' must be an object"));
        }
        Document document = documents.get(request.path("query").stringValue(), this::check);
        String operationName = request.path("operationName").isString()
                ? request.path("operationName").stringValue()
                : "";
        return document.errors(operationName).map(errors -> refused(errors, accept));
    }

    private Document check(String query) {
        ParseAndValidateResult result = ParseAndValidate.parseAndValidate(
                schema, ExecutionInput.newExecutionInput(query).build());
        if (result.isFailure()) {
            List<Map<String, Object>> errors = result.getErrors().stream()
                    .map(GraphQLError::toSpecification)
                    .toList();
            return new Document(Set.of(), 0, Optional.of(json.writeValueAsString(Map.of("errors", errors))));
        }
        List<OperationDefinition> operations = result.getDocument().getDefinitionsOfType(OperationDefinition.class);
        Set<String> names = new HashSet<>();
        for (OperationDefinition operation : operations) {
            if (operation.getName() != null) {
                names.add(operation.getName());
            }
        }
        return new Document(Set.copyOf(names), operations.size(), Optional.empty());
    }

    private static boolean isNullOr(JsonNode node, boolean right) {
        return right || node.isMissingNode() || node.isNull();
    }

    private static JsonAnswer refused(String errors, List<MediaType> accept) {
        boolean asksForGraphQl = accept.stream().anyMatch(type -> type.equalsTypeAndSubtype(RESPONSE));
        return asksForGraphQl
                ? new JsonAnswer(HttpStatus.BAD_REQUEST, RESPONSE, errors)
                : new JsonAnswer(HttpStatus.OK, MediaType.APPLICATION_JSON, errors);
    }

    private static JsonAnswer malformed(String message) {
        return new JsonAnswer(HttpStatus.BAD_REQUEST, MediaType.APPLICATION_JSON, error(message));
    }

    private static String error(String message) {
        return "{\"errors\":[{\"message\":\"" + JsonAnswer.quoted(message) + "\"}]}";
    }

    /** Findings on a document: its operations, or why it is refused. */
    private record Document(Set<String> names, int operations, Optional<String> errors) {
        Optional<String> errors(String operationName) {
            if (errors.isPresent()) {
                return errors;
            }
            if (operationName.isEmpty()) {
                return operations == 1
                        ? Optional.empty()
                        : Optional.of(error("the document has " + operations
                                + " operations: 'operationName' must name the one to execute"));
            }
            return names.contains(operationName)
                    ? Optional.empty()
                    : Optional.of(error("the document has no operation named '" + operationName + "'"));
        }
    }
}
