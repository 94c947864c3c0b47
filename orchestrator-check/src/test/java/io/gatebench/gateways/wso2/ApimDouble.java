/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** A small API Manager that remembers what was set up, holds every request to the contract, and can go wrong. */
public final class ApimDouble implements AutoCloseable {

    static final String USER = "admin";
    public static final String PASSWORD = "s3cret-admin";

    static {
        // Head and body are two writes: without this each answer waits for the other side's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static final Pattern PART = Pattern.compile(
            "Content-Disposition: form-data; name=\"([^\"]+)\"[^\r]*\r\n(?:[^\r]+\r\n)*\r\n(.*?)\r\n--",
            Pattern.DOTALL);

    /** How a server can go wrong. */
    enum Fault {
        /** 500 with a reason. */
        ERROR,
        /** 401, as after a token was revoked. */
        UNAUTHORIZED,
        /** 409 without a conflict. */
        CONFLICT,
        /** 200 with the page of a proxy. */
        NOT_JSON,
        /** 200 with an empty object. */
        EMPTY,
        /** No answer at all. */
        SLOW
    }

    final List<String> requests = new ArrayList<>();
    public final List<String> violations = new ArrayList<>();
    final PortalDouble portal = new PortalDouble();
    final PublisherDouble publisher = new PublisherDouble(portal);
    final TokenDouble tokens = new TokenDouble(portal);

    private final int version;
    private final ApimContract contract;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private int late;
    private Optional<Integer> faultAt = Optional.empty();
    private Fault fault = Fault.ERROR;
    private String faulty = "";

    ApimDouble(int version) {
        this(version, "127.0.0.1");
    }

    /** Listens at an address of this machine. */
    public ApimDouble(int version, String address) {
        this.version = version;
        this.contract = new ApimContract(version);
        try {
            server = HttpServer.create(new InetSocketAddress(address, 0), 50);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    public URI url() {
        return URI.create("http://" + server.getAddress().getHostString() + ":"
                + server.getAddress().getPort());
    }

    /** Knows nothing yet for that many requests, as a server that is still starting. */
    void startLate(int number) {
        late = number;
    }

    /** From now on that method and path go wrong. */
    void failOn(String line, Fault how) {
        faultAt = Optional.empty();
        fault = how;
        faulty = line;
    }

    /** From the n-th request on, that method and path go wrong. */
    void failAt(int request, Fault how) {
        faultAt = Optional.of(request);
        fault = how;
        faulty = "";
    }

    void recover() {
        faultAt = Optional.empty();
        faulty = "";
    }

    /** Gives every application that key, and issues such tokens to it. */
    public void issueTo(String key, Supplier<String> token) {
        portal.giveKey(key);
        tokens.issue(token);
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String line = exchange.getRequestMethod() + " " + path;
        if (late > 0) {
            late--;
            send(exchange, 404, "");
            return;
        }
        requests.add(line);
        if (faultAt.filter(n -> n == requests.size() - 1).isPresent()) {
            faulty = line;
        }
        if (line.equals(faulty)) {
            goWrong(exchange);
            return;
        }
        DoubleReply reply = reply(exchange, path, body);
        send(exchange, reply.status(), reply.body());
    }

    private void goWrong(HttpExchange exchange) throws IOException {
        switch (fault) {
            case ERROR -> send(exchange, 500, "{\"code\":500,\"message\":\"the database is down\"}");
            case UNAUTHORIZED -> send(exchange, 401, "{\"code\":401,\"message\":\"Unauthenticated\"}");
            case CONFLICT -> send(exchange, 409, "{\"code\":409,\"message\":\"it exists\"}");
            case NOT_JSON -> send(exchange, 200, "<html>please sign in</html>");
            case EMPTY -> send(exchange, 200, "{}");
            case SLOW ->
                threads.execute(() -> {
                    try {
                        closed.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    exchange.close();
                });
        }
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private DoubleReply reply(HttpExchange exchange, String path, String body) {
        String authorization = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse("");
        String contentType = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"))
                .orElse("");
        if (path.equals("/client-registration/v0.17/register")) {
            return tokens.register(authorization, body);
        }
        if (path.equals("/oauth2/token")) {
            return tokens.token(authorization, body);
        }
        if (path.equals("/oauth2/revoke")) {
            return tokens.revoke(body);
        }
        String publisherPath = "/api/am/publisher/v" + version;
        String portalPath = "/api/am/"
                + List.of("store/v1", "devportal/v2", "devportal/v2", "devportal/v3")
                        .get(version - 1);
        boolean ofPublisher = path.startsWith(publisherPath + "/");
        if (!ofPublisher && !path.startsWith(portalPath + "/")) {
            return DoubleReply.refused(404, "no such service");
        }
        String token = authorization.startsWith("Bearer ") ? authorization.substring(7) : "";
        Optional<Set<String>> scopes = tokens.scopes(token);
        if (scopes.isEmpty()) {
            return DoubleReply.refused(401, "Invalid Credentials");
        }
        String rest = path.substring((ofPublisher ? publisherPath : portalPath).length());
        Map<String, String> query =
                form(Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""));
        ApimContract.Request request = new ApimContract.Request(
                exchange.getRequestMethod(),
                rest,
                query,
                contentType,
                contentType.startsWith("multipart/") ? "" : body,
                contentType.startsWith("multipart/") ? parts(body) : Map.of(),
                scopes.get());
        Optional<ApimContract.Violation> violation = contract.check(ofPublisher ? "publisher" : "portal", request);
        if (violation.isPresent()) {
            violations.add(
                    request.method() + " " + rest + ": " + violation.get().why());
            return DoubleReply.refused(violation.get().status(), violation.get().why());
        }
        try {
            return ofPublisher ? publisher.reply(request) : portal.reply(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Map<String, String> form(String text) {
        Map<String, String> form = new HashMap<>();
        for (String field : text.split("&")) {
            int equals = field.indexOf('=');
            if (equals > 0) {
                form.put(
                        field.substring(0, equals),
                        URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return form;
    }

    private static Map<String, String> parts(String body) {
        Map<String, String> parts = new LinkedHashMap<>();
        Matcher matcher = PART.matcher(body);
        int from = 0;
        while (matcher.find(from)) {
            parts.put(matcher.group(1), matcher.group(2));
            from = matcher.end(2);
        }
        return parts;
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
