/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.util.LinkedHashMap;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gatebench.spi.host.BundledText;

/** Gives an API the mediation of the scenario: in the form of its release, and only if it is not there yet. */
final class ApimMediation {

    private static final String POLICY = "gatebenchMediation";
    private static final String POLICY_VERSION = "v1";

    private final ApimRest rest;

    ApimMediation(ApimRest rest) {
        this.rest = rest;
    }

    /**
     * Attaches it where it is missing.
     *
     * @param current the API as the publisher has it
     * @return whether anything was changed
     */
    boolean ensure(ApimApi api, String id, ObjectNode current) {
        return rest.publisherVersion() >= 3
                ? ensureOperationPolicy(api, id, current)
                : ensureSequence(api, id, current);
    }

    /** From 4.1 on a mediation is a policy of an operation. */
    private boolean ensureOperationPolicy(ApimApi api, String id, ObjectNode current) {
        String step = "add the mediation to the API " + api.apiName();
        JsonNode list = rest.publisher(step, "GET", "/apis/" + id + "/operation-policies", RestBody.NONE, 200);
        String policy = "";
        for (JsonNode entry : ApimRest.listed(step, list)) {
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
            attach(api, id, current);
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
        for (JsonNode entry : ApimRest.listed(step, list)) {
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
        attach(api, id, current);
        return true;
    }

    private void attach(ApimApi api, String id, ObjectNode changed) {
        String step = "attach the mediation to the API " + api.apiName();
        ApimPublisher.object(step, rest.publisher(step, "PUT", "/apis/" + id, RestBody.json(changed), 200));
    }

    private static String mediation() {
        return BundledText.of(ApimMediation.class, "mediation.xml");
    }
}
