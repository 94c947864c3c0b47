/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

import io.gatebench.load.engine.steps.Template;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.YamlDocument;

/** Reads OpenAPI 3 and Swagger 2: one request per operation, with the values of its examples or of its schemas. */
final class OpenApi {

    private static final List<String> METHODS = List.of("get", "put", "post", "delete", "options", "head", "patch");
    private static final int MAX_DEPTH = 8;
    private static final int MAX_MEBIBYTES = 16;
    private static final int MAX_LEVELS = 64;
    private static final int MAX_VALUES = 1_000_000;
    private static final int MAX_SAMPLED = 10_000;
    private static final int MAX_REFERENCES = 16;

    private final JsonNode root;
    private final Requests requests;
    private final String base;
    private final String prefix;
    /** A schema that refers to itself from many members would make more of them than anybody sends. */
    private int sampled;

    private OpenApi(JsonNode root) {
        this.root = root;
        this.requests = new Requests(root.path("info").path("title").asText("imported"));
        URI server = server();
        this.base = server.getHost() == null ? "" : server.getScheme() + "://" + server.getRawAuthority();
        String path = server.getRawPath() == null ? "" : server.getRawPath();
        this.prefix = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    static Requests read(Path file) {
        JsonNode root;
        try {
            root = YamlDocument.root(file, "OpenAPI document", MAX_MEBIBYTES, MAX_LEVELS)
                    .map(node -> new Values().of(node, 0))
                    .orElse(MissingNode.getInstance());
        } catch (PlanException e) {
            throw new IllegalArgumentException(String.join("; ", e.problems()), e);
        }
        if (!root.has("openapi") && !root.has("swagger") || !root.path("paths").isObject()) {
            throw new IllegalArgumentException("is no OpenAPI: it has no openapi or swagger, or no paths");
        }
        return new OpenApi(root).read();
    }

    /** Turns YAML into values; an alias stands for a copy, so that few lines may mean very many values. */
    private static final class Values {
        private int count;

        JsonNode of(Node node, int depth) {
            if (++count > MAX_VALUES || depth > MAX_LEVELS) {
                throw new IllegalArgumentException("means more than " + MAX_VALUES + " values, or refers to itself");
            }
            if (node instanceof MappingNode mapping) {
                ObjectNode object = JsonNodeFactory.instance.objectNode();
                for (NodeTuple entry : mapping.getValue()) {
                    if (entry.getKeyNode() instanceof ScalarNode key) {
                        object.set(key.getValue(), of(entry.getValueNode(), depth + 1));
                    }
                }
                return object;
            }
            if (node instanceof SequenceNode sequence) {
                ArrayNode array = JsonNodeFactory.instance.arrayNode();
                sequence.getValue().forEach(each -> array.add(of(each, depth + 1)));
                return array;
            }
            ScalarNode scalar = (ScalarNode) node;
            String text = scalar.getValue();
            if (scalar.getTag().equals(Tag.NULL)) {
                return JsonNodeFactory.instance.nullNode();
            }
            if (scalar.getTag().equals(Tag.BOOL)) {
                return JsonNodeFactory.instance.booleanNode(Boolean.parseBoolean(text));
            }
            boolean number = scalar.getTag().equals(Tag.INT) || scalar.getTag().equals(Tag.FLOAT);
            return number && text.matches("-?\\d{1,30}(?:\\.\\d{1,30})?")
                    ? JsonNodeFactory.instance.numberNode(new BigDecimal(text))
                    : JsonNodeFactory.instance.textNode(text);
        }
    }

    private URI server() {
        String url;
        if (root.has("swagger")) {
            String host = root.path("host").asText();
            String scheme = root.path("schemes").path(0).asText("https");
            url = (host.isEmpty() ? "" : scheme + "://" + host)
                    + root.path("basePath").asText();
        } else {
            JsonNode server = root.path("servers").path(0);
            url = server.path("url").asText();
            for (Map.Entry<String, JsonNode> variable : server.path("variables").properties()) {
                url = url.replace(
                        "{" + variable.getKey() + "}",
                        variable.getValue().path("default").asText());
            }
        }
        try {
            return URI.create(url);
        } catch (IllegalArgumentException e) {
            requests.leftOut("the address '" + url + "', which is no URL");
            return URI.create("");
        }
    }

    private Requests read() {
        if (root.path("servers").size() > 1) {
            requests.leftOut("all servers but the first");
        }
        for (Map.Entry<String, JsonNode> path : root.path("paths").properties()) {
            JsonNode item = resolve(path.getValue());
            for (String method : METHODS) {
                if (item.has(method)) {
                    operation(path.getKey(), method, item.path(method), item.path("parameters"));
                }
            }
        }
        for (String part : List.of("webhooks", "x-webhooks")) {
            if (root.has(part)) {
                requests.leftOut(part + ": a gateway sends them");
            }
        }
        return requests;
    }

    private void operation(String template, String method, JsonNode operation, JsonNode shared) {
        sampled = 0;
        String called = method.toUpperCase(Locale.ROOT) + " " + template;
        String path = template;
        List<String> query = new ArrayList<>();
        Map<String, String> headers = new LinkedHashMap<>();
        Map<String, JsonNode> parameters = new LinkedHashMap<>();
        for (JsonNode list : List.of(shared, operation.path("parameters"))) {
            list.forEach(each -> {
                JsonNode parameter = resolve(each);
                parameters.put(
                        parameter.path("in").asText() + " "
                                + parameter.path("name").asText(),
                        parameter);
            });
        }
        JsonNode bodySchema = MissingNode.getInstance();
        for (JsonNode parameter : parameters.values()) {
            String name = parameter.path("name").asText();
            String in = parameter.path("in").asText();
            boolean required = parameter.path("required").asBoolean();
            switch (in) {
                case "path" -> path = path.replace("{" + name + "}", encoded(value(parameter)));
                case "query" -> {
                    if (required) {
                        query.add(encoded(name) + "=" + encoded(value(parameter)));
                    } else {
                        requests.leftOut("parameters of the query that are optional");
                    }
                }
                case "header" -> {
                    if (required) {
                        requests.header(headers, name, value(parameter));
                    }
                }
                case "body" -> bodySchema = parameter.path("schema");
                case "formData" -> {
                    requests.leftOut(called + ": its body is a form");
                    return;
                }
                default -> requests.leftOut("parameters in " + in);
            }
        }
        if (path.contains("{")) {
            requests.leftOut(called + ": a part of its path is not described");
            return;
        }
        JsonNode content = resolve(operation.path("requestBody")).path("content");
        Optional<String> body = Optional.empty();
        if (content.size() > 0) {
            Optional<Map.Entry<String, JsonNode>> json = content.properties().stream()
                    .filter(type -> type.getKey().contains("json"))
                    .findFirst();
            if (json.isEmpty()) {
                requests.leftOut(called + ": its body is "
                        + content.properties().iterator().next().getKey() + ", of which no example is made");
                return;
            }
            body = Optional.of(json(example(json.get().getValue())));
            headers.put("Content-Type", json.get().getKey());
        } else if (!bodySchema.isMissingNode()) {
            body = Optional.of(json(sample(bodySchema, 0)));
            headers.put("Content-Type", "application/json");
        }
        if (operation.path("security").size() > 0
                || !operation.has("security") && root.path("security").size() > 0) {
            requests.leftOut(
                    "security: say token: jwt or file in the scenarios that need one, and how to make them under"
                            + " tokens");
        }
        if (operation.has("callbacks")) {
            requests.leftOut("callbacks");
        }
        OptionalInt status = operation.path("responses").properties().stream()
                .map(Map.Entry::getKey)
                .filter(code -> code.matches("2\\d\\d"))
                .mapToInt(Integer::parseInt)
                .min();
        if (status.isEmpty()) {
            requests.leftOut("checks of the status where the file names no 2xx: 200 is taken");
        }
        Map<String, String> escaped = new LinkedHashMap<>();
        headers.forEach((name, value) -> escaped.put(name, Template.escaped(value)));
        requests.add(new Request(
                Request.Place.ofItsOwn(),
                operation.path("operationId").asText(method + template),
                method.toUpperCase(Locale.ROOT),
                base,
                Template.escaped(prefix + path + (query.isEmpty() ? "" : "?" + String.join("&", query))),
                escaped,
                body.map(Template::escaped),
                status,
                Optional.empty(),
                List.of()));
    }

    private String value(JsonNode parameter) {
        JsonNode example = example(parameter);
        JsonNode value = example.isMissingNode() || example.isNull() ? sample(parameter, 0) : example;
        return value.isArray() ? value.path(0).asText("1") : value.asText();
    }

    /** Returns the example of a media type or parameter, else one that is made by its schema. */
    private JsonNode example(JsonNode node) {
        if (node.has("example")) {
            return node.path("example");
        }
        if (node.path("examples").isObject() && node.path("examples").size() > 0) {
            return resolve(node.path("examples").iterator().next()).path("value");
        }
        return node.has("schema") ? sample(node.path("schema"), 0) : MissingNode.getInstance();
    }

    private JsonNode sample(JsonNode unresolved, int depth) {
        JsonNode schema = resolve(unresolved);
        JsonNodeFactory make = JsonNodeFactory.instance;
        for (String given : List.of("example", "default", "const")) {
            if (schema.has(given)) {
                return schema.path(given);
            }
        }
        for (String list : List.of("enum", "examples")) {
            if (schema.path(list).isArray() && schema.path(list).size() > 0) {
                return schema.path(list).path(0);
            }
        }
        if (depth > MAX_DEPTH || ++sampled > MAX_SAMPLED) {
            return make.nullNode();
        }
        for (String any : List.of("oneOf", "anyOf")) {
            if (schema.path(any).size() > 0) {
                return sample(schema.path(any).path(0), depth + 1);
            }
        }
        ObjectNode object = make.objectNode();
        schema.path("allOf").forEach(part -> {
            if (sample(part, depth + 1) instanceof ObjectNode of) {
                object.setAll(of);
            }
        });
        JsonNode type = schema.path("type").isArray() ? schema.path("type").path(0) : schema.path("type");
        switch (type.asText(schema.has("properties") || schema.has("allOf") ? "object" : "string")) {
            case "object" -> {
                for (Map.Entry<String, JsonNode> property :
                        schema.path("properties").properties()) {
                    if (!resolve(property.getValue()).path("readOnly").asBoolean()) {
                        object.set(property.getKey(), sample(property.getValue(), depth + 1));
                    }
                }
                return object;
            }
            case "array" -> {
                ArrayNode array = make.arrayNode();
                return array.add(sample(schema.path("items"), depth + 1));
            }
            case "integer", "number" -> {
                return make.numberNode(schema.path("minimum").asLong(1));
            }
            case "boolean" -> {
                return make.booleanNode(true);
            }
            default -> {
                return make.textNode(text(schema, schema.path("format").asText()));
            }
        }
    }

    private static String text(JsonNode schema, String format) {
        return switch (format) {
            case "date" -> "2026-01-31";
            case "date-time" -> "2026-01-31T12:00:00Z";
            case "uuid" -> "00000000-0000-4000-8000-000000000000";
            case "email" -> "somebody@example.com";
            case "uri", "url" -> "https://example.com/";
            default ->
                "a".repeat(Math.max(4, Math.min(1000, schema.path("minLength").asInt(4))));
        };
    }

    private static String json(JsonNode value) {
        try {
            return new ObjectMapper().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("has a body that cannot be written", e);
        }
    }

    /** References within the file alone are followed. */
    private JsonNode resolve(JsonNode node) {
        JsonNode at = node;
        for (int i = 0; at.has("$ref"); i++) {
            String reference = at.path("$ref").asText();
            if (!reference.startsWith("#/") || i > MAX_REFERENCES) {
                requests.leftOut("reference " + reference + ": only those within the file are followed");
                return MissingNode.getInstance();
            }
            at = root.at(reference.substring(1).replace("%7B", "{").replace("%7D", "}"));
        }
        return at;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
