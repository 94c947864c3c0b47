/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.product.wso2;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gatebench.orchestrator.role.RoleStartException;

/**
 * Sets up the APIs of the scenarios, an application and its subscriptions, and removes them again.
 *
 * <p>Every step first looks for what an earlier run has left and takes it up, so that a set-up that stopped in the
 * middle goes on where it stopped. Everything bears the suite's own names; nothing else is touched.
 */
final class ApimSetUp {

    /** The name of the application that subscribes. */
    static final String APPLICATION = "Gatebench";

    private static final String UNLIMITED = "Unlimited";
    private static final String POLICY = "gatebenchMediation";
    private static final String POLICY_VERSION = "v1";
    private static final int MOST_REVISIONS = 5;
    private static final int SEARCHES = 20;

    private final ApimRest rest;
    private final Duration searchPause;
    private final List<String> done = new ArrayList<>();

    /**
     * What the load needs of a set-up.
     *
     * @param consumerKey the application's key
     * @param consumerSecret its secret
     */
    record Application(String consumerKey, String consumerSecret) {
        @Override
        public String toString() {
            return "Application[" + consumerKey + "]";
        }
    }

    /**
     * Creates a set-up.
     *
     * @param searchPause the pause between two looks for what the server says exists but does not list yet: its
     *     search index lags behind
     */
    ApimSetUp(ApimRest rest, Duration searchPause) {
        this.rest = rest;
        this.searchPause = searchPause;
    }

    /**
     * Makes what is not there yet and brings what is there to this back end.
     *
     * @throws RoleStartException that says which step failed, what the server answered, what was made before, and how
     *     to clean up
     */
    Application ensure(List<ApimApi> apis, URI backend) {
        try {
            rest.open();
            List<String> ids = new ArrayList<>();
            for (ApimApi api : apis) {
                ids.add(ensureApi(api, backend));
            }
            String application = ensureApplication();
            Application keys = ensureKeys(application);
            for (int i = 0; i < ids.size(); i++) {
                ensureSubscription(application, ids.get(i), apis.get(i));
            }
            return keys;
        } catch (RestFailure e) {
            throw new RoleStartException("the set-up of API Manager stopped: " + e.getMessage() + ". "
                    + (done.isEmpty() ? "Nothing was there or made before" : "In place: " + String.join(", ", done))
                    + ". " + cleanUp());
        }
    }

    private String cleanUp() {
        return "To go on, mend the cause and run the same command again: it takes up what is in place. To clean up by"
                + " hand, delete the application " + APPLICATION + " in " + rest.admin()
                + "/devportal and then the APIs whose names begin with Gatebench in " + rest.admin() + "/publisher";
    }

    /** Removes what {@link #ensure} makes, also that of an earlier run. */
    void remove() {
        try {
            rest.open();
            for (JsonNode application : applications()) {
                String id = rest.text("remove the application", application, "applicationId");
                for (JsonNode subscription : subscriptions(id)) {
                    delete(
                            "remove a subscription",
                            true,
                            "/subscriptions/"
                                    + subscription.path("subscriptionId").asText());
                }
                delete("remove the application " + APPLICATION, true, "/applications/" + id);
            }
            for (ApimApi api : ApimApi.values()) {
                Optional<String> id = find(api);
                if (id.isPresent()) {
                    delete("remove the API " + api.apiName(), false, "/apis/" + id.get());
                }
            }
            rest.close();
        } catch (RestFailure e) {
            throw new RoleStartException("what was set up in API Manager could not be removed: " + e.getMessage() + ". "
                    + "Delete the application " + APPLICATION + " in " + rest.admin()
                    + "/devportal and then the APIs whose names begin with Gatebench in " + rest.admin()
                    + "/publisher");
        }
    }

    private void delete(String step, boolean portal, String path) {
        // Gone already is as good; 202 is a removal that waits for an approval of the administrator's.
        if (portal) {
            rest.portalAnswer(step, "DELETE", path, RestBody.NONE, 200, 202, 204, 404);
        } else {
            rest.publisherAnswer(step, "DELETE", path, RestBody.NONE, 200, 202, 204, 404);
        }
    }

    private String ensureApi(ApimApi api, URI backend) {
        String endpoint = backend.resolve(api.backendPath()).toString();
        Optional<String> found = find(api);
        String id = found.orElseGet(() -> create(api, endpoint));
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
            changed |= ensureMediation(api, id, current);
        }
        if (rest.publisherVersion() >= 2) {
            ensureDeployed(api, id, endpoint, changed);
        }
        if (!"PUBLISHED".equals(current.path("lifeCycleStatus").asText())) {
            publish(api, id);
        }
        done.add("API " + api.apiName() + " (" + id + ")");
        return id;
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
        for (JsonNode entry : listed(step, list)) {
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
            RestBody.File schema = new RestBody.File("starwars.graphqls", "text/plain", schema());
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
        return rest.text(step, parse(step, answer), "id");
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

    private static ObjectNode object(String step, JsonNode node) {
        if (node instanceof ObjectNode object && node.path("operations").isArray()) {
            return object;
        }
        throw new RestFailure(step + ": the answer is no API with its operations");
    }

    private boolean ensureMediation(ApimApi api, String id, ObjectNode current) {
        return rest.publisherVersion() >= 3
                ? ensureOperationPolicy(api, id, current)
                : ensureSequence(api, id, current);
    }

    /** From 4.1 on a mediation is a policy of an operation. */
    private boolean ensureOperationPolicy(ApimApi api, String id, ObjectNode current) {
        String step = "add the mediation to the API " + api.apiName();
        JsonNode list = rest.publisher(step, "GET", "/apis/" + id + "/operation-policies", RestBody.NONE, 200);
        String policy = "";
        for (JsonNode entry : listed(step, list)) {
            if (entry.path("name").asText().equals(POLICY)) {
                policy = rest.text(step, entry, "id");
            }
        }
        if (policy.isEmpty()) {
            ObjectNode spec = JsonNodeFactory.instance.objectNode();
            spec.put("category", "Mediation");
            spec.put("name", POLICY);
            spec.put("version", POLICY_VERSION);
            spec.put("displayName", "Swap the members of an echo");
            spec.put("description", "Made by Gatebench");
            spec.putArray("policyAttributes");
            spec.putArray("applicableFlows").add("response");
            spec.putArray("supportedGateways").add("Synapse");
            spec.putArray("supportedApiTypes").add("HTTP");
            spec.put("multipleAllowed", false);
            Map<String, RestBody.File> files = new LinkedHashMap<>();
            files.put("policySpecFile", new RestBody.File(POLICY + ".json", "application/json", spec.toString()));
            files.put(
                    "synapsePolicyDefinitionFile",
                    new RestBody.File(POLICY + ".j2", "application/octet-stream", mediation()));
            policy = rest.text(
                    step,
                    rest.publisher(
                            step,
                            "POST",
                            "/apis/" + id + "/operation-policies",
                            RestBody.multipart(Map.of(), files),
                            200,
                            201),
                    "id");
        }
        boolean missing = false;
        for (JsonNode operation : current.path("operations")) {
            if (!POLICY.equals(operation
                    .path("operationPolicies")
                    .path("response")
                    .path(0)
                    .path("policyName")
                    .asText())) {
                ObjectNode policies = ((ObjectNode) operation).putObject("operationPolicies");
                policies.putArray("request");
                ObjectNode use = policies.putArray("response").addObject();
                use.put("policyName", POLICY);
                use.put("policyVersion", POLICY_VERSION);
                use.put("policyId", policy);
                use.putObject("parameters");
                policies.putArray("fault");
                missing = true;
            }
        }
        if (missing) {
            update("attach the mediation to the API " + api.apiName(), id, current);
        }
        return missing;
    }

    /** Up to 4.0 a mediation is a sequence of the whole API. */
    private boolean ensureSequence(ApimApi api, String id, ObjectNode current) {
        for (JsonNode used : current.path("mediationPolicies")) {
            if (used.path("name").asText().equals(POLICY)) {
                return false;
            }
        }
        String step = "add the mediation to the API " + api.apiName();
        JsonNode list = rest.publisher(step, "GET", "/apis/" + id + "/mediation-policies", RestBody.NONE, 200);
        boolean there = false;
        for (JsonNode entry : listed(step, list)) {
            there |= entry.path("name").asText().equals(POLICY);
        }
        if (!there) {
            String sequence = "<sequence xmlns=\"http://ws.apache.org/ns/synapse\" name=\"" + POLICY + "\">\n"
                    + mediation() + "</sequence>\n";
            rest.publisher(
                    step,
                    "POST",
                    "/apis/" + id + "/mediation-policies",
                    RestBody.multipart(
                            Map.of("type", "out"),
                            Map.of(
                                    "mediationPolicyFile",
                                    new RestBody.File(POLICY + ".xml", "application/xml", sequence))),
                    200,
                    201);
        }
        ObjectNode use = current.putArray("mediationPolicies").addObject();
        use.put("name", POLICY);
        use.put("type", "out");
        update("attach the mediation to the API " + api.apiName(), id, current);
        return true;
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
        for (JsonNode revision : listed(step, list)) {
            if (revision.path("deploymentInfo").isEmpty()) {
                unused.add(rest.text(step, revision, "id"));
            } else {
                served |= revision.path("description").asText().equals(mark);
            }
        }
        if (served && !changed) {
            return;
        }
        if (listed(step, list).size() >= MOST_REVISIONS && !unused.isEmpty()) {
            delete(
                    "make room for a revision of the API " + api.apiName(),
                    false,
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
            throw new RestFailure(step + ": the answer names no gateway to which it was deployed");
        }
    }

    private ArrayNode deployment(String step) {
        JsonNode settings = rest.publisher(step, "GET", "/settings", RestBody.NONE, 200);
        JsonNode environment = settings.path("environment").path(0);
        ArrayNode deployments = JsonNodeFactory.instance.arrayNode();
        ObjectNode deployment = deployments.addObject();
        deployment.put("name", rest.text(step, environment, "name"));
        deployment.put("vhost", environment.path("vhosts").path(0).path("host").asText("localhost"));
        deployment.put("displayOnDevportal", true);
        return deployments;
    }

    private List<JsonNode> applications() {
        String step = "look for the application " + APPLICATION;
        JsonNode list = rest.portal(
                step, "GET", "/applications?limit=100&query=" + ApimRest.query(APPLICATION), RestBody.NONE, 200);
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode entry : listed(step, list)) {
            if (entry.path("name").asText().equals(APPLICATION)) {
                found.add(entry);
            }
        }
        return found;
    }

    private String ensureApplication() {
        String step = "create the application " + APPLICATION;
        List<JsonNode> found = applications();
        String id;
        if (found.isEmpty()) {
            ObjectNode body = JsonNodeFactory.instance.objectNode();
            body.put("name", APPLICATION);
            body.put("throttlingPolicy", UNLIMITED);
            body.put("description", "Made by Gatebench");
            body.put("tokenType", "JWT");
            RestClient.Answer answer =
                    rest.portalAnswer(step, "POST", "/applications", RestBody.json(body), 200, 201, 409);
            if (answer.status() == 409) {
                found = applications();
                if (found.isEmpty()) {
                    throw new RestFailure(step + ": the server answered 409, but lists no application of that name for"
                            + " this user");
                }
                id = rest.text(step, found.get(0), "applicationId");
            } else {
                id = rest.text(step, parse(step, answer), "applicationId");
            }
        } else {
            id = rest.text(step, found.get(0), "applicationId");
        }
        done.add("application " + APPLICATION + " (" + id + ")");
        return id;
    }

    private Optional<Application> keys(String application) {
        String step = "look for the keys of the application " + APPLICATION;
        JsonNode list = rest.portal(step, "GET", "/applications/" + application + "/oauth-keys", RestBody.NONE, 200);
        for (JsonNode entry : listed(step, list)) {
            if (entry.path("keyType").asText().equals("PRODUCTION")) {
                return Optional.of(application(step, entry));
            }
        }
        return Optional.empty();
    }

    private Application ensureKeys(String application) {
        Optional<Application> found = keys(application);
        if (found.isPresent()) {
            return found.get();
        }
        String step = "make the keys of the application " + APPLICATION;
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("keyType", "PRODUCTION");
        body.put("keyManager", "Resident Key Manager");
        body.putArray("grantTypesToBeSupported")
                .add("client_credentials")
                .add("password")
                .add("refresh_token");
        body.put("callbackUrl", "https://localhost/gatebench");
        body.put("validityTime", "3600");
        RestClient.Answer answer = rest.portalAnswer(
                step, "POST", "/applications/" + application + "/generate-keys", RestBody.json(body), 200, 201, 409);
        if (answer.status() == 409) {
            return keys(application)
                    .orElseThrow(() -> new RestFailure(
                            step + ": the server answered 409, but lists no production keys of the application"));
        }
        return application(step, parse(step, answer));
    }

    private Application application(String step, JsonNode keys) {
        String key = rest.text(step, keys, "consumerKey");
        String secret = rest.text(step, keys, "consumerSecret");
        rest.hide(secret);
        return new Application(key, secret);
    }

    private List<JsonNode> subscriptions(String application) {
        String step = "look for the subscriptions of the application " + APPLICATION;
        JsonNode list =
                rest.portal(step, "GET", "/subscriptions?limit=100&applicationId=" + application, RestBody.NONE, 200);
        List<JsonNode> found = new ArrayList<>();
        listed(step, list).forEach(found::add);
        return found;
    }

    private void ensureSubscription(String application, String apiId, ApimApi api) {
        for (JsonNode subscription : subscriptions(application)) {
            if (subscription.path("apiId").asText().equals(apiId)) {
                return;
            }
        }
        String step = "subscribe to the API " + api.apiName();
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("applicationId", application);
        body.put("apiId", apiId);
        body.put("throttlingPolicy", UNLIMITED);
        RestClient.Answer answer =
                rest.portalAnswer(step, "POST", "/subscriptions", RestBody.json(body), 200, 201, 202, 409);
        // 409 means that it is subscribed already, if the server's own list says so too.
        if (answer.status() == 409) {
            boolean there = subscriptions(application).stream()
                    .anyMatch(listed -> listed.path("apiId").asText().equals(apiId));
            if (!there) {
                throw new RestFailure(step + ": the server answered 409, but lists no subscription to it");
            }
        } else {
            rest.text(step, parse(step, answer), "subscriptionId");
        }
        done.add("subscription to " + api.apiName());
    }

    /** An answer that is no list must not pass for an empty one: what is there would be made a second time. */
    private static JsonNode listed(String step, JsonNode answer) {
        JsonNode list = answer.path("list");
        if (list.isArray()) {
            return list;
        }
        if (answer.path("count").asInt(-1) == 0) {
            return JsonNodeFactory.instance.arrayNode();
        }
        throw new RestFailure(step + ": the answer is no list of what there is");
    }

    private JsonNode parse(String step, RestClient.Answer answer) {
        try {
            return new ObjectMapper().readTree(answer.body());
        } catch (JsonProcessingException e) {
            throw new RestFailure(step + ": the server answered " + answer.status() + " with what is no JSON");
        }
    }

    private void pause() {
        try {
            Thread.sleep(searchPause.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RestFailure("interrupted while waiting for the search index");
        }
    }

    private static String schema() {
        return resource("/roles/reference-gateway/starwars.graphqls");
    }

    private static String mediation() {
        return resource("mediation.xml");
    }

    private static String resource(String name) {
        try (InputStream in = ApimSetUp.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is no part of this program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
