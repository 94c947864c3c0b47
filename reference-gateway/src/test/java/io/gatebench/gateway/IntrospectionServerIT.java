/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IntrospectionServerIT {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2027-01-01T00:00:00Z"), ZoneOffset.UTC);

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void answersAsRfc7662Says() throws Exception {
        try (IntrospectionServer server =
                server("a+b/c==\nlasting, 1798761601 \n\nover,1798761600\n", Optional.empty())) {
            assertThat(post(server, "token=a%2Bb%2Fc%3D%3D&token_type_hint=access_token")
                            .body())
                    .isEqualTo(
                            "{\"active\":true,\"token_type\":\"Bearer\",\"sub\":\"admin@carbon.super\",\"scope\":\"default\"}");
            assertThat(post(server, "x=1&token=lasting").body()).contains("\"active\":true", "\"exp\":1798761601");
            assertThat(post(server, "token=over").body()).isEqualTo("{\"active\":false}");
            assertThat(post(server, "token=other").body()).isEqualTo("{\"active\":false}");
            assertThat(post(server, "token=").body()).isEqualTo("{\"active\":false}");
            HttpResponse<String> answer = post(server, "token=lasting");
            assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
            assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        }
    }

    @Test
    void answersWrongRequestsWithErrors() throws Exception {
        try (IntrospectionServer server = server("a\n", Optional.empty())) {
            assertThat(post(server, "").statusCode()).isEqualTo(400);
            assertThat(post(server, "tok=a").statusCode()).isEqualTo(400);
            assertThat(post(server, "token=%zz").statusCode()).isEqualTo(400);
            HttpRequest get = HttpRequest.newBuilder(uri(server)).build();
            assertThat(client.send(get, HttpResponse.BodyHandlers.ofString()).statusCode())
                    .isEqualTo(405);
            HttpRequest elsewhere =
                    HttpRequest.newBuilder(uri(server).resolve("/other")).build();
            assertThat(client.send(elsewhere, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void asksTheCallerForCredentials() throws Exception {
        try (IntrospectionServer server = server("a\n", Optional.of(new ClientCredentials("gateway", "secret")))) {
            assertThat(post(server, "token=a").statusCode()).isEqualTo(401);
            HttpRequest known = HttpRequest.newBuilder(uri(server))
                    .header("Authorization", "Basic Z2F0ZXdheTpzZWNyZXQ=")
                    .POST(HttpRequest.BodyPublishers.ofString("token=a"))
                    .build();
            assertThat(client.send(known, HttpResponse.BodyHandlers.ofString()).body())
                    .contains("\"active\":true");
        }
    }

    @Test
    void namesTheLineOfABrokenTokenFile() throws Exception {
        Path file = Files.writeString(folder.resolve("broken.csv"), "a\nsecret-token,tomorrow\n");

        assertThatThrownBy(() -> KnownTokens.read(file, CLOCK))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("line 2")
                .hasMessageNotContaining("secret-token");
        Path empty = Files.writeString(folder.resolve("empty.csv"), "\n");
        assertThatThrownBy(() -> KnownTokens.read(empty, CLOCK)).hasMessageContaining("holds no token");
    }

    private IntrospectionServer server(String csv, Optional<ClientCredentials> credentials) throws IOException {
        Path file = Files.writeString(folder.resolve("tokens.csv"), csv);
        return new IntrospectionServer("127.0.0.1", 0, KnownTokens.read(file, CLOCK), credentials);
    }

    private HttpResponse<String> post(IntrospectionServer server, String form)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri(server))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static URI uri(IntrospectionServer server) {
        return URI.create("http://127.0.0.1:" + server.port() + "/introspect");
    }
}
