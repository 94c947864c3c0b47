/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatebench.echo.EchoServer;
import io.gatebench.echo.EchoServerConfig;
import io.gatebench.echo.EchoStats;
import io.gatebench.echo.ResponseDelay;
import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.LoadResult;
import io.gatebench.model.LoadResult.WindowRequests;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.SampleStatistics;

/** What the load generator says against what the server's own access log and counters say. */
class TruthIT {

    /**
     * What a response may take longer, in the median, than the server says and the way of a {@link Witness} takes. Less than
     * the server says nothing can take.
     */
    private static final double MEDIAN_MILLIS = 8;

    /** The same for the mean and the 90th percentile, which a pause of a shared machine moves further. */
    private static final double MEAN_MILLIS = 15;

    @TempDir
    Path directory;

    private EchoServer server(UnaryOperator<EchoServerConfig.Builder> settings) {
        return EchoServer.start(settings.apply(EchoServerConfig.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .noAdmin()
                        .seed(11)
                        .accessLog(directory.resolve("access.csv")))
                .build());
    }

    private static URI uri(EchoServer server) {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    private static Stream<SampleStatistics> all(LoadResult run) {
        return Stream.concat(run.warmUp().stream(), run.measurement().stream());
    }

    private static double exact(double[] sorted, double percentile) {
        return sorted[(int) Math.max(0, Math.ceil(percentile / 100 * sorted.length) - 1)];
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    /** Returns what a line of the access log says of the time from the request to its response. */
    private static double serversMillis(String line) {
        return Long.parseLong(line.substring(line.lastIndexOf(',') + 1)) / 1000.0;
    }

    @ParameterizedTest
    @CsvSource({"FAST, 'lognormal:p50=40ms,p99=200ms'", "JMETER, 'uniform:20ms-120ms'"})
    void responseTimesAreThoseOfTheServerAndTheWayThere(HttpClientKind client, String delay) throws Exception {
        requireTimesOfTheServer(client, delay);
    }

    @ParameterizedTest
    @CsvSource({"FAST, 30ms", "JMETER, 30ms", "FAST, 'uniform:20ms-120ms'"})
    @Tag("full")
    void otherResponseTimesAreThoseOfTheServerAndTheWayThere(HttpClientKind client, String delay) throws Exception {
        requireTimesOfTheServer(client, delay);
    }

    /** Lets what a client runs be compiled first, as a warm-up does that no log of a server can tell from the window. */
    private void warmUp(HttpClientKind client) throws IOException {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = 5;
            JMeterLoadDriver driver = new JMeterLoadDriver();
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), server.uri(), Scenarios.users(10), Scenarios.timing(120, 0, 0))
                    .withClient(client);
            driver.run(request, directory, second -> {
                if (server.requests.get() > 3000) {
                    driver.stop("it is warm");
                }
            });
        }
    }

    private void requireTimesOfTheServer(HttpClientKind client, String delay) throws Exception {
        warmUp(client);
        LoadResult run;
        List<Witness.Seen> seen;
        try (EchoServer server = server(settings -> settings.delay(ResponseDelay.parse(delay)))) {
            // All samples in the window: the log does not know the phases of a test.
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), uri(server), Scenarios.users(10), Scenarios.timing(4, 0, 0))
                    .withClient(client);
            try (Witness witness = new Witness(uri(server), 3, Duration.ZERO)) {
                run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());
                seen = witness.seenDuring(run);
            }
        }
        List<String> lines = Files.readAllLines(directory.resolve("access.csv"));
        double[] truth = lines.stream()
                .skip(1)
                .filter(line -> !line.contains(Witness.PATH))
                .mapToDouble(TruthIT::serversMillis)
                .sorted()
                .toArray();
        Map<String, Double> ofWitness = lines.stream()
                .filter(line -> line.contains(Witness.PATH))
                .collect(Collectors.toMap(line -> line.split(",")[3], TruthIT::serversMillis));
        double[] ways = seen.stream()
                .mapToDouble(request -> request.tookNanos() / 1e6 - ofWitness.get(request.path()))
                .toArray();
        assertThat(ways).hasSizeGreaterThan(50);
        // What another client would have seen of these responses: each of them after each of its ways.
        double[] elsewhere = Arrays.stream(truth)
                .flatMap(millis -> Arrays.stream(ways).map(way -> millis + way))
                .sorted()
                .toArray();
        ResponseTimes times = run.measurement().get(0).all();
        assertThat(times.count()).isEqualTo(truth.length).isGreaterThan(200);
        // A histogram of three digits may name a step that begins a thousandth lower.
        assertThat(times.meanMillis()).isBetween(mean(truth), mean(elsewhere) + MEAN_MILLIS);
        assertThat(times.p50Millis()).isBetween(exact(truth, 50) * 0.999, exact(elsewhere, 50) + MEDIAN_MILLIS);
        assertThat(times.p90Millis()).isBetween(exact(truth, 90) * 0.999, exact(elsewhere, 90) + MEAN_MILLIS);
        assertThat(times.p99Millis()).isGreaterThanOrEqualTo(exact(truth, 99) * 0.999);
        assertThat(times.minMillis()).isGreaterThanOrEqualTo(truth[0]);
        assertThat(times.maxMillis()).isGreaterThanOrEqualTo(truth[truth.length - 1]);
    }

    @ParameterizedTest
    @EnumSource(HttpClientKind.class)
    void everyFaultOfTheServerIsCountedOnce(HttpClientKind client) {
        LoadResult run;
        EchoStats truth;
        try (EchoServer server =
                server(settings -> settings.errorRate(0.05).resetRate(0.03).neverAnswerRate(0.005))) {
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), uri(server), Scenarios.users(6), Scenarios.timing(3, 1, 0))
                    .withClient(client)
                    .withResponseTimeout(Duration.ofMillis(400));
            run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());
            truth = server.stats();
        }
        long samples = all(run).mapToLong(SampleStatistics::samples).sum();
        long errors = all(run).mapToLong(SampleStatistics::errors).sum();
        assertThat(truth.resets()).isPositive();
        assertThat(truth.neverAnswered()).isPositive();
        assertThat(samples).isEqualTo(truth.requests());
        assertThat(errors).isEqualTo(truth.responses().get(503) + truth.resets() + truth.neverAnswered());
        assertThat(run.failures())
                .containsEntry("status 503 instead of 200", truth.responses().get(503));
        if (client == HttpClientKind.FAST) {
            assertThat(run.failures()).containsEntry("no response within 400 ms", truth.neverAnswered());
        }
        assertThat(all(run).mapToLong(
                                s -> s.successes().map(ResponseTimes::count).orElse(0L))
                        .sum())
                .isEqualTo(truth.responses().get(200));
    }

    /** How long after it began to be written an answer may have been read: so many lie on the other side of an edge. */
    private static final Duration READ = Duration.ofMillis(500);
    /** The driver counts from one stamp of the wall clock by the monotonic one, the server stamps each answer. */
    private static final Duration CLOCKS = Duration.ofMillis(5);

    private static long answersBetween(EchoFixture server, Instant from, Instant to) {
        return server.answers.stream()
                .filter(at -> !at.isBefore(from) && at.isBefore(to))
                .count();
    }

    /** Holds throughput and the counts of the window against what the server has answered within it. */
    private static void countsWhatTheServerAnsweredInTheWindow(LoadResult run, EchoFixture server) {
        Instant from = run.window().start();
        Instant to = run.window().end();
        WindowRequests requests = run.requests().orElseThrow();
        assertThat(requests.completed())
                .isBetween(
                        answersBetween(server, from.plus(CLOCKS), to.minus(READ)),
                        answersBetween(server, from.minus(READ), to.plus(CLOCKS)));
        double seconds = Duration.between(from, to).toMillis() / 1000.0;
        assertThat(run.measurement().get(0).throughputPerSecond())
                .isCloseTo(requests.completed() / seconds, within(1e-6));
        long second = Duration.between(run.started(), from).toSeconds();
        assertThat(run.series().stream()
                        .filter(s -> s.second() >= second)
                        .mapToLong(s -> s.completions().orElseThrow().count())
                        .sum())
                .isEqualTo(requests.completed());
    }

    @Test
    void throughputIsWhatTheServerAnsweredInTheWindowThoughItStoppedBeforeTheEnd() throws Exception {
        ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
        try (EchoFixture server = new EchoFixture()) {
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), server.uri(), Scenarios.users(400), Scenarios.timing(5, 1, 0))
                    .withModel(LoadModel.constantRate(150));
            CountDownLatch held = new CountDownLatch(1);
            LoadResult run = new JMeterLoadDriver().run(request, directory, second -> {
                // Is told a second after its end: a second before the end of the test.
                if (second.second() == 2) {
                    server.held = held;
                    later.schedule(held::countDown, 2, TimeUnit.SECONDS);
                }
            });

            countsWhatTheServerAnsweredInTheWindow(run, server);
            WindowRequests requests = run.requests().orElseThrow();
            assertThat(requests.sent())
                    .isEqualTo(run.open().orElseThrow().started())
                    .isLessThanOrEqualTo(600);
            assertThat(requests.unanswered()).isZero();
            assertThat(requests.answeredLate()).isGreaterThan(50);
            // All of them were answered in the end.
            assertThat(all(run).mapToLong(SampleStatistics::errors).sum()).isZero();
            assertThat(all(run).mapToLong(SampleStatistics::samples).sum()).isEqualTo(server.requests.get());
        } finally {
            later.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClientKind.class)
    void throughputIsWhatTheServerAnsweredInTheWindowThoughItNeverAnswersSome(HttpClientKind client) throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = 5;
            server.neverAnswerEveryMillis = 500;
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), server.uri(), Scenarios.users(10), Scenarios.timing(4, 1, 0))
                    .withClient(client);
            LoadResult run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());

            countsWhatTheServerAnsweredInTheWindow(run, server);
            assertThat(server.swallowed).hasPositiveValue();
            long warmUp =
                    run.warmUp().stream().mapToLong(SampleStatistics::errors).sum();
            assertThat(run.requests().orElseThrow().unanswered()).isEqualTo(server.swallowed.get() - warmUp);
            assertThat(run.requests().orElseThrow().answeredLate()).isLessThanOrEqualTo(10);
        }
    }

    @ParameterizedTest
    @EnumSource(HttpClientKind.class)
    void theOpenModelSendsExactlyWhatItIntends(HttpClientKind client) throws Exception {
        // The time after it is for a machine that does other work and sends late.
        LoadModel.Level end = LoadModel.Level.of(Duration.ofSeconds(3), 0);
        LoadModel model = LoadModel.steppedRate(List.of(LoadModel.Level.of(Duration.ZERO, 100), end));
        LoadResult run;
        try (EchoServer server = server(settings -> settings.delay(Duration.ofMillis(20)))) {
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), uri(server), Scenarios.users(40), Scenarios.timing(8, 1, 0))
                    .withClient(client)
                    .withModel(model);
            run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());
        }
        List<String> lines = Files.readAllLines(directory.resolve("access.csv"));
        assertThat(lines).hasSize(1 + 300);
        assertThat(run.open().orElseThrow().intended()).isEqualTo(200);
        assertThat(run.measurement().get(0).samples()).isEqualTo(200);
        // A machine that stands still as the window begins answers requests of the warm-up in it.
        LoadResult.WindowRequests window = run.requests().orElseThrow();
        double inWindow = run.measurement().get(0).throughputPerSecond()
                * seconds(run.window().start(), run.window().end());
        double inWarmUp = run.warmUp().get(0).throughputPerSecond()
                * seconds(run.started(), run.window().start());
        assertThat(seconds(run.window().start(), run.window().end()))
                .as("the last request is intended 1.99 s after the start of the window")
                .isGreaterThan(2);
        assertThat(inWindow).isCloseTo(window.completed(), within(0.5));
        assertThat(inWarmUp + inWindow + window.answeredLate()).isCloseTo(300, within(0.5));
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e9;
    }
}
