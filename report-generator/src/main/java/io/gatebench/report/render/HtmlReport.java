/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.model.Figure;
import io.gatebench.model.GcFigures;
import io.gatebench.model.GcSummary;
import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.LoadRun;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.ResponseExcerpt;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.RunInfo;
import io.gatebench.model.RunResult;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.report.ReportException;
import io.gatebench.report.ReportOptions;
import io.gatebench.report.results.StoredResult;
import io.gatebench.report.summary.Numbers;
import io.gatebench.report.summary.SummaryColumns;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Verdict;

/**
 * The page {@code index.html}: one file that asks the network for nothing.
 *
 * <p>The table is HTML; figures of single cases are JSON beside it, read when a case is opened. Everything that came
 * from outside goes through the template's escaping or through text nodes, and the content security policy lets no
 * script run but the page's own.
 */
public final class HtmlReport {

    private static final int MOST_POINTS = 300;
    private static final int MOST_GC_EVENTS = 1500;
    private static final double MEBIBYTE = 1 << 20;

    private final RunInfo info;
    private final List<StoredResult> stored;
    private final SummaryTable table;
    private final List<Verdict> verdicts;
    private final ObjectMapper json = new ObjectMapper();
    private final List<String> columns;
    private final List<String> figureColumns;

    private HtmlReport(RunInfo info, List<StoredResult> stored, SummaryTable table, List<Verdict> verdicts) {
        this.info = info;
        this.stored = stored;
        this.table = table;
        this.verdicts = verdicts;
        columns = SummaryColumns.published(info.applicationName(), table.messageColumn());
        figureColumns = List.of(
                SummaryColumns.THROUGHPUT,
                SummaryColumns.MEAN,
                SummaryColumns.P90,
                SummaryColumns.P95,
                SummaryColumns.P99,
                SummaryColumns.P999,
                SummaryColumns.MAX,
                SummaryColumns.ERROR_PERCENT,
                SummaryColumns.gcThroughput(info.applicationName()));
    }

    /**
     * Returns the page.
     *
     * @param info the head of the run
     * @param stored the results and where their data lie
     * @param table the rows
     * @param verdicts one verdict per result, in their order
     * @param options where the user's templates are
     */
    public static String text(
            RunInfo info,
            List<StoredResult> stored,
            SummaryTable table,
            List<Verdict> verdicts,
            ReportOptions options) {
        return new HtmlReport(info, stored, table, verdicts).page(new Templates(options.templates()));
    }

    private String page(Templates templates) {
        String style = resource("report.css");
        String script = resource("report.js");
        List<Map<String, Object>> rows = new ArrayList<>();
        List<Map<String, Object>> cells = new ArrayList<>();
        for (int i = 0; i < stored.size(); i++) {
            row(i, rows, cells);
        }
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("messageColumn", table.messageColumn());
        run.put("messageNames", messageNames());
        run.put("metrics", figureColumns);
        run.put("cells", cells);
        Map<String, Object> model = new HashMap<>(MarkdownReport.model(info, results(), table, List.of()));
        model.put("styleHash", hash(style));
        model.put("scriptHash", hash(script));
        model.put("style", style);
        model.put("script", script);
        model.put("lead", lead());
        model.put("counts", counts());
        model.put("notes", info.notes());
        model.put("columns", columns);
        model.put("rows", rows);
        model.put(
                "reasons",
                rows.stream()
                        .filter(row -> !row.get("level").equals("valid"))
                        .map(row -> Map.of("id", row.get("id"), "level", row.get("level"), "text", row.get("reasons")))
                        .toList());
        model.put("about", about());
        model.put("runJson", json(run));
        return templates.render("index.html.ftlh", model);
    }

    private List<RunResult> results() {
        return stored.stream().map(StoredResult::result).toList();
    }

    private void row(int index, List<Map<String, Object>> rows, List<Map<String, Object>> cells) {
        RunResult result = stored.get(index).result();
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
        row.put("cells", texts);
        row.put("json", json(new CaseData(info, stored.get(index)).data()));
        rows.add(row);
        Map<String, Object> cell = new LinkedHashMap<>();
        cell.put("id", id);
        cell.put("scenario", SummaryRows.displayName(info, result.testCase().scenario()));
        cell.put("heap", result.testCase().heap().toString());
        cell.put("users", result.testCase().users());
        cell.put("message", texts.get(columns.indexOf(table.messageColumn())));
        cell.put("delay", Long.toString(result.testCase().backendDelay().toMillis()));
        cell.put("level", verdict.level().toString());
        cell.put("reasons", reasons);
        if (result instanceof RunResult.Completed completed
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
    private Optional<SummaryTable.Row> figures(RunResult result) {
        SummaryTable single = SummaryRows.of(info, List.of(result), ReportOptions.defaults());
        if (!single.rows().isEmpty()) {
            Optional<SummaryTable.Row> published = info.plan().repeats() > 1
                    ? Optional.empty()
                    : table.rows().stream()
                            .filter(row -> row.id().equals(result.testCase().id()))
                            .findFirst();
            return published.or(() -> Optional.of(single.rows().get(0)));
        }
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put(
                SummaryColumns.SCENARIO,
                SummaryRows.displayName(info, result.testCase().scenario()));
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
        for (StoredResult result : stored) {
            int value = result.result().testCase().message().value();
            names.put(
                    Integer.toString(value),
                    switch (result.result().testCase().message().kind()) {
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
                + ", environment " + info.environment() + ". Each test took " + seconds(duration)
                + ", of which the first " + seconds(warmUp) + " are not counted.";
    }

    private static String seconds(Duration time) {
        return Numbers.text(time.toMillis() / 1000.0, 3) + " s";
    }

    private List<Map<String, String>> counts() {
        List<Map<String, String>> counts = new ArrayList<>();
        Map<String, Integer> levels = new TreeMap<>();
        int unmeasured = 0;
        for (int i = 0; i < stored.size(); i++) {
            boolean measured = stored.get(i).result() instanceof RunResult.Completed;
            if (measured) {
                levels.merge(verdicts.get(i).level().toString(), 1, Integer::sum);
            } else {
                unmeasured++;
            }
        }
        count(counts, "", stored.size(), stored.size() == 1 ? "test case" : "test cases");
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
        about.add(Map.of(
                "name",
                "Load model",
                "value",
                "closed, no think time, unless a case says otherwise; response times"
                        + " are not corrected for coordinated omission"));
        new TreeMap<>(info.versions())
                .forEach((name, version) -> about.add(Map.of("name", "Version of " + name, "value", version)));
        return about;
    }

    /** JSON inside a script element: what could end the element, or is a line end to a script, is written as escape. */
    private String json(Object value) {
        try {
            return json.writeValueAsString(value)
                    .replace("<", "\\u003c")
                    .replace(">", "\\u003e")
                    .replace("&", "\\u0026")
                    .replace("\u2028", "\\u2028")
                    .replace("\u2029", "\\u2029");
        } catch (JsonProcessingException e) {
            throw new ReportException("cannot write the figures of the page: " + e.getOriginalMessage(), e);
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static String resource(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream("/io/gatebench/report/templates/" + name)) {
            if (in == null) {
                throw new ReportException("the program is incomplete: its file " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ReportException("cannot read the program's file " + name + ": " + e.getMessage(), e);
        }
    }

    /** Everything that the page of one case shows. */
    private static final class CaseData {

        private final RunInfo info;
        private final Path directory;
        private final RunResult result;
        private final Map<String, Object> data = new LinkedHashMap<>();

        CaseData(RunInfo info, StoredResult stored) {
            this.info = info;
            this.directory = stored.directory();
            this.result = stored.result();
        }

        Map<String, Object> data() {
            if (result instanceof RunResult.Completed completed) {
                load(completed.load());
                control(completed);
                processes(completed.processes(), completed.load());
                probes(completed.probes());
                answers(completed.load().firstFailures());
                Map<String, String> facts = new TreeMap<>(completed.load().facts());
                facts.putAll(completed.facts());
                data.put("facts", pairs(facts));
            } else if (result instanceof RunResult.Failed failed) {
                data.put(
                        "failure",
                        failed.reason().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": " + failed.detail());
                failed.load().ifPresent(this::load);
                if (failed.load().isPresent()) {
                    processes(failed.processes(), failed.load().orElseThrow());
                } else {
                    commands(failed.processes());
                }
                probes(failed.probes());
                answers(failed.firstAnswers());
            } else if (result instanceof RunResult.Skipped skipped) {
                data.put("failure", "not run: " + skipped.why());
            }
            return data;
        }

        private void load(LoadRun load) {
            List<List<String>> figures = new ArrayList<>();
            List<List<String>> times = new ArrayList<>();
            for (SampleStatistics s : load.measurement()) {
                figures.add(
                        List.of("Throughput (" + s.label() + ")", Numbers.text(s.throughputPerSecond(), 2) + " /s"));
                figures.add(List.of("Samples", Long.toString(s.samples())));
                figures.add(List.of("Errors", s.errors() + " (" + Numbers.text(s.errorPercent(), 2) + " %)"));
                times.add(times(s.label(), s.all()));
                s.successes().ifPresent(t -> times.add(times(s.label() + ", successful", t)));
                s.failures().ifPresent(t -> times.add(times(s.label() + ", failed", t)));
                s.latency().ifPresent(t -> times.add(times(s.label() + ", to first byte", t)));
                s.connect().ifPresent(t -> times.add(times(s.label() + ", to connect", t)));
            }
            load.corrected()
                    .ifPresent(c -> new TreeMap<>(c.perLabel())
                            .forEach(
                                    (label, t) -> times.add(times(label + ", corrected for coordinated omission", t))));
            data.put("figures", figures);
            data.put("times", times);
            series(load);
            percentiles();
            LoadGeneratorHealth health = load.health();
            List<List<String>> rows = new ArrayList<>();
            rows.add(List.of("Own CPU time (% of its machine)", text(health.cpuOfMachinePercent(), 1)));
            rows.add(List.of("Own GC pauses (ms)", text(health.gcPauseMillis(), 1)));
            rows.add(List.of("Scheduling delay, 99th percentile (ms)", text(health.schedulingDelayP99Millis(), 1)));
            rows.add(List.of("Scheduling delay, largest (ms)", text(health.schedulingDelayMaxMillis(), 1)));
            rows.add(List.of("Connections opened", text(health.connectionsOpened(), 1)));
            rows.add(List.of("Saturated", health.saturated() ? "yes: " + String.join("; ", health.reasons()) : "no"));
            data.put("health", rows);
            data.put(
                    "failures",
                    new TreeMap<>(load.failures())
                            .entrySet().stream()
                                    .map(e -> List.of(e.getKey(), Long.toString(e.getValue())))
                                    .toList());
        }

        private static List<String> times(String name, ResponseTimes t) {
            List<String> row = new ArrayList<>(List.of(name, Long.toString(t.count())));
            for (double value : new double[] {
                t.meanMillis(),
                t.standardDeviationMillis(),
                t.minMillis(),
                t.p50Millis(),
                t.p75Millis(),
                t.p90Millis(),
                t.p95Millis(),
                t.p98Millis(),
                t.p99Millis(),
                t.p999Millis(),
                t.maxMillis()
            }) {
                row.add(Numbers.text(value, 2));
            }
            return row;
        }

        private void series(LoadRun load) {
            List<SecondOfLoad> seconds = load.series();
            int size = Math.max(1, (seconds.size() + MOST_POINTS - 1) / MOST_POINTS);
            List<List<Object>> points = new ArrayList<>();
            for (int from = 0; from < seconds.size(); from += size) {
                List<SecondOfLoad> part = seconds.subList(from, Math.min(seconds.size(), from + size));
                long samples = part.stream().mapToLong(SecondOfLoad::samples).sum();
                long errors = part.stream().mapToLong(SecondOfLoad::errors).sum();
                double sum = part.stream()
                        .mapToDouble(s -> s.meanMillis() * s.samples())
                        .sum();
                List<Object> point = new ArrayList<>();
                point.add(part.get(0).second());
                point.add(rounded((double) samples / part.size()));
                point.add(rounded((double) errors / part.size()));
                point.add(samples == 0 ? null : rounded(sum / samples));
                point.add(
                        samples == 0
                                ? null
                                : rounded(part.stream()
                                        .mapToDouble(SecondOfLoad::p99Millis)
                                        .max()
                                        .orElse(0)));
                points.add(point);
            }
            data.put("series", points);
            data.put("seconds", size);
            data.put(
                    "window",
                    List.of(
                            rounded(Duration.between(
                                                    load.started(),
                                                    load.window().start())
                                            .toMillis()
                                    / 1000.0),
                            rounded(Duration.between(
                                                    load.started(),
                                                    load.window().end())
                                            .toMillis()
                                    / 1000.0)));
        }

        private void percentiles() {
            List<Path> files = new ArrayList<>();
            files.add(directory.resolve("load/load.hlog"));
            for (int generator = 2; generator <= info.loadGenerators(); generator++) {
                files.add(directory.resolve("load-" + generator + "/load.hlog"));
            }
            List<List<Object>> distributions = new ArrayList<>();
            try {
                HistogramLog.distributions(files)
                        .forEach((outcome, points) -> distributions.add(List.of(
                                outcome.equals("success")
                                        ? "successful"
                                        : outcome.equals("failure") ? "failed" : outcome,
                                points.stream()
                                        .map(p -> List.of(Numbers.text(p.percentile(), 6), Numbers.text(p.millis(), 3)))
                                        .map(p -> List.of(Double.valueOf(p.get(0)), Double.valueOf(p.get(1))))
                                        .toList())));
            } catch (IOException e) {
                data.put("failure", "The histograms could not be read: " + e.getMessage());
            }
            data.put("percentiles", distributions);
        }

        private void control(RunResult.Completed completed) {
            completed.control().ifPresent(control -> {
                List<List<String>> figures = new ArrayList<>();
                for (SampleStatistics s : control.measurement()) {
                    figures.add(List.of(
                            "Straight at the back end",
                            Numbers.text(s.throughputPerSecond(), 2) + " /s, "
                                    + Numbers.text(s.all().meanMillis(), 2) + " ms"));
                }
                @SuppressWarnings("unchecked")
                List<List<String>> all = (List<List<String>>) data.get("figures");
                all.addAll(figures);
            });
        }

        private void processes(List<ProcessReport> processes, LoadRun load) {
            commands(processes);
            gc(processes);
            host(processes);
            List<Map<String, Object>> logs = new ArrayList<>();
            List<String> findings = new ArrayList<>();
            for (ProcessReport process : processes) {
                process.notes().forEach(note -> findings.add(process.name() + ": " + note));
                process.gc()
                        .ifPresent(gc -> gc.findings().forEach(f -> findings.add(process.name() + ": " + f.text())));
                if (process.role() != NodeRole.LOAD_GENERATOR) {
                    List<List<Object>> events = GcEvents.read(
                            directory.resolve(process.directory()).resolve("gc-events.csv"),
                            load.started().toEpochMilli(),
                            MOST_GC_EVENTS);
                    if (!events.isEmpty()) {
                        logs.add(Map.of("name", process.name(), "events", events));
                    }
                }
            }
            data.put(
                    "gc",
                    logs.stream()
                            .map(log -> {
                                Map<String, Object> ordered = new LinkedHashMap<>();
                                ordered.put("name", log.get("name"));
                                ordered.put("events", log.get("events"));
                                return ordered;
                            })
                            .toList());
            data.put("findings", findings);
        }

        private void commands(List<ProcessReport> processes) {
            data.put(
                    "commands",
                    processes.stream()
                            .filter(process -> !process.command().isEmpty())
                            .map(process -> List.of(
                                    process.name() + " on " + process.host() + ", heap " + process.heap(),
                                    String.join(" ", process.command())))
                            .toList());
        }

        private void gc(List<ProcessReport> processes) {
            List<String> names = new ArrayList<>();
            List<GcFigures> figures = new ArrayList<>();
            for (ProcessReport process : processes) {
                process.gc().map(GcSummary::compat).ifPresent(f -> {
                    names.add(process.name() + ", whole log as published");
                    figures.add(f);
                });
                process.gcInWindow().map(GcSummary::exact).ifPresent(f -> {
                    names.add(process.name() + ", window");
                    figures.add(f);
                });
            }
            List<List<String>> rows = new ArrayList<>();
            if (!figures.isEmpty()) {
                rows.add(row("GC throughput (%)", figures, GcFigures::gcThroughputPercent, 1));
                rows.add(row("Pauses", figures, GcFigures::pauseCount, 1));
                rows.add(row("Accumulated pause (s)", figures, GcFigures::pauseTotalSeconds, 1));
                rows.add(row("Full collections", figures, GcFigures::fullGcCount, 1));
                rows.add(row(
                        "Footprint after full GC (M)", figures, GcFigures::footprintAfterFullGcMeanBytes, MEBIBYTE));
                rows.add(row("Footprint (M)", figures, GcFigures::footprintBytes, MEBIBYTE));
            }
            data.put("gcNames", names);
            data.put("gcFigures", rows);
        }

        private static List<String> row(
                String name, List<GcFigures> figures, Function<GcFigures, Figure> figure, double unit) {
            List<String> row = new ArrayList<>(List.of(name));
            figures.forEach(f -> row.add(text(figure.apply(f), unit)));
            return row;
        }

        private void host(List<ProcessReport> processes) {
            List<ProcessReport> measured = processes.stream()
                    .filter(process -> !process.hostMetrics().isEmpty())
                    .toList();
            TreeSet<String> names = new TreeSet<>();
            measured.forEach(process -> names.addAll(process.hostMetrics().keySet()));
            List<String> ordered = new ArrayList<>(SummaryColumns.HOST_METRICS);
            ordered.retainAll(names);
            names.removeAll(ordered);
            ordered.addAll(names);
            List<List<String>> rows = new ArrayList<>();
            for (String name : ordered) {
                List<String> row = new ArrayList<>(List.of(name));
                measured.forEach(process ->
                        row.add(Optional.ofNullable(process.hostMetrics().get(name))
                                .map(figure -> text(figure, 1))
                                .orElse("")));
                rows.add(row);
            }
            data.put("hostNames", measured.stream().map(ProcessReport::name).toList());
            data.put("host", rows);
        }

        private void probes(List<ProbeOutcome> probes) {
            data.put(
                    "probes",
                    probes.stream()
                            .map(probe -> List.of(
                                    probe.name(),
                                    probe.status().map(String::valueOf).orElse("no answer"),
                                    probe.passed() ? "passed" : "wrong",
                                    probe.detail()))
                            .toList());
        }

        private void answers(List<ResponseExcerpt> excerpts) {
            data.put(
                    "answers",
                    excerpts.stream()
                            .map(excerpt -> {
                                StringBuilder text = new StringBuilder();
                                text.append(excerpt.at())
                                        .append("  ")
                                        .append(excerpt.message())
                                        .append('\n');
                                excerpt.status()
                                        .ifPresent(status -> text.append("HTTP status ")
                                                .append(status)
                                                .append('\n'));
                                new TreeMap<>(excerpt.headers())
                                        .forEach((name, value) -> text.append(name)
                                                .append(": ")
                                                .append(value)
                                                .append('\n'));
                                return text.append('\n').append(excerpt.body()).toString();
                            })
                            .toList());
        }

        private static List<List<String>> pairs(Map<String, String> map) {
            return map.entrySet().stream()
                    .map(entry -> List.of(entry.getKey(), entry.getValue()))
                    .toList();
        }

        private static String text(Figure figure, double unit) {
            return figure.fold(value -> Numbers.text(value / unit, 3), reason -> "N/A: " + reason);
        }

        private static double rounded(double value) {
            return Double.parseDouble(Numbers.text(value, 3));
        }
    }
}
