/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.gatebench.report.ReportGenerator;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;

/**
 * Serves the page of a results directory while its run goes on: from the files alone, below a path that cannot be guessed.
 *
 * <p>Beside the page there is {@code state}: what the {@link LiveFile} holds, and how many test cases have a result, so
 * that the page knows when it is out of date. Nothing can be changed through it.
 */
final class WatchServer implements AutoCloseable {

    private static final int TOKEN_BYTES = 16;
    private static final int DEEPEST_RESULT = 7;

    private final HttpServer server;
    private final ExecutorService thread;
    private final Path results;
    private final String base;
    private long shown = -1;
    private byte[] page = new byte[0];

    private WatchServer(HttpServer server, Path results, String base) {
        this.server = server;
        this.results = results;
        this.base = base;
        thread = Executors.newSingleThreadExecutor(task -> {
            Thread created = new Thread(task, "gatebench-watch");
            created.setDaemon(true);
            created.setPriority(Thread.MIN_PRIORITY);
            return created;
        });
    }

    /**
     * Begins to serve.
     *
     * @param results the results directory; it need not exist yet
     * @param address where to listen
     * @throws CommandException if that is not possible
     */
    static WatchServer start(Path results, InetAddress address, int port) {
        byte[] token = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(token);
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(address, port), 0);
            WatchServer watch =
                    new WatchServer(server, results, "/" + HexFormat.of().formatHex(token) + "/");
            server.setExecutor(watch.thread);
            server.createContext("/", watch::answer);
            server.start();
            return watch;
        } catch (IOException e) {
            throw new CommandException(
                    ExitStatus.USAGE,
                    "cannot listen on " + address.getHostAddress() + ", port " + port + ": " + e.getMessage()
                            + "; name another address or port",
                    e);
        }
    }

    /** Returns the address of the page. */
    URI address() {
        InetSocketAddress bound = server.getAddress();
        String host = bound.getAddress().getHostAddress();
        return URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + bound.getPort() + base);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (!exchange.getRequestMethod().equals("GET")) {
                send(exchange, 405, "text/plain", "GET alone is answered\n".getBytes(StandardCharsets.UTF_8));
            } else if (!path.equals(base) && !path.equals(base + "state")) {
                send(exchange, 404, "text/plain", "not found\n".getBytes(StandardCharsets.UTF_8));
            } else {
                boolean whole = path.equals(base);
                byte[] body;
                try {
                    body = whole ? page() : state();
                } catch (ReportException | UncheckedIOException e) {
                    // The run may just be creating its files.
                    send(exchange, 503, "text/plain", (e.getMessage() + "\n").getBytes(StandardCharsets.UTF_8));
                    return;
                }
                send(exchange, 200, whole ? "text/html" : "application/json", body);
            }
        }
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
        exchange.sendResponseHeaders(status, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    /** The page of a long run takes seconds to make: it is made again only when there is a further result. */
    private byte[] page() {
        long version = version();
        if (version != shown) {
            page = ReportGenerator.livePage(ResultsDirectory.open(results)).getBytes(StandardCharsets.UTF_8);
            shown = version;
        }
        return page;
    }

    private byte[] state() throws IOException {
        String live;
        try {
            live = Files.readString(LiveFile.of(results));
        } catch (NoSuchFileException e) {
            live = "null";
        }
        return ("{\"version\":" + version() + ",\"live\":" + live + "}").getBytes(StandardCharsets.UTF_8);
    }

    /** Changes with each result that is written, and with the end of the run. */
    private long version() {
        try (Stream<Path> files = Files.find(
                results,
                DEEPEST_RESULT,
                (file, attributes) -> attributes.isRegularFile()
                        && file.getFileName().toString().equals(ResultsDirectory.RESULT_FILE)
                        && !results.relativize(file).startsWith(".replaced"))) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException("the results cannot be read: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        thread.shutdownNow();
    }
}
