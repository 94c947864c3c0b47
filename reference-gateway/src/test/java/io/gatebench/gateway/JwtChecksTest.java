/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.ReactiveJwtDecoder;

import io.gatebench.certificate.SelfSignedCertificate;

class JwtChecksTest {
    private static final TestTokens TOKENS = new TestTokens();
    private static final TestTokens OTHERS = new TestTokens();

    @TempDir
    Path folder;

    @Test
    void verifiesTheTokensOfTheSuite() {
        Jwt jwt = decoder(TOKENS.publicKey(folder)).decode(TOKENS.valid()).block();

        assertThat(jwt).isNotNull();
        assertThat(jwt.getSubject()).isEqualTo("admin@carbon.super");
        assertThat(jwt.getAudience()).containsExactly(TestTokens.AUDIENCE);
    }

    @Test
    void verifiesPaddedTokensOverTheTextThatWasSigned() {
        Jwt jwt = decoder(TOKENS.publicKey(folder)).decode(TOKENS.padded()).block();

        assertThat(jwt).isNotNull();
        assertThat(jwt.getClaimAsString("pad")).isEqualTo("x");
    }

    @Test
    void toleratesTheDifferenceOfTwoClocksAndNoMore() {
        ReactiveJwtDecoder decoder = decoder(TOKENS.publicKey(folder));
        Instant now = Instant.now();

        assertThat(decoder.decode(TOKENS.token(claims -> claims.expirationTime(Date.from(now.minusSeconds(2)))))
                        .block())
                .isNotNull();
        assertRefused(decoder, TOKENS.token(claims -> claims.expirationTime(Date.from(now.minusSeconds(8)))));
        assertThat(decoder.decode(TOKENS.token(claims -> claims.notBeforeTime(Date.from(now.plusSeconds(3)))))
                        .block())
                .isNotNull();
        assertRefused(decoder, TOKENS.token(claims -> claims.notBeforeTime(Date.from(now.plusSeconds(30)))));
    }

    @Test
    void checksTheIssuerWhereOneIsConfigured() {
        ReactiveJwtDecoder decoder = JwtChecks.decoder(
                new GatewaySettings.Jwt(
                        Optional.of(TOKENS.publicKey(folder)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(TestTokens.ISSUER),
                        false,
                        Duration.ZERO,
                        Duration.ZERO),
                Clock.systemUTC());

        assertThat(decoder.decode(TOKENS.valid()).block()).isNotNull();
        assertRefused(decoder, TOKENS.token(claims -> claims.issuer("https://elsewhere")));
    }

    @Test
    void readsACertificate() throws Exception {
        SelfSignedCertificate made = ServerKey.selfSigned(Clock.systemUTC());
        Path pem = Files.writeString(
                folder.resolve("certificate.pem"),
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(made.certificate().getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        String token = TestTokens.token(new JWSHeader(JWSAlgorithm.RS256), new RSASSASigner(made.key()), claims -> {});

        assertThat(decoder(pem).decode(token).block()).isNotNull();
        assertRefused(decoder(pem), TOKENS.valid());
    }

    @Test
    void verifiesEs256WithAKeyOnP256() throws Exception {
        ECKey key = new ECKeyGenerator(Curve.P_256).generate();
        ReactiveJwtDecoder decoder = decoder(TestTokens.pem(folder.resolve("ec.pem"), key.toECPublicKey()));

        assertThat(decoder.decode(
                                TestTokens.token(new JWSHeader(JWSAlgorithm.ES256), new ECDSASigner(key), claims -> {}))
                        .block())
                .isNotNull();
        assertRefused(decoder, TOKENS.valid());
    }

    @Test
    void selectsTheKeyOfASetByItsId() throws Exception {
        JWKSet set = new JWKSet(List.of(
                new RSAKey.Builder((RSAPublicKey) TOKENS.keys().getPublic())
                        .keyID("first")
                        .build(),
                new RSAKey.Builder((RSAPublicKey) OTHERS.keys().getPublic())
                        .keyID("second")
                        .build()));
        Path file = Files.writeString(folder.resolve("jwks.json"), set.toString());
        ReactiveJwtDecoder decoder = decoderWithKeySet(file.toString());

        assertThat(decoder.decode(token(OTHERS, "second")).block()).isNotNull();
        assertThat(decoder.decode(token(TOKENS, "first")).block()).isNotNull();
        assertThat(decoder.decode(token(TOKENS, null)).block()).isNotNull();
        assertRefused(decoder, token(TOKENS, "second"));
        assertRefused(decoder, token(TOKENS, "third"));
    }

    @Test
    void fetchesTheKeySetFromAUrl() throws Exception {
        JWKSet set = new JWKSet(new RSAKey.Builder((RSAPublicKey) TOKENS.keys().getPublic())
                .keyID("first")
                .build());
        try (RecordingBackend issuer = new RecordingBackend()) {
            issuer.behave(request -> RecordingBackend.Answer.json(200, set.toString()));
            ReactiveJwtDecoder decoder = decoderWithKeySet(issuer.url() + "/jwks");

            assertThat(decoder.decode(token(TOKENS, "first")).block()).isNotNull();
            assertThat(decoder.decode(token(TOKENS, "first")).block()).isNotNull();
            assertThat(issuer.seen()).hasSize(1);
            assertRefused(decoder, token(OTHERS, "first"));
        }
    }

    @Test
    void refusesKeysThatAreTooWeakOrMissing() throws Exception {
        KeyPairGenerator weak = KeyPairGenerator.getInstance("RSA");
        weak.initialize(1024);
        Path weakKey = TestTokens.pem(
                folder.resolve("weak.pem"), weak.generateKeyPair().getPublic());
        Path p384 = TestTokens.pem(
                folder.resolve("p384.pem"),
                new ECKeyGenerator(Curve.P_384).generate().toECPublicKey());
        Path text = Files.writeString(folder.resolve("text.pem"), "no key");
        Path empty = Files.writeString(folder.resolve("empty.json"), "{\"keys\":[]}");

        assertThatThrownBy(() -> decoder(weakKey))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("must be RSA of at least 2048 bits or EC on P-256");
        assertThatThrownBy(() -> decoder(p384)).isInstanceOf(UsageException.class);
        assertThatThrownBy(() -> decoder(text))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("holds no public key or certificate in PEM form");
        assertThatThrownBy(() -> decoderWithKeySet(empty.toString()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("holds no RSA or EC key");
        assertThatThrownBy(() -> decoderWithKeySet("/no/such/file"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("there is no such file");
    }

    @Test
    void remembersAVerifiedTokenButNotPastItsTime() {
        AtomicInteger verifications = new AtomicInteger();
        TestClock clock = new TestClock(Instant.now());
        ReactiveJwtDecoder real = decoder(TOKENS.publicKey(folder));
        JwtTimestampValidator time = new JwtTimestampValidator(Duration.ZERO);
        time.setClock(clock);
        ReactiveJwtDecoder remembering = new RememberedJwts(
                token -> {
                    verifications.incrementAndGet();
                    return real.decode(token);
                },
                time,
                Duration.ofHours(1));
        String token = TOKENS.token(
                claims -> claims.expirationTime(Date.from(clock.instant().plusSeconds(100))));

        assertThat(remembering.decode(token).block()).isNotNull();
        assertThat(remembering.decode(token).block()).isNotNull();
        assertThat(verifications).hasValue(1);

        String[] parts = token.split("\\.");
        assertRefused(remembering, parts[0] + "." + parts[1].substring(0, parts[1].length() - 4) + "AAAA." + parts[2]);
        assertThat(verifications).hasValue(2);

        clock.advance(Duration.ofSeconds(101));
        assertRefused(remembering, token);
    }

    private static String token(TestTokens tokens, @Nullable String keyId) {
        return TestTokens.token(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(keyId).build(),
                new RSASSASigner(tokens.keys().getPrivate()),
                claims -> {});
    }

    private static ReactiveJwtDecoder decoder(Path publicKey) {
        return decoder(Optional.of(publicKey), Optional.empty());
    }

    private static ReactiveJwtDecoder decoderWithKeySet(String fileOrUrl) {
        return decoder(Optional.empty(), Optional.of(fileOrUrl));
    }

    private static ReactiveJwtDecoder decoder(Optional<Path> publicKey, Optional<String> keySet) {
        return JwtChecks.decoder(
                new GatewaySettings.Jwt(
                        publicKey,
                        keySet,
                        Optional.empty(),
                        Optional.empty(),
                        true,
                        Duration.ZERO,
                        Duration.ofSeconds(5)),
                Clock.systemUTC());
    }

    private static void assertRefused(ReactiveJwtDecoder decoder, String token) {
        assertThatThrownBy(() -> decoder.decode(token).block()).isInstanceOf(JwtException.class);
    }

    private static final class TestClock extends Clock {
        private Instant now;

        TestClock(Instant now) {
            this.now = now;
        }

        void advance(Duration duration) {
            now = now.plus(duration);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
