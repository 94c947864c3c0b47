/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection.PropertyKey;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.codec.http2.ReadOnlyHttp2Headers;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP/2 connection, answered frame by frame: no channel, no HTTP/1 object and no copy per stream.
 *
 * <p>Received bytes are given back to flow control at once; what a client can make the server hold is bounded by the
 * streams it may open times the body limit. All responses of one read, or of one moment, leave with one flush.
 */
final class Http2Connection extends Http2ConnectionHandler implements Connection {

    private static final Logger LOG = LoggerFactory.getLogger(Http2Connection.class);

    /** Enough for any load generator's multiplexing; more wait at the client. */
    private static final int MAX_STREAMS = 256;

    private static final int STREAM_WINDOW = 1 << 20;
    private static final int CONNECTION_WINDOW = 8 << 20;
    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    private static final AsciiString CONTENT_LENGTH = AsciiString.cached("content-length");
    private static final AsciiString CONTINUE = AsciiString.cached("100");
    private static final AsciiString MARK = AsciiString.cached(ControlHeaders.MARK);
    private static final AsciiString OK = AsciiString.cached("200");

    private final LoopContext loop;
    private final Behaviour behaviour;
    private final int maxContentLength;
    private final int requestTicks;
    private final int writeTicks;
    private final int idleTicks;
    private final PropertyKey exchangeKey;

    private ChannelHandlerContext context;
    private int slot = -1;
    private int outstanding;
    private boolean flushListed;
    private boolean draining;
    private long batchNanos;
    private int activeTick;
    private int writeTick;
    private long lastUnwritten;

    /** The highest stream that this side has cut off. */
    private int lastReset;

    private @Nullable Http2Headers lastHeaders;
    private long lastLength = -1;
    private byte[] lastType = {};

    private Http2Connection(
            LoopContext loop, Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
        super(decoder, encoder, settings);
        this.loop = loop;
        this.behaviour = loop.behaviour;
        EchoServerConfig config = behaviour.config;
        this.maxContentLength = config.maxContentLength();
        this.requestTicks = LoopContext.ticks(config.requestTimeout());
        this.writeTicks = LoopContext.ticks(config.writeTimeout());
        this.idleTicks = LoopContext.ticks(config.idleTimeout());
        this.exchangeKey = connection().newKey();
        decoder.frameListener(new Requests());
        connection().addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                forget(stream);
            }
        });
    }

    static Http2Connection of(LoopContext loop) {
        return new Builder(loop).build();
    }

    // ---- life of the connection

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        context = ctx;
        activeTick = loop.tick;
        loop.register(this);
        super.handlerAdded(ctx);
        Http2Stream whole = connection().connectionStream();
        decoder().flowController().incrementWindowSize(whole, CONNECTION_WINDOW);
        if (loop.draining) {
            drain();
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        loop.deregister(this);
        super.handlerRemoved0(ctx);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        loop.deregister(this);
        super.channelInactive(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        activeTick = loop.tick;
        batchNanos = 0;
        super.channelRead(ctx, message);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
        if (Http2CodecUtil.getEmbeddedHttp2Exception(cause) != null) {
            super.exceptionCaught(ctx, cause);
        } else {
            LOG.debug("connection {} ends", ctx.channel(), cause);
            Sockets.reset(ctx.channel());
        }
    }

    /**
     * Judges frames for streams that are over as RFC 9113, section 5.1, does, and more strictly than Netty.
     *
     * <p>A client that opens a stream with a number it has passed by has lost count, which ends the connection; not so if
     * the server has cut such a stream off, since what was under way then is innocent. A second request on a stream whose
     * first has ended is one to a closed stream, whatever else may be wrong with it.
     */
    @Override
    protected void onStreamError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, Http2Exception.StreamException error) {
        Http2Stream stream = connection().stream(error.streamId());
        if (stream == null && !outbound && error.error() == Http2Error.STREAM_CLOSED && error.streamId() > lastReset) {
            onConnectionError(
                    ctx, false, cause, Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, error.getMessage()));
            return;
        }
        if (stream != null
                && !outbound
                && error.error() == Http2Error.PROTOCOL_ERROR
                && stream.state() == Http2Stream.State.HALF_CLOSED_REMOTE
                && (stream.isHeadersSent() || stream.getProperty(exchangeKey) != null)) {
            super.onStreamError(ctx, false, cause, (Http2Exception.StreamException)
                    Http2Exception.streamError(error.streamId(), Http2Error.STREAM_CLOSED, error.getMessage()));
            return;
        }
        super.onStreamError(ctx, outbound, cause, error);
    }

    /** Answers, as stream 1, the HTTP/1.1 request that asked for the upgrade. */
    void answerUpgrade(Http2Settings settings, Exchange exchange) throws Http2Exception {
        onHttpServerUpgrade(settings);
        exchange.connection = this;
        exchange.streamId = 1;
        exchange.closeAfter = false;
        connection().stream(1).setProperty(exchangeKey, exchange);
        outstanding++;
        finishRequest(exchange);
        flush(context);
    }

    private void forget(Http2Stream stream) {
        Exchange exchange = stream.removeProperty(exchangeKey);
        if (exchange != null) {
            outstanding--;
            loop.dueQueue.remove(exchange);
            loop.giveBack(exchange);
        }
    }

    @Override
    public void drain() {
        draining = true;
        resetUnanswerable();
        sayGoodbye();
    }

    /** Sends GOAWAY, and closes when the last stream has ended. */
    private void sayGoodbye() {
        try {
            close(context, context.newPromise());
        } catch (Exception e) {
            LOG.debug("connection {} ends", context.channel(), e);
            Sockets.reset(context.channel());
        }
    }

    private void resetUnanswerable() {
        forEachExchange(exchange -> {
            if (exchange.fault == Exchange.Fault.NEVER_ANSWER) {
                reset(exchange.streamId, Http2Error.CANCEL);
            }
        });
    }

    private interface ExchangeVisitor {
        void visit(Exchange exchange);
    }

    private void forEachExchange(ExchangeVisitor visitor) {
        try {
            connection().forEachActiveStream(stream -> {
                Exchange exchange = stream.getProperty(exchangeKey);
                if (exchange != null) {
                    visitor.visit(exchange);
                }
                return true;
            });
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void sweep(int tick) {
        ChannelOutboundBuffer out = context.channel().unsafe().outboundBuffer();
        long unwritten = out == null ? 0 : out.totalPendingWriteBytes();
        if (unwritten == 0 || unwritten != lastUnwritten) {
            lastUnwritten = unwritten;
            writeTick = tick;
        } else if (writeTicks > 0 && tick - writeTick >= writeTicks) {
            tooSlow();
            return;
        }
        int streams = connection().numActiveStreams();
        if (streams > 0 && outstanding == 0 && writeTicks > 0 && tick - activeTick >= writeTicks) {
            // All is answered, but the client opens no window to send it through.
            tooSlow();
        } else if (streams == 0 && idleTicks > 0 && tick - activeTick >= idleTicks) {
            sayGoodbye();
        } else if (outstanding > 0 && requestTicks > 0) {
            forEachExchange(exchange -> {
                if (exchange.status == 0 && tick - exchange.startTick >= requestTicks) {
                    LoopCounters.add(loop.counters.timeouts, 1);
                    reset(exchange.streamId, Http2Error.CANCEL);
                }
            });
            context.flush();
        }
    }

    private void tooSlow() {
        LoopCounters.add(loop.counters.timeouts, 1);
        Sockets.reset(context.channel());
    }

    private void reset(int streamId, Http2Error error) {
        lastReset = Math.max(lastReset, streamId);
        encoder().writeRstStream(context, streamId, error.code(), context.newPromise());
    }

    // ---- requests

    private final class Requests extends Http2FrameAdapter {

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx,
                int streamId,
                Http2Headers headers,
                int streamDependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean endStream) {
            onHeadersRead(ctx, streamId, headers, padding, endStream);
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean endStream) {
            Http2Stream stream = connection().stream(streamId);
            Exchange known = stream.getProperty(exchangeKey);
            if (known == null && headers.method() == null) {
                // Trailers of a request that has had its answer: what opens a stream has a method, see the builder.
                return;
            }
            Exchange exchange = known != null ? known : begin(stream, headers, endStream);
            if (exchange.status != 0) {
                return;
            }
            if (endStream) {
                finishRequest(exchange);
            }
        }

        @Override
        public int onDataRead(ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean endStream) {
            int taken = data.readableBytes() + padding;
            Http2Stream stream = connection().stream(streamId);
            Exchange exchange = stream == null ? null : stream.getProperty(exchangeKey);
            if (exchange == null || exchange.status != 0) {
                return taken;
            }
            int length = data.readableBytes();
            if (exchange.bodyLength + length > maxContentLength) {
                refuse(exchange, 413, endStream);
                return taken;
            }
            if (exchange.discardBody) {
                exchange.bodyLength += length;
            } else if (length > 0) {
                exchange.addPart(data.readRetainedSlice(length), ctx.alloc());
            }
            if (endStream) {
                finishRequest(exchange);
            }
            return taken;
        }
    }

    private Exchange begin(Http2Stream stream, Http2Headers headers, boolean endStream) {
        Exchange exchange = loop.take(this);
        exchange.streamId = stream.id();
        exchange.startTick = loop.tick;
        stream.setProperty(exchangeKey, exchange);
        outstanding++;
        CharSequence method = headers.method();
        CharSequence path = headers.path();
        exchange.headMethod = AsciiString.contentEquals("HEAD", method);
        long announced = -1;
        boolean continueAsked = false;
        for (Map.Entry<CharSequence, CharSequence> header : headers) {
            CharSequence name = header.getKey();
            switch (name.length()) {
                case 6 ->
                    continueAsked |= AsciiString.contentEquals("expect", name)
                            && AsciiString.contentEqualsIgnoreCase("100-continue", header.getValue());
                case 9 -> {
                    if (MARK.contentEquals(name) && behaviour.config.controlHeaders()) {
                        AsciiString value = AsciiString.of(header.getValue());
                        exchange.mark(value.array(), value.arrayOffset(), value.length());
                    }
                }
                case 10, 11, 18 -> control(exchange, name, header.getValue());
                case 12 -> {
                    if (CONTENT_TYPE.contentEquals(name)) {
                        AsciiString type = AsciiString.of(header.getValue());
                        exchange.contentType(type.array(), type.arrayOffset(), type.length());
                    } else {
                        control(exchange, name, header.getValue());
                    }
                }
                case 14 -> {
                    if (CONTENT_LENGTH.contentEquals(name)) {
                        announced = length(header.getValue());
                    } else {
                        control(exchange, name, header.getValue());
                    }
                }
                default -> {
                    // No other header changes the answer.
                }
            }
        }
        if (path != null) {
            AsciiString target = AsciiString.of(path);
            exchange.graphQl |= GraphQlAnswers.isGraphQlPath(
                    target.array(), target.arrayOffset(), target.arrayOffset() + target.length());
        }
        if (loop.accessLog != null) {
            exchange.requestLine = method + " " + path;
        }
        exchange.discardBody = behaviour.needsNoBody(exchange);
        if (AsciiString.contentEquals("CONNECT", method)) {
            refuse(exchange, 501, endStream);
        } else if (announced > maxContentLength) {
            refuse(exchange, 413, endStream);
        } else if (continueAsked && !endStream) {
            encoder()
                    .writeHeaders(
                            context,
                            stream.id(),
                            ReadOnlyHttp2Headers.serverHeaders(false, CONTINUE),
                            0,
                            false,
                            context.newPromise());
        }
        return exchange;
    }

    /** Netty has refused what is no number by now, or will when the body does not fit to it. */
    private static long length(CharSequence digits) {
        long number = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = Math.min(number * 10 + digit, Long.MAX_VALUE / 16);
        }
        return number;
    }

    private void control(Exchange exchange, CharSequence name, CharSequence value) {
        char first = name.charAt(0);
        if (first == 'e' || first == 'q') {
            ControlHeaders.apply(exchange, name.toString(), value.toString(), behaviour.config.controlHeaders());
        }
    }

    private void finishRequest(Exchange exchange) {
        LoopCounters.add(loop.counters.requests, 1);
        LoopCounters.add(loop.counters.requestBytes, exchange.bodyLength);
        behaviour.decide(exchange);
        if (exchange.fault == Exchange.Fault.NEVER_ANSWER) {
            LoopCounters.add(loop.counters.neverAnswered, 1);
            exchange.releaseBody();
            if (draining) {
                reset(exchange.streamId, Http2Error.CANCEL);
            }
        } else if (exchange.askedNanos > 0) {
            if (batchNanos == 0) {
                batchNanos = loop.nanoClock.getAsLong();
            }
            exchange.receivedNanos = batchNanos;
            exchange.dueNanos = batchNanos + exchange.askedNanos;
            loop.dueQueue.add(exchange);
        } else {
            exchange.receivedNanos = 0;
            respond(exchange);
        }
    }

    /** Answers a request that is not, or not yet, one; the client may stop sending it. */
    private void refuse(Exchange exchange, int status, boolean requestEnded) {
        exchange.releaseBody();
        Behaviour.refuse(exchange, status, HttpResponseStatus.valueOf(status).reasonPhrase());
        int streamId = exchange.streamId;
        ChannelFuture last = respond(exchange);
        if (!requestEnded && last != null) {
            last.addListener(sent -> {
                Http2Stream stream = connection().stream(streamId);
                if (stream != null) {
                    reset(streamId, Http2Error.NO_ERROR);
                    context.flush();
                }
            });
        }
    }

    // ---- responses

    @Override
    public void due(Exchange exchange, long nowNanos) {
        respond(exchange);
        if (!flushListed) {
            flushListed = true;
            loop.dueQueue.flushLater(this);
        }
    }

    @Override
    public void flushDue() {
        flushListed = false;
        flush(context);
    }

    /** Writes the response, or the next part of it; returns the future of the last frame once that is written. */
    private @Nullable ChannelFuture respond(Exchange exchange) {
        if (exchange.fault == Exchange.Fault.RESET) {
            LoopCounters.add(loop.counters.resets, 1);
            reset(exchange.streamId, Http2Error.INTERNAL_ERROR);
            return null;
        }
        long length = exchange.responseLength();
        boolean bodyless = exchange.headMethod || length == 0 || exchange.status == 204 || exchange.status == 304;
        if (!exchange.started) {
            ChannelFuture head = writeHead(exchange, length, bodyless);
            if (bodyless) {
                end(exchange);
                return head;
            }
        }
        ChannelFuture last = writeBody(exchange, length);
        if (last != null) {
            end(exchange);
        }
        return last;
    }

    private ChannelFuture writeHead(Exchange exchange, long length, boolean bodyless) {
        loop.begin(exchange, bodyless ? 0 : length, "HTTP/2");
        return encoder()
                .writeHeaders(context, exchange.streamId, headers(exchange, length), 0, bodyless, context.newPromise());
    }

    /** Returns the headers, the very ones of the response before if they are the same. */
    private Http2Headers headers(Exchange exchange, long length) {
        if (exchange.markLength > 0) {
            return marked(exchange, length);
        }
        boolean plain = exchange.status == 200;
        if (plain && lastHeaders != null && length == lastLength && exchange.hasContentType(lastType)) {
            return lastHeaders;
        }
        byte[] type = exchange.copyOfContentType();
        Http2Headers headers;
        if (exchange.status == 204 || exchange.status == 304) {
            headers = ReadOnlyHttp2Headers.serverHeaders(false, status(exchange.status));
        } else {
            AsciiString lengthText = new AsciiString(Long.toString(length));
            headers = type.length == 0
                    ? ReadOnlyHttp2Headers.serverHeaders(false, status(exchange.status), CONTENT_LENGTH, lengthText)
                    : ReadOnlyHttp2Headers.serverHeaders(
                            false,
                            status(exchange.status),
                            CONTENT_LENGTH,
                            lengthText,
                            CONTENT_TYPE,
                            new AsciiString(type, false));
        }
        if (plain) {
            lastHeaders = headers;
            lastLength = length;
            lastType = type;
        }
        return headers;
    }

    /** A mark is that of one request, so that its headers are made for it. */
    private static Http2Headers marked(Exchange exchange, long length) {
        Http2Headers headers = new DefaultHttp2Headers(false).status(status(exchange.status));
        if (exchange.status != 204 && exchange.status != 304) {
            headers.set(CONTENT_LENGTH, Long.toString(length));
            if (exchange.contentTypeLength > 0) {
                headers.set(CONTENT_TYPE, new AsciiString(exchange.copyOfContentType(), false));
            }
        }
        return headers.set(MARK, new AsciiString(exchange.mark, 0, exchange.markLength, true));
    }

    private static AsciiString status(int status) {
        return status == 200
                ? OK
                : new AsciiString(Integer.toString(status).getBytes(StandardCharsets.US_ASCII), false);
    }

    private @Nullable ChannelFuture writeBody(Exchange exchange, long length) {
        long allowed = exchange.rate == 0
                ? length
                : Pace.allowed(exchange.rate, loop.nanoClock.getAsLong() - exchange.startedNanos, length);
        ChannelFuture last = null;
        while (exchange.sentBytes < allowed) {
            ByteBuf part = exchange.takeResponseBody(allowed - exchange.sentBytes, behaviour.generated);
            last = encoder()
                    .writeData(context, exchange.streamId, part, 0, exchange.sentBytes >= length, context.newPromise());
        }
        if (exchange.sentBytes >= length) {
            return last;
        }
        exchange.dueNanos = exchange.startedNanos + Pace.nextNanos(exchange.rate, exchange.sentBytes, length);
        loop.dueQueue.add(exchange);
        return null;
    }

    private void end(Exchange exchange) {
        activeTick = loop.tick;
        Http2Stream stream = connection().stream(exchange.streamId);
        if (stream != null) {
            forget(stream);
        }
    }

    @Override
    public int slot() {
        return slot;
    }

    @Override
    public void slot(int index) {
        slot = index;
    }

    private static final class Builder extends AbstractHttp2ConnectionHandlerBuilder<Http2Connection, Builder> {

        private final LoopContext loop;

        Builder(LoopContext loop) {
            this.loop = loop;
            EchoServerConfig config = loop.behaviour.config;
            connection(withoutPriorities());
            initialSettings(Http2Settings.defaultSettings()
                    .maxConcurrentStreams(MAX_STREAMS)
                    .initialWindowSize(STREAM_WINDOW)
                    .maxHeaderListSize(config.maxHeaderSize()));
            // A stream that opens without a method, a scheme or a path is no request: it is reset.
            validateRequiredPseudoHeaders(true);
            gracefulShutdownTimeoutMillis(config.shutdownTimeout().toMillis());
            // The server resets streams on purpose where it was told to; that must not count as an attack.
            encoderEnforceMaxRstFramesPerWindow(0, 0);
        }

        /** The tree of priorities costs every stream, and HTTP/2 has given them up (RFC 9113, section 5.3). */
        private static DefaultHttp2Connection withoutPriorities() {
            DefaultHttp2Connection connection = new DefaultHttp2Connection(true);
            connection
                    .remote()
                    .flowController(new DefaultHttp2RemoteFlowController(
                            connection, new UniformStreamByteDistributor(connection)));
            return connection;
        }

        @Override
        protected Http2Connection build() {
            return super.build();
        }

        @Override
        protected Http2Connection build(
                Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
            return new Http2Connection(loop, decoder, encoder, settings);
        }
    }
}
