/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** A back end on loopback that answers with what it was sent, and remembers it. */
final class EchoBackend implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private volatile Duration silence = Duration.ZERO;
    private final Queue<Received> received = new ConcurrentLinkedQueue<>();

    /** One request as it arrived. */
    record Received(
            String method, String path, Optional<String> contentType, Optional<String> soapAction, String body) {}

    private EchoBackend(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        server.createContext("/", this::echo);
        server.start();
    }

    static EchoBackend start() throws IOException {
        return start(0);
    }

    static EchoBackend start(int port) throws IOException {
        return new EchoBackend(HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 0));
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/service/EchoService");
    }

    /** Returns what has arrived since the last call, oldest first. */
    List<Received> take() {
        List<Received> taken = List.copyOf(received);
        received.clear();
        return taken;
    }

    /** Leaves every request from now on without an answer for this long. */
    void answerNothingFor(Duration time) {
        silence = time;
    }

    private void echo(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            Optional<String> contentType =
                    Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"));
            received.add(new Received(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().toString(),
                    contentType,
                    Optional.ofNullable(exchange.getRequestHeaders().getFirst("SOAPAction")),
                    new String(body, StandardCharsets.UTF_8)));
            Thread.sleep(silence.toMillis());
            contentType.ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
            exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
