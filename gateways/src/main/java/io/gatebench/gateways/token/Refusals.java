/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.token;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.gatebench.model.Probe;
import io.gatebench.model.TokenKind;

/** Probes of whether a gateway refuses who has no right to an answer. */
public final class Refusals {

    private static final Set<Integer> REFUSED = Set.of(401, 403);

    private Refusals() {}

    /** Returns a probe for each way in which a token of a kind can be a wrong one. */
    public static List<Probe> of(TokenKind token) {
        return switch (token) {
            case NONE -> List.of();
            case OPAQUE ->
                List.of(refused("no token", Probe.Token.NONE), refused("foreign token", Probe.Token.FOREIGN));
            case JWT ->
                List.of(
                        refused("no token", Probe.Token.NONE),
                        refused("foreign token", Probe.Token.FOREIGN),
                        refused("expired token", Probe.Token.EXPIRED),
                        refused("token for another audience", Probe.Token.WRONG_AUDIENCE));
        };
    }

    private static Probe refused(String name, Probe.Token token) {
        return new Probe(name, token, Map.of(), REFUSED, Optional.empty());
    }
}
