/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.summary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.gatebench.model.GcStatistics;
import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestScenario;
import io.gatebench.report.column.Column;
import io.gatebench.report.column.GcColumn;
import io.gatebench.report.column.MeasuredCase;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.column.WholeGateway;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.summary.SummaryTable.Gap;
import io.gatebench.report.summary.SummaryTable.Row;

/** Turns the results of a run into published rows: one per measured case and sampler label. */
public final class SummaryRows {

    private static final String NO_GC_LOG = "there is no GC log of this process";
    private static final String NO_PROCESS = "the run had no such process";
    private static final String NOT_COLLECTED = "the host's metrics were not collected";

    private final RunManifest info;
    private final ReportOptions options;
    private final List<String> processes;
    private final List<String> columns;
    private final String messageColumn;
    private final boolean mixedMessages;
    private final List<Gap> gaps = new ArrayList<>();

    private SummaryRows(RunManifest info, List<? extends TestCaseResult> results, ReportOptions options) {
        this.info = info;
        this.options = options;
        Set<MessageLevel.Kind> kinds = results.stream()
                .map(result -> result.testCase().message().kind())
                .collect(Collectors.toSet());
        if (kinds.isEmpty()) {
            info.plan().scenarios().forEach(scenario -> kinds.add(scenario.messageKind()));
        }
        mixedMessages = kinds.size() > 1;
        messageColumn = mixedMessages || kinds.isEmpty()
                ? SummaryColumns.MESSAGE_SIZE
                : SummaryColumns.messageColumn(kinds.iterator().next());
        columns = SummaryColumns.wide(info.applicationName(), messageColumn, info.loadGenerators());
        String first = SummaryColumns.host("", SummaryColumns.HOST_METRICS.get(0));
        processes = columns.stream()
                .filter(column -> column.endsWith(first))
                .map(column -> column.substring(0, column.length() - first.length()))
                .toList();
    }

    /**
     * Returns the table of a run.
     *
     * <p>A case that was repeated has the row of its median repeat by throughput (of two the slower), so that all
     * figures of a row belong to one measurement. Cases without figures have no row.
     *
     * @param info the head of the run
     * @param results the results, in the order of the rows
     * @param options which statistics
     */
    public static SummaryTable of(RunManifest info, List<? extends TestCaseResult> results, ReportOptions options) {
        SummaryRows maker = new SummaryRows(info, results, options);
        List<Row> rows = new ArrayList<>();
        representatives(results).forEach(completed -> rows.addAll(maker.rows(completed)));
        return new SummaryTable(info.applicationName(), maker.messageColumn, maker.columns, rows, maker.gaps);
    }

    /** Returns the repeat that stands for each measured case, in the order of the results. */
    public static List<TestCaseResult.Completed> representatives(List<? extends TestCaseResult> results) {
        Map<String, List<TestCaseResult.Completed>> repeats = new LinkedHashMap<>();
        for (TestCaseResult result : results) {
            if (result instanceof TestCaseResult.Completed completed
                    && !completed.load().measurement().isEmpty()) {
                repeats.computeIfAbsent(completed.testCase().id(), id -> new ArrayList<>())
                        .add(completed);
            }
        }
        return repeats.values().stream().map(SummaryRows::median).toList();
    }

    private static TestCaseResult.Completed median(List<TestCaseResult.Completed> repeats) {
        return repeats.stream()
                .sorted(Comparator.comparingDouble(SummaryRows::throughput)
                        .thenComparingInt(TestCaseResult.Completed::repeat))
                .skip((repeats.size() - 1) / 2)
                .findFirst()
                .orElseThrow();
    }

    /** Returns the throughput of all labels together. */
    public static double throughput(TestCaseResult.Completed result) {
        return result.load().measurement().stream()
                .mapToDouble(SampleStatistics::throughputPerSecond)
                .sum();
    }

    /** Returns the name that published documents give a scenario, or its own name if the plan does not hold it. */
    public static String displayName(RunManifest info, String scenario) {
        return info.plan().scenarios().stream()
                .filter(candidate -> candidate.name().equals(scenario))
                .map(TestScenario::displayName)
                .findFirst()
                .orElse(scenario);
    }

    /**
     * Returns the name of a test case's scenario, with the limits and replicas of the gateway of which the plan has
     * several.
     */
    public static String displayName(RunManifest info, TestCase testCase) {
        String name = displayName(info, testCase.scenario());
        ParameterMatrix matrix = info.plan().matrix();
        return name
                + (matrix.gatewayCpus().size() > 1 ? ", CPUs: " + testCase.gatewayCpus() : "")
                + (matrix.gatewayMemory().size() > 1
                        ? ", memory: " + testCase.gatewayMemory().orElseThrow()
                        : "")
                + (matrix.gatewayReplicas().size() > 1 ? ", replicas: " + testCase.gatewayReplicas() : "");
    }

    private List<Row> rows(TestCaseResult.Completed result) {
        List<Row> rows = new ArrayList<>();
        for (SampleStatistics statistics : result.load().measurement()) {
            Map<String, String> cells = new LinkedHashMap<>();
            keys(cells, result.testCase());
            MeasuredCase row = new MeasuredCase(
                    info,
                    result,
                    statistics,
                    options.statistics() == ReportOptions.Statistics.WSO2 ? statistics.published() : statistics.all(),
                    List.of());
            SummaryColumns.LOAD.forEach(column -> cells.put(column.header(), column.text(row)));
            SummaryColumns.FURTHER.forEach(column -> cells.put(column.header(), column.text(row)));
            for (String process : processes) {
                gc(cells, process, result, rows.isEmpty());
            }
            for (String process : processes) {
                host(cells, process, result, rows.isEmpty());
            }
            rows.add(new Row(result.testCase().id(), Optional.of(result.testCase()), cells));
        }
        return rows;
    }

    private void keys(Map<String, String> cells, TestCase testCase) {
        cells.put(SummaryColumns.SCENARIO, displayName(info, testCase));
        cells.put(SummaryColumns.HEAP, testCase.heap().toString());
        cells.put(SummaryColumns.USERS, Integer.toString(testCase.users()));
        cells.put(messageColumn, message(testCase.message()));
        cells.put(SummaryColumns.DELAY, Long.toString(testCase.backendDelay().toMillis()));
    }

    private String message(MessageLevel message) {
        if (!mixedMessages) {
            return Integer.toString(message.value());
        }
        return switch (message.kind()) {
            case SIZE_BYTES -> Integer.toString(message.value());
            case GRAPHQL_QUERY -> "query " + message.value();
            case ELEMENTS -> message.value() + " elements";
        };
    }

    private Optional<ProcessReport> process(String name, TestCaseResult.Completed result) {
        Optional<ProcessReport> named = result.processes().stream()
                .filter(process -> process.name().equals(name))
                .findFirst();
        if (named.isPresent() || !name.equals(info.applicationName())) {
            return named;
        }
        return info.variant() == RunManifest.Variant.BACKEND
                ? result.processes().stream()
                        .filter(process -> process.role() == NodeRole.BACKEND)
                        .findFirst()
                : WholeGateway.of(result.processes());
    }

    private void gc(Map<String, String> cells, String name, TestCaseResult.Completed result, boolean firstRow) {
        Optional<ProcessReport> process = process(name, result);
        Optional<GcSummary> gc = process.flatMap(ProcessReport::gc);
        Optional<GcStatistics> figures = gc.map(GcSummary::compat);
        // GCViewer cuts the heap to whole MiB, where the published columns have three decimals.
        Optional<GcStatistics> heap =
                options.statistics() == ReportOptions.Statistics.WSO2 ? figures : gc.map(SummaryRows::measured);
        String id = result.testCase().id();
        if (figures.isEmpty() && firstRow) {
            gaps.add(new Gap(id, name + " GC", process.isPresent() ? NO_GC_LOG : NO_PROCESS));
        }
        for (GcColumn column : GcColumn.values()) {
            Optional<GcStatistics> of = column == GcColumn.THROUGHPUT ? figures : heap;
            cells.put(
                    column.header(name),
                    of.map(read -> gcText(column, read, name, id)).orElse(Column.NOT_AVAILABLE));
        }
    }

    /** Returns the exact figures of the heap if the log gives them all, else those of the published reading. */
    public static GcStatistics measured(GcSummary gc) {
        return gc.exact().footprintAfterFullGcMeanBytes().value().isPresent()
                        || gc.compat().footprintAfterFullGcMeanBytes().value().isEmpty()
                ? gc.exact()
                : gc.compat();
    }

    /** As published: empty where a log is at hand but does not tell. */
    private String gcText(GcColumn column, GcStatistics figures, String name, String id) {
        return column.of(figures).fold(column::text, reason -> {
            gaps.add(new Gap(id, column.header(name), reason));
            return "";
        });
    }

    private void host(Map<String, String> cells, String name, TestCaseResult.Completed result, boolean firstRow) {
        Optional<ProcessReport> process = process(name, result);
        Map<String, MeasuredValue> metrics =
                process.map(ProcessReport::hostMetrics).orElse(Map.of());
        List<String> missing = new ArrayList<>();
        Map<String, List<String>> absent = new LinkedHashMap<>();
        List<String> names = new ArrayList<>(SummaryColumns.HOST_METRICS);
        if (SummaryColumns.hasPerfCounters(name)) {
            names.addAll(SummaryColumns.PERF_METRICS);
        }
        for (String metric : names) {
            MeasuredValue figure = metrics.get(metric);
            String cell;
            if (figure == null) {
                missing.add(metric);
                cell = SummaryTable.NOT_AVAILABLE;
            } else {
                cell = figure.fold(value -> Numbers.text(value, 2), reason -> {
                    absent.computeIfAbsent(reason, r -> new ArrayList<>()).add(metric);
                    return SummaryTable.NOT_AVAILABLE;
                });
            }
            cells.put(SummaryColumns.host(name, metric), cell);
        }
        if (firstRow) {
            hostGaps(name, result.testCase().id(), process.isPresent(), missing, absent, names.size());
        }
    }

    private void hostGaps(
            String name, String id, boolean present, List<String> missing, Map<String, List<String>> absent, int all) {
        if (!missing.isEmpty()) {
            gaps.add(new Gap(id, hostColumns(name, missing, all), present ? NOT_COLLECTED : NO_PROCESS));
        }
        absent.forEach((reason, metrics) -> gaps.add(new Gap(id, hostColumns(name, metrics, all), reason)));
    }

    private static String hostColumns(String name, List<String> metrics, int all) {
        return metrics.size() == all ? name + " host metrics" : name + " - " + String.join(", ", metrics);
    }
}
