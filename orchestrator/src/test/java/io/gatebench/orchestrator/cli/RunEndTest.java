/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import io.gatebench.model.DataSize;
import io.gatebench.model.GcStatistics;
import io.gatebench.model.GcSummary;
import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MeasurementWindow;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.Verdict;

/** What a run prints at its end for people. */
class RunEndTest {

    private static final Instant START = Instant.parse("2026-05-04T10:00:00Z");
    private static final DataSize HEAP = DataSize.parse("512M");

    private final Verdict doubtful = Verdict.of(List.of(new Finding(Rule.ERRORS, Level.DOUBTFUL, "0.1 % failed")));
    private final Verdict invalid =
            Verdict.of(List.of(new Finding(Rule.NOT_STEADY, Level.INVALID, "the throughput changed by +45.7 %")));

    @Test
    void alignsTheFiguresAndTheVerdict() {
        List<TestCaseResult> results = List.of(
                measured(testCase("passthrough", 50, 1024, 0), 12_345.678, 3),
                measured(testCase("passthrough", 100, 1024, 0), 940.5, 0),
                measured(testCase("passthrough", 200, 102400, 0), 94.25, 500),
                new TestCaseResult.Skipped(testCase("passthrough", 500, 1024, 0), 1, "the run was interrupted"));

        assertThat(ResultTable.text(
                        info("Passthrough"), results, List.of(Verdict.VALID, doubtful, invalid, invalid), false))
                .isEqualTo("""
                        scenario     users     size  req/s  p50 ms  p99 ms  errors   GC %  footprint  verdict
                        Passthrough     50    1024B  12346    4.05   12.15  <0.01%  99.87      17.9M  valid
                        Passthrough    100    1024B  940.5   106.3     319       0  99.87      17.9M  doubtful
                        Passthrough    200  102400B  94.25    2122    6366  26.53%  99.87      17.9M  invalid
                        Passthrough    500    1024B      -       -       -       -      -          -  skipped
                        """);
    }

    @Test
    void neverHasMoreThanAHundredColumns() {
        List<TestCaseResult> results = new ArrayList<>();
        List<Verdict> verdicts = new ArrayList<>();
        for (int users : List.of(50, 100_000)) {
            for (int delay : List.of(0, 30_000)) {
                results.add(measured(
                        new TestCase(
                                "long",
                                users == 50 ? HEAP : DataSize.parse("4G"),
                                users,
                                MessageLevel.bytes(10_485_760),
                                Duration.ofMillis(delay)),
                        users * 7.123,
                        3));
                verdicts.add(doubtful);
            }
        }

        String table = ResultTable.text(
                info("A scenario whose display name alone takes more than half of the line, and says little"),
                results,
                verdicts,
                false);

        assertThat(table.lines())
                .hasSize(5)
                .allMatch(line -> line.length() <= 100)
                .allMatch(line -> line.length() > 60);
        assertThat(table)
                .contains("heap")
                .contains("delay")
                .contains("30000ms")
                .contains("doubtful")
                .contains("A scen");
    }

    @Test
    void coloursTheVerdictsAlone() {
        List<TestCaseResult> results = List.of(measured(testCase("passthrough", 50, 1024, 0), 1000, 0));

        String plain = ResultTable.text(info("Passthrough"), results, List.of(invalid), false);
        String coloured = ResultTable.text(info("Passthrough"), results, List.of(invalid), true);

        assertThat(plain).doesNotContain("\u001b");
        assertThat(coloured).contains("\u001b[31minvalid\u001b[0m");
        assertThat(coloured.replaceAll("\u001b\\[\\d+m", "")).isEqualTo(plain);
    }

    @Test
    void followsTheConventionsOfColour() {
        assertThat(Terminal.coloured(Terminal.Colour.AUTO, Map.of(), true)).isTrue();
        assertThat(Terminal.coloured(Terminal.Colour.AUTO, Map.of(), false)).isFalse();
        assertThat(Terminal.coloured(Terminal.Colour.AUTO, Map.of("NO_COLOR", "1"), true))
                .isFalse();
        assertThat(Terminal.coloured(Terminal.Colour.AUTO, Map.of("NO_COLOR", ""), true))
                .isTrue();
        assertThat(Terminal.coloured(Terminal.Colour.AUTO, Map.of("TERM", "dumb"), true))
                .isFalse();
        assertThat(Terminal.coloured(Terminal.Colour.ALWAYS, Map.of("NO_COLOR", "1"), false))
                .isTrue();
        assertThat(Terminal.coloured(Terminal.Colour.NEVER, Map.of(), true)).isFalse();
    }

    @Test
    void endsWithTheCountsTheMostFrequentReasonAndWhatToDo() {
        List<TestCaseResult> results = new ArrayList<>();
        for (int users = 1; users <= 5; users++) {
            results.add(measured(testCase("passthrough", users, 1024, 0), 1000, 0));
        }
        results.add(new TestCaseResult.Skipped(testCase("passthrough", 6, 1024, 0), 1, "stopped"));
        Verdict mild = Verdict.of(List.of(
                new Finding(Rule.NOT_STEADY, Level.DOUBTFUL, "the throughput changed by +12 %"),
                new Finding(Rule.GC_FORMULA, Level.VALID, "a remark")));

        assertThat(VerdictLine.text(results, List.of(Verdict.VALID, doubtful, mild, invalid, Verdict.VALID, invalid)))
                .isEqualTo("2 valid, 2 doubtful, 1 invalid, 1 without figures: the throughput changed by +45.7 %"
                        + " (not-steady, in 2 of 6); " + Rule.NOT_STEADY.remedy());
        assertThat(VerdictLine.text(results.subList(0, 1), List.of(Verdict.VALID)))
                .isEqualTo("1 valid, 0 doubtful, 0 invalid");
    }

    private static TestCase testCase(String scenario, int users, int bytes, int delay) {
        return new TestCase(scenario, HEAP, users, MessageLevel.bytes(bytes), Duration.ofMillis(delay));
    }

    private static RunManifest info(String displayName) {
        PerfPlan plan = new PerfPlan(
                "apim",
                "quick",
                List.of(scenario("passthrough", displayName), scenario("long", displayName)),
                new ParameterMatrix(
                        List.of(HEAP), List.of(50), List.of(1024), List.of(), List.of(), List.of(Duration.ZERO)),
                new TestTiming(Duration.ofSeconds(20), Duration.ofSeconds(5), Duration.ofSeconds(2)),
                1,
                false,
                HEAP,
                HEAP);
        return new RunManifest(
                RunManifest.SCHEMA_VERSION,
                "run",
                "0.1.0",
                "App",
                RunManifest.Variant.GATEWAY,
                plan,
                "local",
                1,
                1,
                START,
                Optional.empty(),
                Map.of(),
                List.of(),
                List.of());
    }

    private static TestScenario scenario(String name, String displayName) {
        return new TestScenario(
                name,
                displayName,
                "",
                false,
                "POST",
                "/echo",
                Map.of(),
                PayloadKind.JSON_ARRAY,
                TokenKind.NONE,
                ResponseCheck.okContaining("{size}B"),
                List.of());
    }

    private static TestCaseResult measured(TestCase testCase, double throughput, long errors) {
        double mean = 1000.0 * testCase.users() / throughput;
        long samples = Math.round(20 * throughput);
        ResponseTimes times = ResponseTimes.of(
                samples,
                mean,
                mean / 4,
                mean / 2,
                3 * mean,
                percent -> percent < 98 ? mean : percent < 99 ? 2 * mean : 3 * mean);
        SampleStatistics statistics = new SampleStatistics(
                "HTTP Request",
                samples,
                errors,
                throughput,
                times,
                Optional.of(times),
                Optional.empty(),
                times,
                1000,
                1000,
                Optional.empty(),
                Optional.empty());
        GcStatistics gc = new GcStatistics(
                MeasuredValue.of(99.8721),
                MeasuredValue.of(20),
                MeasuredValue.of(0.1),
                MeasuredValue.of(12),
                MeasuredValue.of(1),
                MeasuredValue.of(17.93 * (1 << 20)),
                MeasuredValue.of(0),
                MeasuredValue.of(512.0 * (1 << 20)));
        return new TestCaseResult.Completed(
                testCase,
                1,
                START,
                START.plusSeconds(30),
                new LoadResult(
                        START,
                        new MeasurementWindow(START.plusSeconds(5), START.plusSeconds(20)),
                        List.of(statistics),
                        List.of(statistics),
                        Optional.empty(),
                        List.of(),
                        new LoadGeneratorHealth(
                                MeasuredValue.of(10),
                                MeasuredValue.of(1),
                                MeasuredValue.of(0),
                                MeasuredValue.of(1),
                                MeasuredValue.of(1),
                                false,
                                List.of()),
                        Map.of(),
                        List.of(),
                        Optional.empty(),
                        Optional.empty(),
                        Map.of()),
                Optional.empty(),
                List.of(new ProcessReport(
                        NodeRole.GATEWAY,
                        "App",
                        "localhost",
                        List.of("java"),
                        HEAP,
                        "gateway",
                        Optional.of(new GcSummary(
                                List.of("gc.log"),
                                Optional.of("G1"),
                                Optional.of("17"),
                                MeasuredValue.of(100),
                                gc,
                                gc,
                                Optional.empty(),
                                List.of(),
                                List.of())),
                        Optional.empty(),
                        Map.of(),
                        List.of())),
                List.of(),
                Map.of());
    }
}
