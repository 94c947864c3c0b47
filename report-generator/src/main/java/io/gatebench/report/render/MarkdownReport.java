/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SystemInformation;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.judge.Overhead;
import io.gatebench.report.judge.Overheads;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.page.ForeignText;
import io.gatebench.report.page.Templates;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.summary.SummaryTable.Gap;
import io.gatebench.report.verdict.Verdict;

/** The published document {@code summary.md} in the form that the run's variant has. */
public final class MarkdownReport {

    private static final int MAX_CASES_NAMED = 3;

    private MarkdownReport() {}

    /**
     * Returns the document.
     *
     * @param info the head of the run
     * @param results all results
     * @param table the rows
     * @param verdicts one verdict per row, in their order
     * @param missed one sentence for each threshold that a test case did not meet
     * @param overheads those of the results
     * @param options where the user's templates are
     */
    public static String text(
            RunManifest info,
            List<? extends TestCaseResult> results,
            SummaryTable table,
            List<Verdict> verdicts,
            List<String> missed,
            Overheads overheads,
            ReportOptions options) {
        Map<String, Object> model = model(info, results, table, overheads);
        model.put("verdicts", verdicts(table, verdicts));
        model.put("limits", Scaling.limits(info));
        model.put("scaling", Scaling.rows(info, results, table, verdicts));
        model.put("missed", missed.stream().map(MarkdownReport::line).toList());
        return new Templates(options.templates()).render("summary.md.ftl", model);
    }

    static Map<String, Object> model(
            RunManifest info, List<? extends TestCaseResult> results, SummaryTable table, Overheads overheads) {
        PerfPlan plan = info.plan();
        ParameterMatrix matrix = plan.matrix();
        Set<MessageLevel.Kind> kinds = plan.scenarios().stream()
                .map(scenario -> scenario.messageKind())
                .collect(Collectors.toSet());
        RunFacts facts = new RunFacts(info, results);
        boolean onAws = facts.onAws();
        Map<String, Object> model = new HashMap<>();
        model.put("applicationName", info.applicationName());
        model.put("variant", info.variant().name());
        model.put("product", plan.product());
        model.put("profile", plan.profile());
        model.put("runId", info.runId());
        model.put("toolVersion", info.toolVersion());
        model.put("versions", new LinkedHashMap<>(new TreeMap<>(info.versions())));
        model.put("scenarios", scenarios(plan));
        model.put("heaps", joined(matrix.heaps()));
        model.put("users", joined(matrix.users()));
        model.put("sizes", kinds.contains(MessageLevel.Kind.SIZE_BYTES) ? joined(matrix.messageSizes()) : "");
        model.put("queries", kinds.contains(MessageLevel.Kind.GRAPHQL_QUERY) ? joined(matrix.queries()) : "");
        model.put("elements", kinds.contains(MessageLevel.Kind.ELEMENTS) ? joined(matrix.elements()) : "");
        model.put(
                "delays",
                joined(matrix.backendDelays().stream().map(Duration::toMillis).toList()));
        model.put(
                "duration",
                (plan.timing().untilSteady() ? "at most " : "")
                        + seconds(plan.timing().duration()));
        model.put(
                "warmUp",
                plan.timing().untilSteady()
                        ? "until the load is steady, at most "
                                + seconds(plan.timing().warmUp())
                        : seconds(plan.timing().warmUp()));
        model.put("onAws", onAws);
        model.put("environment", info.environment());
        model.put("stacks", Integer.toString(info.stacks()));
        model.put("systems", systems(onAws ? facts.gatewayMachines() : info.systems()));
        model.put("instanceType", onAws ? facts.value("Instance Type").orElse("") : "");
        model.put("container", line(facts.container()));
        model.put("cpuLimit", facts.cpuLimit());
        model.put("memoryLimit", facts.memoryLimit());
        model.put("plannedCpus", facts.plannedCpus());
        model.put("untilSteady", plan.timing().untilSteady());
        model.put("machine", line(facts.machine()));
        model.put("deployment", facts.deployment());
        model.put("gcFlags", facts.gcFlags());
        model.put("table", MarkdownTable.all(table));
        model.put("remarks", info.notes().stream().map(MarkdownReport::line).toList());
        model.put("openLoads", openLoads(results));
        model.put("usersAlwaysWait", facts.usersAlwaysWait());
        model.put("exactGc", exactGc(results));
        model.put("overheads", overheads(results, overheads));
        model.put("ownClient", facts.ownClient());
        model.put("unmeasured", unmeasured(results));
        model.put("gaps", publishedGaps(table));
        return model;
    }

    private static List<Map<String, String>> scenarios(PerfPlan plan) {
        return plan.scenarios().stream()
                .map(scenario -> Map.of(
                        "name", scenario.name(),
                        "displayName", scenario.displayName(),
                        "description", scenario.description()))
                .toList();
    }

    private static List<Map<String, Object>> systems(List<SystemInformation> systems) {
        List<Map<String, Object>> models = new ArrayList<>();
        for (SystemInformation system : systems) {
            Map<String, Object> model = new HashMap<>();
            model.put("host", system.host());
            model.put("ordinal", ordinal(models.size() + 1));
            model.put(
                    "rows",
                    system.rows().stream()
                            .map(row -> Map.of(
                                    "systemClass", line(row.systemClass()),
                                    "subclass", line(row.subclass()),
                                    "description", line(row.description()),
                                    "value", line(row.value())))
                            .toList());
            models.add(model);
        }
        return models;
    }

    static String ordinal(int number) {
        int lastTwo = number % 100;
        if (lastTwo >= 11 && lastTwo <= 13) {
            return number + "th";
        }
        return switch (number % 10) {
            case 1 -> number + "st";
            case 2 -> number + "nd";
            case 3 -> number + "rd";
            default -> number + "th";
        };
    }

    private static List<Map<String, String>> verdicts(SummaryTable table, List<Verdict> verdicts) {
        List<Map<String, String>> lines = new ArrayList<>();
        Set<String> seen = new LinkedHashSet<>();
        for (int i = 0; i < verdicts.size(); i++) {
            String id = table.rows().get(i).id();
            if (seen.add(id)) {
                lines.add(Map.of(
                        "id", ForeignText.markdownCell(id),
                        "level", verdicts.get(i).level().toString(),
                        "reasons", ForeignText.markdownCell(verdicts.get(i).codedReasons())));
            }
        }
        return lines;
    }

    /** Returns the exact figures of logs with few collections, from which the published formula is far. */
    private static List<Map<String, String>> exactGc(List<? extends TestCaseResult> results) {
        List<Map<String, String>> lines = new ArrayList<>();
        for (TestCaseResult.Completed result : SummaryRows.representatives(results)) {
            for (ProcessReport process : result.processes()) {
                process.gc()
                        .ifPresent(gc -> lines.add(Map.of(
                                "id", ForeignText.markdownCell(result.testCase().id()),
                                "process", ForeignText.markdownCell(process.name()),
                                "throughput", percent(gc.exact().gcThroughputPercent()),
                                "footprint", mebibytes(SummaryRows.measured(gc).footprintBytes()),
                                "after", mebibytes(SummaryRows.measured(gc).footprintAfterFullGcMeanBytes()))));
            }
        }
        return lines;
    }

    private static List<Map<String, String>> overheads(List<? extends TestCaseResult> results, Overheads overheads) {
        List<Map<String, String>> lines = new ArrayList<>();
        for (TestCaseResult.Completed result : SummaryRows.representatives(results)) {
            for (SampleStatistics statistics : result.load().measurement()) {
                overheads
                        .of(result, statistics.label())
                        .ifPresent(overhead -> lines.add(Map.of(
                                "id",
                                ForeignText.markdownCell(result.testCase().id()
                                        + (result.load().measurement().size() > 1 ? ", " + statistics.label() : "")),
                                "mean",
                                difference(overhead.mean()),
                                "p99",
                                difference(overhead.p99()),
                                "level",
                                overhead.verdict().level().toString(),
                                "reasons",
                                ForeignText.markdownCell(overhead.verdict().codedReasons()))));
            }
        }
        return lines;
    }

    private static String difference(Overhead.Difference difference) {
        return Numbers.text(difference.millis(), 2)
                + difference
                        .halfWidth()
                        .map(half -> " ± " + Numbers.text(half, 2))
                        .orElse("");
    }

    private static String percent(MeasuredValue figure) {
        return figure.fold(value -> Numbers.text(value, 4), reason -> "");
    }

    private static String mebibytes(MeasuredValue figure) {
        return figure.fold(value -> Numbers.text(value / (1 << 20), 3), reason -> "");
    }

    private static String seconds(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " seconds" : time.toMillis() + " milliseconds";
    }

    private static String joined(Collection<?> values) {
        return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static List<String> unmeasured(List<? extends TestCaseResult> results) {
        List<String> lines = new ArrayList<>();
        for (TestCaseResult result : results) {
            String name = name(result);
            String reason = result.fold(
                    completed -> completed.load().measurement().isEmpty()
                            ? "no sample fell into the measurement window"
                            : "",
                    failed ->
                            failed.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": " + failed.detail(),
                    skipped -> "not run: " + skipped.why());
            if (!reason.isEmpty()) {
                lines.add(line("`" + name + "`: " + reason));
            }
        }
        return lines;
    }

    private static List<String> openLoads(List<? extends TestCaseResult> results) {
        List<String> lines = new ArrayList<>();
        for (TestCaseResult result : results) {
            if (result instanceof TestCaseResult.Completed completed) {
                completed
                        .load()
                        .open()
                        .ifPresent(open -> lines.add("`" + name(result) + "`: " + open.usersNeeded() + " of "
                                + open.usersAvailable() + " users; " + open.started() + " of " + open.intended()
                                + " requests sent, " + open.late() + " of them late"));
            }
        }
        return lines;
    }

    private static String name(TestCaseResult result) {
        return result.testCase().id() + (result.repeat() > 1 ? ", repeat " + result.repeat() : "");
    }

    /** One line per reason, for the columns of the published table alone: the wide CSV has its own list. */
    private static List<String> publishedGaps(SummaryTable table) {
        Map<String, Set<String>> cases = new LinkedHashMap<>();
        for (Gap gap : table.gaps()) {
            String column = gap.column();
            boolean published = column.equals(table.applicationName() + " GC")
                    || column.equals(table.applicationName() + " GC Throughput (%)")
                    || column.equals("Average " + table.applicationName() + " Memory Footprint After Full GC (M)");
            if (published) {
                cases.computeIfAbsent(
                                (column.endsWith(" GC") ? column + " columns" : column) + ": " + gap.reason(),
                                key -> new LinkedHashSet<>())
                        .add(gap.id());
            }
        }
        List<String> lines = new ArrayList<>();
        cases.forEach((reason, ids) ->
                lines.add(line(reason + " (" + which(ids, table.rows().size()) + ")")));
        return lines;
    }

    private static String which(Set<String> ids, int rows) {
        if (ids.size() == rows && rows > 1) {
            return "all " + rows + " rows";
        }
        List<String> named = ids.stream().limit(MAX_CASES_NAMED).toList();
        int more = ids.size() - named.size();
        return String.join(", ", named) + (more > 0 ? " and " + more + " more" : "");
    }

    private static String line(String text) {
        return text.replaceAll("\\s*[\\r\\n]+\\s*", " ").strip();
    }
}
