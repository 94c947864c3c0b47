/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.model.GcSummary;
import io.gatebench.model.LoadRun;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.RunResult;
import io.gatebench.model.SampleStatistics;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Verdict;

/**
 * One repeat of one cell, with how far its figures can be believed.
 *
 * @param result what happened
 * @param verdict how far the figures can be believed
 * @since 0.1
 */
public record CellResult(RunResult result, Verdict verdict) {

    /** Returns the cell and, after the first one, the repeat, e.g. {@code .../0ms_sleep (repeat 2)}. */
    public String name() {
        return result.testCase().id() + (result.repeat() > 1 ? " (repeat " + result.repeat() + ")" : "");
    }

    /** Returns whether it was measured and nothing makes its figures worthless; they may still be doubtful. */
    public boolean isUsable() {
        return verdict.level() != Level.INVALID;
    }

    /** Returns the statistics of the measurement window, one per label; none if the cell was not measured. */
    public List<SampleStatistics> statistics() {
        return load().map(LoadRun::measurement).orElse(List.of());
    }

    /** Returns what the load generator measured, if the cell completed. */
    public Optional<LoadRun> load() {
        return result.fold(
                completed -> Optional.of(completed.load()), failed -> Optional.empty(), s -> Optional.empty());
    }

    /** Returns the same load straight at the back end, if the cell completed and the control run was asked for. */
    public Optional<LoadRun> control() {
        return result.fold(RunResult.Completed::control, failed -> Optional.empty(), skipped -> Optional.empty());
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

    /**
     * Returns the throughput divided by that of the control run.
     *
     * <p>Most of what a machine does to figures it does to both runs, so that this ratio travels between machines of one
     * kind far better than the throughput does. Empty without a control run.
     */
    public OptionalDouble throughputRatioToControl() {
        Optional<LoadRun> control = control();
        double straight = control.map(run -> throughput(run.measurement())).orElse(0.0);
        return straight > 0 ? OptionalDouble.of(throughputPerSecond() / straight) : OptionalDouble.empty();
    }

    /** Returns what is known of the gateway's process, if there is one that is known. */
    public Optional<ProcessReport> gateway() {
        List<ProcessReport> processes =
                result.fold(RunResult.Completed::processes, RunResult.Failed::processes, skipped -> List.of());
        return processes.stream()
                .filter(process -> process.role() == NodeRole.GATEWAY)
                .findFirst();
    }

    private static double throughput(List<SampleStatistics> statistics) {
        return statistics.stream()
                .mapToDouble(SampleStatistics::throughputPerSecond)
                .sum();
    }
}
