/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.OptionalInt;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.Shutdown;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.server.reactive.HttpHandler;

/** The plain HTTP port next to the HTTPS one: the same handler, no TLS; absent unless asked for. */
class PlainPort implements SmartLifecycle {
    private final GatewaySettings.Listener listener;
    private final HttpHandler handler;
    private volatile @Nullable WebServer server;

    PlainPort(GatewaySettings settings, HttpHandler handler) {
        this.listener = settings.listener();
        this.handler = handler;
    }

    /** Returns the port that is open, or empty if there is none. */
    OptionalInt port() {
        WebServer running = server;
        return running == null ? OptionalInt.empty() : OptionalInt.of(running.getPort());
    }

    @Override
    public void start() {
        Optional<Integer> port = listener.httpPort();
        if (port.isEmpty()) {
            return;
        }
        NettyReactiveWebServerFactory factory = new NettyReactiveWebServerFactory(port.get());
        try {
            factory.setAddress(InetAddress.getByName(listener.bind()));
        } catch (UnknownHostException e) {
            throw new UsageException(
                    "--gateway.bind must be an address of this host but was '" + listener.bind() + "'");
        }
        factory.setShutdown(Shutdown.GRACEFUL);
        WebServer starting = factory.getWebServer(handler);
        starting.start();
        server = starting;
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public void stop(Runnable stopped) {
        WebServer running = server;
        server = null;
        if (running == null) {
            stopped.run();
            return;
        }
        running.shutDownGracefully(result -> {
            running.stop();
            stopped.run();
        });
    }

    @Override
    public boolean isRunning() {
        return server != null;
    }

    @Override
    public int getPhase() {
        return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE;
    }
}
