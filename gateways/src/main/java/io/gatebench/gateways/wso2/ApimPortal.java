/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Makes the application of the suite in the developer portal, its keys and subscriptions, and removes them again. */
final class ApimPortal {

    /** The name of the application that subscribes. */
    static final String APPLICATION = "Gatebench";

    private static final String UNLIMITED = "Unlimited";

    private final ApimRest rest;

    ApimPortal(ApimRest rest) {
        this.rest = rest;
    }

    /** Removes the applications of that name with their subscriptions, also those of an earlier run. */
    void remove() {
        for (JsonNode application : applications()) {
            String id = rest.text("remove the application", application, "applicationId");
            for (JsonNode subscription : subscriptions(id)) {
                rest.removeFromPortal(
                        "remove a subscription",
                        "/subscriptions/" + subscription.path("subscriptionId").asText());
            }
            rest.removeFromPortal("remove the application " + APPLICATION, "/applications/" + id);
        }
    }

    private List<JsonNode> applications() {
        String step = "look for the application " + APPLICATION;
        JsonNode list = rest.portal(
                step, "GET", "/applications?limit=100&query=" + ApimRest.query(APPLICATION), RestBody.NONE, 200);
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode entry : ApimRest.listed(step, list)) {
            if (entry.path("name").asText().equals(APPLICATION)) {
                found.add(entry);
            }
        }
        return found;
    }

    /** Makes the application if it is not there, and returns its identifier. */
    String ensureApplication() {
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
                id = rest.text(step, ApimRest.parse(step, answer), "applicationId");
            }
        } else {
            id = rest.text(step, found.get(0), "applicationId");
        }
        return id;
    }

    private Optional<ApimApplication> keys(String application) {
        String step = "look for the keys of the application " + APPLICATION;
        JsonNode list = rest.portal(step, "GET", "/applications/" + application + "/oauth-keys", RestBody.NONE, 200);
        for (JsonNode entry : ApimRest.listed(step, list)) {
            if (entry.path("keyType").asText().equals("PRODUCTION")) {
                return Optional.of(application(step, entry));
            }
        }
        return Optional.empty();
    }

    /** Makes the production keys of an application if it has none. */
    ApimApplication ensureKeys(String application) {
        Optional<ApimApplication> found = keys(application);
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
        return application(step, ApimRest.parse(step, answer));
    }

    private ApimApplication application(String step, JsonNode keys) {
        String key = rest.text(step, keys, "consumerKey");
        String secret = rest.text(step, keys, "consumerSecret");
        rest.hide(secret);
        return new ApimApplication(key, secret);
    }

    private List<JsonNode> subscriptions(String application) {
        String step = "look for the subscriptions of the application " + APPLICATION;
        JsonNode list =
                rest.portal(step, "GET", "/subscriptions?limit=100&applicationId=" + application, RestBody.NONE, 200);
        List<JsonNode> found = new ArrayList<>();
        ApimRest.listed(step, list).forEach(found::add);
        return found;
    }

    /** Subscribes an application to an API if it is not yet. */
    void ensureSubscription(String application, String apiId, ApimApi api) {
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
            rest.text(step, ApimRest.parse(step, answer), "subscriptionId");
        }
    }
}
