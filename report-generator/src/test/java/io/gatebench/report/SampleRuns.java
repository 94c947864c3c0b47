/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import io.gatebench.model.DataSize;
import io.gatebench.model.FailureReason;
import io.gatebench.model.GcFinding;
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
import io.gatebench.model.Probe;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ResponseExcerpt;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.SystemInformation;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;

/** Runs with known figures. */
public final class SampleRuns {

    public static final Instant START = Instant.parse("2026-05-04T10:00:00Z");

    private SampleRuns() {}

    public static TestScenario scenario(String name, String displayName, String description, PayloadKind payload) {
        return new TestScenario(
                name,
                displayName,
                description,
                true,
                "POST",
                "/echo/1.0.0",
                Map.of("Content-Type", "application/json"),
                payload,
                TokenKind.JWT,
                ResponseCheck.okContaining("{size}B"),
                List.of(new Probe("expired token", Probe.Token.EXPIRED, Map.of(), Set.of(401, 403), Optional.empty())));
    }

    public static PerfPlan plan(
            List<TestScenario> scenarios, ParameterMatrix matrix, int durationSeconds, int warmUpSeconds) {
        return new PerfPlan(
                "apim",
                "release",
                scenarios,
                matrix,
                new TestTiming(
                        Duration.ofSeconds(durationSeconds),
                        Duration.ofSeconds(warmUpSeconds),
                        Duration.ofSeconds(Math.min(60, warmUpSeconds))),
                1,
                false,
                DataSize.ofMebibytes(512),
                DataSize.ofMebibytes(512));
    }

    public static RunManifest info(
            String application,
            RunManifest.Variant variant,
            PerfPlan plan,
            String environment,
            SystemInformation... hosts) {
        return new RunManifest(
                RunManifest.SCHEMA_VERSION,
                "run-1",
                "0.1.0",
                application,
                variant,
                plan,
                environment,
                1,
                Math.max(1, hosts.length),
                START,
                Optional.of(START.plusSeconds(3600)),
                Map.of("gateway", "4.6.0", "jdk", "17.0.9", "jmeter", "5.6.3"),
                List.of(hosts),
                List.of());
    }

    public static RunManifest local() {
        PerfPlan plan = plan(
                List.of(
                        scenario(
                                "passthrough",
                                "Passthrough",
                                "A secured API, which directly invokes the back-end service.",
                                PayloadKind.JSON_ARRAY),
                        scenario(
                                "transformation",
                                "Transformation",
                                "A secured API, which has a mediation extension to modify the message.",
                                PayloadKind.JSON_ARRAY)),
                new ParameterMatrix(
                        List.of(DataSize.parse("2G")),
                        List.of(50, 100),
                        List.of(50, 1024),
                        List.of(),
                        List.of(),
                        List.of(Duration.ZERO)),
                60,
                10);
        RunManifest info = info(
                "WSO2 API Manager",
                RunManifest.Variant.GATEWAY,
                plan,
                "local",
                new SystemInformation(
                        "localhost",
                        List.of(
                                new SystemInformation.Row("System", "Processor", "CPU(s)", "2"),
                                new SystemInformation.Row("System", "Memory", "System Memory", "24 GiB"))));
        return new RunManifest(
                info.schemaVersion(),
                info.runId(),
                info.toolVersion(),
                info.applicationName(),
                info.variant(),
                info.plan(),
                info.environment(),
                info.loadGenerators(),
                info.stacks(),
                info.started(),
                info.finished(),
                info.versions(),
                info.systems(),
                List.of("Quick profile: not a release figure.", "All roles shared 2 processors."));
    }

    public static TestCase testCase(String scenario, int users, int bytes) {
        return new TestCase(scenario, DataSize.parse("2G"), users, MessageLevel.bytes(bytes), Duration.ZERO);
    }

    public static ResponseTimes times(double mean) {
        return ResponseTimes.of(
                30_000,
                mean,
                mean * 0.4,
                mean * 0.2,
                mean * 6,
                percent -> mean
                        * (percent <= 50
                                ? 0.9
                                : percent <= 75
                                        ? 1.2
                                        : percent <= 90
                                                ? 1.6
                                                : percent <= 95 ? 2 : percent <= 98 ? 2.6 : percent <= 99 ? 3 : 5));
    }

    public static LoadResult load(int users, double throughput, long errors) {
        double mean = users * 1000.0 / throughput;
        long samples = Math.round(throughput * 50);
        SampleStatistics statistics = new SampleStatistics(
                "HTTP Request",
                samples,
                errors,
                throughput,
                times(mean),
                errors == samples ? Optional.empty() : Optional.of(times(mean)),
                errors == 0 ? Optional.empty() : Optional.of(times(mean / 3)),
                times(Math.rint(mean)),
                throughput * 320,
                throughput * 1450,
                Optional.empty(),
                Optional.of(times(mean * 0.95)));
        List<SecondOfLoad> series = IntStream.range(0, 60)
                .mapToObj(second -> new SecondOfLoad(
                        second,
                        Math.round(throughput * (1 + 0.05 * Math.sin(second / 3.0))),
                        second == 20 ? Math.min(errors, 5) : 0,
                        mean,
                        mean * 0.9,
                        mean * 3 * (1 + 0.2 * Math.cos(second / 2.0)),
                        mean * 6,
                        users))
                .toList();
        return new LoadResult(
                START,
                new MeasurementWindow(START.plusSeconds(10), START.plusSeconds(60)),
                List.of(statistics),
                List.of(statistics),
                Optional.of(new LoadResult.CorrectedResponseTimes(mean, Map.of("HTTP Request", times(mean * 1.1)))),
                series,
                new LoadGeneratorHealth(
                        MeasuredValue.of(35.2),
                        MeasuredValue.of(12),
                        MeasuredValue.of(0.3),
                        MeasuredValue.of(4),
                        MeasuredValue.absent("the JMeter client does not count its connections"),
                        false,
                        List.of()),
                errors == 0 ? Map.of() : Map.of("status 500", errors),
                errors == 0
                        ? List.of()
                        : List.of(new ResponseExcerpt(
                                START.plusSeconds(20),
                                Optional.of(500),
                                Map.of("Content-Type", "text/html"),
                                "<script>alert('</script>')</script>",
                                "status 500, expected 200")),
                Optional.empty(),
                Optional.empty(),
                Map.of());
    }

    public static GcSummary gc(double throughput, MeasuredValue footprintAfterFullGc) {
        GcStatistics figures = figures(throughput, footprintAfterFullGc);
        return gc(figures, figures);
    }

    public static GcStatistics figures(double throughput, double footprintAfterFullGc) {
        return figures(throughput, MeasuredValue.of(footprintAfterFullGc));
    }

    private static GcStatistics figures(double throughput, MeasuredValue footprintAfterFullGc) {
        return new GcStatistics(
                MeasuredValue.of(throughput),
                MeasuredValue.of(70),
                MeasuredValue.of(2.1),
                MeasuredValue.of(120),
                MeasuredValue.of(1),
                footprintAfterFullGc,
                MeasuredValue.of(0),
                MeasuredValue.of(2.0 * (1 << 30)));
    }

    public static GcSummary gc(GcStatistics exact, GcStatistics compat) {
        String throughput = exact.gcThroughputPercent().fold(Double::toString, reason -> reason);
        return new GcSummary(
                List.of("gc.log"),
                Optional.of("G1"),
                Optional.of("17.0.9"),
                MeasuredValue.of(100),
                exact,
                compat,
                Optional.of(times(4)),
                List.of(new GcFinding(
                        "gc-throughput-low", GcFinding.Severity.INFO, "GC throughput is " + throughput, "")),
                List.of());
    }

    public static TestCaseResult.Completed withProcesses(TestCaseResult.Completed run, List<ProcessReport> processes) {
        return new TestCaseResult.Completed(
                run.testCase(),
                run.repeat(),
                run.started(),
                run.ended(),
                run.load(),
                run.control(),
                processes,
                run.probes(),
                run.facts());
    }

    public static TestCaseResult.Completed withLoad(TestCaseResult.Completed run, LoadResult load) {
        return new TestCaseResult.Completed(
                run.testCase(),
                run.repeat(),
                run.started(),
                run.ended(),
                load,
                run.control(),
                run.processes(),
                run.probes(),
                run.facts());
    }

    /** The same load, of which it is known how it was sent. */
    public static LoadResult told(
            LoadResult load,
            Optional<LoadResult.Method> method,
            Optional<Duration> startSkew,
            Optional<LoadResult.SideProbes> probes) {
        return new LoadResult(
                load.started(),
                load.window(),
                load.warmUp(),
                load.measurement(),
                load.corrected(),
                load.series(),
                load.health(),
                load.failures(),
                load.firstFailures(),
                load.open(),
                load.aborted(),
                load.requests(),
                load.facts(),
                load.warmUpEnd(),
                method,
                startSkew,
                probes,
                load.steps());
    }

    public static TestCaseResult.Completed withMethod(TestCaseResult.Completed run, LoadResult.Method method) {
        return withLoad(run, told(run.load(), Optional.of(method), Optional.empty(), Optional.empty()));
    }

    public static ProcessReport process(NodeRole role, String name, Optional<GcSummary> gc) {
        return new ProcessReport(
                role,
                name,
                "localhost",
                List.of("java", "-Xmx2g", "-jar", "gateway.jar"),
                DataSize.parse("2G"),
                role == NodeRole.GATEWAY ? "gateway" : role == NodeRole.BACKEND ? "backend" : "load",
                gc,
                gc,
                role == NodeRole.LOAD_GENERATOR
                        ? Map.of()
                        : Map.of(
                                "System Load Average - Last 1 minute", MeasuredValue.of(2.345),
                                "CPU - User (%)", MeasuredValue.of(61.125),
                                "Network - Received kB/s", MeasuredValue.of(2048.5),
                                "Task clock", MeasuredValue.absent("perf is not installed")),
                List.of());
    }

    public static TestCaseResult.Completed completed(TestCase testCase, double throughput, long errors) {
        return completed(testCase, 1, throughput, errors);
    }

    public static TestCaseResult.Completed completed(TestCase testCase, int repeat, double throughput, long errors) {
        return new TestCaseResult.Completed(
                testCase,
                repeat,
                START,
                START.plusSeconds(75),
                load(testCase.users(), throughput, errors),
                Optional.of(load(testCase.users(), throughput * 2, 0)),
                List.of(
                        process(
                                NodeRole.GATEWAY,
                                "WSO2 API Manager",
                                Optional.of(gc(97.8049, MeasuredValue.of(27.4512 * (1 << 20))))),
                        process(
                                NodeRole.BACKEND,
                                "Netty Service",
                                Optional.of(gc(99.5, MeasuredValue.absent("the log holds no full GC")))),
                        process(NodeRole.LOAD_GENERATOR, "JMeter Client", Optional.empty())),
                List.of(new ProbeOutcome("expired token", Optional.of(401), true, "expected 401 or 403, got 401")),
                Map.of("gateway.url", "https://localhost:8243"));
    }

    public static TestCaseResult.Failed failed(TestCase testCase) {
        return new TestCaseResult.Failed(
                testCase,
                1,
                START,
                START.plusSeconds(20),
                FailureReason.PROBE,
                "the gateway let an expired token in",
                Optional.empty(),
                List.of(),
                List.of(new ProbeOutcome("expired token", Optional.of(200), false, "expected 401 or 403, got 200")),
                List.of(new ResponseExcerpt(START, Optional.of(200), Map.of(), "{}", "expected a refusal")));
    }

    public static List<TestCaseResult> results() {
        return List.of(
                completed(testCase("passthrough", 50, 50), 2500.125, 0),
                completed(testCase("passthrough", 50, 1024), 2400, 0),
                completed(testCase("passthrough", 100, 50), 2450, 3),
                completed(testCase("passthrough", 100, 1024), 2350, 0),
                completed(testCase("transformation", 50, 50), 1800, 0),
                completed(testCase("transformation", 50, 1024), 1500, 0),
                failed(testCase("transformation", 100, 50)),
                new TestCaseResult.Skipped(testCase("transformation", 100, 1024), 1, "interrupted"));
    }
}
