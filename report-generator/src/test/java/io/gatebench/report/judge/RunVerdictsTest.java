/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.gatebench.model.DataSize;
import io.gatebench.model.GcFinding;
import io.gatebench.model.GcSummary;
import io.gatebench.model.HostMetric;
import io.gatebench.model.JvmResources;
import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.WarmUpEnd;
import io.gatebench.report.SampleRuns;

class RunVerdictsTest {

    private final TestCaseResult.Completed sound =
            withSeries(SampleRuns.completed(SampleRuns.testCase("passthrough", 100, 50), 1000, 0), second -> second);

    @Test
    void findsNothingInASoundRun() {
        assertThat(text(sound)).isEqualTo("valid");
    }

    @Test
    void isInvalidWhereThereAreNoFigures() {
        assertThat(text(SampleRuns.failed(SampleRuns.testCase("passthrough", 100, 50))))
                .startsWith("invalid (the case failed: ");
        assertThat(text(new TestCaseResult.Skipped(sound.testCase(), 1, "interrupted")))
                .isEqualTo("invalid (the case was skipped: interrupted)");
    }

    @Test
    void doesNotTakeADriftForASteadyState() {
        String drift = text(withSeries(sound, second -> samples(second, 1000 - 5 * second.second())));
        assertThat(drift).startsWith("doubtful (the throughput changed by -1");
        assertThat(text(withSeries(sound, second -> samples(second, 1000 - 12 * second.second()))))
                .startsWith("invalid (the throughput changed by -");
    }

    @Test
    void seesUsersThatAreMissingInTheWindow() {
        assertThat(text(withSeries(sound, second -> users(second, second.second() < 14 ? 60 : 100))))
                .isEqualTo("doubtful (in 8.16 % of the window fewer than 100 users were at work, at least 60)");
        assertThat(text(withSeries(sound, second -> users(second, second.second() < 40 ? 60 : 100))))
                .startsWith("invalid (in 61.2 % of the window fewer than 100 users");
    }

    @Test
    void remarksOnAGcThroughputThatThePublishedFormulaGetsWrong() {
        assertThat(text(withGc(NodeRole.GATEWAY, 99.8, 99.74))).isEqualTo("valid");
        assertThat(text(withGc(NodeRole.GATEWAY, 99.8, 74)))
                .isEqualTo("valid (the GC throughput of Process is 99.8000 %; the published formula gives 74.00 %)");
        assertThat(text(withGc(NodeRole.BACKEND, 99.8, 74)))
                .isEqualTo("valid (the GC throughput of Process is 99.8000 %; the published formula gives 74.00 %)");
    }

    private TestCaseResult.Completed withGc(NodeRole role, double exact, double published) {
        return SampleRuns.withProcesses(
                sound,
                List.of(SampleRuns.process(
                        role,
                        "Process",
                        Optional.of(SampleRuns.gc(
                                SampleRuns.figures(exact, 1 << 20), SampleRuns.figures(published, 1 << 20))))));
    }

    @Test
    void doubtsAWindowThatBeganBecauseTheLimitOfTheWarmUpHadCome() {
        assertThat(text(withWarmUp(WarmUpEnd.Reason.STEADY))).isEqualTo("valid");
        assertThat(text(withWarmUp(WarmUpEnd.Reason.PLANNED))).isEqualTo("valid");
        assertThat(text(withWarmUp(WarmUpEnd.Reason.LIMIT)))
                .isEqualTo(
                        "doubtful (the load was not steady, or a compiler still worked, after 120 s of warm-up, which was the limit)");
    }

    private TestCaseResult.Completed withWarmUp(WarmUpEnd.Reason reason) {
        return withLoad(
                sound,
                load -> new LoadResult(
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
                        Optional.of(new WarmUpEnd(Duration.ofSeconds(120), reason, "")),
                        load.method(),
                        load.startSkew(),
                        load.probes(),
                        load.steps()));
    }

    @Test
    void seesAGap() {
        assertThat(text(withSeries(
                        sound, second -> second.second() >= 30 && second.second() < 37 ? samples(second, 0) : second)))
                .contains("no sample was started for 7 s inside the window");
    }

    @Test
    void seesWhatTheLoadGeneratorAndTheProbesSay() {
        TestCaseResult.Completed saturated = withLoad(
                sound,
                load -> new LoadResult(
                        load.started(),
                        load.window(),
                        load.warmUp(),
                        load.measurement(),
                        load.corrected(),
                        load.series(),
                        new LoadGeneratorHealth(
                                MeasuredValue.of(98),
                                MeasuredValue.of(0),
                                MeasuredValue.of(40),
                                MeasuredValue.of(90),
                                MeasuredValue.of(1),
                                true,
                                List.of("CPU 98 %")),
                        load.failures(),
                        load.firstFailures(),
                        load.open(),
                        Optional.of("errors above 50 %"),
                        load.facts()));
        assertThat(text(saturated))
                .isEqualTo(
                        "invalid (the load ended before its time: errors above 50 %; the load generator was saturated: CPU 98 %)");

        TestCaseResult.Completed open = new TestCaseResult.Completed(
                sound.testCase(),
                1,
                sound.started(),
                sound.ended(),
                sound.load(),
                sound.control(),
                sound.processes(),
                List.of(new ProbeOutcome("expired token", Optional.of(200), false, "401 expected, 200 came")),
                Map.of(),
                Optional.empty(),
                Map.of("backend", Duration.ofMillis(-1200)),
                Map.of(),
                Optional.empty());
        assertThat(text(open))
                .isEqualTo(
                        "invalid (wrong response to the probe expired token; the clock of host backend is off by 1,200 ms)");
    }

    @Test
    void seesStolenCpuAndTheCeilingOfTheRig() {
        TestCaseResult.Completed run = withMetrics(NodeRole.GATEWAY, Map.of("CPU - Steal (%)", MeasuredValue.of(12.5)));
        assertThat(text(new TestCaseResult.Completed(
                        run.testCase(),
                        1,
                        run.started(),
                        run.ended(),
                        run.load(),
                        Optional.of(run.load()),
                        run.processes(),
                        List.of(),
                        Map.of())))
                .startsWith("invalid (")
                .contains("12.5 % of the CPU time of")
                .contains("the throughput is 100 % of what the rig does without the gateway");
    }

    @Test
    void leavesTheLoadGeneratorOfOurOwnRunsToItsOwnVerdict() {
        assertThat(text(withMetrics(
                        NodeRole.LOAD_GENERATOR,
                        Map.of("CPU - Idle (%)", MeasuredValue.of(0), "CPU - I/O Wait (%)", MeasuredValue.of(0)))))
                .isEqualTo("valid");
    }

    @Test
    void saysHowMuchOfTheWindowACpuLimitTook() {
        Map<String, MeasuredValue> limited = Map.of(
                "CPU - Limit (processors)",
                MeasuredValue.of(0.5),
                "CPU - Throttled (% of time)",
                MeasuredValue.of(58),
                "CPU - Throttled periods (%)",
                MeasuredValue.of(92),
                "CPU - Throttled time (ms)",
                MeasuredValue.of(5120));
        // The limit of the gateway may be what is measured, that of the back end never is.
        assertThat(text(withMetrics(NodeRole.GATEWAY, limited)))
                .matches("doubtful \\(a CPU limit of 0.5 processors held .+ back in 58 % of the window,"
                        + " 5.12 s added up over processors\\)");
        assertThat(text(withMetrics(NodeRole.BACKEND, limited)))
                .startsWith("invalid (a CPU limit of 0.5 processors held Netty Service back in 58 % of the window");
        assertThat(text(withMetrics(NodeRole.BACKEND, Map.of("CPU - Throttled (% of time)", MeasuredValue.of(0.9)))))
                .isEqualTo("valid");
        // Results of earlier versions have this one alone.
        assertThat(text(withMetrics(NodeRole.GATEWAY, Map.of("CPU - Throttled periods (%)", MeasuredValue.of(3)))))
                .matches("doubtful \\(a CPU limit held .+ back in 3 % of the periods in which it had work\\)");
    }

    @Test
    void doubtsWhatWasMeasuredBesideOtherPrograms() {
        assertThat(text(besideOthers(4.9, Map.of()))).isEqualTo("valid");
        assertThat(text(besideOthers(13.3, Map.of())))
                .isEqualTo("doubtful (programs that are no part of the run took 13.3 % of the processors of WSO2 API"
                        + " Manager on localhost)");
        // Only the name of a program of that host.
        assertThat(text(besideOthers(95, Map.of("other.programs.localhost", "javac", "other.programs.b", "make"))))
                .startsWith("doubtful (programs")
                .endsWith("on localhost, most of it javac)");
        assertThat(text(besideOthers(10, 85, Map.of())))
                .startsWith(
                        "doubtful (programs that are no part of the run took 10 % of the processors of WSO2 API Manager");
        assertThat(text(besideOthers(1, 85, Map.of())))
                .startsWith("doubtful (programs that are no part of the run took 85 % of the processors of ")
                .doesNotContain("WSO2 API Manager");
    }

    /** The back end shares the host with the gateway and suffers less. */
    private TestCaseResult.Completed besideOthers(double percent, Map<String, String> facts) {
        return besideOthers(percent, percent / 20, facts);
    }

    private TestCaseResult.Completed besideOthers(double gateway, double rest, Map<String, String> facts) {
        String figure = HostMetric.OTHER_PROGRAMS.header();
        List<ProcessReport> processes = sound.processes().stream()
                .map(process -> withMetrics(
                        process, Map.of(figure, MeasuredValue.of(process.role() == NodeRole.GATEWAY ? gateway : rest))))
                .toList();
        return new TestCaseResult.Completed(
                sound.testCase(),
                1,
                sound.started(),
                sound.ended(),
                sound.load(),
                sound.control(),
                processes,
                List.of(),
                facts);
    }

    @Test
    void holdsWhatTheJvmBelievesToWhatThePlanGaveIt() {
        // G1 rounds a heap up to whole regions.
        assertThat(text(withJvm(1, "4G", "2056M"))).isEqualTo("valid");
        assertThat(text(withJvm(2, "512M", "1G")))
                .isEqualTo(
                        "doubtful (the JVM of the gateway counts 2 processor(s), but the plan leaves it 1; the JVM of"
                                + " the gateway sees 4G of memory, but its limit is 512M; the JVM of the gateway may use"
                                + " 1G of heap, but the plan names 2G; the heap of the gateway may grow to 1G, which is all of its"
                                + " limit of 512M: there the kernel ends it)");
    }

    private TestCaseResult.Completed withJvm(int processors, String limit, String heap) {
        return new TestCaseResult.Completed(
                sound.testCase(),
                1,
                sound.started(),
                sound.ended(),
                sound.load(),
                sound.control(),
                sound.processes(),
                List.of(),
                Map.of(),
                Optional.empty(),
                Map.of(),
                Map.of(),
                Optional.of(new JvmResources(
                        processors,
                        1,
                        DataSize.parse("4G"),
                        Optional.of(DataSize.parse(limit)),
                        DataSize.parse(heap))));
    }

    private static ProcessReport withMetrics(ProcessReport process, Map<String, MeasuredValue> metrics) {
        return new ProcessReport(
                process.role(),
                process.name(),
                process.host(),
                process.command(),
                process.heap(),
                process.directory(),
                process.gc(),
                process.gcInWindow(),
                metrics,
                process.notes());
    }

    private TestCaseResult.Completed withMetrics(NodeRole role, Map<String, MeasuredValue> metrics) {
        List<ProcessReport> processes = sound.processes().stream()
                .map(process -> process.role() != role ? process : withMetrics(process, metrics))
                .toList();
        return new TestCaseResult.Completed(
                sound.testCase(),
                1,
                sound.started(),
                sound.ended(),
                sound.load(),
                sound.control(),
                processes,
                List.of(),
                Map.of());
    }

    @Test
    void seesLoadGeneratorsThatDidNotBeginTogether() {
        // The window of the sample is 50 s long.
        assertThat(text(beganApart(500))).isEqualTo("valid");
        assertThat(text(beganApart(700)))
                .isEqualTo("doubtful (the load generators began 700 ms apart, 1.4 % of the window)");
        assertThat(text(beganApart(6200)))
                .isEqualTo("invalid (the load generators began 6,200 ms apart, 12.4 % of the window)");
    }

    private TestCaseResult.Completed beganApart(int millis) {
        return SampleRuns.withLoad(
                sound,
                SampleRuns.told(
                        sound.load(), Optional.empty(), Optional.of(Duration.ofMillis(millis)), Optional.empty()));
    }

    @Test
    void seesWhatWasAnsweredLateOrNever() {
        assertThat(text(requests(5000, 4990, 15, 0))).isEqualTo("valid");
        assertThat(text(requests(5000, 5100, 700, 0))).isEqualTo("valid");
        assertThat(text(requests(5000, 4723, 290, 0)))
                .isEqualTo("doubtful (290 of the 5,000 requests of the window were answered after it: the throughput"
                        + " counts 4,723 responses)");
        assertThat(text(requests(21_024, 21_010, 4, 10)))
                .isEqualTo("doubtful (10 of the 21,024 requests of the window were never answered)");
    }

    private TestCaseResult.Completed requests(long sent, long completed, long late, long unanswered) {
        return withLoad(
                sound,
                load -> new LoadResult(
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
                        Optional.of(new LoadResult.WindowRequests(sent, completed, late, unanswered)),
                        load.facts(),
                        load.warmUpEnd(),
                        load.method(),
                        load.startSkew(),
                        load.probes(),
                        load.steps()));
    }

    @Test
    void seesAGatewayThatWasRestarted() {
        GcSummary log = SampleRuns.gc(97, MeasuredValue.of(1 << 20))
                .withFindings(List.of(
                        new GcFinding(GcFinding.JVM_RESTARTED, GcFinding.Severity.WARNING, "started 2 times", "")));
        TestCaseResult.Completed run = new TestCaseResult.Completed(
                sound.testCase(),
                1,
                sound.started(),
                sound.ended(),
                sound.load(),
                Optional.empty(),
                List.of(SampleRuns.process(NodeRole.GATEWAY, "WSO2 API Manager", Optional.of(log))),
                List.of(),
                Map.of());
        assertThat(text(run)).isEqualTo("invalid (the GC log of WSO2 API Manager holds more than one JVM)");
    }

    @Test
    void doesNotBlameALoadForWhatItsPlanAsksFor() {
        TestCaseResult.Completed idle = withSeries(
                sound, second -> users(samples(second, second.second() % 20 < 9 ? 0 : 500), second.second() % 20));
        assertThat(text(idle)).contains("fewer than 100 users").contains("no sample was started");
        assertThat(text(SampleRuns.withMethod(idle, new LoadResult.Method("closed", true, true, true))))
                .isEqualTo("valid");

        TestCaseResult.Completed thinking = new TestCaseResult.Completed(
                SampleRuns.testCase("passthrough", 400, 50),
                1,
                sound.started(),
                sound.ended(),
                sound.load(),
                Optional.of(sound.load()),
                sound.processes(),
                List.of(),
                Map.of());
        assertThat(text(withSeries(thinking, second -> users(second, 400))))
                .contains("users in the system for 400 users")
                .contains("100 % of what the rig does");
        assertThat(text(SampleRuns.withMethod(
                        withSeries(thinking, second -> users(second, 400)),
                        new LoadResult.Method("closed", true, true, false))))
                .isEqualTo("valid");
    }

    private static String text(TestCaseResult result) {
        return Verdicts.ofResults(SampleRuns.local(), List.of(result)).get(0).text();
    }

    private static SecondOfLoad samples(SecondOfLoad second, long samples) {
        return new SecondOfLoad(
                second.second(), samples, 0, samples == 0 ? 0 : second.meanMillis(), 90, 200, 300, second.users());
    }

    private static SecondOfLoad users(SecondOfLoad second, int users) {
        return new SecondOfLoad(second.second(), second.samples(), 0, second.meanMillis(), 90, 200, 300, users);
    }

    private static TestCaseResult.Completed withSeries(
            TestCaseResult.Completed run, UnaryOperator<SecondOfLoad> change) {
        List<SecondOfLoad> series = IntStream.range(0, 60)
                .mapToObj(second -> new SecondOfLoad(second, 1000 + second % 7, 0, 100 + second % 5, 90, 200, 300, 100))
                .map(change)
                .toList();
        return withLoad(
                run,
                load -> new LoadResult(
                        load.started(),
                        load.window(),
                        load.warmUp(),
                        load.measurement(),
                        load.corrected(),
                        series,
                        load.health(),
                        load.failures(),
                        load.firstFailures(),
                        load.open(),
                        load.aborted(),
                        load.facts()));
    }

    private static TestCaseResult.Completed withLoad(TestCaseResult.Completed run, UnaryOperator<LoadResult> change) {
        return SampleRuns.withLoad(run, change.apply(run.load()));
    }
}
