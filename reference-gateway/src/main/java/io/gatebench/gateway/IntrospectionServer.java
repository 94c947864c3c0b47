/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * An introspection endpoint of RFC 7662 over plain HTTP: {@code POST /introspect} with the form field {@code token},
 * and the same at {@code /oauth2/introspect}, where gateways look for it at the key managers that they know.
 *
 * <p>It stands for the authorization server of a measurement, which is why it runs in a process of its own: a gateway that
 * knew the tokens itself would not be measured with their lookup.
 */
final class IntrospectionServer implements AutoCloseable {
    static final String PATH = "/introspect";

    private static final String KEY_MANAGER_PATH = "/oauth2" + PATH;

    private static final Duration STOP = Duration.ofSeconds(5);

    private final KnownTokens tokens;
    private final Optional<String> authorization;
    private final DisposableServer server;

    /**
     * Starts the endpoint.
     *
     * @param bind address to listen on
     * @param port 0 means a free one
     * @param tokens what was issued
     * @param credentials what callers must prove themselves with; empty means that nobody is asked
     */
    IntrospectionServer(String bind, int port, KnownTokens tokens, Optional<ClientCredentials> credentials) {
        this.tokens = tokens;
        this.authorization = credentials.map(IntrospectionServer::basic);
        this.server = HttpServer.create()
                .host(bind)
                .port(port)
                .route(routes -> routes.route(request -> true, this::answer))
                .bindNow();
    }

    /** Returns the port that is open. */
    int port() {
        return server.port();
    }

    /** Waits until the endpoint is closed. */
    void await() {
        server.onDispose().block();
    }

    @Override
    public void close() {
        server.disposeNow(STOP);
    }

    private Mono<Void> answer(HttpServerRequest request, HttpServerResponse response) {
        if (!request.fullPath().equals(PATH) && !request.fullPath().equals(KEY_MANAGER_PATH)) {
            return send(response, HttpResponseStatus.NOT_FOUND, "{\"error\":\"not_found\"}");
        }
        if (!HttpMethod.POST.equals(request.method())) {
            response.header(HttpHeaderNames.ALLOW, "POST");
            return send(response, HttpResponseStatus.METHOD_NOT_ALLOWED, "{\"error\":\"invalid_request\"}");
        }
        String given = request.requestHeaders().get(HttpHeaderNames.AUTHORIZATION);
        if (authorization.isPresent() && !authorization.get().equals(given)) {
            response.header(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"introspection\"");
            return send(response, HttpResponseStatus.UNAUTHORIZED, "{\"error\":\"invalid_client\"}");
        }
        return request.receive()
                .aggregate()
                .asString(StandardCharsets.UTF_8)
                .defaultIfEmpty("")
                .flatMap(form -> token(form)
                        .map(token -> send(response, HttpResponseStatus.OK, tokens.describe(token)))
                        .orElseGet(() ->
                                send(response, HttpResponseStatus.BAD_REQUEST, "{\"error\":\"invalid_request\"}")));
    }

    private static Mono<Void> send(HttpServerResponse response, HttpResponseStatus status, String json) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        return response.status(status)
                .header(HttpHeaderNames.CONTENT_TYPE, "application/json")
                .header(HttpHeaderNames.CACHE_CONTROL, "no-store")
                .header(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(body.length))
                .sendByteArray(Mono.just(body))
                .then();
    }

    private static Optional<String> token(String form) {
        for (String field : form.split("&")) {
            if (field.startsWith("token=")) {
                try {
                    return Optional.of(URLDecoder.decode(field.substring("token=".length()), StandardCharsets.UTF_8));
                } catch (IllegalArgumentException brokenEscape) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    private static String basic(ClientCredentials credentials) {
        byte[] pair = (credentials.id() + ":" + credentials.secret()).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }
}
