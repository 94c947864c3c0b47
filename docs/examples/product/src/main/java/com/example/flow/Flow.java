package com.example.flow;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.Executors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** Forwards every POST to one back end: what is measured. */
public final class Flow {

    private static final int THREADS = 64;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI backend;

    private Flow(URI backend) {
        this.backend = backend;
    }

    /** Runs until it is stopped. Arguments: address and port to listen on, base URL of the back end. */
    public static void main(String[] args) throws IOException {
        Flow flow = new Flow(URI.create(args[2]));
        HttpServer server = HttpServer.create(new InetSocketAddress(args[0], Integer.parseInt(args[1])), 1024);
        server.createContext("/echo", flow::forward);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.start();
        System.out.println("flow ready");
    }

    private void forward(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpRequest request = HttpRequest.newBuilder(backend)
                    .header("Content-Type", exchange.getRequestHeaders().getFirst("Content-Type"))
                    .POST(HttpRequest.BodyPublishers.ofByteArray(
                            exchange.getRequestBody().readAllBytes()))
                    .build();
            HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            byte[] body = answer.body();
            exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
