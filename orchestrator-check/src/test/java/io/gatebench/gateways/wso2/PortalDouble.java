/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The developer portal of the double: applications, their keys and subscriptions. */
final class PortalDouble {

    private static final ObjectMapper JSON = new ObjectMapper();

    final Map<String, ObjectNode> applications = new LinkedHashMap<>();
    final Map<String, ObjectNode> keys = new LinkedHashMap<>();
    final Map<String, ObjectNode> subscriptions = new LinkedHashMap<>();

    private Optional<String> consumerKey = Optional.empty();

    /** Gives every application that key. */
    void giveKey(String key) {
        consumerKey = Optional.of(key);
    }

    boolean isSubscribed(String api) {
        return subscriptions.values().stream()
                .anyMatch(subscription -> subscription.path("apiId").asText().equals(api));
    }

    DoubleReply reply(ApimContract.Request request) throws IOException {
        String[] words = request.path().substring(1).split("/");
        switch (request.method() + " " + (words.length > 2 ? words[2] : words[0])) {
            case "GET applications" -> {
                return DoubleReply.list(applications.values());
            }
            case "POST applications" -> {
                ObjectNode application = (ObjectNode) JSON.readTree(request.body());
                String id = UUID.randomUUID().toString();
                applications.put(id, application.put("applicationId", id));
                return DoubleReply.of(201, application);
            }
            case "DELETE applications" -> {
                applications.remove(words[1]);
                keys.remove(words[1]);
                return new DoubleReply(200, "");
            }
            case "GET oauth-keys" -> {
                return DoubleReply.list(keys.containsKey(words[1]) ? List.of(keys.get(words[1])) : List.of());
            }
            case "POST generate-keys" -> {
                if (keys.containsKey(words[1])) {
                    return DoubleReply.refused(409, "keys exist");
                }
                ObjectNode made = JSON.createObjectNode()
                        .put(
                                "keyType",
                                JSON.readTree(request.body()).path("keyType").asText())
                        .put("consumerKey", consumerKey.orElse("key-" + UUID.randomUUID()))
                        .put("consumerSecret", "consumer-secret-" + UUID.randomUUID());
                keys.put(words[1], made);
                return DoubleReply.of(200, made);
            }
            case "GET subscriptions" -> {
                return DoubleReply.list(subscriptions.values().stream()
                        .filter(subscription -> subscription
                                .path("applicationId")
                                .asText()
                                .equals(request.query().get("applicationId")))
                        .toList());
            }
            case "POST subscriptions" -> {
                ObjectNode subscription = (ObjectNode) JSON.readTree(request.body());
                String id = UUID.randomUUID().toString();
                subscriptions.put(id, subscription.put("subscriptionId", id));
                return DoubleReply.of(201, subscription);
            }
            case "DELETE subscriptions" -> {
                subscriptions.remove(words[1]);
                return new DoubleReply(200, "");
            }
            default -> {
                return DoubleReply.refused(404, "no such operation");
            }
        }
    }
}
