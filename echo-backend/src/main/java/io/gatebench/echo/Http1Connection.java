/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/1.1 connection: reads requests straight from the buffers of the socket, and has them answered from the same.
 *
 * <p>No object is made per request. A response starts only when its request has been read to the end: gateways give up
 * connections that answer earlier. Whatever was read at once is answered with one flush, see {@link Http1Responses}.
 */
final class Http1Connection extends ChannelInboundHandlerAdapter implements Connection {

    private static final Logger LOG = LoggerFactory.getLogger(Http1Connection.class);

    /** Requests that may wait for their responses on one connection before no more is read from it. */
    private static final int MAX_PENDING = 256;

    /** Time for which a refused client may go on sending before it is cut off: it must get to read why. */
    private static final int LINGER_TICKS = (int) (5_000 / LoopContext.SWEEP_MILLIS);

    /** Returned in place of the length of a head when the client speaks HTTP/2 from its first byte on. */
    private static final int PRIOR_KNOWLEDGE = Integer.MIN_VALUE;

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] SWITCHING =
            "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private enum State {
        HEAD,
        BODY,
        CHUNK_SYNTAX,
        CHUNK_DATA,
        /** Nothing more is read that means anything. */
        DISCARD
    }

    private final LoopContext loop;
    private final Behaviour behaviour;
    private final Http1Head head;
    private final ChunkedBody chunks;
    private final Http1Responses responses;
    private final boolean http2Clear;
    private final int maxContentLength;
    private final int requestTicks;
    private final int writeTicks;
    private final int idleTicks;

    private ChannelHandlerContext context;
    private int slot = -1;
    private State state = State.HEAD;
    private boolean firstRequest = true;
    private int headGuess = 512;

    /** Bytes that were read and not understood yet. */
    private @Nullable ByteBuf rest;

    private @Nullable Exchange current;
    private long remaining;
    private boolean continueOwed;
    private @Nullable String upgradeSettings;
    private @Nullable Http2Connection successor;

    private boolean parsing;
    private boolean paused;
    private boolean flushListed;
    private boolean closing;
    private boolean draining;

    private int activeTick;
    private int requestTick;
    private int writeTick;
    private long lastUnwritten;

    /**
     * Creates the handler of a connection.
     *
     * @param http2Clear whether the client may go over to HTTP/2 by prior knowledge or upgrade
     */
    Http1Connection(LoopContext loop, boolean http2Clear) {
        this.loop = loop;
        this.http2Clear = http2Clear;
        this.behaviour = loop.behaviour;
        this.head = loop.head;
        EchoServerConfig config = behaviour.config;
        this.maxContentLength = config.maxContentLength();
        this.chunks = new ChunkedBody(maxContentLength, config.maxHeaderSize());
        this.responses = new Http1Responses(loop, this);
        this.requestTicks = LoopContext.ticks(config.requestTimeout());
        this.writeTicks = LoopContext.ticks(config.writeTimeout());
        this.idleTicks = LoopContext.ticks(config.idleTimeout());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        responses.attach(ctx);
        activeTick = loop.tick;
        loop.register(this);
        if (loop.draining) {
            drain();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        loop.deregister(this);
        if (current != null) {
            loop.giveBack(current);
            current = null;
        }
        responses.discard();
        if (rest != null) {
            rest.release();
            rest = null;
        }
        state = State.DISCARD;
    }

    // ---- reading

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        activeTick = loop.tick;
        responses.newBatch();
        if (rest != null) {
            ByteBuf joined = join(rest, in);
            rest = null;
            in = joined;
        }
        parse(in);
    }

    private ByteBuf join(ByteBuf before, ByteBuf in) {
        if (before.refCnt() == 1 && before.writableBytes() >= in.readableBytes()) {
            before.writeBytes(in);
            in.release();
            return before;
        }
        int length = before.readableBytes() + in.readableBytes();
        ByteBuf joined = context.alloc().directBuffer(Math.max(1024, length * 2));
        joined.writeBytes(before).writeBytes(in);
        before.release();
        in.release();
        return joined;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        responses.flush();
        if (!ctx.channel().isWritable()) {
            pause();
        }
    }

    /** Reads as far as it goes, and keeps what is left; takes the buffer over. */
    private void parse(ByteBuf source) {
        ByteBuf in = source;
        parsing = true;
        try {
            while (in != null && in.isReadable()) {
                if (successor != null) {
                    ByteBuf left = in;
                    in = null;
                    passOn(left);
                    break;
                }
                if (state == State.HEAD) {
                    if (mustWait()) {
                        rest = in;
                        in = null;
                        pause();
                        break;
                    }
                    int length = readHead(in);
                    if (length == Http1Head.INCOMPLETE) {
                        rest = in;
                        in = null;
                        break;
                    }
                    if (length == PRIOR_KNOWLEDGE) {
                        ByteBuf all = in;
                        in = null;
                        becomeHttp2(all);
                        break;
                    }
                    if (length < 0) {
                        if (firstRequest && http2Clear && !startsLikeHttp1(in)) {
                            // Whoever speaks neither protocol gets an answer in neither.
                            closeWhenSent();
                            continue;
                        }
                        refuse(-length);
                        continue;
                    }
                    in = startRequest(in, length);
                } else {
                    in = readBody(in);
                }
            }
        } finally {
            parsing = false;
            if (in != null) {
                in.release();
            }
        }
    }

    /** Tells whether the next request has to wait until responses have left. */
    private boolean mustWait() {
        int pending = responses.pending();
        return pending >= MAX_PENDING
                || pending > 0 && upgradeSettings != null
                || !context.channel().isWritable();
    }

    private int readHead(ByteBuf in) {
        int readable = in.readableBytes();
        int first = in.getByte(in.readerIndex());
        if (!Http1Head.canStart(first)) {
            return -400;
        }
        if (firstRequest && first == 'P' && startsLikePreface(in)) {
            return readable < PREFACE.length ? Http1Head.INCOMPLETE : http2Clear ? PRIOR_KNOWLEDGE : -505;
        }
        int longest = head.bytes.length;
        int copied = Math.min(Math.min(readable, headGuess), longest);
        in.getBytes(in.readerIndex(), head.bytes, 0, copied);
        int length = head.parse(copied);
        if (length == Http1Head.INCOMPLETE && copied < readable && copied < longest) {
            copied = Math.min(readable, longest);
            in.getBytes(in.readerIndex(), head.bytes, 0, copied);
            length = head.parse(copied);
            headGuess = Math.max(headGuess, Math.min(longest, length + 64));
        }
        if (length == Http1Head.INCOMPLETE) {
            if (copied == longest) {
                return -431;
            }
            if (requestTick == 0) {
                requestTick = loop.tick + 1;
            }
        }
        return length;
    }

    private static boolean startsLikePreface(ByteBuf in) {
        int length = Math.min(PREFACE.length, in.readableBytes());
        for (int i = 0; i < length; i++) {
            if (in.getByte(in.readerIndex() + i) != PREFACE[i]) {
                return false;
            }
        }
        return true;
    }

    /** Tells whether the first line names a version of HTTP/1. */
    private static boolean startsLikeHttp1(ByteBuf in) {
        int end = in.indexOf(in.readerIndex(), in.writerIndex(), (byte) '\n');
        String line = in.toString(
                in.readerIndex(), (end < 0 ? in.writerIndex() : end) - in.readerIndex(), StandardCharsets.ISO_8859_1);
        return line.contains(" HTTP/1.");
    }

    /** Begins an exchange with the head that was just read, and ends it if its body is here or there is none. */
    private @Nullable ByteBuf startRequest(ByteBuf in, int headLength) {
        firstRequest = false;
        if (requestTick == 0) {
            requestTick = loop.tick + 1;
        }
        Exchange exchange = loop.take(this);
        current = exchange;
        exchange.headMethod = head.isHeadMethod();
        exchange.closeAfter = head.close || head.minorVersion == 0 && !head.keepAlive;
        exchange.keepAliveAsked = head.minorVersion == 0 && head.keepAlive;
        if (head.contentTypeLength > 0) {
            exchange.contentType(head.bytes, head.contentTypeStart, head.contentTypeLength);
        }
        if (head.markLength > 0 && behaviour.config.controlHeaders()) {
            exchange.mark(head.bytes, head.markStart, head.markLength);
        }
        exchange.graphQl = head.isGraphQlTarget();
        if (head.controlled) {
            head.controls(exchange, behaviour.config.controlHeaders());
        }
        if (loop.accessLog != null) {
            exchange.requestLine = head.requestLine();
        }
        if (head.contentLength > maxContentLength) {
            in.skipBytes(headLength);
            refuse(413);
            return in;
        }
        exchange.discardBody = behaviour.needsNoBody(exchange);
        if (http2Clear && head.upgradeToHttp2 && responses.pending() == 0 && !draining) {
            String settings = head.settings();
            upgradeSettings = UpgradeSettings.isWellFormed(settings) ? settings : null;
        }
        int bodyLength = (int) Math.max(0, head.contentLength);
        int here = in.readableBytes() - headLength;
        if (!head.chunked && here >= bodyLength) {
            return wholeRequest(in, exchange, headLength, bodyLength);
        }
        if (head.expectContinue && head.minorVersion >= 1 && here == 0) {
            continueOwed = true;
            sendContinueIfItsTurn();
        }
        remaining = bodyLength;
        if (head.chunked) {
            in.skipBytes(headLength);
            chunks.start();
            state = State.CHUNK_SYNTAX;
            return in;
        }
        state = State.BODY;
        if (here == 0 || exchange.discardBody) {
            in.skipBytes(headLength);
            return in;
        }
        in.skipBytes(headLength);
        exchange.first = in;
        exchange.headRoom = headLength;
        exchange.bodyLength = here;
        remaining -= here;
        return null;
    }

    /** Ends an exchange whose head and body lie in the buffer together, which is what is nearly always read. */
    private @Nullable ByteBuf wholeRequest(ByteBuf in, Exchange exchange, int headLength, int bodyLength) {
        exchange.bodyLength = bodyLength;
        ByteBuf left = in;
        if (in.readableBytes() == headLength + bodyLength) {
            in.skipBytes(headLength);
            exchange.first = in;
            left = null;
        } else {
            ByteBuf own = in.readRetainedSlice(headLength + bodyLength);
            own.skipBytes(headLength);
            exchange.first = own;
        }
        exchange.headRoom = headLength;
        finishRequest();
        return left;
    }

    private @Nullable ByteBuf readBody(ByteBuf in) {
        switch (state) {
            case BODY, CHUNK_DATA -> {
                return bodyBytes(in);
            }
            case DISCARD -> in.skipBytes(in.readableBytes());
            default -> chunkSyntax(in.readByte());
        }
        return in;
    }

    private @Nullable ByteBuf bodyBytes(ByteBuf in) {
        Exchange exchange = current;
        int length = (int) Math.min(remaining, in.readableBytes());
        remaining -= length;
        ByteBuf left = in;
        if (exchange.discardBody) {
            exchange.bodyLength += length;
            in.skipBytes(length);
        } else if (length == in.readableBytes()) {
            exchange.addPart(in, context.alloc());
            left = null;
        } else {
            exchange.addPart(in.readRetainedSlice(length), context.alloc());
        }
        if (remaining == 0) {
            if (state == State.BODY) {
                finishRequest();
            } else {
                state = State.CHUNK_SYNTAX;
            }
        }
        return left;
    }

    private void chunkSyntax(byte b) {
        int outcome = chunks.read(b, current.bodyLength);
        if (outcome == ChunkedBody.DATA) {
            remaining = chunks.size();
            state = State.CHUNK_DATA;
        } else if (outcome == ChunkedBody.END) {
            finishRequest();
        } else if (outcome < 0) {
            refuse(-outcome);
        }
    }

    // ---- answering

    private void finishRequest() {
        Exchange exchange = current;
        current = null;
        state = State.HEAD;
        requestTick = 0;
        continueOwed = false;
        if (upgradeSettings != null) {
            upgrade(exchange);
            return;
        }
        LoopCounters.add(loop.counters.requests, 1);
        LoopCounters.add(loop.counters.requestBytes, exchange.bodyLength);
        if (exchange.closeAfter) {
            state = State.DISCARD;
        }
        behaviour.decide(exchange);
        responses.answer(exchange);
    }

    private void upgrade(Exchange exchange) {
        Http2Settings settings = UpgradeSettings.decode(upgradeSettings);
        upgradeSettings = null;
        responses.writeInterim(SWITCHING);
        Http2Connection http2 = replaceWithHttp2();
        try {
            http2.answerUpgrade(settings, exchange);
        } catch (Http2Exception e) {
            LOG.debug("upgrade of {} fails", context.channel(), e);
            loop.giveBack(exchange);
            context.close();
        }
    }

    private Http2Connection replaceWithHttp2() {
        Http2Connection http2 = Http2Connection.of(loop);
        successor = http2;
        context.pipeline().addAfter(context.name(), null, http2);
        context.pipeline().remove(this);
        return http2;
    }

    private void becomeHttp2(ByteBuf received) {
        replaceWithHttp2();
        passOn(received);
    }

    /** Hands bytes that belong to HTTP/2 to the handler that has taken this one's place. */
    private void passOn(ByteBuf received) {
        ChannelHandlerContext next = context.pipeline().context(successor);
        if (next == null) {
            received.release();
            return;
        }
        try {
            successor.channelRead(next, received);
            successor.channelReadComplete(next);
        } catch (Exception e) {
            next.fireExceptionCaught(e);
        }
    }

    /** Refuses what is being read and reads no more: after a syntax error nobody knows where the next request starts. */
    private void refuse(int status) {
        Exchange exchange = current != null ? current : loop.take(this);
        current = null;
        exchange.releaseBody();
        exchange.closeAfter = true;
        exchange.complaint = null;
        Behaviour.refuse(exchange, status, HttpResponseStatus.valueOf(status).reasonPhrase());
        state = State.DISCARD;
        closing = true;
        requestTick = 0;
        continueOwed = false;
        upgradeSettings = null;
        if (status == 408) {
            LoopCounters.add(loop.counters.timeouts, 1);
        }
        responses.answer(exchange);
    }

    @Override
    public void due(Exchange exchange, long nowNanos) {
        responses.respond(exchange);
        if (!flushListed) {
            flushListed = true;
            loop.dueQueue.flushLater(this);
        }
    }

    @Override
    public void flushDue() {
        flushListed = false;
        responses.flush();
    }

    /** Tells whether the server stops and the client has nothing under way behind the one response that waits. */
    boolean isLastResponse() {
        return draining && responses.pending() == 1 && current == null && rest == null;
    }

    /** Goes on after a response has been written to its end. */
    void responseEnded(boolean last) {
        if (last) {
            closeWhenSent();
            return;
        }
        activeTick = loop.tick;
        sendContinueIfItsTurn();
        if (paused && !parsing) {
            resume();
        }
    }

    private void sendContinueIfItsTurn() {
        if (continueOwed && responses.pending() == 0) {
            continueOwed = false;
            responses.writeInterim(CONTINUE);
            if (!parsing) {
                responses.flush();
            }
        }
    }

    /** Ends the connection so that the client sees a reset, whatever has been written. */
    void abort() {
        closing = true;
        state = State.DISCARD;
        Sockets.reset(context.channel());
    }

    private void closeWhenSent() {
        closing = true;
        state = State.DISCARD;
        responses.discard();
        ChannelHandlerContext ctx = context;
        ChannelFuture sent = ctx.writeAndFlush(Unpooled.EMPTY_BUFFER);
        sent.addListener(done -> closeOutput(ctx));
    }

    /** Says goodbye and waits for the client to do so too: closing over unread bytes would destroy the response. */
    private void closeOutput(ChannelHandlerContext ctx) {
        activeTick = loop.tick;
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        Channel channel = ctx.channel();
        if (!channel.isActive()) {
            return;
        }
        if (tls != null) {
            tls.closeOutbound().addListener(done -> {
                if (channel instanceof DuplexChannel duplex) {
                    duplex.shutdownOutput();
                }
            });
        } else if (channel instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        } else {
            channel.close();
        }
        if (paused) {
            resume();
        }
    }

    // ---- pace and time-outs

    private void pause() {
        if (!paused) {
            paused = true;
            context.channel().config().setAutoRead(false);
        }
    }

    private void resume() {
        if (responses.pending() >= MAX_PENDING || !context.channel().isWritable() && !closing) {
            return;
        }
        paused = false;
        if (rest != null) {
            ByteBuf in = rest;
            rest = null;
            responses.newBatch();
            parse(in);
            responses.flush();
        }
        if (!paused) {
            context.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (paused && !parsing && ctx.channel().isWritable()) {
            resume();
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void sweep(int tick) {
        ChannelOutboundBuffer out = context.channel().unsafe().outboundBuffer();
        long unwritten = out == null ? 0 : out.totalPendingWriteBytes();
        if (unwritten == 0 || unwritten != lastUnwritten) {
            lastUnwritten = unwritten;
            writeTick = tick;
        } else if (writeTicks > 0 && tick - writeTick >= writeTicks) {
            LoopCounters.add(loop.counters.timeouts, 1);
            abort();
            return;
        }
        if (closing) {
            if (responses.pending() == 0 && unwritten == 0 && tick - activeTick >= LINGER_TICKS) {
                context.close();
            }
        } else if (requestTick != 0) {
            if (requestTicks > 0 && tick + 1 - requestTick >= requestTicks && !paused) {
                refuse(408);
                responses.flush();
            }
        } else if (responses.pending() == 0 && idleTicks > 0 && tick - activeTick >= idleTicks) {
            context.close();
        }
    }

    @Override
    public void drain() {
        draining = true;
        if (responses.pending() == 0 && current == null && rest == null && !closing) {
            context.close();
        } else if (responses.areStuck()) {
            abort();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.debug("connection {} ends", ctx.channel(), cause);
        ctx.close();
    }

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public void slot(int index) {
        slot = index;
    }
}
