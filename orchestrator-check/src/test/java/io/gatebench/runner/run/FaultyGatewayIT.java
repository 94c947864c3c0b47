/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatebench.echo.EchoServer;
import io.gatebench.echo.EchoServerConfig;
import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadProbes;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.ProbeRunner;
import io.gatebench.load.engine.Trust;
import io.gatebench.model.DataSize;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.Probe;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ResponseCheck.Body;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;
import io.gatebench.report.judge.Verdicts;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.Verdict;
import io.gatebench.runner.run.FaultyGateway.Fault;

/**
 * Measures a gateway with a fault built in, each in turn, and holds the table of the how-to to what the report says of it.
 */
class FaultyGatewayIT {

    private static final Path HOW_TO = Path.of("../docs/how-to/any-http-gateway.md");
    private static final TestTiming TIMING =
            new TestTiming(Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ZERO);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final int USERS = 4;

    /** What a machine that does other work may bring about is none of this test's business. */
    private static final Set<Rule> ABOUT_ANSWERS = EnumSet.of(
            Rule.PROBE, Rule.NOT_PASSED_THROUGH, Rule.CONNECTIONS, Rule.ABORTED, Rule.ALL_FAILED, Rule.ERRORS);

    @TempDir
    private Path directory;

    private static TestScenario scenario(Fault fault) {
        boolean graphQl = fault == Fault.GRAPHQL_ERRORS;
        ResponseCheck check = new ResponseCheck(200, Optional.empty(), false, graphQl)
                .withBody(
                        switch (fault) {
                            case GRAPHQL_ERRORS, CACHED_UNMARKED -> Body.any();
                            case UNMEDIATED -> new Body(Body.Form.PAYLOAD_AND_SIZE, 0);
                            default -> Body.echo();
                        });
        return new TestScenario(
                "faulty",
                "Faulty",
                fault.words,
                false,
                "POST",
                graphQl ? "/graphql" : "/echo",
                Map.of("routing", "right"),
                graphQl ? PayloadKind.GRAPHQL_QUERY : PayloadKind.JSON_ARRAY,
                TokenKind.NONE,
                check,
                List.of(new Probe(
                        "wrong route", Probe.Token.NONE, Map.of("routing", "wrong"), Set.of(403), Optional.empty())));
    }

    private static RunManifest info(TestScenario scenario, TestCase testCase, TestTiming timing) {
        boolean graphQl = testCase.message().kind() == MessageLevel.Kind.GRAPHQL_QUERY;
        PerfPlan plan = new PerfPlan(
                "http",
                "quick",
                List.of(scenario),
                new ParameterMatrix(
                        List.of(testCase.heap()),
                        List.of(USERS),
                        graphQl ? List.of() : List.of(1024),
                        graphQl ? List.of(1) : List.of(),
                        List.of(),
                        List.of(Duration.ZERO)),
                timing,
                1,
                false,
                testCase.heap(),
                testCase.heap());
        return new RunManifest(
                RunManifest.SCHEMA_VERSION,
                "faults",
                "",
                "Faulty Gateway",
                RunManifest.Variant.GATEWAY,
                plan,
                "local",
                1,
                1,
                Instant.EPOCH,
                Optional.empty(),
                Map.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of());
    }

    /** Enough requests to meet what is seldom, and not all that the machine can. */
    private static LoadModel load(Fault fault) {
        Duration think = Duration.ofMillis(fault == Fault.ONE_ERROR_IN_1000 ? 1 : 5);
        return new LoadModel(LoadModel.Kind.CLOSED, List.of(), think, Duration.ZERO);
    }

    private static EchoServer echo() {
        return EchoServer.start(
                EchoServerConfig.builder().host("127.0.0.1").port(0).noAdmin().build());
    }

    private static BackendCount count(EchoServer echo) {
        return BackendCount.parse("echo_requests_total " + echo.stats().requests() + "\necho_request_body_bytes_total "
                        + echo.stats().requestBytes() + "\n")
                .orElseThrow();
    }

    private TestCaseResult.Completed measured(Fault fault, TestScenario scenario, TestCase testCase, TestTiming timing)
            throws IOException {
        try (EchoServer own = echo();
                EchoServer other = echo();
                FaultyGateway gateway =
                        new FaultyGateway(fault, fault == Fault.ELSEWHERE ? other.port() : own.port())) {
            URI target = gateway.url();
            List<ProbeOutcome> before =
                    new ProbeRunner().run(scenario, target, testCase.message(), Map.of(), Trust.system());
            // What is wrong with each answer is found before any load; the others show it later.
            boolean atOnce = fault == Fault.UNMEDIATED;
            assertThat(before.get(0).passed()).as(before.toString()).isEqualTo(!atOnce);
            assertThat(before.get(1).passed()).as(before.toString()).isTrue();
            BackendCount earlier = count(own);
            LoadResult load = new JMeterLoadDriver()
                    .run(
                            LoadRequest.of(scenario, target, testCase, timing)
                                    .withModel(load(fault))
                                    .withProbes(new LoadProbes(LoadProbes.DEFAULT_ONE_IN, Optional.empty())),
                            directory,
                            LoadProgress.none());
            BackendCount counted = count(own).since(earlier);
            return new TestCaseResult.Completed(
                    testCase,
                    1,
                    load.started(),
                    load.window().end(),
                    load,
                    Optional.empty(),
                    List.of(),
                    List.of(),
                    Map.of(),
                    Optional.of(counted.traffic(
                            scenario.check().body(), () -> testCase.message().value())),
                    Map.of(),
                    Map.of(),
                    Optional.empty());
        }
    }

    /** The samples that it takes to meet the fault: on a machine that does other work, a short window may have fewer. */
    private static boolean isMet(Fault fault, TestCaseResult.Completed result) {
        long least = fault == Fault.ONE_ERROR_IN_1000 ? 1_000 : 100;
        return result.load().measurement().stream().anyMatch(window -> window.samples() > least);
    }

    private static String said(Verdict verdict) {
        return verdict.findings().stream()
                .filter(finding -> ABOUT_ANSWERS.contains(finding.rule()))
                .filter(finding -> finding.level() != Level.VALID)
                .map(finding -> "`" + finding.rule().id() + "`: " + finding.text())
                .map(text -> text.replaceAll("\\d[\\d,.]*", "n"))
                .sorted()
                .collect(Collectors.joining("; "));
    }

    @ParameterizedTest
    @EnumSource
    void theReportNamesTheFault(Fault fault) throws IOException {
        TestScenario scenario = scenario(fault);
        MessageLevel message = fault == Fault.GRAPHQL_ERRORS ? MessageLevel.query(1) : MessageLevel.bytes(1024);
        TestCase testCase = new TestCase("faulty", DataSize.parse("512M"), USERS, message, Duration.ZERO);

        TestTiming timing = TIMING;
        TestCaseResult.Completed result = measured(fault, scenario, testCase, timing);
        while (!isMet(fault, result) && timing.duration().compareTo(LONGEST) < 0) {
            timing = new TestTiming(timing.duration().multipliedBy(2), timing.warmUp(), timing.rampUp());
            result = measured(fault, scenario, testCase, timing);
        }

        assertThat(isMet(fault, result)).isTrue();
        Verdict verdict = Verdicts.ofResults(info(scenario, testCase, timing), List.of(result))
                .get(0);
        String said = said(verdict);
        SampleStatistics window = result.load().measurement().get(0);
        switch (fault) {
            case SOUND -> {
                assertThat(said).as(verdict.text()).isEmpty();
                assertThat(result.load().failures()).isEmpty();
                assertThat(result.load().probes().orElseThrow().sent()).isGreaterThanOrEqualTo(2);
                long samples = Stream.concat(result.load().warmUp().stream(), result.load().measurement().stream())
                        .mapToLong(SampleStatistics::samples)
                        .sum();
                // The probes were refused by the gateway: the back end saw the samples and nothing else.
                assertThat(result.backend().orElseThrow().requests()).isEqualTo(samples);
                said = "nothing";
            }
            case SLOW_FIRST_BYTE -> {
                assertThat(said).as(verdict.text()).isEmpty();
                assertThat(window.latency().orElseThrow().minMillis()).isGreaterThanOrEqualTo(50);
                said =
                        "nothing: the time to the first byte stands beside the response time, and overhead in a control run";
            }
            default ->
                assertThat(said)
                        .as(fault + " passes as sound: " + verdict.text())
                        .isNotEmpty();
        }
        String name = fault.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String row = "| " + name + " | " + fault.words + " | " + said + " |";
        if (System.getProperty("golden.update") != null) {
            write("| " + name + " |", row);
        }
        assertThat(Files.readAllLines(HOW_TO, StandardCharsets.UTF_8)).contains(row);
    }

    private static void write(String start, String row) throws IOException {
        List<String> lines = Files.readAllLines(HOW_TO, StandardCharsets.UTF_8).stream()
                .map(line -> line.startsWith(start) ? row : line)
                .toList();
        Files.writeString(HOW_TO, String.join("\n", lines) + "\n", StandardCharsets.UTF_8);
    }
}
