/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

import io.gatebench.model.GcSummary;
import io.gatebench.model.HostMetric;
import io.gatebench.model.LoadResult;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.WholeGateway;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Verdict;

/**
 * One repeat of one test case, with how far its figures can be believed.
 *
 * @param result what happened
 * @param verdict how far the figures can be believed
 * @since 0.1
 */
public record CaseResult(TestCaseResult result, Verdict verdict) {

    /** Returns the test case and, after the first one, the repeat, e.g. {@code .../0ms_sleep (repeat 2)}. */
    public String name() {
        return result.testCase().id() + (result.repeat() > 1 ? " (repeat " + result.repeat() + ")" : "");
    }

    /** Returns whether it was measured and nothing makes its figures worthless; they may still be doubtful. */
    public boolean isUsable() {
        return verdict.level() != Level.INVALID;
    }

    /** Returns the statistics of the measurement window, one per label; none if the test case was not measured. */
    public List<SampleStatistics> statistics() {
        return load().map(LoadResult::measurement).orElse(List.of());
    }

    /** Returns what the load generator measured, if the test case completed. */
    public Optional<LoadResult> load() {
        return result.fold(
                completed -> Optional.of(completed.load()), failed -> Optional.empty(), s -> Optional.empty());
    }

    /** Returns the same load straight at the back end, if the test case completed and the control run was asked for. */
    public Optional<LoadResult> control() {
        return result.fold(TestCaseResult.Completed::control, failed -> Optional.empty(), skipped -> Optional.empty());
    }

    /** Returns what the gateway's whole GC log says, if it wrote one. */
    public Optional<GcSummary> gatewayGc() {
        return gateway().flatMap(ProcessReport::gc);
    }

    /** Returns what the measurement window of the gateway's GC log says, if it wrote one. */
    public Optional<GcSummary> gatewayGcInWindow() {
        return gateway().flatMap(ProcessReport::gcInWindow);
    }

    /** Returns the samples of the window, all labels together. */
    public long samples() {
        return statistics().stream().mapToLong(SampleStatistics::samples).sum();
    }

    /** Returns the failed samples of the window, all labels together. */
    public long errors() {
        return statistics().stream().mapToLong(SampleStatistics::errors).sum();
    }

    /** Returns samples per second in the window, failures included, all labels together. */
    public double throughputPerSecond() {
        return throughput(statistics());
    }

    /** Returns the mean response time in the window, of several labels the longest. */
    public Duration mean() {
        return time(ResponseTimes::meanMillis);
    }

    /** Returns the median of the response times in the window, of several labels the longest. */
    public Duration p50() {
        return time(ResponseTimes::p50Millis);
    }

    /** Returns the 90th percentile of the response times in the window, of several labels the longest. */
    public Duration p90() {
        return time(ResponseTimes::p90Millis);
    }

    /** Returns the 95th percentile of the response times in the window, of several labels the longest. */
    public Duration p95() {
        return time(ResponseTimes::p95Millis);
    }

    /** Returns the 99th percentile of the response times in the window, of several labels the longest. */
    public Duration p99() {
        return time(ResponseTimes::p99Millis);
    }

    /** Returns the 99.9th percentile of the response times in the window, of several labels the longest. */
    public Duration p999() {
        return time(ResponseTimes::p999Millis);
    }

    private Duration time(ToDoubleFunction<ResponseTimes> millis) {
        return Duration.ofNanos(Math.round(longest(statistics(), millis) * 1e6));
    }

    /**
     * Returns the throughput divided by that of the control run.
     *
     * <p>Most of what a machine does to figures it does to both runs, so that this ratio travels between machines of one
     * kind far better than the throughput does. Empty without a control run.
     */
    public OptionalDouble throughputRatioToControl() {
        Optional<LoadResult> control = control();
        double straight = control.map(run -> throughput(run.measurement())).orElse(0.0);
        return straight > 0 ? OptionalDouble.of(throughputPerSecond() / straight) : OptionalDouble.empty();
    }

    /** Returns a response time as a multiple of the control run's; of several labels the longest. Empty without one. */
    OptionalDouble ratioToControl(ToDoubleFunction<ResponseTimes> time) {
        double straight = control().map(run -> longest(run.measurement(), time)).orElse(0.0);
        return straight > 0 ? OptionalDouble.of(longest(statistics(), time) / straight) : OptionalDouble.empty();
    }

    private static double longest(List<SampleStatistics> statistics, ToDoubleFunction<ResponseTimes> time) {
        return statistics.stream()
                .mapToDouble(label -> time.applyAsDouble(label.all()))
                .max()
                .orElse(0);
    }

    /** Returns the CPU time of the gateway as a multiple of the back end's, which served the same requests. */
    OptionalDouble cpuRatioToBackend() {
        OptionalDouble gateway = cpu(gateway());
        OptionalDouble backend = cpu(processes().stream()
                .filter(process -> process.role() == NodeRole.BACKEND)
                .findFirst());
        return gateway.isPresent() && backend.orElse(0) > 0
                ? OptionalDouble.of(gateway.getAsDouble() / backend.getAsDouble())
                : OptionalDouble.empty();
    }

    private static OptionalDouble cpu(Optional<ProcessReport> of) {
        return of.map(process -> process.metric(HostMetric.PROCESS_CPU)).orElse(OptionalDouble.empty());
    }

    /**
     * Returns what is known of the gateway's process, if there is one that is known; of replicas, what adds up is added up, and
     * collections are those of the one with the lowest GC throughput.
     */
    public Optional<ProcessReport> gateway() {
        return WholeGateway.of(processes());
    }

    private List<ProcessReport> processes() {
        return result.fold(TestCaseResult.Completed::processes, TestCaseResult.Failed::processes, skipped -> List.of());
    }

    private static double throughput(List<SampleStatistics> statistics) {
        return statistics.stream()
                .mapToDouble(SampleStatistics::throughputPerSecond)
                .sum();
    }
}
