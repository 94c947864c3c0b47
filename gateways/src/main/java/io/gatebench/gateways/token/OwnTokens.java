/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.token;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.engine.token.TokenSpec;
import io.gatebench.model.Probe;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.role.RoleProcess;

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

    /** Makes signed tokens. */
    public static OwnTokens jwt(int count, TokenSpec spec, SigningKey key, Clock clock, Path file) {
        TokenPool pool = TokenPool.generate(count, spec, key, clock, made -> {});
        pool.writeCsv(file);
        return new OwnTokens(file, probes(pool, spec, key, clock));
    }

    /** Makes the tokens of probes: a valid one, and an expired one, one of another key and one of another audience. */
    public static Map<Probe.Token, String> probes(TokenPool pool, TokenSpec spec, SigningKey key, Clock clock) {
        Map<Probe.Token, String> probes = new EnumMap<>(Probe.Token.class);
        probes.put(Probe.Token.VALID, pool.tokens().get(0));
        probes.put(Probe.Token.EXPIRED, TokenPool.expired(spec, key, clock));
        probes.put(Probe.Token.FOREIGN, TokenPool.foreign(spec, key, clock));
        probes.put(Probe.Token.WRONG_AUDIENCE, TokenPool.wrongAudience(spec, key, clock));
        return probes;
    }

    /** Takes opaque tokens, and among the probes one that nobody has issued. */
    public static OwnTokens opaque(TokenPool pool, Path file) {
        pool.writeCsv(file);
        return new OwnTokens(
                file,
                Map.of(
                        Probe.Token.VALID,
                        pool.tokens().get(0),
                        Probe.Token.FOREIGN,
                        TokenPool.opaque(1).tokens().get(0)));
    }

    /** Writes the key by which a gateway knows signed tokens into a file of the run. */
    public static Path publicKey(SigningKey key, RunContext run) {
        Path file = run.secrets().resolve("jwt-public.pem");
        try {
            return Files.writeString(file, key.publicKeyPem());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    /** Returns a gateway that is asked with these tokens, or with none where its scenario has none. */
    public static RunningGateway serving(
            URI target, Optional<RoleProcess> process, List<HostProcess> helpers, Optional<OwnTokens> tokens) {
        return new RunningGateway(
                target,
                process,
                helpers,
                tokens.map(OwnTokens::file),
                tokens.map(OwnTokens::probes).orElse(Map.of()));
    }

    @Override
    public String toString() {
        // The record's own form would print tokens into logs.
        return "OwnTokens[" + file + "]";
    }
}
