/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.token;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.http.TlsSockets;

/**
 * An OAuth 2.0 token endpoint that issues access tokens (RFC 6749).
 *
 * <p>The client authenticates by HTTP Basic (2.3.1). Secrets appear in requests alone: neither in messages nor in
 * {@link #toString}.
 *
 * @param address the endpoint, http or https
 * @param clientId the client's name
 * @param clientSecret the client's secret
 * @param owner the resource owner of the password grant (4.3); empty for the client credentials grant (4.4)
 * @param scope the scope to ask for, if any
 * @param trust which certificates of the endpoint are accepted
 * @since 0.1
 */
public record TokenEndpoint(
        URI address, String clientId, String clientSecret, Optional<Owner> owner, Optional<String> scope, Trust trust) {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int THREADS = 8;
    private static final int SHOWN = 200;

    /**
     * The resource owner of the password grant.
     *
     * @param name the user's name
     * @param password the user's password
     */
    public record Owner(String name, String password) {
        /** Returns the name alone. */
        @Override
        public String toString() {
            return "Owner[" + name + "]";
        }
    }

    /**
     * Asks for tokens, some requests at a time.
     *
     * <p>Some servers answer with the same token until it expires: the pool then holds the different ones, fewer than
     * were asked for.
     *
     * @param count number of requests, at least 1
     * @param clock gives the time from which the {@code expires_in} of an answer counts
     * @param progress is told the number of answers, from several threads
     * @throws LoadException if the endpoint does not issue a bearer token; the message holds its answer, secrets masked
     */
    public TokenPool fetch(int count, Clock clock, IntConsumer progress) {
        HttpClient client = client();
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(THREADS, count));
        try {
            AtomicInteger done = new AtomicInteger();
            List<Future<Issued>> answers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                answers.add(threads.submit(() -> {
                    Issued issued = issue(client, clock);
                    progress.accept(done.incrementAndGet());
                    return issued;
                }));
            }
            Set<String> tokens = new LinkedHashSet<>();
            Map<String, Instant> expiries = new HashMap<>();
            for (Future<Issued> answer : answers) {
                Issued issued = answer.get();
                tokens.add(issued.token());
                issued.expiry().ifPresent(expiry -> expiries.merge(issued.token(), expiry, TokenPool::earlier));
            }
            return new TokenPool(List.copyOf(tokens), expiries);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof LoadException failure
                    ? failure
                    : new LoadException("no token from " + address + ": " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted while waiting for tokens from " + address, e);
        } finally {
            threads.shutdownNow();
        }
    }

    private record Issued(String token, Optional<Instant> expiry) {}

    private HttpClient client() {
        HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        if ("https".equalsIgnoreCase(address.getScheme())) {
            try {
                builder.sslContext(TlsSockets.context(trust.all(), trust.caFile()));
            } catch (IOException | GeneralSecurityException e) {
                throw new LoadException("cannot set up TLS for " + address + ": " + e.getMessage(), e);
            }
        }
        return builder.build();
    }

    private Issued issue(HttpClient client, Clock clock) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", owner.isPresent() ? "password" : "client_credentials");
        owner.ifPresent(user -> {
            form.put("username", user.name());
            form.put("password", user.password());
        });
        scope.ifPresent(wanted -> form.put("scope", wanted));
        String credentials = encoded(clientId) + ":" + encoded(clientSecret);
        HttpRequest request = HttpRequest.newBuilder(address)
                .timeout(TIMEOUT)
                .header(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.US_ASCII)))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Accept", "application/json")
                .POST(BodyPublishers.ofString(form.entrySet().stream()
                        .map(field -> field.getKey() + "=" + encoded(field.getValue()))
                        .collect(Collectors.joining("&"))))
                .build();
        try {
            Instant asked = clock.instant();
            HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
            return issued(answer.statusCode(), answer.body(), asked);
        } catch (IOException e) {
            throw new LoadException("no response from the token endpoint " + address + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("interrupted while waiting for a token from " + address, e);
        }
    }

    private Issued issued(int status, String body, Instant asked) {
        JsonNode json;
        try {
            json = JsonMapper.builder().build().readTree(body);
        } catch (JsonProcessingException e) {
            throw new LoadException(refusal(status, "no JSON: " + body), e);
        }
        String token = json.path("access_token").asText("");
        if (status != 200 || token.isEmpty()) {
            throw new LoadException(refusal(
                    status,
                    json.hasNonNull("error")
                            ? (json.path("error").asText() + " "
                                            + json.path("error_description").asText(""))
                                    .strip()
                            : body));
        }
        String type = json.path("token_type").asText("");
        if (!type.equalsIgnoreCase("bearer")) {
            throw new LoadException("the token endpoint " + address + " issued a token of type '" + type
                    + "' but only bearer tokens can be sent");
        }
        return new Issued(
                token,
                json.path("expires_in").canConvertToLong()
                        ? Optional.of(asked.plusSeconds(json.path("expires_in").asLong()))
                        : Optional.empty());
    }

    private String refusal(int status, String answer) {
        String shown = answer.length() <= SHOWN ? answer : answer.substring(0, SHOWN) + "...";
        shown = shown.replace(clientSecret, "***");
        if (owner.isPresent()) {
            shown = shown.replace(owner.get().password(), "***");
        }
        return "the token endpoint " + address + " issued no token: status " + status + ", " + shown;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Returns address and client, no secret. */
    @Override
    public String toString() {
        return "TokenEndpoint[" + address + ", client " + clientId + "]";
    }
}
