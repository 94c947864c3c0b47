/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenLifetimeTest {

    @TempDir
    private Path directory;

    private static String jwt(String claims) {
        Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
        return encoder.encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + encoder.encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + ".c2ln";
    }

    private Path tokens(String... tokens) throws IOException {
        return Files.write(directory.resolve("tokens"), java.util.List.of(tokens));
    }

    @Test
    void findsTheTokenThatExpiresFirst() throws IOException {
        Path file = tokens(jwt("{\"exp\":2000000000}"), jwt("{\"exp\":1900000000,\"sub\":\"x\"}"), jwt("{\"sub\":1}"));

        assertThat(TokenLifetime.firstEnd(file)).contains(Instant.ofEpochSecond(1_900_000_000));
    }

    @Test
    void knowsNothingOfTokensThatSayNothing() throws IOException {
        assertThat(TokenLifetime.firstEnd(tokens("0b6fa", "a.b", "a.!!.c", jwt("no json"), jwt("{\"exp\":\"soon\"}"))))
                .isEmpty();
    }
}
