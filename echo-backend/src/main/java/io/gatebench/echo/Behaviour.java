/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * Decides what answer a request gets, the same for every protocol; thread-safe.
 *
 * <p>Whatever is drawn depends on the seed and on how many requests came before, not on which thread serves: two runs
 * with one seed give the n-th request the same fate.
 */
final class Behaviour implements AutoCloseable {

    /** Bodies up to this size are kept whole when the server's own response size asks for them. */
    private static final int KEPT_WHOLE = 1 << 20;

    /** No GraphQL query comes near this; longer ones are not looked at. */
    private static final int MAX_QUERY = 1 << 16;

    private static final byte[] TEXT = "text/plain".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] JSON = "application/json".getBytes(StandardCharsets.US_ASCII);

    final EchoServerConfig config;
    final GeneratedBody generated;
    private final GraphQlAnswers graphQl;
    private final boolean plain;
    private final boolean drawsFaults;
    private final long fixedNanos;
    private final int responseSize;
    private final long bodyRate;
    private final @Nullable ByteBuf sizedBody;
    private final @Nullable ByteBuf sizedXml;
    private final AtomicLong sequence = new AtomicLong();

    Behaviour(EchoServerConfig config) {
        this.config = config;
        ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
        this.generated = new GeneratedBody(allocator);
        this.graphQl = new GraphQlAnswers(allocator);
        this.drawsFaults = config.errorRate() > 0 || config.resetRate() > 0 || config.neverAnswerRate() > 0;
        this.fixedNanos = config.delay().isDrawn() ? 0 : config.delay().nanos(0, 0);
        this.responseSize = config.responseSize().orElse(-1);
        this.bodyRate = config.bodyRate().orElse(0);
        this.plain = !drawsFaults && !config.delay().isDrawn() && responseSize < 0;
        boolean keptWhole = responseSize >= 0 && responseSize <= KEPT_WHOLE;
        this.sizedBody =
                keptWhole ? generated.whole(GeneratedBody.kind(responseSize, false), responseSize, allocator) : null;
        this.sizedXml =
                keptWhole ? generated.whole(GeneratedBody.kind(responseSize, true), responseSize, allocator) : null;
    }

    /** Returns whether the answer will not need the body of the request. */
    boolean needsNoBody(Exchange exchange) {
        return !exchange.graphQl && (exchange.ownSize >= 0 || responseSize >= 0 || exchange.complaint != null);
    }

    /** Settles status, delay, fault and body of the answer to a request that has arrived in full. */
    void decide(Exchange exchange) {
        exchange.status = 200;
        exchange.rate = bodyRate;
        exchange.askedNanos = fixedNanos;
        if (!plain) {
            draw(exchange);
        }
        if (exchange.complaint != null) {
            refuse(exchange, 400, exchange.complaint);
            exchange.fault = Exchange.Fault.NONE;
            return;
        }
        steer(exchange);
        if (exchange.fault != Exchange.Fault.NONE) {
            return;
        }
        if (exchange.status != 200) {
            fixed(exchange, exchange.status);
        } else if (exchange.graphQl) {
            byte[] query = exchange.bodyLength <= MAX_QUERY ? exchange.copyOfBody() : new byte[0];
            exchange.fixedBody = graphQl.answer(exchange.queryNumber, query);
            exchange.contentType(JSON, 0, JSON.length);
        } else {
            size(exchange);
        }
    }

    private void draw(Exchange exchange) {
        long n = sequence.getAndIncrement();
        if (config.delay().isDrawn()) {
            exchange.askedNanos = config.delay().nanos(uniform(n, 1), uniform(n, 2));
        }
        if (drawsFaults) {
            double fate = uniform(n, 3);
            if (fate < config.errorRate()) {
                exchange.status = config.errorStatus();
            } else if (fate < config.errorRate() + config.resetRate()) {
                exchange.fault = Exchange.Fault.RESET;
            } else if (fate < config.errorRate() + config.resetRate() + config.neverAnswerRate()) {
                exchange.fault = Exchange.Fault.NEVER_ANSWER;
            }
        }
    }

    /** Lets the request's own wishes win over the server's settings. */
    private void steer(Exchange exchange) {
        if (exchange.ownDelay != null) {
            if (exchange.ownDelay.isDrawn()) {
                long n = sequence.getAndIncrement();
                exchange.askedNanos = exchange.ownDelay.nanos(uniform(n, 1), uniform(n, 2));
            } else {
                exchange.askedNanos = exchange.ownDelay.nanos(0, 0);
            }
        }
        if (exchange.ownRate >= 0) {
            exchange.rate = exchange.ownRate;
        }
        if (exchange.ownStatus != 0) {
            exchange.status = exchange.ownStatus;
            exchange.fault = Exchange.Fault.NONE;
        }
        if (exchange.ownFault != null) {
            exchange.fault = exchange.ownFault;
        }
    }

    private void size(Exchange exchange) {
        int size = exchange.ownSize >= 0 ? exchange.ownSize : responseSize;
        if (size < 0) {
            return;
        }
        boolean xml = exchange.isXml();
        GeneratedBody.Kind kind = GeneratedBody.kind(size, xml);
        ByteBuf whole = xml ? sizedXml : sizedBody;
        if (whole != null && size == responseSize) {
            exchange.fixedBody = whole.retainedDuplicate();
        } else {
            exchange.generatedSize = size;
            exchange.generatedKind = kind;
        }
        exchange.contentType(kind.contentType, 0, kind.contentType.length);
    }

    private void fixed(Exchange exchange, int status) {
        if (status == 204 || status == 304) {
            exchange.fixedBody = Unpooled.EMPTY_BUFFER;
            exchange.contentTypeLength = 0;
            return;
        }
        refuse(exchange, status, HttpResponseStatus.valueOf(status).reasonPhrase());
    }

    /** Answers at once with a status and a line of text. */
    static void refuse(Exchange exchange, int status, String text) {
        exchange.status = status;
        exchange.fixedBody = Unpooled.copiedBuffer(status + " " + text + "\n", StandardCharsets.UTF_8);
        exchange.contentType(TEXT, 0, TEXT.length);
    }

    /** Returns a number of [0, 1) that depends on seed, request and purpose alone (SplitMix64's finaliser). */
    private double uniform(long n, int purpose) {
        long z = config.seed() + (n * 4 + purpose) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
        return (z >>> 11) * 0x1.0p-53;
    }

    @Override
    public void close() {
        generated.close();
        graphQl.close();
        if (sizedBody != null) {
            sizedBody.release();
        }
        if (sizedXml != null) {
            sizedXml.release();
        }
    }
}
