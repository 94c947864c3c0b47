/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.token;

import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumMap;
import java.util.Map;

import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.engine.token.TokenSpec;
import io.gatebench.model.Probe;

/**
 * Tokens of one kind: a file for the load, and one for each kind of probe.
 *
 * @param file one token per line, readable by its owner alone
 * @param probes a token for each kind that probes ask for
 */
public record OwnTokens(Path file, Map<Probe.Token, String> probes) {

    /** Copies the map. */
    public OwnTokens {
        probes = Map.copyOf(probes);
    }

    /** Makes signed tokens, and among the probes expired ones, ones of another key and of another audience. */
    public static OwnTokens jwt(int count, TokenSpec spec, SigningKey key, Clock clock, Path file) {
        TokenPool pool = TokenPool.generate(count, spec, key, clock, made -> {});
        pool.writeCsv(file);
        Map<Probe.Token, String> probes = new EnumMap<>(Probe.Token.class);
        probes.put(Probe.Token.VALID, pool.tokens().get(0));
        probes.put(Probe.Token.EXPIRED, TokenPool.expired(spec, key, clock));
        probes.put(Probe.Token.FOREIGN, TokenPool.foreign(spec, key, clock));
        probes.put(Probe.Token.WRONG_AUDIENCE, TokenPool.wrongAudience(spec, key, clock));
        return new OwnTokens(file, probes);
    }

    /** Makes opaque tokens, and among the probes one that nobody has issued. */
    public static OwnTokens opaque(int count, Path file) {
        TokenPool pool = TokenPool.opaque(count);
        pool.writeCsv(file);
        return new OwnTokens(
                file,
                Map.of(
                        Probe.Token.VALID,
                        pool.tokens().get(0),
                        Probe.Token.FOREIGN,
                        TokenPool.opaque(1).tokens().get(0)));
    }

    @Override
    public String toString() {
        // The record's own form would print tokens into logs.
        return "OwnTokens[" + file + "]";
    }
}
