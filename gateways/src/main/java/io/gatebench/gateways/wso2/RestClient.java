/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.http.TlsSockets;
import io.gatebench.spi.role.RoleStartException;

/**
 * Speaks JSON over HTTP with an administration interface; what it knows as a secret never gets into a message.
 *
 * <p>A server may close a kept connection at the moment at which the next request goes out. A request that changes nothing
 * is then sent again by the JDK's client; nobody can tell whether one that changes something arrived. So each of those gets
 * a connection of its own.
 */
final class RestClient {

    private static final int SHOWN = 400;
    private static final int LARGEST = 16 << 20;

    private final SSLContext tls;
    private final HttpClient keeping;
    private final Duration timeout;
    private final UnaryOperator<URI> way;
    private final ObjectMapper mapper = new ObjectMapper();
    private final List<String> secrets = new ArrayList<>();

    /**
     * Creates a client.
     *
     * @param trust which certificates of the server are accepted
     * @param timeout how long one answer may take
     * @param way makes the URL by which this program reaches a server out of the server's own
     */
    RestClient(Trust trust, Duration timeout, UnaryOperator<URI> way) {
        this.timeout = timeout;
        this.way = way;
        try {
            this.tls = TlsSockets.context(trust.all(), trust.caFile());
        } catch (IOException | GeneralSecurityException e) {
            throw new RoleStartException(
                    "the certificates of the administration interfaces cannot be read: " + e.getMessage());
        }
        this.keeping = connections();
    }

    private HttpClient connections() {
        return HttpClient.newBuilder()
                .connectTimeout(timeout)
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(tls)
                .build();
    }

    /**
     * A request of a step.
     *
     * @param step what is done, for messages, e.g. {@code create the API echo}
     * @param method the HTTP method
     * @param url where
     * @param authorization the header of that name, empty for none
     * @param body the body
     */
    record Request(String step, String method, URI url, String authorization, RestBody body) {
        @Override
        public String toString() {
            // The record's own form would print the credentials.
            return step + " (" + method + " " + url + ")";
        }
    }

    /**
     * An answer.
     *
     * @param status the status
     * @param body the body
     */
    record Answer(int status, String body) {}

    /** Makes a text unreadable in all messages from now on. */
    void hide(String secret) {
        if (secret.length() >= 3) {
            secrets.add(secret);
        }
    }

    /**
     * Returns the answer, whatever its status.
     *
     * @throws RestFailure if there is none
     */
    Answer send(Request request) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(way.apply(request.url()))
                .timeout(timeout)
                .header("Accept", "application/json")
                .method(
                        request.method(),
                        request.body().text().isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(
                                        request.body().text()));
        if (!request.body().contentType().isEmpty()) {
            builder.header("Content-Type", request.body().contentType());
        }
        if (!request.authorization().isEmpty()) {
            builder.header("Authorization", request.authorization());
        }
        try {
            HttpClient http = request.method().equals("GET") ? keeping : connections();
            HttpResponse<byte[]> answer = http.send(builder.build(), HttpResponse.BodyHandlers.ofByteArray());
            if (answer.body().length > LARGEST) {
                throw new RestFailure(request + ": the response is larger than 16 MiB");
            }
            return new Answer(answer.statusCode(), new String(answer.body(), StandardCharsets.UTF_8));
        } catch (HttpTimeoutException e) {
            throw new RestFailure(request + ": no response within " + timeout.toMillis() / 1000.0 + " s");
        } catch (IOException e) {
            throw new RestFailure(request + ": no response: "
                    + masked(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RestFailure(request + ": interrupted");
        }
    }

    /**
     * Returns the JSON of an answer with one of the statuses.
     *
     * @throws RestFailure if there is none, or it has another status, or it is no JSON
     */
    JsonNode json(Request request, Set<Integer> statuses) {
        return json(request, require(request, send(request), statuses));
    }

    /** Returns the JSON of an answer. */
    JsonNode json(Request request, Answer answer) {
        try {
            JsonNode node = mapper.readTree(answer.body());
            if (node != null && !node.isMissingNode()) {
                return node;
            }
        } catch (JsonProcessingException e) {
            // The message below holds for both.
        }
        throw new RestFailure(request + ": the server answered " + answer.status() + " with what is no JSON: "
                + excerpt(answer.body()));
    }

    /** Returns the answer if it has one of the statuses. */
    Answer require(Request request, Answer answer, Set<Integer> statuses) {
        if (!statuses.contains(answer.status())) {
            throw new RestFailure(request + ": the server answered " + answer.status() + ": " + excerpt(answer.body()));
        }
        return answer;
    }

    /** Returns a text of an answer that must be there. */
    String text(Request request, JsonNode answer, String field) {
        JsonNode value = answer.path(field);
        if (!value.isTextual() || value.asText().isEmpty()) {
            throw new RestFailure(request + ": the response has no " + field + ": " + excerpt(answer.toString()));
        }
        return value.asText();
    }

    private String excerpt(String body) {
        String line = masked(body.strip().replaceAll("\\s+", " "));
        if (line.isEmpty()) {
            return "(an empty body)";
        }
        return line.length() > SHOWN ? line.substring(0, SHOWN) + " .." : line;
    }

    private String masked(String text) {
        String masked = text;
        for (String secret : secrets) {
            masked = masked.replace(secret, "***");
        }
        return masked;
    }
}
