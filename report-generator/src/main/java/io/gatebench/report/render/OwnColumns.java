/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

import org.apache.commons.statistics.distribution.TDistribution;

import io.gatebench.model.Figure;
import io.gatebench.model.GcFigures;
import io.gatebench.model.GcSummary;
import io.gatebench.model.LoadRun;
import io.gatebench.model.LoadRun.WindowRequests;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.RunInfo;
import io.gatebench.model.RunResult;
import io.gatebench.model.SampleStatistics;
import io.gatebench.report.judge.Overhead;
import io.gatebench.report.summary.Numbers;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;

/** Our columns, which follow the published ones when all columns are wanted. */
public final class OwnColumns {

    private static final double MEBIBYTE = 1 << 20;
    private static final double TWO_SIDED_95 = 0.975;

    private OwnColumns() {}

    /**
     * Returns the table with our columns behind those it has.
     *
     * @param info the head of the run
     * @param results all results
     * @param table the published columns and those of the verdict
     */
    public static SummaryTable appended(RunInfo info, List<? extends RunResult> results, SummaryTable table) {
        Map<String, RunResult.Completed> shown = new LinkedHashMap<>();
        SummaryRows.representatives(results)
                .forEach(result -> shown.put(result.testCase().id(), result));
        List<SummaryTable.Row> rows = new ArrayList<>();
        TreeSet<String> hostColumns = new TreeSet<>();
        List<String> own = new ArrayList<>();
        for (SummaryTable.Row row : table.rows()) {
            RunResult.Completed result = shown.get(row.id());
            Map<String, String> cells = new LinkedHashMap<>(row.cells());
            if (result != null) {
                Map<String, String> ours = cells(info, row, result, results);
                own.clear();
                own.addAll(ours.keySet());
                cells.putAll(ours);
                for (ProcessReport process : result.processes()) {
                    process.hostMetrics().forEach((metric, figure) -> {
                        String column = process.name() + " - " + metric;
                        if (!row.cells().containsKey(column)) {
                            hostColumns.add(column);
                            cells.put(column, text(figure, 1));
                        }
                    });
                }
            }
            rows.add(new SummaryTable.Row(row.id(), row.testCase(), cells));
        }
        List<String> columns = new ArrayList<>(table.columns());
        columns.addAll(own.isEmpty() ? List.of() : own);
        columns.addAll(hostColumns);
        return new SummaryTable(table.applicationName(), table.messageColumn(), columns, rows, table.gaps());
    }

    private static Map<String, String> cells(
            RunInfo info, SummaryTable.Row row, RunResult.Completed result, List<? extends RunResult> all) {
        String label = row.text("Label");
        Map<String, String> cells = new LinkedHashMap<>();
        Optional<SampleStatistics> statistics = statistics(result.load(), label);
        cells.put("Test Case", result.testCase().id());
        cells.put("Started", result.started().toString());
        cells.put(
                "Median Response Time (ms)", number(statistics.map(s -> s.all().p50Millis())));
        cells.put(
                "Successful Throughput (Requests/sec)",
                number(statistics.map(s -> s.throughputPerSecond() * (s.samples() - s.errors()) / s.samples())));
        cells.put(
                "Average Response Time of Successes (ms)",
                number(statistics.flatMap(SampleStatistics::successes).map(t -> t.meanMillis())));
        cells.put(
                "99th Percentile of Successes (ms)",
                number(statistics.flatMap(SampleStatistics::successes).map(t -> t.p99Millis())));
        cells.put(
                "99th Percentile Corrected for Coordinated Omission (ms)",
                number(result.load()
                        .corrected()
                        .map(c -> c.perLabel().get(label))
                        .map(t -> t.p99Millis())));
        Optional<SampleStatistics> control =
                result.control().flatMap(run -> run.measurement().stream().findFirst());
        cells.put("Back-end Control Throughput (Requests/sec)", number(control.map(s -> s.throughputPerSecond())));
        cells.put(
                "Back-end Control Average Response Time (ms)",
                number(control.map(s -> s.all().meanMillis())));
        cells.put(
                "Gateway Overhead, Average Response Time (ms)",
                number(statistics.flatMap(
                        s -> control.map(c -> s.all().meanMillis() - c.all().meanMillis()))));
        cells.put(
                "Gateway Overhead, 99th Percentile (ms)",
                number(statistics.flatMap(
                        s -> control.map(c -> s.all().p99Millis() - c.all().p99Millis()))));
        Optional<Overhead> overhead = Overhead.of(info, result, label);
        cells.put(
                "Gateway Overhead, Average Response Time, 95% Confidence (± ms)",
                number(overhead.flatMap(o -> o.mean().halfWidth())));
        cells.put(
                "Gateway Overhead, 99th Percentile, 95% Confidence (± ms)",
                number(overhead.flatMap(o -> o.p99().halfWidth())));
        cells.put(
                "Gateway Overhead Verdict",
                overhead.map(o -> o.verdict().level().toString()).orElse(SummaryTable.NOT_AVAILABLE));
        cells.put(
                "Gateway Overhead Verdict Reasons",
                overhead.map(o -> o.verdict().codedReasons()).orElse(SummaryTable.NOT_AVAILABLE));
        requests(cells, result.load());
        repeats(cells, result, all, label);
        Optional<GcFigures> window = result.processes().stream()
                .filter(process -> process.role() == NodeRole.GATEWAY)
                .findFirst()
                .flatMap(ProcessReport::gcInWindow)
                .map(GcSummary::exact);
        cells.put("GC Throughput in the Window (%)", figure(window.map(GcFigures::gcThroughputPercent), 1));
        cells.put("Accumulated GC Pause in the Window (s)", figure(window.map(GcFigures::pauseTotalSeconds), 1));
        cells.put("GC Pauses in the Window", figure(window.map(GcFigures::pauseCount), 1));
        cells.put(
                "Memory Footprint After Full GC in the Window (M)",
                figure(window.map(GcFigures::footprintAfterFullGcMeanBytes), MEBIBYTE));
        for (ProcessReport process : result.processes()) {
            cells.put(
                    "Exact GC Throughput of " + process.name() + " (%)",
                    process.gc()
                            .map(gc -> gc.exact().gcThroughputPercent())
                            .map(f -> f.fold(value -> Numbers.text(value, 4), reason -> SummaryTable.NOT_AVAILABLE))
                            .orElse(SummaryTable.NOT_AVAILABLE));
        }
        cells.put("Load Generator CPU (%)", text(result.load().health().cpuOfMachinePercent(), 1));
        cells.put(
                "Load Generator Saturated",
                Boolean.toString(result.load().health().saturated()));
        return cells;
    }

    private static void requests(Map<String, String> cells, LoadRun load) {
        cells.put("Requests Sent in the Window", count(load, WindowRequests::sent));
        cells.put("Answers in the Window", count(load, WindowRequests::completed));
        cells.put("Answered After the Window", count(load, WindowRequests::answeredLate));
        cells.put("Never Answered", count(load, WindowRequests::unanswered));
    }

    private static String count(LoadRun load, ToLongFunction<WindowRequests> figure) {
        return load.requests()
                .map(requests -> Long.toString(figure.applyAsLong(requests)))
                .orElse(SummaryTable.NOT_AVAILABLE);
    }

    private static void repeats(
            Map<String, String> cells, RunResult.Completed shown, List<? extends RunResult> all, String label) {
        double[] throughputs = all.stream()
                .filter(result -> result.testCase().equals(shown.testCase()))
                .filter(RunResult.Completed.class::isInstance)
                .map(RunResult.Completed.class::cast)
                .flatMap(result -> statistics(result.load(), label).stream())
                .mapToDouble(SampleStatistics::throughputPerSecond)
                .toArray();
        cells.put("Repeats", Integer.toString(throughputs.length));
        Optional<double[]> interval = interval(throughputs);
        cells.put("Mean Throughput of Repeats (Requests/sec)", number(interval.map(i -> (i[0] + i[1]) / 2)));
        cells.put("Throughput 95% Confidence Low (Requests/sec)", number(interval.map(i -> i[0])));
        cells.put("Throughput 95% Confidence High (Requests/sec)", number(interval.map(i -> i[1])));
    }

    /** Returns Student's interval of the mean, if there are two repeats or more. */
    static Optional<double[]> interval(double[] values) {
        int n = values.length;
        if (n < 2) {
            return Optional.empty();
        }
        double mean = Arrays.stream(values).average().orElseThrow();
        double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
        double half =
                TDistribution.of(n - 1).inverseCumulativeProbability(TWO_SIDED_95) * Math.sqrt(squares / (n - 1) / n);
        return Optional.of(new double[] {mean - half, mean + half});
    }

    private static Optional<SampleStatistics> statistics(LoadRun load, String label) {
        return load.measurement().stream().filter(s -> s.label().equals(label)).findFirst();
    }

    private static String number(Optional<Double> value) {
        return value.map(v -> Numbers.text(v, 2)).orElse(SummaryTable.NOT_AVAILABLE);
    }

    private static String figure(Optional<Figure> figure, double unit) {
        return figure.map(f -> text(f, unit)).orElse(SummaryTable.NOT_AVAILABLE);
    }

    private static String text(Figure figure, double unit) {
        return figure.fold(value -> Numbers.text(value / unit, 3), reason -> SummaryTable.NOT_AVAILABLE);
    }
}
