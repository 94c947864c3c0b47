/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.commons.statistics.distribution.TDistribution;

import io.gatebench.model.GcStatistics;
import io.gatebench.model.GcSummary;
import io.gatebench.model.LoadResult;
import io.gatebench.model.LoadResult.WindowRequests;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.Column;
import io.gatebench.report.column.MeasuredCase;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Metric.Better;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.column.Unit;
import io.gatebench.report.column.WholeGateway;
import io.gatebench.report.judge.Overhead;
import io.gatebench.report.judge.Overheads;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;

/** Our columns, which follow the published ones when all columns are wanted. */
public final class ExtendedColumns {

    private static final double MEBIBYTE = 1 << 20;
    private static final double TWO_SIDED_95 = 0.975;
    private static final int OF_LOAD = 2;
    private static final int OF_PROCESS = 3;
    private static final int EXACT = 4;

    private final List<Column<?>> beforeProcesses = List.of(
            text(
                    "Test Case",
                    "the test case's path in the results directory",
                    row -> row.result().testCase().id()),
            text("Started", "when it started", row -> row.result().started().toString()),
            Metric.P50.asColumn(),
            number(
                    "Successful Throughput (Requests/sec)",
                    "throughput without failed samples",
                    Better.HIGHER,
                    row -> Optional.of(row.statistics().throughputPerSecond()
                            * (row.statistics().samples() - row.statistics().errors())
                            / row.statistics().samples())),
            number(
                    "Average Response Time of Successes (ms)",
                    "mean without failed samples",
                    Better.LOWER,
                    row -> row.statistics().successes().map(t -> t.meanMillis())),
            number(
                    "99th Percentile of Successes (ms)",
                    "the same for the percentile",
                    Better.LOWER,
                    row -> row.statistics().successes().map(t -> t.p99Millis())),
            number(
                    "99th Percentile Corrected for Coordinated Omission (ms)",
                    "[load models](../concepts/load-models-and-coordinated-omission.md)",
                    Better.LOWER,
                    row -> row.result()
                            .load()
                            .corrected()
                            .map(c -> c.perLabel().get(row.statistics().label()))
                            .map(t -> t.p99Millis())),
            number(
                    "Back-end Control Throughput (Requests/sec)",
                    "the same load straight at the back end",
                    Better.NEITHER,
                    row -> control(row).map(s -> s.throughputPerSecond())),
            number(
                    "Back-end Control Average Response Time (ms)",
                    "the same",
                    Better.NEITHER,
                    row -> control(row).map(s -> s.all().meanMillis())),
            number(
                    "Gateway Overhead, Average Response Time (ms)",
                    "gateway - control run",
                    Better.LOWER,
                    row -> control(row)
                            .map(c -> row.statistics().all().meanMillis()
                                    - c.all().meanMillis())),
            number(
                    "Gateway Overhead, 99th Percentile (ms)",
                    "the same for the percentile",
                    Better.LOWER,
                    row -> control(row)
                            .map(c ->
                                    row.statistics().all().p99Millis() - c.all().p99Millis())),
            number(
                    "Gateway Overhead, Average Response Time, 95% Confidence (± ms)",
                    "half of its 95 % interval: [overhead](../concepts/throughput.md#gateway-overhead)",
                    Better.NEITHER,
                    row -> overhead(row).flatMap(o -> o.mean().halfWidth())),
            number(
                    "Gateway Overhead, 99th Percentile, 95% Confidence (± ms)",
                    "the same for the percentile",
                    Better.NEITHER,
                    row -> overhead(row).flatMap(o -> o.p99().halfWidth())),
            text(
                    "Gateway Overhead Verdict",
                    "the worst that the rules say of the test case, of its control run and of the difference",
                    row -> overhead(row)
                            .map(o -> o.verdict().level().toString())
                            .orElse(Column.NOT_AVAILABLE)),
            text(
                    "Gateway Overhead Verdict Reasons",
                    "as in `verdictReasons`",
                    row -> overhead(row).map(o -> o.verdict().codedReasons()).orElse(Column.NOT_AVAILABLE)),
            requests(
                    "Requests Sent in the Window",
                    "samples that started in the measurement window",
                    WindowRequests::sent),
            requests("Answers in the Window", "what the throughput counts", WindowRequests::completed),
            requests(
                    "Answered After the Window",
                    "requests of the window whose responses came after it",
                    WindowRequests::answeredLate),
            requests("Never Answered", "requests of the window that were given up", WindowRequests::unanswered),
            text("Repeats", "how often the test case was measured", row -> Integer.toString(throughputs(row).length)),
            number(
                    "Mean Throughput of Repeats (Requests/sec)",
                    "over the repeats, from two on",
                    Better.HIGHER,
                    row -> interval(throughputs(row)).map(i -> (i[0] + i[1]) / 2)),
            number(
                    "Throughput 95% Confidence Low (Requests/sec)",
                    "lower end of its interval by Student's distribution",
                    Better.NEITHER,
                    row -> interval(throughputs(row)).map(i -> i[0])),
            number(
                    "Throughput 95% Confidence High (Requests/sec)",
                    "upper end",
                    Better.NEITHER,
                    row -> interval(throughputs(row)).map(i -> i[1])),
            inWindow(
                    "GC Throughput in the Window (%)",
                    "of the gateway in the measurement window",
                    Unit.PERCENT,
                    Better.HIGHER,
                    GcStatistics::gcThroughputPercent,
                    1),
            inWindow(
                    "Accumulated GC Pause in the Window (s)",
                    "the same",
                    Unit.NONE,
                    Better.LOWER,
                    GcStatistics::pauseTotalSeconds,
                    1),
            inWindow("GC Pauses in the Window", "their number", Unit.NONE, Better.LOWER, GcStatistics::pauseCount, 1),
            inWindow(
                    "Memory Footprint After Full GC in the Window (M)",
                    "mean",
                    Unit.MEBIBYTES,
                    Better.LOWER,
                    GcStatistics::footprintAfterFullGcMeanBytes,
                    MEBIBYTE));

    private final List<Column<?>> afterProcesses = Stream.<Column<?>>concat(
                    Stream.of(
                            Column.figure(
                                    "Load Generator CPU (%)",
                                    "of all processors of its host",
                                    Unit.PERCENT,
                                    Better.NEITHER,
                                    OF_PROCESS,
                                    row -> row.result().load().health().cpuOfMachinePercent()),
                            text(
                                    "Load Generator Saturated",
                                    "`true` if it waited for processors itself",
                                    row -> Boolean.toString(
                                            row.result().load().health().saturated()))),
                    SummaryColumns.FURTHER.stream().filter(column -> !column.equals(Metric.P50.asColumn())))
            .toList();

    private final Overheads overheads;

    private ExtendedColumns(Overheads overheads) {
        this.overheads = overheads;
    }

    /**
     * Returns the columns of the reference, in their order.
     *
     * @param processes the names of the processes
     */
    public static List<Column<?>> of(List<String> processes) {
        return new ExtendedColumns((result, label) -> Optional.empty()).with(processes);
    }

    /**
     * Returns the table with our columns behind those it has.
     *
     * @param info the head of the run
     * @param results all results
     * @param table the published columns and those of the verdict
     * @param overheads those of the results
     */
    public static SummaryTable appended(
            RunManifest info, List<? extends TestCaseResult> results, SummaryTable table, Overheads overheads) {
        return new ExtendedColumns(overheads).behind(info, results, table);
    }

    private SummaryTable behind(RunManifest info, List<? extends TestCaseResult> results, SummaryTable table) {
        Map<String, TestCaseResult.Completed> shown = SummaryRows.representatives(results).stream()
                .collect(Collectors.toMap(result -> result.testCase().id(), Function.identity()));
        List<SummaryTable.Row> rows = new ArrayList<>();
        Set<String> own = new LinkedHashSet<>();
        Set<String> hostColumns = new TreeSet<>();
        for (SummaryTable.Row row : table.rows()) {
            TestCaseResult.Completed result = shown.get(row.id());
            Optional<SampleStatistics> statistics = Optional.ofNullable(result)
                    .flatMap(found -> statistics(found.load(), row.text(SummaryColumns.LABEL)));
            Map<String, String> cells = new LinkedHashMap<>(row.cells());
            if (result != null && statistics.isPresent()) {
                MeasuredCase measured = MeasuredCase.exact(info, result, statistics.get(), results);
                List<String> processes =
                        result.processes().stream().map(ProcessReport::name).toList();
                for (Column<?> column : with(processes)) {
                    own.add(column.header());
                    cells.put(column.header(), column.text(measured));
                }
                for (ProcessReport process : withWhole(result.processes())) {
                    process.hostMetrics().forEach((metric, figure) -> {
                        String column = SummaryColumns.host(process.name(), metric);
                        if (!row.cells().containsKey(column)) {
                            hostColumns.add(column);
                            cells.put(column, Column.rounded(OF_PROCESS).apply(figure));
                        }
                    });
                }
            }
            rows.add(new SummaryTable.Row(row.id(), row.testCase(), cells));
        }
        List<String> columns = new ArrayList<>(table.columns());
        columns.addAll(own);
        columns.addAll(hostColumns);
        return new SummaryTable(table.applicationName(), table.messageColumn(), columns, rows, table.gaps());
    }

    /** Replicas have columns of their own, and those of the gateway are of all of them. */
    private static List<ProcessReport> withWhole(List<ProcessReport> processes) {
        return Stream.concat(
                        processes.stream(),
                        WholeGateway.of(processes).filter(whole -> !processes.contains(whole)).stream())
                .toList();
    }

    private List<Column<?>> with(List<String> processes) {
        List<Column<?>> all = new ArrayList<>(beforeProcesses);
        for (String process : processes) {
            all.add(Column.figure(
                    "Exact GC Throughput of " + process + " (%)",
                    "part of the process's whole life outside of pauses, one column for each process",
                    Unit.PERCENT,
                    Better.HIGHER,
                    EXACT,
                    row -> row.result().processes().stream()
                            .filter(candidate -> candidate.name().equals(process))
                            .findFirst()
                            .flatMap(ProcessReport::gc)
                            .map(gc -> gc.exact().gcThroughputPercent())
                            .orElseGet(() -> MeasuredValue.absent("there is no GC log of this process"))));
        }
        all.addAll(afterProcesses);
        return all;
    }

    private static Column<String> text(String header, String meaning, Function<MeasuredCase, String> of) {
        return Column.text(header, meaning, of);
    }

    private static Column<MeasuredValue> number(
            String header, String meaning, Better better, Function<MeasuredCase, Optional<Double>> of) {
        return Column.figure(
                header,
                meaning,
                header.contains("Requests/sec") ? Unit.PER_SECOND : Unit.MILLISECONDS,
                better,
                OF_LOAD,
                row -> of.apply(row)
                        .map(MeasuredValue::of)
                        .orElseGet(() -> MeasuredValue.absent("it was not measured")));
    }

    private static Column<String> requests(String header, String meaning, ToLongFunction<WindowRequests> of) {
        return text(
                header,
                meaning,
                row -> row.result()
                        .load()
                        .requests()
                        .map(requests -> Long.toString(of.applyAsLong(requests)))
                        .orElse(Column.NOT_AVAILABLE));
    }

    private static Column<MeasuredValue> inWindow(
            String header,
            String meaning,
            Unit unit,
            Better better,
            Function<GcStatistics, MeasuredValue> figure,
            double divisor) {
        return Column.figure(
                header,
                meaning,
                unit,
                better,
                OF_PROCESS,
                row -> WholeGateway.of(row.result().processes())
                        .flatMap(ProcessReport::gcInWindow)
                        .map(GcSummary::exact)
                        .map(figure)
                        .map(found -> found.<MeasuredValue>fold(
                                value -> MeasuredValue.of(value / divisor), MeasuredValue::absent))
                        .orElseGet(() -> MeasuredValue.absent("there is no GC log of the gateway")));
    }

    private static Optional<SampleStatistics> control(MeasuredCase row) {
        return row.result().control().flatMap(run -> run.measurement().stream().findFirst());
    }

    private Optional<Overhead> overhead(MeasuredCase row) {
        return overheads.of(row.result(), row.statistics().label());
    }

    private static double[] throughputs(MeasuredCase row) {
        return row.repeats().stream()
                .filter(result -> result.testCase().equals(row.result().testCase()))
                .filter(TestCaseResult.Completed.class::isInstance)
                .map(TestCaseResult.Completed.class::cast)
                .flatMap(result -> statistics(result.load(), row.statistics().label()).stream())
                .mapToDouble(SampleStatistics::throughputPerSecond)
                .toArray();
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

    private static Optional<SampleStatistics> statistics(LoadResult load, String label) {
        return load.measurement().stream().filter(s -> s.label().equals(label)).findFirst();
    }
}
