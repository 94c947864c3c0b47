/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A single request that must be refused or must take another route than the load does.
 *
 * <p>Probes are sent before the load: a gateway that answers quickly because it checks nothing is not measured. A few go
 * along with the load, apart from its samples: a gateway that stops checking under load is not measured either.
 *
 * @param name what it tries, e.g. {@code expired token}
 * @param token the token that it carries
 * @param headers headers that replace those of the scenario
 * @param expectedStatuses the status codes that are a right answer
 * @param expectedText text that the body must contain, if any
 * @param body the body that it carries in place of the scenario's, if any
 * @since 0.1
 */
public record Probe(
        String name,
        Token token,
        Map<String, String> headers,
        Set<Integer> expectedStatuses,
        Optional<String> expectedText,
        Optional<String> body) {

    /** Token that a probe carries. */
    public enum Token {
        /** The token of the scenario. */
        VALID,
        /** No token. */
        NONE,
        /** A token whose time is over. */
        EXPIRED,
        /** A token signed by a key that the gateway does not know, or an opaque token that was never issued. */
        FOREIGN,
        /** A token for another audience. */
        WRONG_AUDIENCE
    }

    /** Copies the collections; older files have no body. */
    public Probe {
        headers = Map.copyOf(headers);
        expectedStatuses = Set.copyOf(expectedStatuses);
        body = given(body);
    }

    /** Creates a probe that carries the body of the scenario. */
    public Probe(
            String name,
            Token token,
            Map<String, String> headers,
            Set<Integer> expectedStatuses,
            Optional<String> expectedText) {
        this(name, token, headers, expectedStatuses, expectedText, Optional.empty());
    }

    /** Returns this probe with other headers. */
    public Probe withHeaders(Map<String, String> others) {
        return new Probe(name, token, others, expectedStatuses, expectedText, body);
    }

    private static Optional<String> given(Optional<String> body) {
        return body == null ? Optional.empty() : body;
    }
}
