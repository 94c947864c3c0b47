/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * A program that takes orders, each of which may be read once with the session that its creation gave, and writes down which
 * machine ordered what.
 */
final class OrdersGateway {

    /** The file in its directory: a line for each machine and order that differ, {@code 10.0.0.12 {"item": "tea"}}. */
    static final String ORDERED = "ordered.txt";

    private final Set<String> orders = ConcurrentHashMap.newKeySet();
    private final Set<String> ordered = ConcurrentHashMap.newKeySet();
    private final AtomicInteger next = new AtomicInteger();

    private OrdersGateway() {}

    /** Listens at an address and a port until it is ended. */
    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/orders", new OrdersGateway()::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        int status;
        String answer = "";
        if (exchange.getRequestMethod().equals("POST")) {
            write(exchange.getRemoteAddress().getAddress().getHostAddress() + " " + body + "\n");
            int id = next.incrementAndGet();
            orders.add(id + ":session=s" + id);
            exchange.getResponseHeaders().add("Set-Cookie", "session=s" + id + "; Path=/");
            status = 201;
            answer = "{\"order\": {\"id\": " + id + "}}";
        } else {
            String id = exchange.getRequestURI().getPath().substring("/orders/".length());
            status = orders.remove(id + ":" + exchange.getRequestHeaders().getFirst("Cookie")) ? 200 : 404;
            answer = "order <" + id + ">";
        }
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void write(String line) throws IOException {
        if (ordered.add(line)) {
            Files.writeString(Path.of(ORDERED), line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
    }
}
