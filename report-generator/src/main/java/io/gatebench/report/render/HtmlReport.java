/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.gatebench.model.LoadResult;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.judge.Overheads;
import io.gatebench.report.judge.VerdictColumns;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.page.Page;
import io.gatebench.report.page.Templates;
import io.gatebench.report.results.StoredResult;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Verdict;

/**
 * The page {@code index.html}: one file that asks the network for nothing.
 *
 * <p>The table is HTML; figures of single cases are packed JSON beside it, read when a case is opened. Everything that
 * came from outside goes through the template's escaping or through text nodes, and the content security policy lets no
 * script run but the page's own.
 */
public final class HtmlReport {

    private static final int MAX_CAUSES = 3;
    private static final int MAX_POINTS = 300;
    private static final int MIN_POINTS = 60;
    /** Points over all cases: the page of the largest published matrix stays below 3 MB. */
    private static final int MAX_POINTS_OF_ALL = 14_400;

    private final RunManifest info;
    private final List<TestCaseResult> results;
    private final List<String> data;
    private final SummaryTable table;
    private final Map<String, SummaryTable.Row> rowsById = new HashMap<>();
    private final List<Verdict> verdicts;
    private final List<String> missed;
    private final List<String> changes;
    private final Overheads overheads;
    private final boolean live;
    private final List<String> columns;
    private final List<String> figureColumns;

    private HtmlReport(
            RunManifest info,
            List<TestCaseResult> results,
            List<String> data,
            SummaryTable table,
            List<Verdict> verdicts,
            List<String> missed,
            List<String> changes,
            Overheads overheads,
            boolean live) {
        this.info = info;
        this.results = results;
        this.data = data;
        this.table = table;
        table.rows().forEach(row -> rowsById.putIfAbsent(row.id(), row));
        this.verdicts = verdicts;
        this.missed = missed;
        this.changes = changes;
        this.overheads = overheads;
        this.live = live;
        columns = SummaryColumns.published(info.applicationName(), table.messageColumn());
        figureColumns = Stream.concat(
                        Arrays.stream(Metric.values())
                                .filter(Metric::onPage)
                                .sorted(Comparator.comparingDouble(
                                        metric -> metric.percentile().orElse(0)))
                                .map(Metric::column),
                        Stream.of(SummaryColumns.gcThroughput(info.applicationName())))
                .toList();
    }

    /**
     * Returns what the page holds of one case, packed.
     *
     * @param info the head of the run
     * @param stored the result and where its data lie
     * @param cases how many cases the page holds
     */
    public static String data(RunManifest info, StoredResult stored, int cases) {
        int points = Math.max(MIN_POINTS, Math.min(MAX_POINTS, MAX_POINTS_OF_ALL / cases));
        return Page.packed(new CaseData(info, stored, points).data());
    }

    /**
     * Returns the page.
     *
     * @param info the head of the run
     * @param results the results
     * @param data what the page holds of each of them, from {@link #data}
     * @param table the rows
     * @param verdicts one verdict per result, in their order
     * @param missed one sentence for each threshold that a test case did not meet
     * @param changes what a comparison with a baseline says; empty without one
     * @param overheads those of the results
     * @param live whether the page asks its server how the run goes on
     * @param options where the user's templates are
     */
    public static String text(
            RunManifest info,
            List<TestCaseResult> results,
            List<String> data,
            SummaryTable table,
            List<Verdict> verdicts,
            List<String> missed,
            List<String> changes,
            Overheads overheads,
            boolean live,
            ReportOptions options) {
        return new HtmlReport(info, results, data, table, verdicts, missed, changes, overheads, live)
                .page(new Templates(options.templates()));
    }

    private String page(Templates templates) {
        List<Map<String, Object>> rows = new ArrayList<>();
        List<Map<String, Object>> cells = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            row(i, rows, cells);
        }
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("messageColumn", table.messageColumn());
        run.put("messageNames", messageNames());
        run.put("metrics", figureColumns);
        run.put(
                "names",
                new TreeMap<>(Map.of(
                        "throughput",
                        Metric.THROUGHPUT.column(),
                        "p90",
                        Metric.P90.column(),
                        "p99",
                        Metric.P99.column(),
                        "gc",
                        SummaryColumns.gcThroughput(info.applicationName()))));
        run.put("cells", cells);
        Map<String, Object> model = new HashMap<>(MarkdownReport.model(info, results, table, overheads));
        model.put("limits", Scaling.limits(info));
        model.put("scaling", Scaling.rows(info, results, table, VerdictColumns.ofRows(results, verdicts, table)));
        Page.put(model, "", Page.resource("report.js"));
        model.put("live", live);
        model.put("changes", changes);
        model.put("causes", Causes.of(verdicts, MAX_CAUSES));
        model.put("lead", lead());
        model.put("counts", counts());
        model.put("notes", info.notes());
        model.put("missed", missed);
        model.put("columns", columns);
        model.put("rows", rows);
        model.put(
                "reasons",
                rows.stream()
                        .filter(row -> !"".equals(row.get("reasons")))
                        .map(row -> Map.of(
                                "id", row.get("id"),
                                "level", row.get("level"),
                                "text", row.get("reasons"),
                                "remedy", row.get("remedy")))
                        .toList());
        model.put("about", about());
        model.put("runJson", Page.json(run));
        return templates.render("index.html.ftlh", model);
    }

    private void row(int index, List<Map<String, Object>> rows, List<Map<String, Object>> cells) {
        TestCaseResult result = results.get(index);
        Verdict verdict = verdicts.get(index);
        String id = result.testCase().id() + (info.plan().repeats() > 1 ? "/repeat_" + result.repeat() : "");
        Optional<SummaryTable.Row> figures = figures(result);
        List<String> texts = new ArrayList<>();
        for (String column : columns) {
            texts.add(figures.map(row -> row.text(column)).orElse(""));
        }
        List<String> reasons = verdict.findings().stream().map(Finding::text).toList();
        Map<String, Object> row = new HashMap<>();
        row.put("index", Integer.toString(index));
        row.put("anchor", "row-" + index);
        row.put("id", id);
        row.put("level", verdict.level().toString());
        row.put("reasons", verdict.reasons());
        row.put(
                "remedy",
                verdict.level() == Level.VALID
                        ? ""
                        : verdict.findings().get(0).rule().remedy());
        row.put("cells", texts);
        row.put("data", data.get(index));
        rows.add(row);
        Map<String, Object> cell = new LinkedHashMap<>();
        cell.put("id", id);
        cell.put("scenario", SummaryRows.displayName(info, result.testCase()));
        cell.put("heap", result.testCase().heap().toString());
        cell.put("users", result.testCase().users());
        cell.put("message", texts.get(columns.indexOf(table.messageColumn())));
        cell.put("delay", Long.toString(result.testCase().backendDelay().toMillis()));
        cell.put("level", verdict.level().toString());
        cell.put("reasons", reasons);
        if (result instanceof TestCaseResult.Completed completed) {
            cell.put("limit", Limits.of(completed));
            completed.load().measurement().stream()
                    .findFirst()
                    .ifPresent(samples -> cell.put("p50", samples.all().p50Millis()));
        }
        if (result instanceof TestCaseResult.Completed completed
                && !completed.load().measurement().isEmpty()) {
            cell.put(
                    "figures",
                    figureColumns.stream()
                            .map(column -> figures.map(r -> r.number(column)).orElse(OptionalDouble.empty()))
                            .map(number -> number.isPresent() ? (Object) number.getAsDouble() : null)
                            .toList());
        }
        cells.add(cell);
    }

    /** The row of a single result, repeats included; the keys alone if nothing was measured. */
    private Optional<SummaryTable.Row> figures(TestCaseResult result) {
        if (!SummaryRows.representatives(List.of(result)).isEmpty()) {
            Optional<SummaryTable.Row> published = Optional.ofNullable(
                    info.plan().repeats() > 1
                            ? null
                            : rowsById.get(result.testCase().id()));
            return published.or(() -> SummaryRows.of(info, List.of(result), ReportOptions.defaults()).rows().stream()
                    .findFirst());
        }
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put(SummaryColumns.SCENARIO, SummaryRows.displayName(info, result.testCase()));
        keys.put(SummaryColumns.HEAP, result.testCase().heap().toString());
        keys.put(SummaryColumns.USERS, Integer.toString(result.testCase().users()));
        keys.put(
                table.messageColumn(),
                Integer.toString(result.testCase().message().value()));
        keys.put(
                SummaryColumns.DELAY,
                Long.toString(result.testCase().backendDelay().toMillis()));
        return Optional.of(new SummaryTable.Row(result.testCase().id(), Optional.empty(), keys));
    }

    private Map<String, String> messageNames() {
        Map<String, String> names = new LinkedHashMap<>();
        for (TestCaseResult result : results) {
            int value = result.testCase().message().value();
            names.put(
                    Integer.toString(value),
                    switch (result.testCase().message().kind()) {
                        case SIZE_BYTES -> value >= 1024 && value % 1024 == 0 ? value / 1024 + " KiB" : value + " B";
                        case GRAPHQL_QUERY -> "query " + value;
                        case ELEMENTS -> value + " elements";
                    });
        }
        return names;
    }

    private String lead() {
        Duration duration = info.plan().timing().duration();
        Duration warmUp = info.plan().timing().warmUp();
        return "Run " + info.runId() + ", begun " + info.started() + ", profile "
                + info.plan().profile()
                + ", environment " + info.environment() + ". "
                + (info.plan().timing().untilSteady()
                        ? "Each test took at most " + seconds(duration)
                                + "; what came before the load was steady is not counted."
                        : "Each test took " + seconds(duration) + ", of which the first " + seconds(warmUp)
                                + " are not counted.");
    }

    private static String seconds(Duration time) {
        return Numbers.text(time.toMillis() / 1000.0, 3) + " s";
    }

    private List<Map<String, String>> counts() {
        List<Map<String, String>> counts = new ArrayList<>();
        Map<String, Integer> levels = new TreeMap<>();
        int unmeasured = 0;
        for (int i = 0; i < results.size(); i++) {
            boolean measured = results.get(i) instanceof TestCaseResult.Completed;
            if (measured) {
                levels.merge(verdicts.get(i).level().toString(), 1, Integer::sum);
            } else {
                unmeasured++;
            }
        }
        count(counts, "", results.size(), results.size() == 1 ? "test case" : "test cases");
        count(counts, "ok", levels.getOrDefault("valid", 0), "valid");
        count(counts, "warn", levels.getOrDefault("doubtful", 0), "doubtful");
        count(counts, "bad", levels.getOrDefault("invalid", 0), "invalid");
        count(counts, "bad", unmeasured, "without figures");
        return counts;
    }

    private static void count(List<Map<String, String>> counts, String kind, int number, String text) {
        if (number > 0) {
            counts.add(Map.of("kind", kind, "number", Integer.toString(number), "text", text));
        }
    }

    private List<Map<String, String>> about() {
        List<Map<String, String>> about = new ArrayList<>();
        about.add(Map.of("name", "Made by", "value", "Gatebench " + info.toolVersion()));
        about.add(Map.of("name", "Product", "value", info.plan().product()));
        about.add(Map.of("name", "Begun", "value", info.started().toString()));
        info.finished().ifPresent(end -> about.add(Map.of("name", "Ended", "value", end.toString())));
        about.add(Map.of("name", "Load generators", "value", Integer.toString(info.loadGenerators())));
        loadModels().forEach(model -> about.add(Map.of("name", "Load model", "value", model)));
        new TreeMap<>(info.versions())
                .forEach((name, version) -> about.add(Map.of("name", "Version of " + name, "value", version)));
        return about;
    }

    /** Returns what the response times count from; nothing for a run in which nothing was measured. */
    private Set<String> loadModels() {
        Set<String> models = new TreeSet<>();
        for (TestCaseResult result : results) {
            if (result instanceof TestCaseResult.Completed completed) {
                models.add(model(completed.load()));
            }
        }
        return models;
    }

    private static String model(LoadResult load) {
        if (load.open().isPresent()) {
            return "open: requests start at a given rate, whether the gateway keeps up or not; response times count"
                    + " from the intended start";
        }
        return (load.closedWithoutThinkTime()
                        ? "closed, no think time: each user sends its next request when the last one is answered"
                        : "closed, with think time, pacing or a number of users that changes, as the remarks say: each"
                                + " user waits for its response before the next request")
                + "; response times are not corrected for coordinated omission";
    }
}
