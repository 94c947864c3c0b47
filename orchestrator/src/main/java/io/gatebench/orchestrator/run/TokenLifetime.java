/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.orchestrator.host.HostException;

/** Until when the tokens of a load are valid, as far as they say so themselves. */
final class TokenLifetime {

    private static final ObjectMapper JSON = new ObjectMapper();

    private TokenLifetime() {}

    /**
     * Returns when the first of the tokens expires.
     *
     * @param file one token per line
     * @return empty if none of them is a JWT with an {@code exp} claim: only who issued it then knows
     */
    static Optional<Instant> firstEnd(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(TokenLifetime::end).flatMap(Optional::stream).min(Instant::compareTo);
        } catch (IOException e) {
            throw new HostException("cannot read the tokens: " + e.getMessage(), e);
        }
    }

    private static Optional<Instant> end(String token) {
        String[] parts = token.trim().split("\\.");
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            JsonNode exp =
                    JSON.readTree(Base64.getUrlDecoder().decode(parts[1])).path("exp");
            return exp.isNumber() ? Optional.of(Instant.ofEpochSecond(exp.asLong())) : Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
