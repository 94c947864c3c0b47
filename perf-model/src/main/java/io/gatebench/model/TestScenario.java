/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Work of the gateway in a test, and the request that makes it do so.
 *
 * @param name the published name, unique in its product, used in paths and options
 * @param displayName the published display name
 * @param description the published description
 * @param tls whether the gateway is called by HTTPS
 * @param method the HTTP method
 * @param path the path at the gateway, beginning with a slash
 * @param headers further request headers, without {@code Authorization}
 * @param payload the shape of the request payload
 * @param token the kind of bearer token
 * @param check what the response must be
 * @param probes requests that must be refused or take another route
 * @param steps what users send in place of that one request, if they do; method, path, headers and check are then those of
 *     the first step
 * @since 0.1
 */
public record TestScenario(
        String name,
        String displayName,
        String description,
        boolean tls,
        String method,
        String path,
        Map<String, String> headers,
        PayloadKind payload,
        TokenKind token,
        ResponseCheck check,
        List<Probe> probes,
        Optional<ScenarioSteps> steps) {

    /**
     * Copies the collections.
     *
     * @throws IllegalArgumentException if the path does not begin with a slash
     */
    public TestScenario {
        headers = Map.copyOf(headers);
        probes = List.copyOf(probes);
        steps = given(steps);
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the path of scenario " + name + " must begin with / but was " + path);
        }
    }

    /** Creates a scenario whose users send one request again and again. */
    public TestScenario(
            String name,
            String displayName,
            String description,
            boolean tls,
            String method,
            String path,
            Map<String, String> headers,
            PayloadKind payload,
            TokenKind token,
            ResponseCheck check,
            List<Probe> probes) {
        this(
                name,
                displayName,
                description,
                tls,
                method,
                path,
                headers,
                payload,
                token,
                check,
                probes,
                Optional.empty());
    }

    /** Scenarios of files that were written before there were steps have none. */
    private static Optional<ScenarioSteps> given(Optional<ScenarioSteps> steps) {
        return steps == null ? Optional.empty() : steps;
    }

    /** Returns this scenario with another check of its responses. */
    public TestScenario withCheck(ResponseCheck other) {
        return new TestScenario(
                name, displayName, description, tls, method, path, headers, payload, token, other, probes, steps);
    }

    /** Returns this scenario with another display name. */
    public TestScenario withDisplayName(String other) {
        return new TestScenario(
                name, other, description, tls, method, path, headers, payload, token, check, probes, steps);
    }

    /** Returns this scenario with other headers. */
    public TestScenario withHeaders(Map<String, String> others) {
        return new TestScenario(
                name, displayName, description, tls, method, path, others, payload, token, check, probes, steps);
    }

    /** Returns this scenario with other probes. */
    public TestScenario withProbes(List<Probe> others) {
        return new TestScenario(
                name, displayName, description, tls, method, path, headers, payload, token, check, others, steps);
    }

    /** Returns this scenario with those steps. */
    public TestScenario withSteps(Optional<ScenarioSteps> others) {
        return new TestScenario(
                name, displayName, description, tls, method, path, headers, payload, token, check, probes, others);
    }

    /** Returns the kind of message level that this scenario's payload is made from. */
    public MessageLevel.Kind messageKind() {
        return switch (payload) {
            case GRAPHQL_QUERY -> MessageLevel.Kind.GRAPHQL_QUERY;
            case XML_ELEMENTS -> MessageLevel.Kind.ELEMENTS;
            default -> MessageLevel.Kind.SIZE_BYTES;
        };
    }
}
