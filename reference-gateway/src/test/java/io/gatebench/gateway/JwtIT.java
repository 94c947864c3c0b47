/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JwtIT {
    private static final String BODY = "{\"size\":\"50B\",\"payload\":[\"0123456789\",\"ABCDEFGH\"]}";
    private static final TestTokens TOKENS = new TestTokens();

    @TempDir
    static Path folder;

    static RecordingBackend backend;
    static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        backend = new RecordingBackend();
        gateway = new RunningGateway(
                "--gateway.backend=" + backend.url(),
                "--gateway.http-port=0",
                "--gateway.jwt-public-key=" + TOKENS.publicKey(folder),
                "--gateway.jwt-audience=" + TestTokens.AUDIENCE);
    }

    @AfterAll
    static void stop() {
        gateway.close();
        backend.close();
    }

    @BeforeEach
    void reset() {
        backend.reset();
    }

    @Test
    void passesARequestWithAValidTokenToTheBackEndUnchanged() throws Exception {
        HttpResponse<String> response = gateway.postWithToken("/echo/1.0.0", BODY, TOKENS.valid());

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(BODY);
        assertThat(backend.seen()).singleElement().satisfies(seen -> {
            assertThat(seen.method()).isEqualTo("POST");
            assertThat(seen.path()).isEqualTo("/");
            assertThat(seen.text()).isEqualTo(BODY);
            assertThat(seen.headers()).doesNotContainKey("Authorization");
        });
    }

    @Test
    void keepsTheRestOfThePathAndTheQuery() throws Exception {
        gateway.postWithToken("/echo/1.0.0/a/b?c=d%20e", BODY, TOKENS.valid());

        assertThat(backend.seen())
                .singleElement()
                .satisfies(seen -> assertThat(seen.path()).isEqualTo("/a/b?c=d%20e"));
    }

    @Test
    void servesThePlainPortWithTheSameChecks() throws Exception {
        String url = "http://localhost:" + gateway.httpPort() + "/echo/1.0.0";

        assertThat(gateway.send(url, BODY, request -> request).statusCode()).isEqualTo(401);
        assertThat(gateway.send(url, BODY, request -> request.header("Authorization", "bearer " + TOKENS.valid()))
                        .body())
                .isEqualTo(BODY);
    }

    @Test
    void acceptsTheTypesJwtAndAtJwtAndNone() throws Exception {
        for (JOSEObjectType type : new JOSEObjectType[] {JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null}) {
            String token = TestTokens.token(
                    new JWSHeader.Builder(JWSAlgorithm.RS256).type(type).build(),
                    new RSASSASigner(TOKENS.keys().getPrivate()),
                    claims -> {});
            assertThat(gateway.postWithToken("/echo/1.0.0", BODY, token).statusCode())
                    .as("typ %s", type)
                    .isEqualTo(200);
        }
    }

    @Test
    void refusesAnotherType() throws Exception {
        assertRefused(TestTokens.token(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .type(new JOSEObjectType("logout+jwt"))
                        .build(),
                new RSASSASigner(TOKENS.keys().getPrivate()),
                claims -> {}));
    }

    @Test
    void acceptsPs256() throws Exception {
        String token = TestTokens.token(
                new JWSHeader(JWSAlgorithm.PS256),
                new RSASSASigner(TOKENS.keys().getPrivate()),
                claims -> {});
        assertThat(gateway.postWithToken("/echo/1.0.0", BODY, token).statusCode())
                .isEqualTo(200);
    }

    @Test
    void refusesARequestWithoutToken() throws Exception {
        HttpResponse<String> response = gateway.post("/echo/1.0.0", BODY, request -> request);

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(backend.seen()).isEmpty();
    }

    @Test
    void refusesAnotherScheme() throws Exception {
        HttpResponse<String> response =
                gateway.post("/echo/1.0.0", BODY, request -> request.header("Authorization", "Basic YWRtaW46YWRtaW4="));

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(backend.seen()).isEmpty();
    }

    @Test
    void refusesAnExpiredToken() throws Exception {
        assertRefused(TOKENS.token(
                claims -> claims.expirationTime(Date.from(Instant.now().minusSeconds(10)))));
    }

    @Test
    void refusesATokenWithoutExpiry() throws Exception {
        assertRefused(TOKENS.token(claims -> claims.expirationTime(null)));
    }

    @Test
    void refusesATokenThatIsNotValidYet() throws Exception {
        assertRefused(TOKENS.token(
                claims -> claims.notBeforeTime(Date.from(Instant.now().plusSeconds(60)))));
    }

    @Test
    void refusesATokenOfAForeignKey() throws Exception {
        assertRefused(new TestTokens().valid());
    }

    @Test
    void refusesAForeignAudience() throws Exception {
        assertRefused(TOKENS.token(claims -> claims.audience("someone-else")));
        assertRefused(TOKENS.token(claims -> claims.audience((String) null)));
    }

    @Test
    void refusesATamperedPayload() throws Exception {
        String[] parts = TOKENS.valid().split("\\.");
        String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8)
                .replace("admin@carbon.super", "root@carbon.super");
        String payload =
                Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(StandardCharsets.UTF_8));
        assertRefused(parts[0] + "." + payload + "." + parts[2]);
    }

    @Test
    void refusesATokenWithoutSignature() throws Exception {
        JWTClaimsSet claims = new JWTClaimsSet.Builder()
                .audience(TestTokens.AUDIENCE)
                .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                .build();
        assertRefused(new PlainJWT(claims).serialize());
        String[] parts = TOKENS.valid().split("\\.");
        assertRefused(parts[0] + "." + parts[1] + ".");
    }

    @Test
    void refusesAnHmacWithThePublicKeyAsSecret() throws Exception {
        byte[] publicKey = TOKENS.keys().getPublic().getEncoded();
        assertRefused(TestTokens.token(new JWSHeader(JWSAlgorithm.HS256), new MACSigner(publicKey), claims -> {}));
    }

    @Test
    void refusesAnAlgorithmThatIsNotOffered() throws Exception {
        assertRefused(TestTokens.token(
                new JWSHeader(JWSAlgorithm.RS512),
                new RSASSASigner(TOKENS.keys().getPrivate()),
                claims -> {}));
    }

    @Test
    void refusesPaddedPartsUnlessTold() throws Exception {
        assertThat(TOKENS.padded()).contains("=.");
        assertRefused(TOKENS.padded());
    }

    @Test
    void refusesAnOpaqueTokenWhereNoIntrospectionIsConfigured() throws Exception {
        assertRefused("0123456789abcdefghijklmnopqrstuvwxyz");
    }

    @Test
    void refusesGarbageWithoutFailing() throws Exception {
        for (String garbage : new String[] {"..", "a.b.c", "e30.e30.e30", "=", "a=b", "a..b", "x.y.z.w"}) {
            assertRefused(garbage);
        }
    }

    @Test
    void answersNotFoundForAPathWithoutRouteOnlyToThoseWhoMayAsk() throws Exception {
        assertThat(gateway.post("/nowhere", BODY, request -> request).statusCode())
                .isEqualTo(401);
        assertThat(gateway.postWithToken("/nowhere", BODY, TOKENS.valid()).statusCode())
                .isEqualTo(404);
        assertThat(backend.seen()).isEmpty();
    }

    private static void assertRefused(String token) throws Exception {
        HttpResponse<String> response = gateway.postWithToken("/echo/1.0.0", BODY, token);

        assertThat(response.statusCode()).as(token).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate"))
                .hasValueSatisfying(value -> assertThat(value).startsWith("Bearer error=\"invalid_token\""));
        assertThat(backend.seen()).isEmpty();
    }
}
