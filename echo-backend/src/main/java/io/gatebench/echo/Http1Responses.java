/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * The responses of an HTTP/1.1 connection: in the order of their requests, each at its moment, flushed when asked to.
 *
 * <p>The response head is written over the request head in the buffer that holds the body wherever it fits, so that an
 * echo is one buffer, in and out. Used by the connection's event loop only.
 */
final class Http1Responses {

    private final LoopContext loop;
    private final Behaviour behaviour;
    private final Http1Connection connection;

    private ChannelHandlerContext context;
    private @Nullable Exchange oldest;
    private @Nullable Exchange newest;
    private int pending;
    private boolean flushOwed;
    private long batchNanos;

    Http1Responses(LoopContext loop, Http1Connection connection) {
        this.loop = loop;
        this.behaviour = loop.behaviour;
        this.connection = connection;
    }

    void attach(ChannelHandlerContext ctx) {
        context = ctx;
    }

    /** Returns how many requests have not had their response to the end. */
    int pending() {
        return pending;
    }

    /** Returns whether the response at the head of the queue is one that never comes. */
    boolean areStuck() {
        return oldest != null && oldest.fault == Exchange.Fault.NEVER_ANSWER;
    }

    /** Notes that bytes have arrived: requests read from them count as received at one moment. */
    void newBatch() {
        batchNanos = 0;
    }

    private long batchTime() {
        if (batchNanos == 0) {
            batchNanos = loop.nanoClock.getAsLong();
        }
        return batchNanos;
    }

    /** Takes over an exchange that has been decided on, and responds when its turn and its moment have come. */
    void answer(Exchange exchange) {
        if (exchange.fault == Exchange.Fault.NEVER_ANSWER) {
            exchange.releaseBody();
        }
        if (exchange.askedNanos > 0) {
            exchange.receivedNanos = batchTime();
            exchange.dueNanos = exchange.receivedNanos + exchange.askedNanos;
        } else {
            exchange.receivedNanos = 0;
            if (pending == 0 && exchange.fault == Exchange.Fault.NONE) {
                pending = 1;
                oldest = exchange;
                newest = exchange;
                respond(exchange);
                return;
            }
            exchange.dueNanos = batchTime();
        }
        if (newest == null) {
            oldest = exchange;
        } else {
            newest.next = exchange;
        }
        newest = exchange;
        if (pending++ == 0) {
            waitFor(exchange);
        }
    }

    private void waitFor(Exchange exchange) {
        if (exchange.fault == Exchange.Fault.NEVER_ANSWER) {
            LoopCounters.add(loop.counters.neverAnswered, 1);
            return;
        }
        loop.dueQueue.add(exchange);
    }

    /** Writes the response at the head of the queue, or the next part of it. */
    void respond(Exchange exchange) {
        if (exchange.fault == Exchange.Fault.RESET) {
            LoopCounters.add(loop.counters.resets, 1);
            connection.abort();
            return;
        }
        boolean bodyless = exchange.headMethod || exchange.status == 204 || exchange.status == 304;
        long length = exchange.responseLength();
        if (!exchange.started) {
            loop.begin(exchange, bodyless ? 0 : length, "HTTP/1.1");
            exchange.closeAfter |= connection.isLastResponse();
            writeHead(exchange, length);
        }
        if (bodyless || writeBody(exchange, length)) {
            end(exchange);
        }
    }

    private void writeHead(Exchange exchange, long length) {
        Http1ResponseHead head = loop.responseHead;
        int size = head.encode(exchange, length);
        flushOwed = true;
        ByteBuf first = exchange.first;
        boolean echo = exchange.fixedBody == null && exchange.generatedSize < 0 && exchange.rate == 0;
        if (first != null && echo && exchange.headRoom >= size && !first.isReadOnly() && !exchange.headMethod) {
            int at = first.readerIndex() - size;
            first.setBytes(at, head.bytes(), 0, size);
            first.readerIndex(at);
            exchange.sentBytes -= size;
            return;
        }
        if (first != null && echo && length == 0) {
            exchange.releaseBody();
        }
        context.write(
                context.alloc().directBuffer(size, size).writeBytes(head.bytes(), 0, size), context.voidPromise());
    }

    /** Writes the body as far as its rate allows; returns whether that was all. */
    private boolean writeBody(Exchange exchange, long length) {
        long allowed = exchange.rate == 0
                ? length
                : Pace.allowed(exchange.rate, loop.nanoClock.getAsLong() - exchange.startedNanos, length);
        while (exchange.sentBytes < allowed) {
            context.write(
                    exchange.takeResponseBody(allowed - exchange.sentBytes, behaviour.generated),
                    context.voidPromise());
            flushOwed = true;
        }
        if (exchange.sentBytes >= length) {
            return true;
        }
        exchange.dueNanos = exchange.startedNanos + Pace.nextNanos(exchange.rate, exchange.sentBytes, length);
        loop.dueQueue.add(exchange);
        return false;
    }

    private void end(Exchange exchange) {
        boolean last = exchange.closeAfter;
        oldest = exchange.next;
        pending--;
        if (oldest == null) {
            newest = null;
        } else if (!last) {
            waitFor(oldest);
        }
        loop.giveBack(exchange);
        connection.responseEnded(last);
    }

    /** Writes a whole interim response. */
    void writeInterim(byte[] response) {
        context.write(context.alloc().directBuffer(response.length).writeBytes(response), context.voidPromise());
        flushOwed = true;
    }

    /** Sends what has been written. */
    void flush() {
        if (flushOwed) {
            flushOwed = false;
            context.flush();
        }
    }

    /** Gives up all responses that have not been written. */
    void discard() {
        while (oldest != null) {
            Exchange exchange = oldest;
            oldest = exchange.next;
            loop.dueQueue.remove(exchange);
            loop.giveBack(exchange);
        }
        newest = null;
        pending = 0;
        flushOwed = false;
    }
}
