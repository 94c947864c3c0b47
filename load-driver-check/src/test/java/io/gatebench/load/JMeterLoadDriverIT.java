/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static io.gatebench.load.ScenarioSampler.scenarioSampler;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static us.abstracta.jmeter.javadsl.JmeterDsl.testPlan;
import static us.abstracta.jmeter.javadsl.JmeterDsl.threadGroup;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import us.abstracta.jmeter.javadsl.core.TestPlanStats;

import io.gatebench.echo.EchoServer;
import io.gatebench.echo.EchoServerConfig;
import io.gatebench.jtl.JtlStatistics;
import io.gatebench.jtl.JtlSummary;
import io.gatebench.load.engine.AbortRules;
import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.load.engine.Trust;
import io.gatebench.load.jmeter.KeptConnections;
import io.gatebench.model.LoadResult;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TokenKind;

class JMeterLoadDriverIT {

    @TempDir
    Path directory;

    private static long samples(LoadResult run) {
        return java.util.stream.Stream.concat(run.warmUp().stream(), run.measurement().stream())
                .mapToLong(SampleStatistics::samples)
                .sum();
    }

    private static long errors(LoadResult run) {
        return java.util.stream.Stream.concat(run.warmUp().stream(), run.measurement().stream())
                .mapToLong(SampleStatistics::errors)
                .sum();
    }

    @ParameterizedTest
    @EnumSource(HttpClientKind.class)
    void countsExactlyWhatTheServerAnswered(HttpClientKind client) throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.failEvery = 7;
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), server.uri(), Scenarios.users(4), Scenarios.timing(2, 0.5, 0.2))
                    .withClient(client);

            LoadResult run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());

            assertThat(samples(run)).isEqualTo(server.requests.get()).isPositive();
            assertThat(errors(run)).isEqualTo(server.failures.get()).isPositive();
            assertThat(run.failures()).containsOnlyKeys("status 500 instead of 200");
            assertThat(run.health().connectionsOpened().value().orElseThrow()).isBetween(0.0, 4.0);
            assertThat(run.series().stream().mapToLong(s -> s.samples()).sum()).isEqualTo(samples(run));
            assertThat(LoadRunFile.read(directory.resolve("load.json"))).isEqualTo(run);
            assertThat(Files.readString(directory.resolve("load.hlog")))
                    .contains("Tag=passthrough/success/measurement");
        }
    }

    @Test
    void loadsGoOnWithTheConnectionsOfThoseBefore() throws Exception {
        JMeterLoadDriver driver = new JMeterLoadDriver(new KeptConnections(1));
        try (EchoFixture server = new EchoFixture()) {
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(4), Scenarios.timing(0.5, 0, 0));

            LoadResult first = driver.run(request, directory, LoadProgress.none());
            LoadResult second = driver.run(request, directory, LoadProgress.none());

            assertThat(samples(first) + samples(second)).isEqualTo(server.requests.get());
            assertThat(errors(second)).isZero();
            assertThat(second.health().connectionsOpened().value()).hasValue(0);
        }
    }

    private static EchoServer echo(UnaryOperator<EchoServerConfig.Builder> settings) {
        return EchoServer.start(settings.apply(
                        EchoServerConfig.builder().host("127.0.0.1").port(0).noAdmin())
                .build());
    }

    private static URI uri(EchoServer server) {
        return URI.create("http://127.0.0.1:" + server.port());
    }

    @Test
    void measuresTheServersDelay() {
        try (EchoServer server = echo(settings -> settings.delay(Duration.ofMillis(50)))) {
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), uri(server), Scenarios.users(5), Scenarios.timing(2.5, 1, 0));

            LoadResult run;
            List<Long> elsewhere;
            try (Witness witness = new Witness(uri(server), 3, Duration.ZERO)) {
                run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());
                elsewhere = witness.seenDuring(run).stream()
                        .map(Witness.Seen::tookNanos)
                        .sorted()
                        .toList();
            }

            SampleStatistics figures = run.measurement().get(0);
            assertThat(figures.all().minMillis()).isGreaterThanOrEqualTo(50);
            assertThat(figures.all().p50Millis()).isLessThan(elsewhere.get(elsewhere.size() / 2) / 1e6 + 15);
            assertThat(figures.errors()).isZero();
            assertThat(run.aborted()).isEmpty();
            assertThat(run.corrected()).isPresent();
        }
    }

    @Test
    void endsEarlyWhenTheFirstRequestIsRefusedAndMasksTheToken() throws Exception {
        Path tokens = directory.resolve("tokens.csv");
        Files.writeString(tokens, "secret-token-of-this-test\n");
        try (EchoFixture server = new EchoFixture()) {
            server.failEvery = 1;
            server.failureBody = "no access for Bearer secret-token-of-this-test";
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(TokenKind.OPAQUE),
                            server.uri(),
                            Scenarios.users(2),
                            Scenarios.timing(20, 5, 0),
                            Optional.of(tokens))
                    .withAbort(new AbortRules(Optional.empty(), Optional.empty(), true));

            LoadResult run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());

            assertThat(run.aborted())
                    .hasValueSatisfying(reason -> assertThat(reason).contains("status 500"));
            assertThat(run.measurement()).isEmpty();
            assertThat(run.firstFailures().get(0).status()).contains(500);
            assertThat(run.firstFailures().get(0).body()).contains("no access").doesNotContain("secret-token");
            assertThat(Files.readString(directory.resolve("load.json"))).doesNotContain("secret-token");
        }
    }

    @Test
    void endsEarlyWhenEverythingFails() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.failEvery = 1;
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), server.uri(), Scenarios.users(2), Scenarios.timing(30, 1, 0))
                    .withAbort(new AbortRules(Optional.of(Duration.ofSeconds(2)), Optional.empty(), false));

            LoadResult run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());

            assertThat(run.aborted())
                    .hasValueSatisfying(reason -> assertThat(reason).startsWith("all "));
            assertThat(samples(run)).isEqualTo(server.requests.get());
        }
    }

    @Test
    void endsEarlyWhenTheErrorRateIsTooHigh() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.failEvery = 3;
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), server.uri(), Scenarios.users(2), Scenarios.timing(30, 1, 0))
                    .withAbort(new AbortRules(Optional.empty(), Optional.of(25.0), false));

            LoadResult run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());

            assertThat(run.aborted())
                    .hasValueSatisfying(
                            reason -> assertThat(reason).endsWith("samples failed, more than 25.0 percent"));
            assertThat(samples(run)).isEqualTo(server.requests.get()).isGreaterThanOrEqualTo(100);
            assertThat(run.firstFailures()).hasSize(10).allSatisfy(answer -> {
                assertThat(answer.status()).contains(500);
                assertThat(answer.body()).isEqualTo("refused");
                assertThat(answer.headers()).containsKey("content-length");
            });

            server.failEvery = 5;
            LoadRequest tolerant = request.withTiming(Scenarios.timing(2, 1, 0));
            assertThat(new JMeterLoadDriver()
                            .run(tolerant, directory, LoadProgress.none())
                            .aborted())
                    .isEmpty();
        }
    }

    @Test
    void sendsAtTheRateOfAnOpenModelAndCountsFromTheIntendedStart() {
        try (EchoServer server = echo(settings -> settings.delay(Duration.ofMillis(100)))) {
            // One user can answer ten a second: half of the requests must wait, longer and longer.
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), uri(server), Scenarios.users(1), Scenarios.timing(3, 0.5, 0))
                    .withModel(LoadModel.constantRate(20));

            LoadResult run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());

            assertThat(run.measurement().get(0).all().maxMillis()).isGreaterThan(900);
            assertThat(run.open()).hasValueSatisfying(open -> {
                assertThat(open.intended()).isBetween(49L, 51L);
                assertThat(open.started()).isLessThan(open.intended());
                assertThat(open.late()).isPositive();
                assertThat(open.usersNeeded()).isEqualTo(1);
            });
            assertThat(run.corrected()).isEmpty();
        }
    }

    @Test
    void writesAJtlThatGivesTheSameFigures() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.failEvery = 5;
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), server.uri(), Scenarios.users(3), Scenarios.timing(1.5, 0, 0))
                    .withJtl(Path.of("samples.jtl.gz"));

            LoadResult run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());

            JtlSummary summary =
                    JtlSummary.of(List.of(directory.resolve("samples.jtl.gz")), Duration.ZERO, JtlStatistics.WSO2);
            assertThat(summary.lines()).isEqualTo(samples(run));
            assertThat(summary.labels().get(0).errors()).isEqualTo(errors(run));
            assertThat(summary.labels().get(0).meanMillis().doubleValue())
                    .isCloseTo(run.measurement().get(0).published().meanMillis(), within(0.01));
            assertThat(summary.labels().get(0).percentilesMillis().get("99").doubleValue())
                    .isGreaterThanOrEqualTo(run.measurement().get(0).published().p99Millis());
        }
    }

    @Test
    void histogramsAreReadByTheirOwnTools() throws Exception {
        try (EchoServer server = echo(settings -> settings.errorRate(0.2).seed(1))) {
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), uri(server), Scenarios.users(3), Scenarios.timing(1.5, 0.5, 0));
            LoadResult run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());
            long total = 0;
            try (HistogramLogReader reader =
                    new HistogramLogReader(directory.resolve("load.hlog").toFile())) {
                for (EncodableHistogram next = reader.nextIntervalHistogram();
                        next != null;
                        next = reader.nextIntervalHistogram()) {
                    total += ((Histogram) next).getTotalCount();
                    assertThat(next.getTag()).startsWith("passthrough/");
                }
            }
            assertThat(total).isEqualTo(samples(run));
            assertThat(errors(run)).isPositive();
            SampleStatistics figures = run.measurement().get(0);
            assertThat(figures.successes().orElseThrow().count()
                            + figures.failures().orElseThrow().count())
                    .isEqualTo(figures.samples());
        }
    }

    @Test
    void aPlanOfOnesOwnTakesTheSamplerInAFewLines() throws Exception {
        try (EchoServer server = echo(settings -> settings)) {
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), uri(server), Scenarios.users(1), Scenarios.timing(10, 1, 0));
            TestPlanStats stats =
                    testPlan(threadGroup(2, 25, scenarioSampler(request))).run();
            assertThat(stats.overall().samplesCount()).isEqualTo(50);
            assertThat(stats.overall().errorsCount()).isZero();
        }
    }

    @Test
    void refusesToPretendThatJMetersClientChecksCertificates() {
        LoadRequest request = LoadRequest.of(
                        Scenarios.echo(),
                        URI.create("https://localhost:1"),
                        Scenarios.users(1),
                        Scenarios.timing(2, 1, 0))
                .withClient(HttpClientKind.JMETER);
        assertThatThrownBy(() -> new JMeterLoadDriver().run(request, directory, LoadProgress.none()))
                .hasMessageContaining("accepts every certificate");
    }

    @Test
    void requestsSurviveTheirFile() {
        LoadRequest request = LoadRequest.of(
                        Scenarios.echo(),
                        URI.create("http://[::1]:8080/base/"),
                        Scenarios.users(3),
                        Scenarios.timing(2, 1, 0))
                .withModel(
                        LoadModel.steppedRate(LoadModel.spike(10, 100, Duration.ofSeconds(1), Duration.ofSeconds(1))))
                .withTrust(Trust.certificates(Path.of("/tmp/ca.pem")));
        request.write(directory.resolve("request.json"));
        assertThat(LoadRequest.read(directory.resolve("request.json"))).isEqualTo(request);
        assertThatThrownBy(() -> LoadRequest.fromJson("{\"target\":7}")).isInstanceOf(LoadException.class);
    }
}
