/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpaqueTokenIT {
    private static final TestTokens TOKENS = new TestTokens();
    private static final String ACTIVE = "{\"active\":true,\"sub\":\"admin\"}";

    @TempDir
    static Path folder;

    static RecordingBackend backend;
    static RecordingBackend endpoint;
    static RunningGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        backend = new RecordingBackend();
        endpoint = new RecordingBackend();
        Path credentials = Files.writeString(folder.resolve("client"), "gateway:s3cret:with-colon\n");
        gateway = new RunningGateway(
                "--gateway.profile=microgateway",
                "--gateway.backend=" + backend.url(),
                "--gateway.jwt-public-key=" + TOKENS.publicKey(folder),
                "--gateway.introspection-url=" + endpoint.url() + "/introspect",
                "--gateway.introspection-credentials-file=" + credentials);
    }

    @AfterAll
    static void stop() {
        gateway.close();
        endpoint.close();
        backend.close();
    }

    @BeforeEach
    void reset() {
        backend.reset();
        endpoint.reset();
        endpoint.behave(request -> RecordingBackend.Answer.json(200, ACTIVE));
    }

    @Test
    void asksOncePerToken() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(post("token-asked-once").statusCode()).isEqualTo(200);
        }
        assertThat(backend.seen()).hasSize(5);
        assertThat(endpoint.seen()).singleElement().satisfies(seen -> {
            assertThat(seen.method()).isEqualTo("POST");
            assertThat(seen.text()).isEqualTo("token=token-asked-once");
            assertThat(seen.headers().getFirst("Authorization"))
                    .isEqualTo("Basic Z2F0ZXdheTpzM2NyZXQ6d2l0aC1jb2xvbg==");
        });
    }

    @Test
    void asksOnceForRequestsThatComeTogether() throws Exception {
        endpoint.behave(request -> RecordingBackend.Answer.json(200, ACTIVE).after(300));
        ExecutorService clients = Executors.newFixedThreadPool(20);
        try {
            List<Callable<Integer>> calls = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                calls.add(() -> post("token-of-many").statusCode());
            }
            for (Future<Integer> status : clients.invokeAll(calls)) {
                assertThat(status.get()).isEqualTo(200);
            }
        } finally {
            clients.shutdownNow();
        }
        assertThat(endpoint.seen()).hasSize(1);
    }

    @Test
    void acceptsJsonWebTokensOnTheSamePath() throws Exception {
        assertThat(post(TOKENS.valid()).statusCode()).isEqualTo(200);
        assertThat(endpoint.seen()).isEmpty();
    }

    @Test
    void refusesAnUnknownToken() throws Exception {
        endpoint.behave(request -> RecordingBackend.Answer.json(200, "{\"active\":false}"));
        HttpResponse<String> response = post("unknown");

        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("WWW-Authenticate"))
                .hasValueSatisfying(value -> assertThat(value).startsWith("Bearer error=\"invalid_token\""));
        assertThat(backend.seen()).isEmpty();
    }

    @Test
    void doesNotRememberARefusal() throws Exception {
        endpoint.behave(request -> RecordingBackend.Answer.json(200, "{\"active\":false}"));
        assertThat(post("later").statusCode()).isEqualTo(401);
        endpoint.behave(request -> RecordingBackend.Answer.json(200, ACTIVE));
        assertThat(post("later").statusCode()).isEqualTo(200);
    }

    @Test
    void refusesATokenWhoseExpiryHasPassed() throws Exception {
        endpoint.behave(request -> RecordingBackend.Answer.json(200, "{\"active\":true,\"exp\":1000000000}"));

        assertThat(post("expired").statusCode()).isEqualTo(401);
        assertThat(backend.seen()).isEmpty();
    }

    @Test
    void saysThatTheTokenCannotBeCheckedWhenTheEndpointFails() throws Exception {
        endpoint.behave(request -> RecordingBackend.Answer.json(500, "{}"));
        HttpResponse<String> response = post("unlucky");

        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("the token cannot be checked now");
        assertThat(backend.seen()).isEmpty();
    }

    @Test
    void servesNoRouteOfApiManager() throws Exception {
        assertThat(gateway.postWithToken("/mediation/1.0.0", "{}", TOKENS.valid())
                        .statusCode())
                .isEqualTo(404);
        assertThat(gateway.postWithToken("/starwars/1.0.0", "{}", TOKENS.valid())
                        .statusCode())
                .isEqualTo(404);
    }

    private static HttpResponse<String> post(String token) throws Exception {
        return gateway.postWithToken("/echo/1.0.0", "{}", token);
    }
}
