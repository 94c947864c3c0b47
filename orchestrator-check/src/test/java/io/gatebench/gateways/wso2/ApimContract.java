/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What the published OpenAPI descriptions of API Manager's interfaces demand of a request, as far as the set-up
 * touches them: operations by release, rights, parameters, and the members of bodies with their types. Unlike the
 * product it refuses every member that is not described.
 */
final class ApimContract {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final JsonNode contract;
    private final int version;

    /**
     * Creates the contract of a release.
     *
     * @param version the version of its publisher interface, 1 (3.2) to 4 (4.2 and later)
     */
    ApimContract(int version) {
        this.version = version;
        try (InputStream in = ApimContract.class.getResourceAsStream("/wso2/apim-contract.json")) {
            contract = JSON.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * What is wrong with a request.
     *
     * @param status the status that the server answers with
     * @param why the reason
     */
    record Violation(int status, String why) {}

    /** A request as the contract sees it. */
    record Request(
            String method,
            String path,
            Map<String, String> query,
            String contentType,
            String body,
            Map<String, String> parts,
            Set<String> scopes) {}

    Optional<Violation> check(String service, Request request) {
        for (JsonNode operation : contract.path(service)) {
            if (!operation.path("method").asText().equals(request.method())
                    || version < operation.path("from").asInt(1)
                    || version > operation.path("until").asInt(4)
                    || !pattern(operation.path("path").asText())
                            .matcher(request.path())
                            .matches()) {
                continue;
            }
            // A literal path wins over one with an identifier in the same place.
            if (operation.path("path").asText().contains("{id}") && literal(service, request)) {
                continue;
            }
            return violation(operation, request);
        }
        return Optional.of(new Violation(404, "no such operation: " + request.method() + " " + request.path()));
    }

    private boolean literal(String service, Request request) {
        for (JsonNode operation : contract.path(service)) {
            if (operation.path("path").asText().equals(request.path())
                    && operation.path("method").asText().equals(request.method())) {
                return true;
            }
        }
        return false;
    }

    private static Pattern pattern(String path) {
        return Pattern.compile(path.replace("{id}", "[^/]+"));
    }

    private Optional<Violation> violation(JsonNode operation, Request request) {
        Set<String> allowed = texts(operation.path("scopes"));
        if (request.scopes().stream().noneMatch(allowed::contains)) {
            return Optional.of(new Violation(403, "the token has none of the scopes " + allowed));
        }
        List<String> wrong = new ArrayList<>();
        Set<String> parameters = texts(operation.path("query"));
        request.query().keySet().stream()
                .filter(name -> !parameters.contains(name))
                .forEach(name -> wrong.add("unknown parameter " + name));
        texts(operation.path("requiredQuery")).stream()
                .filter(name -> !request.query().containsKey(name))
                .forEach(name -> wrong.add("missing parameter " + name));
        if (operation.has("multipart")) {
            checkParts(operation, request, wrong);
        } else if (operation.has("json") || operation.has("jsonList")) {
            if (!request.contentType().equals("application/json")) {
                return Optional.of(new Violation(415, "content type " + request.contentType()));
            }
            checkBody(operation, request.body(), wrong);
        } else if (!request.body().isEmpty()) {
            wrong.add("a body where none is described");
        }
        return wrong.isEmpty() ? Optional.empty() : Optional.of(new Violation(400, String.join("; ", wrong)));
    }

    private void checkParts(JsonNode operation, Request request, List<String> wrong) {
        if (!request.contentType().startsWith("multipart/form-data")) {
            wrong.add("content type " + request.contentType());
        }
        Set<String> known = texts(operation.path("multipart"));
        request.parts().keySet().stream()
                .filter(name -> !known.contains(name))
                .forEach(name -> wrong.add("unknown part " + name));
        texts(operation.path("requiredParts")).stream()
                .filter(name -> !request.parts().containsKey(name))
                .forEach(name -> wrong.add("missing part " + name));
        operation.path("jsonParts").properties().forEach(part -> {
            if (request.parts().containsKey(part.getKey())) {
                checkJson(part.getValue().asText(), request.parts().get(part.getKey()), part.getKey(), wrong);
            }
        });
    }

    private void checkBody(JsonNode operation, String body, List<String> wrong) {
        if (operation.has("json")) {
            checkJson(operation.path("json").asText(), body, "body", wrong);
            return;
        }
        try {
            JsonNode list = JSON.readTree(body);
            if (!list.isArray()) {
                wrong.add("the body is no list");
            }
            list.forEach(item -> checkObject(operation.path("jsonList").asText(), item, "body[]", wrong));
        } catch (JsonProcessingException e) {
            wrong.add("the body is no JSON");
        }
    }

    private void checkJson(String schema, String text, String where, List<String> wrong) {
        try {
            checkObject(schema, JSON.readTree(text), where, wrong);
        } catch (JsonProcessingException e) {
            wrong.add(where + " is no JSON");
        }
    }

    private void checkObject(String schema, JsonNode value, String where, List<String> wrong) {
        if (!value.isObject()) {
            wrong.add(where + " is no object");
            return;
        }
        JsonNode described = contract.path("schemas").path(schema);
        texts(described.path("required")).stream()
                .filter(name -> !value.has(name))
                .forEach(name -> wrong.add(where + " lacks " + name));
        value.properties().forEach(member -> {
            String type = type(described, member.getKey());
            if (type.isEmpty()) {
                wrong.add(where + " has the unknown member " + member.getKey());
            } else {
                checkType(type, member.getValue(), where + "." + member.getKey(), wrong);
            }
        });
    }

    private String type(JsonNode described, String name) {
        String type = described.path("properties").path(name).asText();
        if (type.isEmpty() && version == 1) {
            type = described.path("until1").path(name).asText();
        }
        if (type.isEmpty() && version <= 2) {
            type = described.path("until2").path(name).asText();
        }
        if (type.isEmpty() && version >= 3) {
            type = described.path("from3").path(name).asText();
        }
        return type;
    }

    private void checkType(String type, JsonNode value, String where, List<String> wrong) {
        String kind = type.contains(":") ? type.substring(0, type.indexOf(':')) : type;
        boolean fits = switch (kind) {
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            default -> value.isObject();
        };
        if (!fits) {
            wrong.add(where + " is no " + kind);
        } else if (type.startsWith("array:")) {
            value.forEach(item -> checkObject(type.substring(6), item, where + "[]", wrong));
        } else if (type.startsWith("object:")) {
            checkObject(type.substring(7), value, where, wrong);
        }
    }

    private static Set<String> texts(JsonNode list) {
        Set<String> texts = new HashSet<>();
        list.forEach(item -> texts.add(item.asText()));
        return texts;
    }
}
