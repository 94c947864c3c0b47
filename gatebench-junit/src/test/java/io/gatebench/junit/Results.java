/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.DataSize;
import io.gatebench.model.FailureReason;
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
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.runner.BenchmarkResult;

/** Results as a run would have left them, with the figures that a test chooses. */
final class Results {

    static final int USERS = 10;

    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
    private static final TestCase CASE =
            new TestCase("passthrough", DataSize.ofMebibytes(512), USERS, MessageLevel.bytes(1024), Duration.ZERO);

    private Results() {}

    /** A completed run of one test case, one repeat for each throughput; the response times obey Little's law. */
    static BenchmarkResult completed(Path directory, long errors, double control, double... throughputs) {
        ResultsDirectory results = ResultsDirectory.create(directory, info(throughputs.length));
        for (int repeat = 1; repeat <= throughputs.length; repeat++) {
            results.write(new TestCaseResult.Completed(
                    CASE,
                    repeat,
                    START,
                    START.plusSeconds(60),
                    load(throughputs[repeat - 1], errors),
                    control > 0 ? Optional.of(load(control, 0)) : Optional.empty(),
                    List.of(gateway()),
                    List.of(),
                    Map.of()));
        }
        return BenchmarkResult.read(directory);
    }

    static BenchmarkResult withThresholds(Path directory, String... conditions) {
        ResultsDirectory results =
                ResultsDirectory.create(directory, info(1).withThresholds(List.of(conditions), List.of()));
        results.write(new TestCaseResult.Completed(
                CASE,
                1,
                START,
                START.plusSeconds(60),
                load(500, 0),
                Optional.empty(),
                List.of(gateway()),
                List.of(),
                Map.of()));
        return BenchmarkResult.read(directory);
    }

    static BenchmarkResult failed(Path directory) {
        ResultsDirectory results = ResultsDirectory.create(directory, info(1));
        results.write(new TestCaseResult.Failed(
                CASE,
                1,
                START,
                START.plusSeconds(5),
                FailureReason.START,
                "the gateway did not start",
                Optional.empty(),
                List.of(),
                List.of(),
                List.of()));
        return BenchmarkResult.read(directory);
    }

    private static RunManifest info(int repeats) {
        TestScenario scenario = new TestScenario(
                "passthrough",
                "Passthrough",
                "An open route.",
                false,
                "POST",
                "/echo",
                Map.of(),
                PayloadKind.JSON_ARRAY,
                TokenKind.NONE,
                new ResponseCheck(200, Optional.empty(), true, false),
                List.of());
        PerfPlan plan = new PerfPlan(
                "http",
                "quick",
                List.of(scenario),
                new ParameterMatrix(
                        List.of(CASE.heap()),
                        List.of(USERS),
                        List.of(1024),
                        List.of(1),
                        List.of(),
                        List.of(Duration.ZERO)),
                new TestTiming(Duration.ofSeconds(60), Duration.ofSeconds(20), Duration.ofSeconds(5)),
                repeats,
                true,
                DataSize.ofMebibytes(256),
                DataSize.ofMebibytes(512));
        return new RunManifest(
                RunManifest.SCHEMA_VERSION,
                "run",
                "0.1.0",
                "Gateway",
                RunManifest.Variant.GATEWAY,
                plan,
                "local",
                1,
                1,
                START,
                Optional.of(START.plusSeconds(90)),
                Map.of("jdk", "17"),
                List.of(),
                List.of());
    }

    private static LoadResult load(double throughput, long errors) {
        double mean = 1000.0 * USERS / throughput;
        long samples = Math.round(40 * throughput);
        ResponseTimes times = ResponseTimes.of(
                samples,
                mean,
                mean / 4,
                mean / 2,
                3 * mean,
                percent -> percent < 98 ? mean : percent < 99.9 ? 2 * mean : 3 * mean);
        SampleStatistics statistics = new SampleStatistics(
                "HTTP Request",
                samples,
                errors,
                throughput,
                times,
                Optional.of(times),
                Optional.empty(),
                times,
                1300 * throughput,
                1300 * throughput,
                Optional.empty(),
                Optional.empty());
        MeasuredValue none = MeasuredValue.absent("not observed here");
        return new LoadResult(
                START,
                new MeasurementWindow(START.plusSeconds(20), START.plusSeconds(60)),
                List.of(),
                List.of(statistics),
                Optional.empty(),
                List.of(),
                new LoadGeneratorHealth(none, none, none, none, none, false, List.of()),
                errors == 0 ? Map.of() : Map.of("status 503", errors),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of());
    }

    private static ProcessReport gateway() {
        GcStatistics figures = new GcStatistics(
                MeasuredValue.of(93.5),
                MeasuredValue.of(60),
                MeasuredValue.of(3.9),
                MeasuredValue.of(12),
                MeasuredValue.of(1),
                MeasuredValue.of(48 << 20),
                MeasuredValue.of(0),
                MeasuredValue.of(400 << 20));
        GcSummary gc = new GcSummary(
                List.of("gc.log"),
                Optional.of("G1"),
                Optional.of("17"),
                MeasuredValue.of(100),
                figures,
                figures,
                Optional.empty(),
                List.of(),
                List.of());
        return new ProcessReport(
                NodeRole.GATEWAY,
                "Gateway",
                "localhost",
                List.of("java"),
                CASE.heap(),
                "gateway",
                Optional.of(gc),
                Optional.of(gc),
                Map.of(),
                List.of());
    }
}
