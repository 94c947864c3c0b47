/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** A back end that answers as it was told, by default with the request's body, and remembers what reached it. */
final class RecordingBackend implements AutoCloseable {

    record Seen(String method, String path, Headers headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    record Answer(int status, String type, byte[] body, long delayMillis) {
        static Answer json(int status, String body) {
            return new Answer(status, "application/json", body.getBytes(StandardCharsets.UTF_8), 0);
        }

        Answer after(long millis) {
            return new Answer(status, type, body, millis);
        }
    }

    @FunctionalInterface
    interface Behaviour {
        Answer answer(Seen request);
    }

    static final Behaviour ECHO = request -> new Answer(200, "application/json", request.body(), 0);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
    private volatile Behaviour behaviour = ECHO;

    RecordingBackend() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url() {
        return "http://127.0.0.1:" + port();
    }

    void behave(Behaviour next) {
        behaviour = next;
    }

    void reset() {
        behaviour = ECHO;
        seen.clear();
    }

    List<Seen> seen() {
        return List.copyOf(seen);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        Seen request = new Seen(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders(),
                exchange.getRequestBody().readAllBytes());
        seen.add(request);
        Answer answer = behaviour.answer(request);
        if (answer.delayMillis() > 0) {
            try {
                Thread.sleep(answer.delayMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        exchange.getResponseHeaders().set("Content-Type", answer.type());
        exchange.sendResponseHeaders(answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
        exchange.getResponseBody().write(answer.body());
        exchange.close();
    }
}
