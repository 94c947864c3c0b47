/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import org.reactivestreams.Publisher;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.NettyWriteResponseFilter;
import org.springframework.cloud.gateway.filter.OrderedGatewayFilter;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Filters that look at a whole body.
 *
 * <p>The body filters that Spring Cloud Gateway brings release a buffer twice when a body is above the limit, which breaks
 * the connection and then others; see decision 0503.
 */
final class BodyFilters {
    private BodyFilters() {}

    /** Change of a body: returns the one to send on or throws {@link AnswerException}. */
    @FunctionalInterface
    interface Change extends BiFunction<ServerWebExchange, byte[], byte[]> {}

    /** Returns a filter that reads the request's body, at most {@code maxBytes}, before it is sent on. */
    static GatewayFilter request(int maxBytes, Change change) {
        return (exchange, chain) -> read(exchange.getRequest().getBody(), maxBytes, () -> requestTooLarge(maxBytes))
                .flatMap(body -> {
                    byte[] changed = change.apply(exchange, body);
                    ServerHttpRequest request = new ChangedRequest(exchange, changed);
                    return chain.filter(exchange.mutate().request(request).build());
                });
    }

    /** Returns a filter that changes the answer's body, of at most {@code maxBytes}, before it is sent. */
    static GatewayFilter response(int maxBytes, Change change) {
        GatewayFilter filter = (exchange, chain) -> {
            ServerHttpResponse response = new ChangedResponse(exchange, maxBytes, change);
            return chain.filter(exchange.mutate().response(response).build());
        };
        return new OrderedGatewayFilter(filter, NettyWriteResponseFilter.WRITE_RESPONSE_FILTER_ORDER - 1);
    }

    private static Mono<byte[]> read(
            Publisher<? extends DataBuffer> body, int maxBytes, Supplier<AnswerException> tooLarge) {
        // Buffers are copied and released one by one, so that no error and no cancellation can lose or repeat a
        // release.
        return Flux.from(body)
                .map(BodyFilters::copyAndRelease)
                .collect(Parts::new, (parts, part) -> {
                    if (!parts.add(part, maxBytes)) {
                        throw tooLarge.get();
                    }
                })
                .map(Parts::joined);
    }

    private static byte[] copyAndRelease(DataBuffer buffer) {
        try {
            byte[] bytes = new byte[buffer.readableByteCount()];
            buffer.read(bytes);
            return bytes;
        } finally {
            DataBufferUtils.release(buffer);
        }
    }

    private static AnswerException requestTooLarge(int maxBytes) {
        return new AnswerException(JsonAnswer.problem(
                HttpStatus.CONTENT_TOO_LARGE, "the request body is more than " + maxBytes + " bytes"));
    }

    private static AnswerException responseTooLarge(int maxBytes) {
        return new AnswerException(JsonAnswer.problem(
                HttpStatus.BAD_GATEWAY, "the back end's response is more than " + maxBytes + " bytes"));
    }

    /** The parts of a body; most bodies come in one, which is then used as it is. */
    private static final class Parts {
        private final List<byte[]> parts = new ArrayList<>(1);
        private int length;

        boolean add(byte[] part, int maxBytes) {
            if (part.length > maxBytes - length) {
                return false;
            }
            parts.add(part);
            length += part.length;
            return true;
        }

        byte[] joined() {
            if (parts.size() == 1) {
                return parts.get(0);
            }
            byte[] whole = new byte[length];
            int position = 0;
            for (byte[] part : parts) {
                System.arraycopy(part, 0, whole, position, part.length);
                position += part.length;
            }
            return whole;
        }
    }

    private static final class ChangedRequest extends ServerHttpRequestDecorator {
        private final HttpHeaders headers = new HttpHeaders();
        private final Flux<DataBuffer> body;

        ChangedRequest(ServerWebExchange exchange, byte[] bytes) {
            super(exchange.getRequest());
            headers.putAll(super.getHeaders());
            headers.remove(HttpHeaders.TRANSFER_ENCODING);
            headers.setContentLength(bytes.length);
            body = Flux.defer(
                    () -> Flux.just(exchange.getResponse().bufferFactory().wrap(bytes)));
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public Flux<DataBuffer> getBody() {
            return body;
        }
    }

    private static final class ChangedResponse extends ServerHttpResponseDecorator {
        private final ServerWebExchange exchange;
        private final int maxBytes;
        private final Change change;

        ChangedResponse(ServerWebExchange exchange, int maxBytes, Change change) {
            super(exchange.getResponse());
            this.exchange = exchange;
            this.maxBytes = maxBytes;
            this.change = change;
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            return read(body, maxBytes, () -> responseTooLarge(maxBytes)).flatMap(bytes -> {
                byte[] changed = change.apply(exchange, bytes);
                getHeaders().remove(HttpHeaders.TRANSFER_ENCODING);
                getHeaders().setContentLength(changed.length);
                return super.writeWith(Mono.fromSupplier(() -> bufferFactory().wrap(changed)));
            });
        }

        @Override
        public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
            return writeWith(Flux.from(body).concatMap(part -> part));
        }
    }
}
