/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.TokenSlice;
import io.gatebench.load.engine.token.SigningKey.Algorithm;

class TokenPoolTest {

    static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-21T08:00:00Z"), ZoneOffset.UTC);
    static final TokenSpec SPEC = TokenSpec.accessToken("key-of-the-app");
    static final SigningKey RSA = SigningKey.generate(Algorithm.RS256);

    @TempDir
    Path directory;

    static JWSVerifier verifier(SigningKey key) throws Exception {
        return switch (key.algorithm()) {
            case HS256 -> new MACVerifier(java.util.Base64.getUrlDecoder().decode(key.privateKeyPem()));
            case ES256 ->
                new ECDSAVerifier(
                        JWKSet.parse(key.jwksJson("k")).getKeyByKeyId("k").toECKey());
            default ->
                new RSASSAVerifier(
                        JWKSet.parse(key.jwksJson("k")).getKeyByKeyId("k").toRSAKey());
        };
    }

    @ParameterizedTest
    @EnumSource
    void anotherLibraryVerifiesEveryAlgorithm(Algorithm algorithm) throws Exception {
        SigningKey key = SigningKey.generate(algorithm);
        SignedJWT token = SignedJWT.parse(TokenPool.generate(SPEC, key, CLOCK));

        assertThat(token.verify(verifier(key))).isTrue();
        assertThat(token.getHeader().getAlgorithm().getName()).isEqualTo(algorithm.name());
        assertThat(token.getHeader().getType().getType()).isEqualTo("at+jwt");
        JWTClaimsSet claims = token.getJWTClaimsSet();
        assertThat(claims.getAudience()).containsExactly("key-of-the-app");
        assertThat(claims.getSubject()).isEqualTo("admin@carbon.super");
        assertThat(claims.getIssueTime().toInstant()).isEqualTo(CLOCK.instant());
        assertThat(claims.getExpirationTime().toInstant())
                .isEqualTo(CLOCK.instant().plus(Duration.ofDays(365)));

        SignedJWT foreign = SignedJWT.parse(TokenPool.foreign(SPEC, key, CLOCK));
        assertThat(foreign.verify(verifier(key))).isFalse();
    }

    @Test
    void specialTokensDifferInOneThingOnly() throws Exception {
        SignedJWT expired = SignedJWT.parse(TokenPool.expired(SPEC, RSA, CLOCK));
        assertThat(expired.verify(verifier(RSA))).isTrue();
        assertThat(expired.getJWTClaimsSet().getExpirationTime().toInstant()).isBefore(CLOCK.instant());
        SignedJWT other = SignedJWT.parse(TokenPool.wrongAudience(SPEC, RSA, CLOCK));
        assertThat(other.verify(verifier(RSA))).isTrue();
        assertThat(other.getJWTClaimsSet().getAudience().get(0)).startsWith("another-audience");
    }

    @Test
    void partsArePaddedOnlyWhenAskedFor() {
        assertThat(TokenPool.generate(SPEC, RSA, CLOCK)).doesNotContain("=");
        assertThat(TokenPool.generate(SPEC.withPadding(true), RSA, CLOCK)).endsWith("==");
    }

    @Test
    void makesDistinctTokensInParallelAndTellsProgress() {
        AtomicInteger most = new AtomicInteger();
        TokenPool pool = TokenPool.generate(100, SPEC, RSA, CLOCK, done -> most.accumulateAndGet(done, Math::max));
        assertThat(new HashSet<>(pool.tokens())).hasSize(100);
        assertThat(most).hasValue(100);
    }

    @Test
    void slicesAreDisjointAndTogetherTheWhole() {
        TokenPool pool = TokenPool.opaque(103);
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 4; i++) {
            TokenPool slice = pool.slice(new TokenSlice(i, 4));
            assertThat(slice.tokens()).hasSizeBetween(25, 26);
            slice.tokens().forEach(token -> assertThat(seen.add(token)).isTrue());
        }
        assertThat(seen).hasSize(103);
        assertThat(pool.tokens()).allMatch(token -> token.matches("[0-9a-z]{36}"));
    }

    @Test
    void filesKeepTokensAndRefuseWhatIsNone() throws Exception {
        Path file = directory.resolve("tokens.csv");
        TokenPool pool = TokenPool.opaque(3);
        pool.writeCsv(file);
        assertThat(TokenPool.readCsv(file)).isEqualTo(pool);
        Files.writeString(file, "\ufeffabc\r\n\r\n\"def\"\n");
        assertThat(TokenPool.readCsv(file).tokens()).isEqualTo(List.of("abc", "def"));
        Files.writeString(file, "a b\n");
        assertThatThrownBy(() -> TokenPool.readCsv(file)).hasMessageContaining("line 1");
        Files.writeString(file, "\n");
        assertThatThrownBy(() -> TokenPool.readCsv(file)).hasMessageContaining("holds no token");
    }

    @Test
    void filesKeepTheExpiryThatOnlyTheIssuerKnows() throws Exception {
        Path file = directory.resolve("tokens.csv");
        Instant soon = Instant.parse("2026-11-21T09:00:00Z");
        TokenPool pool = new TokenPool(List.of("a1", "b2", "c3"), Map.of("a1", soon.plusSeconds(60), "b2", soon));
        pool.writeCsv(file);

        assertThat(Files.readAllLines(file))
                .containsExactly("a1,2026-11-21T09:01:00Z", "b2,2026-11-21T09:00:00Z", "c3");
        assertThat(TokenPool.readCsv(file)).isEqualTo(pool);
        assertThat(pool.earliestExpiry()).contains(soon);
        assertThat(pool.slice(new TokenSlice(0, 3)).earliestExpiry()).contains(soon.plusSeconds(60));
        assertThat(pool.slice(new TokenSlice(2, 3)).earliestExpiry()).isEmpty();

        Files.writeString(file, "a1,anything else,2026-11-21T09:00:00Z\nb2,\n");
        assertThat(TokenPool.readCsv(file)).isEqualTo(new TokenPool(List.of("a1", "b2")));
    }

    @Test
    void theExpiryOfATokenIsItsOwnClaim() {
        assertThat(new TokenPool(List.of(
                                jwt("{\"exp\":2000000000}"),
                                jwt("{\"exp\":1900000000.5,\"sub\":\"x\"}"),
                                jwt("{\"application\":{\"exp\":1}}")))
                        .earliestExpiry())
                .contains(Instant.ofEpochSecond(1_900_000_000));
        assertThat(new TokenPool(List.of(
                                "0b6fa",
                                "a.b",
                                "a.!!.c",
                                jwt("no json"),
                                jwt("{\"exp\":\"soon\"}"),
                                jwt("{\"exp\":9223372036854775807}")))
                        .earliestExpiry())
                .isEmpty();
    }

    private static String jwt(String claims) {
        java.util.Base64.Encoder encoder = java.util.Base64.getUrlEncoder().withoutPadding();
        return encoder.encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + encoder.encodeToString(claims.getBytes(StandardCharsets.UTF_8)) + ".c2ln";
    }

    @Test
    void refusesTokensThatExpireBeforeTheEnd() {
        SigningKey key = SigningKey.generate(Algorithm.ES256);
        TokenPool pool = new TokenPool(List.of(
                TokenPool.generate(SPEC, key, CLOCK),
                TokenPool.generate(SPEC.withLifetime(Duration.ofHours(1)), key, CLOCK)));
        pool.checkValidUntil(CLOCK.instant().plus(Duration.ofMinutes(59)));
        assertThatThrownBy(() -> pool.checkValidUntil(
                        CLOCK.instant().plus(Duration.ofHours(2)).plusNanos(1)))
                .isInstanceOf(LoadException.class)
                .hasMessage("a token expires at 2026-11-21T09:00:00Z but the tests are planned to end at"
                        + " 2026-11-21T10:00:00Z; make tokens that live longer");
    }
}
