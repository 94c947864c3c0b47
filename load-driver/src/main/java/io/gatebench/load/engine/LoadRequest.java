/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.jspecify.annotations.Nullable;

import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;

/**
 * Everything a load generator must know to send the load of one test case.
 *
 * @param scenario what is sent and what must come back
 * @param target scheme, host and port of the gateway; its path, if any, is put before that of the scenario
 * @param testCase users and message
 * @param timing duration, warm-up and ramp-up
 * @param tokenFile one bearer token per line; needed if the scenario is secured
 * @param tokenSlice which part of it this load generator uses, and its turn among the requests of an open model
 * @param client the HTTP client
 * @param trust which certificates are accepted
 * @param model closed or open
 * @param jtl where every sample is written as JMeter's CSV, relative to the output directory; compressed if the name
 *     ends with {@code .gz}
 * @param abort when the test ends early
 * @param connectTimeout longest time to connect, TLS handshake included
 * @param responseTimeout longest time from the start of the request to the end of the answer
 * @param payload how the payload is made
 * @param probes how many of the scenario's probes go along
 * @since 0.1
 */
public record LoadRequest(
        TestScenario scenario,
        URI target,
        TestCase testCase,
        TestTiming timing,
        Optional<Path> tokenFile,
        TokenSlice tokenSlice,
        HttpClientKind client,
        Trust trust,
        LoadModel model,
        Optional<Path> jtl,
        AbortRules abort,
        Duration connectTimeout,
        Duration responseTimeout,
        PayloadOptions payload,
        LoadProbes probes) {

    /** Default of {@link #connectTimeout}. */
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);
    /** Default of {@link #responseTimeout}: that of the published integration results. */
    public static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(120);

    /**
     * Checks that the parts fit together.
     *
     * @throws IllegalArgumentException if the target is no http or https address with a host, a secured scenario has no
     *     token file, the message is not of the scenario's kind, the client does not send its steps, or a time-out is not
     *     positive
     */
    public LoadRequest {
        probes = given(probes);
        String scheme = target.getScheme() == null ? "" : target.getScheme().toLowerCase(Locale.ROOT);
        if (!(scheme.equals("http") || scheme.equals("https")) || target.getHost() == null) {
            throw new IllegalArgumentException(
                    "the target must be an http or https address with a host, e.g. https://localhost:8243, but was "
                            + target);
        }
        if (target.getRawQuery() != null || target.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "the target must not have a query or a fragment, those belong to the scenario's path: " + target);
        }
        if (scenario.token() != TokenKind.NONE && tokenFile.isEmpty()) {
            throw new IllegalArgumentException("scenario " + scenario.name() + " needs a token file: it sends "
                    + scenario.token().name().toLowerCase(Locale.ROOT) + " tokens");
        }
        if (payload.file().isEmpty()
                && scenario.messageKind() != testCase.message().kind()) {
            throw new IllegalArgumentException(
                    "scenario " + scenario.name() + " is measured by " + scenario.messageKind()
                            + " but the test case gives " + testCase.message().kind());
        }
        if (scenario.steps().isPresent() && client == HttpClientKind.JMETER) {
            throw new IllegalArgumentException("scenario " + scenario.name()
                    + " has steps, which the HTTP client of JMeter does not send; use the fast one");
        }
        if (connectTimeout.compareTo(Duration.ofMillis(1)) < 0 || responseTimeout.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("connect and response time-out must be at least 1 ms but were "
                    + connectTimeout + " and " + responseTimeout);
        }
    }

    /** Requests that were written before there were probes beside a load have none. */
    private static LoadProbes given(@Nullable LoadProbes probes) {
        return probes == null ? LoadProbes.none() : probes;
    }

    /** Returns a request with the defaults for everything else: closed model, fast client, no token. */
    public static LoadRequest of(TestScenario scenario, URI target, TestCase testCase, TestTiming timing) {
        return of(scenario, target, testCase, timing, Optional.empty());
    }

    /** Returns a request with the defaults for everything else: closed model, fast client, that file of tokens. */
    public static LoadRequest of(
            TestScenario scenario, URI target, TestCase testCase, TestTiming timing, Optional<Path> tokenFile) {
        return new LoadRequest(
                scenario,
                target,
                testCase,
                timing,
                tokenFile,
                TokenSlice.whole(),
                HttpClientKind.FAST,
                Trust.system(),
                LoadModel.closed(),
                Optional.empty(),
                AbortRules.defaults(),
                CONNECT_TIMEOUT,
                RESPONSE_TIMEOUT,
                PayloadOptions.defaults(),
                LoadProbes.none());
    }

    /** Returns this request of another scenario. */
    public LoadRequest withScenario(TestScenario scenario) {
        return with(parts -> parts.scenario = scenario);
    }

    /** Returns this request for another target. */
    public LoadRequest withTarget(URI target) {
        return with(parts -> parts.target = target);
    }

    /** Returns this request for another test case. */
    public LoadRequest withTestCase(TestCase testCase) {
        return with(parts -> parts.testCase = testCase);
    }

    /** Returns this request with another timing. */
    public LoadRequest withTiming(TestTiming timing) {
        return with(parts -> parts.timing = timing);
    }

    /** Returns this request with that file of tokens. */
    public LoadRequest withTokenFile(Path tokenFile) {
        return with(parts -> parts.tokenFile = Optional.of(tokenFile));
    }

    /** Returns this request with that part of the tokens. */
    public LoadRequest withTokenSlice(TokenSlice tokenSlice) {
        return with(parts -> parts.tokenSlice = tokenSlice);
    }

    /** Returns this request with that HTTP client. */
    public LoadRequest withClient(HttpClientKind client) {
        return with(parts -> parts.client = client);
    }

    /** Returns this request with that trust in certificates. */
    public LoadRequest withTrust(Trust trust) {
        return with(parts -> parts.trust = trust);
    }

    /** Returns this request with that load model. */
    public LoadRequest withModel(LoadModel model) {
        return with(parts -> parts.model = model);
    }

    /** Returns this request with a JTL of every sample. */
    public LoadRequest withJtl(Path jtl) {
        return with(parts -> parts.jtl = Optional.of(jtl));
    }

    /** Returns this request with those rules for an early end. */
    public LoadRequest withAbort(AbortRules abort) {
        return with(parts -> parts.abort = abort);
    }

    /** Returns this request with that time-out for connecting. */
    public LoadRequest withConnectTimeout(Duration connectTimeout) {
        return with(parts -> parts.connectTimeout = connectTimeout);
    }

    /** Returns this request with that time-out for an answer. */
    public LoadRequest withResponseTimeout(Duration responseTimeout) {
        return with(parts -> parts.responseTimeout = responseTimeout);
    }

    /** Returns this request with those options for the payload. */
    public LoadRequest withPayload(PayloadOptions payload) {
        return with(parts -> parts.payload = payload);
    }

    /** Returns this request with those probes beside its load. */
    public LoadRequest withProbes(LoadProbes probes) {
        return with(parts -> parts.probes = probes);
    }

    private LoadRequest with(Consumer<Parts> change) {
        Parts parts = new Parts(this);
        change.accept(parts);
        return parts.request();
    }

    /** The parts of a request while one of them is changed. */
    private static final class Parts {
        private TestScenario scenario;
        private URI target;
        private TestCase testCase;
        private TestTiming timing;
        private Optional<Path> tokenFile;
        private TokenSlice tokenSlice;
        private HttpClientKind client;
        private Trust trust;
        private LoadModel model;
        private Optional<Path> jtl;
        private AbortRules abort;
        private Duration connectTimeout;
        private Duration responseTimeout;
        private PayloadOptions payload;
        private LoadProbes probes;

        private Parts(LoadRequest request) {
            scenario = request.scenario;
            target = request.target;
            testCase = request.testCase;
            timing = request.timing;
            tokenFile = request.tokenFile;
            tokenSlice = request.tokenSlice;
            client = request.client;
            trust = request.trust;
            model = request.model;
            jtl = request.jtl;
            abort = request.abort;
            connectTimeout = request.connectTimeout;
            responseTimeout = request.responseTimeout;
            payload = request.payload;
            probes = request.probes;
        }

        private LoadRequest request() {
            return new LoadRequest(
                    scenario,
                    target,
                    testCase,
                    timing,
                    tokenFile,
                    tokenSlice,
                    client,
                    trust,
                    model,
                    jtl,
                    abort,
                    connectTimeout,
                    responseTimeout,
                    payload,
                    probes);
        }
    }

    /**
     * Reads a request that {@link #write} wrote.
     *
     * @throws LoadException if the file cannot be read or is no request; the message names file and place
     */
    public static LoadRequest read(Path file) {
        try {
            return LoadJson.MAPPER.readValue(Files.readString(file), LoadRequest.class);
        } catch (JsonProcessingException e) {
            throw new LoadException(file + " is no load request: " + LoadJson.describe(e), e);
        } catch (IOException e) {
            throw new LoadException("cannot read the load request " + file + ": " + e, e);
        }
    }

    /**
     * Returns the parts of this request for several load generators, which together are this request.
     *
     * @param loadGenerators number of load generators, at least 1
     * @throws IllegalArgumentException if a load generator would have no user
     */
    public List<LoadRequest> shares(int loadGenerators) {
        return IntStream.range(0, loadGenerators)
                .mapToObj(index -> share(new TokenSlice(index, loadGenerators)))
                .toList();
    }

    /**
     * Returns the part of this request that one of several load generators sends: its own users, its own slice of the
     * tokens, and in the open model each of the requests that are due in its turn.
     *
     * <p>Users that cannot be shared out evenly go to the first load generators, one each; so do those of each level of a
     * closed model. The parts of an open model have a fraction of the rate, and together the due times of the whole.
     *
     * @throws IllegalArgumentException if a load generator would have no user
     */
    public LoadRequest share(TokenSlice part) {
        int users = testCase.users();
        int most = model.users(users);
        if (Math.min(users, most) < part.count()) {
            throw new IllegalArgumentException(
                    Math.min(users, most) + " users cannot be spread over " + part.count() + " load generators");
        }
        TestCase own = new TestCase(
                testCase.scenario(), testCase.heap(), part.shareOf(users), testCase.message(), testCase.backendDelay());
        LoadModel shared = new LoadModel(
                model.kind(),
                model.levels().stream()
                        .map(level -> new LoadModel.Level(
                                level.at(),
                                model.kind() == LoadModel.Kind.OPEN
                                        ? level.value() / part.count()
                                        : part.shareOf((int) Math.ceil(level.value())),
                                level.ramp()))
                        .toList(),
                model.thinkTime(),
                model.pacing());
        return withTestCase(own).withModel(shared).withTokenSlice(part);
    }

    /** Returns this request as JSON. */
    public String toJson() {
        return LoadJson.text(this);
    }

    /**
     * Returns the request of a JSON text.
     *
     * @throws LoadException if it is no request
     */
    public static LoadRequest fromJson(String json) {
        try {
            return LoadJson.MAPPER.readValue(json, LoadRequest.class);
        } catch (JsonProcessingException e) {
            throw new LoadException("no load request: " + LoadJson.describe(e), e);
        }
    }

    /**
     * Writes this request as JSON.
     *
     * @throws LoadException if the file cannot be written
     */
    public void write(Path file) {
        LoadJson.writeAtomically(file, this);
    }
}
