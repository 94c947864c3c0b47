/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.nio.charset.StandardCharsets;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * An answer that the gateway gives itself.
 *
 * @param status HTTP status
 * @param type media type of the body
 * @param json the body
 */
record JsonAnswer(HttpStatus status, MediaType type, String json) {

    /** Returns the answer to a request that cannot be served, with the reason in words. */
    static JsonAnswer problem(HttpStatus status, String detail) {
        String json = "{\"status\":" + status.value() + ",\"error\":\"" + status.getReasonPhrase() + "\",\"detail\":\""
                + quoted(detail) + "\"}";
        return new JsonAnswer(status, MediaType.APPLICATION_JSON, json);
    }

    /** Escapes a text for the inside of a JSON string. */
    static String quoted(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        JsonStringEncoder.getInstance().quoteAsString(text, escaped);
        return escaped.toString();
    }

    /** Sends the answer; nothing of the response may have been sent before. */
    Mono<Void> writeTo(ServerWebExchange exchange) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(status);
        response.getHeaders().setContentType(type);
        response.getHeaders().setContentLength(body.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
