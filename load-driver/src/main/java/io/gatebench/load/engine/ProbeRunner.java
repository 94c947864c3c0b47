/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLSocketFactory;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.http.BodyListener;
import io.gatebench.load.engine.http.HttpConnection;
import io.gatebench.load.engine.http.HttpExchangeException;
import io.gatebench.load.engine.http.HttpRequestHead;
import io.gatebench.load.engine.http.HttpTarget;
import io.gatebench.load.engine.http.HttpTimeouts;
import io.gatebench.load.engine.http.ProbeExchange;
import io.gatebench.load.engine.http.RequestMark;
import io.gatebench.load.engine.http.ResponseDeadlines;
import io.gatebench.load.engine.http.ResponseVerifier;
import io.gatebench.load.engine.http.TlsSockets;
import io.gatebench.load.engine.payload.ExpectedAnswers;
import io.gatebench.load.engine.payload.Payloads;
import io.gatebench.load.engine.steps.CompiledSteps;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.Probe;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.TestScenario;

/**
 * Sends the correctness request of a scenario and then its probes, one request each. Thread-safe.
 *
 * <p>A gateway that answers quickly because it checks nothing is found here, before any load is sent.
 *
 * @since 0.1
 */
public final class ProbeRunner {

    /** Name of the first outcome: a valid request that must be answered as the scenario says. */
    public static final String VALID_REQUEST = "valid request";

    private static final int TEXT_LIMIT = 64 * 1024;
    private static final int SHOWN = 200;

    private final HttpTimeouts timeouts;

    /** Creates a runner with the time-outs of a load request's defaults. */
    public ProbeRunner() {
        this(new HttpTimeouts(LoadRequest.CONNECT_TIMEOUT, LoadRequest.RESPONSE_TIMEOUT));
    }

    /** Creates a runner with those time-outs. */
    public ProbeRunner(HttpTimeouts timeouts) {
        this.timeouts = timeouts;
    }

    /**
     * Sends the valid request and the probes.
     *
     * @param message the message of the valid request and of the probes
     * @param tokens a token for each kind that the scenario and its probes carry, but for {@link Probe.Token#NONE}
     * @return the outcome of the valid request, then one per probe in order
     * @throws LoadException if TLS cannot be set up as asked
     * @throws IllegalArgumentException if a token is missing
     */
    public List<ProbeOutcome> run(
            TestScenario scenario, URI target, MessageLevel message, Map<Probe.Token, String> tokens, Trust trust) {
        return run(scenario, target, message, tokens, trust, PayloadOptions.defaults());
    }

    /**
     * Sends the valid request and the probes with the first of the payloads that the load will send.
     *
     * @throws LoadException if TLS cannot be set up as asked, or the payload not be read
     * @throws IllegalArgumentException if a token is missing
     */
    public List<ProbeOutcome> run(
            TestScenario scenario,
            URI target,
            MessageLevel message,
            Map<Probe.Token, String> tokens,
            Trust trust,
            PayloadOptions payload) {
        return run(scenario, target, target, message, tokens, trust, payload);
    }

    /**
     * Sends the valid request and the probes to a server that is not reached at its own address.
     *
     * @param target the server that requests name
     * @param way the URL that leads to it, e.g. that of a tunnel
     * @throws LoadException if TLS cannot be set up as asked, or the payload not be read
     * @throws IllegalArgumentException if a token is missing
     */
    public List<ProbeOutcome> run(
            TestScenario scenario,
            URI target,
            URI way,
            MessageLevel message,
            Map<Probe.Token, String> tokens,
            Trust trust,
            PayloadOptions payload) {
        HttpTarget server = HttpTarget.of(target);
        SSLSocketFactory tls = null;
        if (server.tls()) {
            try {
                tls = TlsSockets.context(trust.all(), trust.caFile()).getSocketFactory();
            } catch (IOException | GeneralSecurityException e) {
                throw new LoadException("cannot set up TLS: " + e.getMessage(), e);
            }
        }
        String base = target.getRawPath() == null ? "" : target.getRawPath().replaceFirst("/$", "");
        byte[] made = payload.payloads(scenario.payload(), message).get(0);
        boolean stepped = scenario.steps().isPresent();
        TestScenario first = stepped ? CompiledSteps.firstStep(scenario) : scenario;
        byte[] body = stepped ? CompiledSteps.firstBody(scenario, made, message.value()) : made;
        ExpectedAnswers answers =
                expected(first, message, body, !stepped && payload.file().isEmpty());
        List<ProbeOutcome> outcomes = new ArrayList<>();
        try (ResponseDeadlines deadlines = new ResponseDeadlines(timeouts.connect())) {
            Caller caller = new Caller(
                    first,
                    server,
                    HttpTarget.of(way),
                    tls,
                    !trust.all(),
                    base,
                    body,
                    answers,
                    message,
                    deadlines,
                    timeouts);
            outcomes.add(caller.valid(tokens));
            for (Probe probe : scenario.probes()) {
                outcomes.add(caller.probe(probe, tokens));
            }
        }
        return outcomes;
    }

    private static ExpectedAnswers expected(
            TestScenario scenario, MessageLevel message, byte[] body, boolean generated) {
        try {
            return ExpectedAnswers.of(scenario, message, List.of(body), generated);
        } catch (IllegalArgumentException e) {
            throw new LoadException("scenario " + scenario.name() + ": " + e.getMessage(), e);
        }
    }

    private record Caller(
            TestScenario scenario,
            HttpTarget server,
            HttpTarget way,
            @Nullable SSLSocketFactory tls,
            boolean checkHostName,
            String base,
            byte[] body,
            ExpectedAnswers answers,
            MessageLevel message,
            ResponseDeadlines deadlines,
            HttpTimeouts timeouts) {

        private ProbeOutcome valid(Map<Probe.Token, String> tokens) {
            boolean secured = scenario.token() != io.gatebench.model.TokenKind.NONE;
            String token = secured ? token(tokens, Probe.Token.VALID) : null;
            ResponseVerifier verifier = new ResponseVerifier(scenario.check(), message.value());
            Answer answer = new Answer(verifier);
            RequestMark mark = answers.mark(ThreadLocalRandom.current().nextLong());
            verifier.expect(answers.body(0), mark);
            try (HttpConnection connection = connection()) {
                connection.exchange(head(Map.of()), bytes(token), body, mark, answer);
                String failure = verifier.failure(body.length);
                if (failure == null && connection.carriesAnotherMark()) {
                    failure = ResponseVerifier.OF_ANOTHER_REQUEST;
                }
                return new ProbeOutcome(
                        VALID_REQUEST,
                        Optional.of(connection.status()),
                        failure == null,
                        failure == null
                                ? "answered as the scenario says"
                                : masked(failure + "; the response was: " + answer.shown(), token));
            } catch (HttpExchangeException e) {
                return new ProbeOutcome(VALID_REQUEST, Optional.empty(), false, "no response: " + e.getMessage());
            }
        }

        private ProbeOutcome probe(Probe probe, Map<Probe.Token, String> tokens) {
            boolean bare = probe.token() == Probe.Token.NONE
                    || probe.token() == Probe.Token.VALID && scenario.token() == io.gatebench.model.TokenKind.NONE;
            String token = bare ? null : token(tokens, probe.token());
            try (HttpConnection connection = connection()) {
                return new ProbeExchange().send(connection, head(probe.headers()), token, body, probe);
            }
        }

        private static String token(Map<Probe.Token, String> tokens, Probe.Token kind) {
            String token = tokens.get(kind);
            if (token == null) {
                throw new IllegalArgumentException(
                        "a probe needs a token of kind " + kind.name().toLowerCase(Locale.ROOT));
            }
            return token;
        }

        private static byte @Nullable [] bytes(@Nullable String token) {
            return token == null ? null : token.getBytes(StandardCharsets.US_ASCII);
        }

        private static String masked(String text, @Nullable String token) {
            return token == null ? text : text.replace(token, "***");
        }

        private HttpConnection connection() {
            return new HttpConnection(way, tls, checkHostName, timeouts, deadlines, new LongAdder());
        }

        private HttpRequestHead head(Map<String, String> replacing) {
            Map<String, String> headers = new LinkedHashMap<>();
            String contentType = Payloads.contentType(scenario.payload());
            if (!contentType.isEmpty()) {
                headers.put("Content-Type", contentType);
            }
            if (scenario.payload() == PayloadKind.GRAPHQL_QUERY) {
                headers.put("query-number", String.valueOf(message.value()));
            }
            put(headers, scenario.headers());
            put(headers, replacing);
            return new HttpRequestHead(server, scenario.method(), base + scenario.path(), headers);
        }

        private void put(Map<String, String> headers, Map<String, String> further) {
            further.forEach((name, value) -> {
                headers.keySet().removeIf(name::equalsIgnoreCase);
                headers.put(name, value.replace("{message}", String.valueOf(message.value())));
            });
        }
    }

    private static final class Answer implements BodyListener {
        private final StringBuilder text = new StringBuilder();
        private final ResponseVerifier verifier;

        private Answer(ResponseVerifier verifier) {
            this.verifier = verifier;
        }

        @Override
        public void begin(int status) {
            text.setLength(0);
            verifier.begin(status);
        }

        @Override
        public void accept(byte[] bytes, int offset, int length) {
            int kept = Math.min(length, TEXT_LIMIT - text.length());
            if (kept > 0) {
                text.append(new String(bytes, offset, kept, StandardCharsets.UTF_8));
            }
            verifier.accept(bytes, offset, length);
        }

        private String shown() {
            return text.length() <= SHOWN ? text.toString() : text.substring(0, SHOWN) + "...";
        }
    }
}
