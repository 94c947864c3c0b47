/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The publisher of the double: APIs, their policies and revisions. */
final class PublisherDouble {

    private static final ObjectMapper JSON = new ObjectMapper();

    final Map<String, ObjectNode> apis = new LinkedHashMap<>();
    final Map<String, List<ObjectNode>> revisions = new LinkedHashMap<>();

    private final Map<String, List<ObjectNode>> policies = new LinkedHashMap<>();
    private final PortalDouble portal;
    private int hidden;

    PublisherDouble(PortalDouble portal) {
        this.portal = portal;
    }

    /** Lists of APIs stay empty that often, as with a search index that lags behind. */
    void lag(int searches) {
        hidden = searches;
    }

    DoubleReply reply(ApimContract.Request request) throws IOException {
        String path = request.path();
        String[] words = path.substring(1).split("/");
        switch (request.method() + " " + (words.length > 2 ? words[2] : words.length > 1 ? "one" : words[0])) {
            case "GET settings" -> {
                ObjectNode settings = JSON.createObjectNode();
                ObjectNode environment =
                        settings.putArray("environment").addObject().put("name", "Default");
                environment.putArray("vhosts").addObject().put("host", "gw.example");
                return DoubleReply.of(200, settings);
            }
            case "GET apis" -> {
                if (hidden > 0 && request.query().containsKey("query")) {
                    hidden--;
                    return DoubleReply.list(List.of());
                }
                return DoubleReply.list(apis.values());
            }
            case "POST apis" -> {
                return create((ObjectNode) JSON.readTree(request.body()), "HTTP");
            }
            default -> {
                // The others follow.
            }
        }
        if (path.equals("/apis/validate-graphql-schema")) {
            ObjectNode answer = JSON.createObjectNode().put("isValid", true);
            ArrayNode operations = answer.putObject("graphQLInfo").putArray("operations");
            operations.addObject().put("target", "hero").put("verb", "QUERY");
            operations.addObject().put("target", "createReview").put("verb", "MUTATION");
            return DoubleReply.of(200, answer);
        }
        if (path.equals("/apis/import-graphql-schema")) {
            return create((ObjectNode) JSON.readTree(request.parts().get("additionalProperties")), "GRAPHQL");
        }
        if (path.equals("/apis/change-lifecycle")) {
            ObjectNode api = apis.get(request.query().get("apiId"));
            if (api == null) {
                return DoubleReply.refused(404, "no such API");
            }
            api.put("lifeCycleStatus", "PUBLISHED");
            return DoubleReply.of(200, JSON.createObjectNode().put("workflowStatus", "APPROVED"));
        }
        String id = words[1];
        if (!apis.containsKey(id)) {
            return DoubleReply.refused(404, "no such API");
        }
        if (words.length == 2) {
            return one(id, request);
        }
        return part(id, words, request);
    }

    private DoubleReply create(ObjectNode api, String type) {
        boolean taken = apis.values().stream()
                .anyMatch(other -> other.path("context").equals(api.path("context"))
                        || other.path("name").equals(api.path("name")));
        if (taken) {
            return DoubleReply.refused(409, "the context or name is taken");
        }
        String id = UUID.randomUUID().toString();
        api.put("id", id);
        api.put("type", type);
        api.put("provider", ApimDouble.USER);
        api.put("lifeCycleStatus", "CREATED");
        apis.put(id, api);
        revisions.put(id, new ArrayList<>());
        policies.put(id, new ArrayList<>());
        return DoubleReply.of(201, api);
    }

    private DoubleReply one(String id, ApimContract.Request request) throws IOException {
        switch (request.method()) {
            case "GET" -> {
                return DoubleReply.of(200, apis.get(id));
            }
            case "PUT" -> {
                ObjectNode changed = (ObjectNode) JSON.readTree(request.body());
                changed.put(
                        "lifeCycleStatus", apis.get(id).path("lifeCycleStatus").asText());
                apis.put(id, changed);
                return DoubleReply.of(200, changed);
            }
            default -> {
                if (portal.isSubscribed(id)) {
                    return DoubleReply.refused(409, "active subscriptions exist");
                }
                apis.remove(id);
                revisions.remove(id);
                policies.remove(id);
                return new DoubleReply(200, "");
            }
        }
    }

    private DoubleReply part(String id, String[] words, ApimContract.Request request) throws IOException {
        switch (request.method() + " " + words[2]) {
            case "GET revisions" -> {
                return DoubleReply.list(revisions.get(id));
            }
            case "POST revisions" -> {
                if (revisions.get(id).size() >= 5) {
                    return DoubleReply.refused(400, "the maximum number of revisions is reached");
                }
                ObjectNode revision =
                        JSON.createObjectNode().put("id", UUID.randomUUID().toString());
                revision.put(
                        "description",
                        JSON.readTree(request.body()).path("description").asText());
                revision.set("api", apis.get(id).deepCopy());
                revision.putArray("deploymentInfo");
                revisions.get(id).add(revision);
                return DoubleReply.of(201, revision);
            }
            case "DELETE revisions" -> {
                revisions.get(id).removeIf(r -> r.path("id").asText().equals(words[3]));
                return DoubleReply.list(revisions.get(id));
            }
            case "POST deploy-revision" -> {
                for (ObjectNode revision : revisions.get(id)) {
                    ArrayNode deployments = revision.putArray("deploymentInfo");
                    if (revision.path("id").asText().equals(request.query().get("revisionId"))) {
                        deployments.addAll((ArrayNode) JSON.readTree(request.body()));
                    }
                }
                return DoubleReply.of(201, JSON.readTree(request.body()));
            }
            case "GET mediation-policies", "GET operation-policies" -> {
                return DoubleReply.list(policies.get(id));
            }
            case "POST mediation-policies" -> {
                String xml = request.parts().get("mediationPolicyFile");
                Matcher name =
                        Pattern.compile("<sequence [^>]*name=\"([^\"]+)\"").matcher(xml);
                return name.find() ? addPolicy(id, name.group(1)) : DoubleReply.refused(400, "no sequence");
            }
            case "POST operation-policies" -> {
                return addPolicy(
                        id,
                        JSON.readTree(request.parts().get("policySpecFile"))
                                .path("name")
                                .asText());
            }
            default -> {
                return DoubleReply.refused(404, "no such operation");
            }
        }
    }

    private DoubleReply addPolicy(String id, String name) {
        ObjectNode policy = JSON.createObjectNode()
                .put("id", UUID.randomUUID().toString())
                .put("name", name)
                .put("version", "v1");
        policies.get(id).add(policy);
        return DoubleReply.of(201, policy);
    }
}
