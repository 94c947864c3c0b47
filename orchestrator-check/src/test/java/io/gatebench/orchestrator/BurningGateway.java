/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** A program that gives back what it gets, and uses as much CPU time for each request as it is told. */
final class BurningGateway {

    private BurningGateway() {}

    /**
     * Listens at a port until it is ended; the second argument is the CPU time in microseconds, the third one the address, which
     * is that of loopback if there is none.
     */
    public static void main(String[] arguments) throws IOException {
        long nanos = TimeUnit.MICROSECONDS.toNanos(Long.parseLong(arguments[1]));
        InetAddress address =
                arguments.length > 2 ? InetAddress.getByName(arguments[2]) : InetAddress.getLoopbackAddress();
        HttpServer server = HttpServer.create(new InetSocketAddress(address, Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/", exchange -> answer(exchange, nanos));
        server.start();
    }

    private static void answer(HttpExchange exchange, long nanos) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
