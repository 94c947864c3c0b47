/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.EventExecutor;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running echo server.
 *
 * <p>It answers a request with the request's own body and content type, as {@link EchoServerConfig} and the {@code
 * echo-*} headers of the request say. Running from {@link #start} until {@link #close}; all methods are thread-safe.
 *
 * @since 0.1
 */
public final class EchoServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EchoServer.class);

    /** A response of the largest default body still counts as sent at once; a pile of them does not. */
    private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(1 << 19, 1 << 21);

    private static final long FORCED_CLOSE_SECONDS = 5;
    private static final long ONE_HOUR_MICROS = 3_600_000_000L;

    private final EchoServerConfig config;
    private final Behaviour behaviour;
    private final LoopGroups groups;
    private final int threads;
    private final @Nullable TlsSettings tls;
    private final @Nullable AccessLog accessLog;
    private final Map<EventExecutor, LoopContext> loops = new IdentityHashMap<>();
    private final List<LoopContext> loopList = new ArrayList<>();
    private final ChannelGroup connections;
    private final List<Channel> listeners = new ArrayList<>();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();
    private final Histogram askedMicros = new Histogram(ONE_HOUR_MICROS, 3);
    private final Histogram lateMicros = new Histogram(ONE_HOUR_MICROS, 3);
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private int port;
    private int tlsPort = -1;
    private @Nullable AdminServer admin;

    private EchoServer(EchoServerConfig config) {
        this.config = config;
        this.threads =
                config.threads() > 0 ? config.threads() : Runtime.getRuntime().availableProcessors();
        this.tls = config.ssl() || config.tlsPort().isPresent()
                ? TlsSettings.of(config, Clock.systemUTC().instant())
                : null;
        this.accessLog = config.accessLog().map(AccessLog::open).orElse(null);
        this.groups = LoopGroups.of(config.transport(), threads);
        this.behaviour = new Behaviour(config);
        this.connections = new DefaultChannelGroup(groups.acceptor().next());
        for (EventExecutor executor : groups.workers()) {
            LoopContext loop = new LoopContext(
                    executor, behaviour, System::nanoTime, accessLog == null ? null : accessLog.forLoop());
            loops.put(executor, loop);
            loopList.add(loop);
        }
    }

    /**
     * Starts a server and returns when all its ports accept connections.
     *
     * @throws EchoException if a port cannot be listened on, or the key store, the transport or the access log cannot be
     *     used
     */
    public static EchoServer start(EchoServerConfig config) {
        EchoServer server = new EchoServer(config);
        try {
            server.listen();
            return server;
        } catch (EchoException e) {
            server.close();
            throw e;
        }
    }

    private void listen() {
        port = listen(config.port(), config.ssl(), "--port");
        if (config.tlsPort().isPresent()) {
            tlsPort = listen(config.tlsPort().getAsInt(), true, "--tls-port");
        }
        if (config.adminPort().isPresent()) {
            admin = AdminServer.start(config.host(), config.adminPort().getAsInt(), this);
        }
        loopList.forEach(loop -> loop.executor.execute(loop::startSweeping));
    }

    private int listen(int wanted, boolean secure, String option) {
        ChannelFuture bound = new ServerBootstrap()
                .group(groups.acceptor(), groups.workers())
                .channel(groups.serverChannel())
                .option(ChannelOption.SO_BACKLOG, config.backlog())
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .childHandler(new Connected(secure))
                .bind(config.host(), wanted)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            Throwable cause = bound.cause();
            throw new EchoException(
                    "cannot listen on " + config.host() + ":" + wanted + ": " + cause.getMessage()
                            + "; choose another port with " + option + ", 0 for any free one",
                    cause);
        }
        listeners.add(bound.channel());
        return ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    /** Returns the port that is listened on; with TLS if {@link EchoServerConfig#ssl()} says so. */
    public int port() {
        return port;
    }

    /** Returns the port of the additional TLS listener; empty if there is none. */
    public OptionalInt tlsPort() {
        return tlsPort < 0 ? OptionalInt.empty() : OptionalInt.of(tlsPort);
    }

    /** Returns the port of health and metrics; empty if they are switched off. */
    public OptionalInt adminPort() {
        return admin == null ? OptionalInt.empty() : OptionalInt.of(admin.port());
    }

    /** Returns the settings that the server was started with. */
    public EchoServerConfig config() {
        return config;
    }

    /** Returns the transport in use, never {@link Transport#AUTO}. */
    public Transport transport() {
        return groups.transport();
    }

    /** Returns the number of threads that serve connections. */
    public int threads() {
        return threads;
    }

    /** Returns {@code openssl} or {@code jdk}; empty if nothing speaks TLS. */
    public Optional<String> tlsProvider() {
        return Optional.ofNullable(tls).map(TlsSettings::provider);
    }

    /** Returns the certificate that clients have to trust; empty if nothing speaks TLS. */
    public Optional<X509Certificate> certificate() {
        return Optional.ofNullable(tls).map(TlsSettings::certificate);
    }

    /** Returns what has been counted since the start; exact for every response a client has received. */
    public EchoStats stats() {
        long requests = 0;
        long requestBytes = 0;
        long responseBytes = 0;
        long opened = 0;
        long resets = 0;
        long neverAnswered = 0;
        long timeouts = 0;
        SortedMap<Integer, Long> responses = new TreeMap<>();
        for (LoopContext loop : loopList) {
            LoopCounters counters = loop.counters;
            requests += counters.requests.get();
            requestBytes += counters.requestBytes.get();
            responseBytes += counters.responseBytes.get();
            opened += counters.connectionsOpened.get();
            resets += counters.resets.get();
            neverAnswered += counters.neverAnswered.get();
            timeouts += counters.timeouts.get();
            for (int status = 100; status < 600; status++) {
                long count = counters.byStatus.get(status);
                if (count > 0) {
                    responses.merge(status, count, Long::sum);
                }
            }
        }
        return new EchoStats(
                requests,
                responses,
                requestBytes,
                responseBytes,
                opened,
                open.get(),
                refused.get(),
                resets,
                neverAnswered,
                timeouts,
                delays());
    }

    private EchoStats.Delays delays() {
        synchronized (askedMicros) {
            loopList.forEach(loop -> loop.counters.drainDelaysInto(askedMicros, lateMicros));
            long count = lateMicros.getTotalCount();
            return count == 0
                    ? new EchoStats.Delays(0, 0, 0, 0, 0, 0)
                    : new EchoStats.Delays(
                            count,
                            askedMicros.getMean(),
                            askedMicros.getMaxValue(),
                            lateMicros.getValueAtPercentile(50),
                            lateMicros.getValueAtPercentile(99),
                            lateMicros.getMaxValue());
        }
    }

    /** Waits until the server has been closed. */
    public void awaitClosed() throws InterruptedException {
        closed.await();
    }

    /**
     * Stops the server: takes no more connections, lets requests in flight finish within {@link
     * EchoServerConfig#shutdownTimeout()}, closes what is left and returns when everything is released. A second call
     * waits for the first.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            awaitUninterruptibly();
            return;
        }
        listeners.forEach(listener -> listener.close().awaitUninterruptibly());
        loopList.forEach(loop -> loop.executor.execute(loop::drain));
        connections
                .newCloseFuture()
                .awaitUninterruptibly(config.shutdownTimeout().toMillis());
        connections.close().awaitUninterruptibly(FORCED_CLOSE_SECONDS, TimeUnit.SECONDS);
        loopList.forEach(loop -> loop.executor.execute(loop::stop));
        if (admin != null) {
            admin.close();
        }
        groups.workers()
                .shutdownGracefully(0, FORCED_CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly();
        groups.acceptor()
                .shutdownGracefully(0, FORCED_CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly();
        behaviour.close();
        if (accessLog != null) {
            loopList.forEach(LoopContext::flushAccessLog);
            accessLog.close();
        }
        closed.countDown();
    }

    private void awaitUninterruptibly() {
        boolean interrupted = false;
        while (true) {
            try {
                closed.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Puts a new connection together, or turns it away. */
    private final class Connected extends ChannelInitializer<Channel> {

        private final boolean secure;

        Connected(boolean secure) {
            this.secure = secure;
        }

        @Override
        protected void initChannel(Channel channel) {
            if (config.maxConnections() > 0 && open.get() >= config.maxConnections()) {
                refused.incrementAndGet();
                Sockets.reset(channel);
                return;
            }
            open.incrementAndGet();
            LoopContext loop = loops.get(channel.eventLoop());
            LoopCounters.add(loop.counters.connectionsOpened, 1);
            channel.closeFuture().addListener(done -> open.decrementAndGet());
            connections.add(channel);
            if (secure && tls != null) {
                SslHandler handler = tls.context().newHandler(channel.alloc());
                channel.pipeline().addLast(handler);
                if (config.http2()) {
                    channel.pipeline().addLast(new Negotiated(loop));
                    return;
                }
            }
            channel.pipeline().addLast(new Http1Connection(loop, config.http2() && !secure));
        }
    }

    /** Continues with the protocol that the client chose in the TLS handshake. */
    private static final class Negotiated extends ApplicationProtocolNegotiationHandler {

        private final LoopContext loop;

        Negotiated(LoopContext loop) {
            super(ApplicationProtocolNames.HTTP_1_1);
            this.loop = loop;
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext context, String protocol) {
            boolean http2 = protocol.equals(ApplicationProtocolNames.HTTP_2);
            context.pipeline().addLast(http2 ? Http2Connection.of(loop) : new Http1Connection(loop, false));
        }

        @Override
        protected void handshakeFailure(ChannelHandlerContext context, Throwable cause) {
            LOG.debug("TLS handshake of {} fails", context.channel(), cause);
            context.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.debug("connection {} ends", context.channel(), cause);
            context.close();
        }
    }
}
