/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.token.TokenEndpoint.Owner;

class TokenEndpointTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-11-21T08:00:00Z"), ZoneOffset.UTC);
    private static final String SECRET = "p&ss:w\u00f6rd";

    private final AtomicInteger issued = new AtomicInteger();
    private volatile String fixedAnswer = "";
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/token", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** A token endpoint as RFC 6749 describes it, for one client and one user. */
    private void answer(HttpExchange exchange) throws IOException {
        String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        Map<String, String> fields = new HashMap<>();
        for (String field : form.split("&")) {
            String[] pair = field.split("=", 2);
            fields.put(pair[0], decoded(pair[1]));
        }
        String basic = exchange.getRequestHeaders().getFirst("Authorization").substring("Basic ".length());
        String[] client = new String(Base64.getDecoder().decode(basic), StandardCharsets.US_ASCII).split(":");
        boolean known =
                decoded(client[0]).equals("app one") && decoded(client[1]).equals(SECRET);
        boolean granted = known
                && switch (fields.get("grant_type")) {
                    case "client_credentials" -> true;
                    case "password" ->
                        fields.get("username").equals("jane")
                                && fields.get("password").equals("jane's");
                    default -> false;
                };
        String body = !granted
                ? "{\"error\":\"invalid_grant\",\"error_description\":\"not with " + fields.get("password") + "\"}"
                : fixedAnswer.isEmpty()
                        ? "{\"access_token\":\"" + fields.get("grant_type") + "-" + fields.get("scope") + "-"
                                + issued.incrementAndGet() + "\",\"token_type\":\"Bearer\",\"expires_in\":3600}"
                        : fixedAnswer;
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(granted ? 200 : 400, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private TokenEndpoint endpoint(Optional<Owner> owner) {
        return new TokenEndpoint(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/token"),
                "app one",
                SECRET,
                owner,
                Optional.of("default"),
                Trust.system());
    }

    @Test
    void clientCredentialsGiveAsManyTokensAsAskedForAndTheirExpiry() {
        AtomicInteger most = new AtomicInteger();
        TokenPool pool = endpoint(Optional.empty()).fetch(30, CLOCK, done -> most.accumulateAndGet(done, Math::max));
        assertThat(pool.tokens())
                .hasSize(30)
                .doesNotHaveDuplicates()
                .allMatch(token -> token.startsWith("client_credentials-default-"));
        assertThat(most).hasValue(30);
        assertThat(pool.earliestExpiry()).contains(CLOCK.instant().plusSeconds(3600));
        assertThatThrownBy(() -> pool.checkValidUntil(CLOCK.instant().plus(Duration.ofHours(2))))
                .hasMessageContaining("expires at 2026-11-21T09:00:00Z");
    }

    @Test
    void thePasswordGrantSendsTheOwner() {
        TokenPool pool = endpoint(Optional.of(new Owner("jane", "jane's"))).fetch(1, CLOCK, done -> {});
        assertThat(pool.tokens()).containsExactly("password-default-1");
    }

    @Test
    void aServerThatRepeatsItsTokenGivesOne() {
        fixedAnswer = "{\"access_token\":\"same\",\"token_type\":\"bearer\"}";
        TokenPool pool = endpoint(Optional.empty()).fetch(5, CLOCK, done -> {});
        assertThat(pool.tokens()).containsExactly("same");
        assertThat(pool.earliestExpiry()).isEmpty();
    }

    @Test
    void tellsWhyThereIsNoTokenAndNoSecret() {
        TokenEndpoint wrong = endpoint(Optional.of(new Owner("jane", "guessed-password")));
        assertThatThrownBy(() -> wrong.fetch(2, CLOCK, done -> {}))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("status 400, invalid_grant not with ***")
                .hasMessageNotContaining("guessed");
        assertThat(wrong.toString()).doesNotContain(SECRET).doesNotContain("guessed");
        fixedAnswer = "<html>";
        assertThatThrownBy(() -> endpoint(Optional.empty()).fetch(1, CLOCK, done -> {}))
                .hasMessageContaining("no JSON");
        fixedAnswer = "{\"access_token\":\"t\",\"token_type\":\"mac\"}";
        assertThatThrownBy(() -> endpoint(Optional.empty()).fetch(1, CLOCK, done -> {}))
                .hasMessageContaining("of type 'mac'");
        server.stop(0);
        assertThatThrownBy(() -> endpoint(Optional.empty()).fetch(1, CLOCK, done -> {}))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("no response from the token endpoint");
    }
}
