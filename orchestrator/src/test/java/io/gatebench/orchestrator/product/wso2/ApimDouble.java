/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.product.wso2;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** A small API Manager that remembers what was set up, holds every request to the contract, and can go wrong. */
final class ApimDouble implements AutoCloseable {

    static final String USER = "admin";
    static final String PASSWORD = "s3cret-admin";

    static {
        // Head and body are two writes: without this each answer waits for the other side's delayed acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static final ObjectMapper JSON = new ObjectMapper();
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
    final List<String> violations = new ArrayList<>();
    final Map<String, ObjectNode> apis = new LinkedHashMap<>();
    final Map<String, List<ObjectNode>> revisions = new LinkedHashMap<>();
    final Map<String, List<ObjectNode>> policies = new LinkedHashMap<>();
    final Map<String, ObjectNode> applications = new LinkedHashMap<>();
    final Map<String, ObjectNode> keys = new LinkedHashMap<>();
    final Map<String, ObjectNode> subscriptions = new LinkedHashMap<>();
    final List<String> issued = new ArrayList<>();

    private final int version;
    private final ApimContract contract;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<String, String> clients = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> tokens = new ConcurrentHashMap<>();
    private Optional<Integer> faultAt = Optional.empty();
    private Fault fault = Fault.ERROR;
    private String faulty = "";
    private int hidden;
    private Set<String> grantable = Set.of();
    private Optional<String> consumerKey = Optional.empty();
    private Supplier<String> accessToken = () -> UUID.randomUUID().toString();

    ApimDouble(int version) {
        this.version = version;
        this.contract = new ApimContract(version);
        try {
            server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 50);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
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

    /** Lists of APIs stay empty that often, as with a search index that lags behind. */
    void lag(int searches) {
        hidden = searches;
    }

    /** Grants no other scopes than these. */
    void grantOnly(String... scopes) {
        grantable = Set.of(scopes);
    }

    /** Gives every application that key, and issues such tokens to it. */
    void issueTo(String key, Supplier<String> token) {
        consumerKey = Optional.of(key);
        accessToken = token;
    }

    void revokeTokens() {
        tokens.clear();
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String line = exchange.getRequestMethod() + " " + path;
        requests.add(line);
        if (faultAt.filter(n -> n == requests.size() - 1).isPresent()) {
            faulty = line;
        }
        if (line.equals(faulty)) {
            goWrong(exchange);
            return;
        }
        Reply reply = reply(exchange, path, body);
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

    private record Reply(int status, String body) {
        static Reply of(int status, JsonNode node) {
            return new Reply(status, node.toString());
        }

        static Reply refused(int status, String why) {
            return of(status, JSON.createObjectNode().put("code", status).put("description", why));
        }
    }

    private Reply reply(HttpExchange exchange, String path, String body) {
        String authorization = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse("");
        String contentType = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Content-Type"))
                .orElse("");
        if (path.equals("/client-registration/v0.17/register")) {
            return register(authorization, body);
        }
        if (path.equals("/oauth2/token")) {
            return token(authorization, body);
        }
        if (path.equals("/oauth2/revoke")) {
            tokens.remove(form(body).get("token"));
            return new Reply(200, "");
        }
        String publisher = "/api/am/publisher/v" + version;
        String portal = "/api/am/"
                + List.of("store/v1", "devportal/v2", "devportal/v2", "devportal/v3")
                        .get(version - 1);
        boolean ofPublisher = path.startsWith(publisher + "/");
        if (!ofPublisher && !path.startsWith(portal + "/")) {
            return Reply.refused(404, "no such service");
        }
        String token = authorization.startsWith("Bearer ") ? authorization.substring(7) : "";
        if (!tokens.containsKey(token)) {
            return Reply.refused(401, "Invalid Credentials");
        }
        String rest = path.substring((ofPublisher ? publisher : portal).length());
        Map<String, String> query =
                form(Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse(""));
        ApimContract.Request request = new ApimContract.Request(
                exchange.getRequestMethod(),
                rest,
                query,
                contentType,
                contentType.startsWith("multipart/") ? "" : body,
                contentType.startsWith("multipart/") ? parts(body) : Map.of(),
                tokens.get(token));
        Optional<ApimContract.Violation> violation = contract.check(ofPublisher ? "publisher" : "portal", request);
        if (violation.isPresent()) {
            violations.add(
                    request.method() + " " + rest + ": " + violation.get().why());
            return Reply.refused(violation.get().status(), violation.get().why());
        }
        try {
            return ofPublisher ? publisher(request) : portal(request);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Reply register(String authorization, String body) {
        if (!authorization.equals(basic(USER, PASSWORD))) {
            return Reply.refused(401, "wrong user or password");
        }
        try {
            String name = JSON.readTree(body).path("clientName").asText();
            String secret = clients.computeIfAbsent(name, n -> "secret-of-" + UUID.randomUUID());
            return Reply.of(
                    200,
                    JSON.createObjectNode()
                            .put("clientId", name)
                            .put("clientSecret", secret)
                            .put("clientName", name));
        } catch (IOException e) {
            return Reply.refused(400, "no JSON");
        }
    }

    private Reply token(String authorization, String body) {
        Map<String, String> form = form(body);
        if ("client_credentials".equals(form.get("grant_type"))) {
            boolean known = keys.values().stream()
                    .anyMatch(key -> authorization.equals(basic(
                            key.path("consumerKey").asText(),
                            key.path("consumerSecret").asText())));
            if (!known) {
                return Reply.refused(401, "invalid_client");
            }
            String token = accessToken.get();
            issued.add(token);
            return Reply.of(
                    200,
                    JSON.createObjectNode()
                            .put("access_token", token)
                            .put("token_type", "Bearer")
                            .put("expires_in", 3600));
        }
        boolean known = clients.entrySet().stream()
                .anyMatch(client -> authorization.equals(basic(client.getKey(), client.getValue())));
        if (!known || !PASSWORD.equals(form.get("password"))) {
            return Reply.refused(401, "invalid_client");
        }
        Set<String> granted =
                new LinkedHashSet<>(Arrays.asList(form.get("scope").split(" ")));
        if (!grantable.isEmpty()) {
            granted.retainAll(grantable);
        }
        String token = "token-" + UUID.randomUUID();
        tokens.put(token, granted);
        return Reply.of(
                200,
                JSON.createObjectNode()
                        .put("access_token", token)
                        .put("scope", String.join(" ", granted))
                        .put("token_type", "Bearer")
                        .put("expires_in", 3600));
    }

    private Reply publisher(ApimContract.Request request) throws IOException {
        String path = request.path();
        String[] words = path.substring(1).split("/");
        switch (request.method() + " " + (words.length > 2 ? words[2] : words.length > 1 ? "one" : words[0])) {
            case "GET settings" -> {
                ObjectNode settings = JSON.createObjectNode();
                ObjectNode environment =
                        settings.putArray("environment").addObject().put("name", "Default");
                environment.putArray("vhosts").addObject().put("host", "gw.example");
                return Reply.of(200, settings);
            }
            case "GET apis" -> {
                if (hidden > 0 && request.query().containsKey("query")) {
                    hidden--;
                    return Reply.of(200, list(List.of()));
                }
                return Reply.of(200, list(apis.values()));
            }
            case "POST apis" -> {
                return create((ObjectNode) JSON.readTree(request.body()), "HTTP");
            }
            default -> {
                // The others follow.
            }
        }
        if (path.equals("/apis/validate-graphql-schema")) {
            ObjectNode answer = JSON.createObjectNode().put("isValid", true);
            ArrayNode operations = answer.putObject("graphQLInfo").putArray("operations");
            operations.addObject().put("target", "hero").put("verb", "QUERY");
            operations.addObject().put("target", "createReview").put("verb", "MUTATION");
            return Reply.of(200, answer);
        }
        if (path.equals("/apis/import-graphql-schema")) {
            return create((ObjectNode) JSON.readTree(request.parts().get("additionalProperties")), "GRAPHQL");
        }
        if (path.equals("/apis/change-lifecycle")) {
            ObjectNode api = apis.get(request.query().get("apiId"));
            if (api == null) {
                return Reply.refused(404, "no such API");
            }
            api.put("lifeCycleStatus", "PUBLISHED");
            return Reply.of(200, JSON.createObjectNode().put("workflowStatus", "APPROVED"));
        }
        String id = words[1];
        if (!apis.containsKey(id)) {
            return Reply.refused(404, "no such API");
        }
        if (words.length == 2) {
            return one(id, request);
        }
        return part(id, words, request);
    }

    private Reply create(ObjectNode api, String type) {
        boolean taken = apis.values().stream()
                .anyMatch(other -> other.path("context").equals(api.path("context"))
                        || other.path("name").equals(api.path("name")));
        if (taken) {
            return Reply.refused(409, "the context or name is taken");
        }
        String id = UUID.randomUUID().toString();
        api.put("id", id);
        api.put("type", type);
        api.put("provider", USER);
        api.put("lifeCycleStatus", "CREATED");
        apis.put(id, api);
        revisions.put(id, new ArrayList<>());
        policies.put(id, new ArrayList<>());
        return Reply.of(201, api);
    }

    private Reply one(String id, ApimContract.Request request) throws IOException {
        switch (request.method()) {
            case "GET" -> {
                return Reply.of(200, apis.get(id));
            }
            case "PUT" -> {
                ObjectNode changed = (ObjectNode) JSON.readTree(request.body());
                changed.put(
                        "lifeCycleStatus", apis.get(id).path("lifeCycleStatus").asText());
                apis.put(id, changed);
                return Reply.of(200, changed);
            }
            default -> {
                boolean used = subscriptions.values().stream()
                        .anyMatch(s -> s.path("apiId").asText().equals(id));
                if (used) {
                    return Reply.refused(409, "active subscriptions exist");
                }
                apis.remove(id);
                revisions.remove(id);
                policies.remove(id);
                return new Reply(200, "");
            }
        }
    }

    private Reply part(String id, String[] words, ApimContract.Request request) throws IOException {
        switch (request.method() + " " + words[2]) {
            case "GET revisions" -> {
                return Reply.of(200, list(revisions.get(id)));
            }
            case "POST revisions" -> {
                if (revisions.get(id).size() >= 5) {
                    return Reply.refused(400, "the maximum number of revisions is reached");
                }
                ObjectNode revision =
                        JSON.createObjectNode().put("id", UUID.randomUUID().toString());
                revision.put(
                        "description",
                        JSON.readTree(request.body()).path("description").asText());
                revision.set("api", apis.get(id).deepCopy());
                revision.putArray("deploymentInfo");
                revisions.get(id).add(revision);
                return Reply.of(201, revision);
            }
            case "DELETE revisions" -> {
                revisions.get(id).removeIf(r -> r.path("id").asText().equals(words[3]));
                return Reply.of(200, list(revisions.get(id)));
            }
            case "POST deploy-revision" -> {
                for (ObjectNode revision : revisions.get(id)) {
                    ArrayNode deployments = revision.putArray("deploymentInfo");
                    if (revision.path("id").asText().equals(request.query().get("revisionId"))) {
                        deployments.addAll((ArrayNode) JSON.readTree(request.body()));
                    }
                }
                return Reply.of(201, JSON.readTree(request.body()));
            }
            case "GET mediation-policies", "GET operation-policies" -> {
                return Reply.of(200, list(policies.get(id)));
            }
            case "POST mediation-policies" -> {
                String xml = request.parts().get("mediationPolicyFile");
                Matcher name =
                        Pattern.compile("<sequence [^>]*name=\"([^\"]+)\"").matcher(xml);
                return name.find() ? addPolicy(id, name.group(1)) : Reply.refused(400, "no sequence");
            }
            case "POST operation-policies" -> {
                return addPolicy(
                        id,
                        JSON.readTree(request.parts().get("policySpecFile"))
                                .path("name")
                                .asText());
            }
            default -> {
                return Reply.refused(404, "no such operation");
            }
        }
    }

    private Reply addPolicy(String id, String name) {
        ObjectNode policy = JSON.createObjectNode()
                .put("id", UUID.randomUUID().toString())
                .put("name", name)
                .put("version", "v1");
        policies.get(id).add(policy);
        return Reply.of(201, policy);
    }

    private Reply portal(ApimContract.Request request) throws IOException {
        String[] words = request.path().substring(1).split("/");
        switch (request.method() + " " + (words.length > 2 ? words[2] : words[0])) {
            case "GET applications" -> {
                return Reply.of(200, list(applications.values()));
            }
            case "POST applications" -> {
                ObjectNode application = (ObjectNode) JSON.readTree(request.body());
                String id = UUID.randomUUID().toString();
                applications.put(id, application.put("applicationId", id));
                return Reply.of(201, application);
            }
            case "DELETE applications" -> {
                applications.remove(words[1]);
                keys.remove(words[1]);
                return new Reply(200, "");
            }
            case "GET oauth-keys" -> {
                return Reply.of(200, list(keys.containsKey(words[1]) ? List.of(keys.get(words[1])) : List.of()));
            }
            case "POST generate-keys" -> {
                if (keys.containsKey(words[1])) {
                    return Reply.refused(409, "keys exist");
                }
                ObjectNode made = JSON.createObjectNode()
                        .put(
                                "keyType",
                                JSON.readTree(request.body()).path("keyType").asText())
                        .put("consumerKey", consumerKey.orElse("key-" + UUID.randomUUID()))
                        .put("consumerSecret", "consumer-secret-" + UUID.randomUUID());
                keys.put(words[1], made);
                return Reply.of(200, made);
            }
            case "GET subscriptions" -> {
                return Reply.of(
                        200,
                        list(subscriptions.values().stream()
                                .filter(s -> s.path("applicationId")
                                        .asText()
                                        .equals(request.query().get("applicationId")))
                                .toList()));
            }
            case "POST subscriptions" -> {
                ObjectNode subscription = (ObjectNode) JSON.readTree(request.body());
                String id = UUID.randomUUID().toString();
                subscriptions.put(id, subscription.put("subscriptionId", id));
                return Reply.of(201, subscription);
            }
            case "DELETE subscriptions" -> {
                subscriptions.remove(words[1]);
                return new Reply(200, "");
            }
            default -> {
                return Reply.refused(404, "no such operation");
            }
        }
    }

    private static ObjectNode list(Iterable<ObjectNode> items) {
        ObjectNode list = JSON.createObjectNode();
        ArrayNode entries = list.putArray("list");
        items.forEach(entries::add);
        list.put("count", entries.size());
        return list;
    }

    private static Map<String, String> form(String text) {
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

    private static String basic(String name, String secret) {
        return "Basic " + Base64.getEncoder().encodeToString((name + ":" + secret).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
