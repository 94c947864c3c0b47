/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.gatebench.model.GatewayRestart;
import io.gatebench.model.GcStatistics;
import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SystemInformation;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.Cells;
import io.gatebench.report.column.GcColumn;
import io.gatebench.report.column.MeasuredCase;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.column.WholeGateway;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.RunRules;

/** Brings our own run results into the neutral form, under the published column names and with all their digits. */
public final class RunResultRows {

    /** The column that says why a case has no figures; only rows of such cases have it. */
    public static final String FAILURE = "Failure";

    /** The column that says how samples failed most often; only rows of cases with failed samples have it. */
    public static final String MAX_FAILURES = "Most Failures";

    /** The column that says which load model a case had, without its users, which are part of the key. */
    public static final String LOAD_MODEL = "Load Model";

    /** The column that says what a run shares with another whose figures can stand beside its own. */
    public static final String SET_UP = "Set-Up";

    /**
     * The column that describes the machine of a gateway that had processors for itself and was measured once the load was
     * steady; the figures of such a gateway vary less from one run to the next.
     */
    public static final String STEADY_ON = "Steady On";

    /** The column of the instant at which a case began, in the form of ISO 8601. */
    public static final String STARTED = "Started";

    /** The column that is there where a gateway was not started anew for each case, so that cases share how fast it is. */
    public static final String KEPT_GATEWAY = "Kept Gateway";

    /** The column of the verdict that a run's own report gave, as {@link Level} writes it. */
    public static final String VERDICT = "verdict";

    /** The column of the reasons of that verdict, each behind the identifier of its rule. */
    public static final String VERDICT_REASONS = "verdictReasons";

    /** The load model in which every user always waits for an answer. */
    public static final String CLOSED = "closed";

    private static final int DECIMALS = 6;
    private static final List<GcColumn> OF_GC_LOG =
            List.of(GcColumn.THROUGHPUT, GcColumn.FOOTPRINT, GcColumn.FOOTPRINT_AFTER_FULL_GC);

    private static final String EARLIER_VERDICT = "Verdict";
    private static final String EARLIER_VERDICT_REASONS = "Verdict Reasons";

    private RunResultRows() {}

    /** Returns the verdict that a row of a table of ours holds, also under the name of earlier versions. */
    public static Optional<String> verdict(ResultRow row) {
        return Optional.ofNullable(row.cells().get(VERDICT))
                .or(() -> Optional.ofNullable(row.cells().get(EARLIER_VERDICT)));
    }

    /** Returns the reasons of that verdict. */
    public static Optional<String> verdictReasons(ResultRow row) {
        return Optional.ofNullable(row.cells().get(VERDICT_REASONS))
                .or(() -> Optional.ofNullable(row.cells().get(EARLIER_VERDICT_REASONS)));
    }

    /** Returns the rows of any run result: those of a completed case, or one row without figures that says why. */
    public static List<ResultRow> of(RunManifest info, TestCaseResult result) {
        List<ResultRow> rows = result.fold(
                completed -> of(info, completed),
                failed -> List.of(without(info, failed, "the case failed: " + failed.detail())),
                skipped -> List.of(without(info, skipped, "the case was skipped: " + skipped.why())));
        return rows.isEmpty() ? List.of(without(info, result, "no sample fell into the measurement window")) : rows;
    }

    private static ResultRow without(RunManifest info, TestCaseResult result, String why) {
        return new ResultRow(
                key(info, result.testCase()),
                result.repeat(),
                Map.of(FAILURE, why),
                result.testCase().id() + "/result.json",
                0);
    }

    /**
     * Returns one row per sampler label of the measurement, each with what the rules say of the run; none if nothing was
     * measured in it.
     *
     * @param info the head of the run, for the scenario's display name
     * @param result a completed case
     */
    public static List<ResultRow> of(RunManifest info, TestCaseResult.Completed result) {
        CellKey key = key(info, result.testCase());
        List<Finding> findings = RunRules.judge(result);
        List<ResultRow> rows = new ArrayList<>();
        for (SampleStatistics statistics : result.load().measurement()) {
            Cells cells = new Cells();
            cells.text(SummaryColumns.LABEL, statistics.label());
            result.load().method().ifPresent(method -> cells.text(LOAD_MODEL, method.model()));
            cells.text(SET_UP, setUp(info, result));
            noise(cells, info, result);
            result.load().failures().entrySet().stream()
                    .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .ifPresent(most -> cells.text(MAX_FAILURES, most.getKey()));
            figures(cells, MeasuredCase.exact(info, result, statistics, List.of()));
            SeriesNoise.write(cells, result.load());
            Optional<ProcessReport> gateway = WholeGateway.of(result.processes());
            for (ProcessReport process : result.processes()) {
                boolean whole = gateway.filter(process::equals).isPresent();
                process(cells, whole ? info.applicationName() : process.name(), process);
            }
            gateway.filter(whole -> !result.processes().contains(whole))
                    .ifPresent(whole -> process(cells, info.applicationName(), whole));
            boolean several = result.load().measurement().size() > 1;
            rows.add(new ResultRow(
                    several ? key.withVariant(statistics.label()) : key,
                    result.repeat(),
                    cells,
                    result.testCase().id() + "/result.json",
                    0,
                    findings));
        }
        return List.copyOf(rows);
    }

    /** Names who had which processors, when the gateway was started anew, and what ended the warm-up; separated by semicolons. */
    private static String setUp(RunManifest info, TestCaseResult.Completed result) {
        return "processors of the gateway alone " + processors(result, NodeRole.GATEWAY) + "; of back end "
                + processors(result, NodeRole.BACKEND) + " and load generator "
                + processors(result, NodeRole.LOAD_GENERATOR)
                + "; restart " + info.plan().restart().optionName() + "; warm-up "
                + (info.plan().timing().untilSteady() ? "until the load is steady" : "of a given length");
    }

    private static void noise(Cells cells, RunManifest info, TestCaseResult.Completed result) {
        cells.text(STARTED, result.started().toString());
        if (info.plan().restart() != GatewayRestart.CASE) {
            cells.text(KEPT_GATEWAY, info.plan().restart().optionName());
        }
        boolean own =
                !result.processors().getOrDefault(NodeRole.GATEWAY, List.of()).isEmpty();
        if (own && info.plan().timing().untilSteady() && !info.systems().isEmpty()) {
            cells.text(
                    STEADY_ON,
                    info.systems().get(0).rows().stream()
                            .map(SystemInformation.Row::value)
                            .collect(Collectors.joining("; ")));
        }
    }

    private static String processors(TestCaseResult.Completed result, NodeRole role) {
        List<Integer> own = result.processors().getOrDefault(role, List.of());
        return own.isEmpty() ? "shared" : Integer.toString(own.size());
    }

    /** Returns the key of the rows of a case, with the name that published documents give its scenario. */
    public static CellKey key(RunManifest info, TestCase testCase) {
        return CellKey.of(testCase, SummaryRows.displayName(info, testCase.scenario()));
    }

    private static void figures(Cells cells, MeasuredCase row) {
        for (Metric metric : Metric.values()) {
            if (!metric.ofProcess()) {
                metric.asColumn()
                        .of()
                        .apply(row)
                        .value()
                        .ifPresent(value -> cells.number(metric.column(), value, DECIMALS));
            }
        }
    }

    private static void process(Cells cells, String name, ProcessReport process) {
        for (GcColumn column : OF_GC_LOG) {
            cells.number(
                    column.header(name),
                    process.gc()
                            .map(gc -> column.of(figures(column, gc)))
                            .orElse(MeasuredValue.absent("there is no GC log of this process")),
                    DECIMALS);
        }
        new TreeMap<>(process.hostMetrics())
                .forEach((metric, figure) -> cells.number(SummaryColumns.host(name, metric), figure, DECIMALS));
    }

    private static GcStatistics figures(GcColumn column, GcSummary gc) {
        if (column != GcColumn.THROUGHPUT) {
            return SummaryRows.measured(gc);
        }
        // A stored result of an earlier version may lack the exact figure.
        return gc.exact().gcThroughputPercent().value().isPresent() ? gc.exact() : gc.compat();
    }
}
