/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gatebench.spi.host.BundledText;
import io.gatebench.spi.host.Pause;

/** Makes the APIs of the scenarios in the publisher, deploys and publishes them, and removes them again. */
final class ApimPublisher {

    private static final String UNLIMITED = "Unlimited";
    private static final int MAX_REVISIONS = 5;
    private static final int SEARCHES = 20;
    private static final String SCHEMA = "/roles/reference-gateway/starwars.graphqls";

    private final ApimRest rest;
    private final Duration searchPause;

    /**
     * Creates a publisher.
     *
     * @param searchPause the pause between two looks for what the server says exists but does not list yet: its
     *     search index lags behind
     */
    ApimPublisher(ApimRest rest, Duration searchPause) {
        this.rest = rest;
        this.searchPause = searchPause;
    }

    /**
     * Brings an API to this back end, makes it if it is not there, and returns its identifier.
     *
     * @param inPlace is told the identifier as soon as the API is there
     */
    String ensure(ApimApi api, URI backend, Consumer<String> inPlace) {
        String endpoint = backend.resolve(api.backendPath()).toString();
        Optional<String> found = find(api);
        String id = found.orElseGet(() -> create(api, endpoint));
        inPlace.accept(id);
        boolean changed = found.isEmpty();
        ObjectNode current = details(api, id);
        if (!endpoint.equals(current.path("endpointConfig")
                .path("production_endpoints")
                .path("url")
                .asText())) {
            current.set("endpointConfig", endpoints(endpoint));
            current = update("point the API " + api.apiName() + " to the back end", id, current);
            changed = true;
        }
        if (api == ApimApi.MEDIATION) {
            changed |= new ApimMediation(rest).ensure(api, id, current);
        }
        if (rest.publisherVersion() >= 2) {
            ensureDeployed(api, id, endpoint, changed);
        }
        if (!"PUBLISHED".equals(current.path("lifeCycleStatus").asText())) {
            publish(api, id);
        }
        return id;
    }

    /** Removes the APIs of all scenarios, also those of an earlier run. */
    void remove() {
        for (ApimApi api : ApimApi.values()) {
            Optional<String> id = find(api);
            if (id.isPresent()) {
                rest.removeFromPublisher("remove the API " + api.apiName(), "/apis/" + id.get());
            }
        }
    }

    private void publish(ApimApi api, String id) {
        String step = "publish the API " + api.apiName();
        // 409 comes when someone has just published it; what counts is what it is now.
        RestClient.Answer answer = rest.publisherAnswer(
                step, "POST", "/apis/change-lifecycle?action=Publish&apiId=" + id, RestBody.NONE, 200, 202, 409);
        String status = details(api, id).path("lifeCycleStatus").asText();
        if (!"PUBLISHED".equals(status)) {
            throw new RestFailure(step + ": the server answered " + answer.status() + ", but the API is " + status
                    + ": does a workflow wait for an approval?");
        }
    }

    private Optional<String> find(ApimApi api) {
        String step = "look for the API " + api.apiName();
        JsonNode list = rest.publisher(
                step, "GET", "/apis?limit=100&query=" + ApimRest.query("name:" + api.apiName()), RestBody.NONE, 200);
        for (JsonNode entry : ApimRest.listed(step, list)) {
            if (entry.path("name").asText().equals(api.apiName())
                    && entry.path("version").asText().equals(ApimApi.VERSION)) {
                return Optional.of(rest.text(step, entry, "id"));
            }
        }
        return Optional.empty();
    }

    private String create(ApimApi api, String endpoint) {
        String step = "create the API " + api.apiName();
        String path = "/apis";
        RestBody body;
        if (api == ApimApi.STARWARS) {
            path = "/apis/import-graphql-schema";
            RestBody.File schema =
                    new RestBody.File("starwars.graphqls", "text/plain", BundledText.of(ApimPublisher.class, SCHEMA));
            ArrayNode operations = operations(schema);
            ObjectNode properties = properties(api, endpoint);
            properties.set("operations", operations);
            Map<String, String> fields = new LinkedHashMap<>();
            fields.put("type", "GraphQL");
            fields.put("additionalProperties", properties.toString());
            body = RestBody.multipart(fields, Map.of("file", schema));
        } else {
            ObjectNode properties = properties(api, endpoint);
            ObjectNode operation = properties.putArray("operations").addObject();
            operation.put("target", "/*");
            operation.put("verb", "POST");
            operation.put("authType", "Application & Application User");
            operation.put("throttlingPolicy", UNLIMITED);
            body = RestBody.json(properties);
        }
        RestClient.Answer answer = rest.publisherAnswer(step, "POST", path, body, 200, 201, 409);
        if (answer.status() == 409) {
            return awaitListed(api)
                    .orElseThrow(() -> new RestFailure(step + ": the server answered 409, but no API of that name is"
                            + " listed: another API has the context " + api.context()));
        }
        return rest.text(step, ApimRest.parse(step, answer), "id");
    }

    private Optional<String> awaitListed(ApimApi api) {
        Optional<String> found = find(api);
        for (int i = 0; found.isEmpty() && i < SEARCHES; i++) {
            pause();
            found = find(api);
        }
        return found;
    }

    private ObjectNode properties(ApimApi api, String endpoint) {
        ObjectNode properties = JsonNodeFactory.instance.objectNode();
        properties.put("name", api.apiName());
        properties.put("description", "Made by Gatebench for the scenario " + api.scenario());
        properties.put("context", api.context());
        properties.put("version", ApimApi.VERSION);
        properties.putArray("transport").add("https");
        properties.putArray("policies").add(UNLIMITED);
        properties.set("endpointConfig", endpoints(endpoint));
        if (rest.publisherVersion() == 1) {
            // Without revisions this says where the API is served; 3.2 takes its absence for nowhere.
            ArrayNode gateways = properties.putArray("gatewayEnvironments");
            environments("deploy the API " + api.apiName())
                    .forEach(
                            environment -> gateways.add(environment.path("name").asText()));
        }
        return properties;
    }

    private static ObjectNode endpoints(String url) {
        ObjectNode config = JsonNodeFactory.instance.objectNode();
        config.put("endpoint_type", "http");
        config.putObject("production_endpoints").put("url", url);
        config.putObject("sandbox_endpoints").put("url", url);
        return config;
    }

    private ArrayNode operations(RestBody.File schema) {
        String step = "have the GraphQL schema checked";
        JsonNode answer = rest.publisher(
                step,
                "POST",
                "/apis/validate-graphql-schema",
                RestBody.multipart(Map.of(), Map.of("file", schema)),
                200);
        JsonNode listed = answer.path("graphQLInfo").path("operations");
        if (!answer.path("isValid").asBoolean() || listed.isEmpty()) {
            throw new RestFailure(
                    step + ": the server says: " + answer.path("errorMessage").asText("no operation was found"));
        }
        ArrayNode operations = JsonNodeFactory.instance.arrayNode();
        for (JsonNode entry : listed) {
            ObjectNode operation = operations.addObject();
            operation.put("target", rest.text(step, entry, "target"));
            operation.put("verb", rest.text(step, entry, "verb"));
            operation.put("authType", "Application & Application User");
            operation.put("throttlingPolicy", UNLIMITED);
        }
        return operations;
    }

    private ObjectNode details(ApimApi api, String id) {
        String step = "read the API " + api.apiName();
        return object(step, rest.publisher(step, "GET", "/apis/" + id, RestBody.NONE, 200));
    }

    private ObjectNode update(String step, String id, ObjectNode api) {
        return object(step, rest.publisher(step, "PUT", "/apis/" + id, RestBody.json(api), 200));
    }

    /** Returns an answer as an API, which it must be. */
    static ObjectNode object(String step, JsonNode node) {
        if (node instanceof ObjectNode object && node.path("operations").isArray()) {
            return object;
        }
        throw new RestFailure(step + ": the response is no API with its operations");
    }

    /**
     * Deploys what the publisher has, unless a revision for this back end is served. The description tells: a set-up
     * that stopped between a change and its deployment would otherwise leave the gateway with the old back end.
     */
    private void ensureDeployed(ApimApi api, String id, String endpoint, boolean changed) {
        String step = "deploy the API " + api.apiName();
        String mark = "Made by Gatebench for " + endpoint;
        JsonNode list = rest.publisher(step, "GET", "/apis/" + id + "/revisions", RestBody.NONE, 200);
        List<String> unused = new ArrayList<>();
        boolean served = false;
        for (JsonNode revision : ApimRest.listed(step, list)) {
            if (revision.path("deploymentInfo").isEmpty()) {
                unused.add(rest.text(step, revision, "id"));
            } else {
                served |= revision.path("description").asText().equals(mark);
            }
        }
        if (served && !changed) {
            return;
        }
        if (ApimRest.listed(step, list).size() >= MAX_REVISIONS && !unused.isEmpty()) {
            rest.removeFromPublisher(
                    "make room for a revision of the API " + api.apiName(),
                    "/apis/" + id + "/revisions/" + unused.get(0));
        }
        ObjectNode description = JsonNodeFactory.instance.objectNode();
        description.put("description", mark);
        String revision = rest.text(
                step,
                rest.publisher(step, "POST", "/apis/" + id + "/revisions", RestBody.json(description), 200, 201),
                "id");
        JsonNode deployed = rest.publisher(
                step,
                "POST",
                "/apis/" + id + "/deploy-revision?revisionId=" + revision,
                RestBody.json(deployment(step)),
                200,
                201);
        if (!deployed.isArray() || deployed.isEmpty()) {
            throw new RestFailure(step + ": the response names no gateway to which it was deployed");
        }
    }

    private ArrayNode deployment(String step) {
        JsonNode environment = environments(step).path(0);
        ArrayNode deployments = JsonNodeFactory.instance.arrayNode();
        ObjectNode deployment = deployments.addObject();
        deployment.put("name", rest.text(step, environment, "name"));
        deployment.put("vhost", environment.path("vhosts").path(0).path("host").asText("localhost"));
        deployment.put("displayOnDevportal", true);
        return deployments;
    }

    private JsonNode environments(String step) {
        JsonNode environments =
                rest.publisher(step, "GET", "/settings", RestBody.NONE, 200).path("environment");
        environments.forEach(environment -> rest.text(step, environment, "name"));
        if (environments.isEmpty()) {
            throw new RestFailure(step + ": the response of " + rest.admin() + " names no gateway environment");
        }
        return environments;
    }

    private void pause() {
        if (!Pause.passed(searchPause)) {
            throw new RestFailure("interrupted while waiting for the search index");
        }
    }
}
