/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.gatebench.model.GcStatistics;
import io.gatebench.model.GcSummary;
import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.ResponseExcerpt;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.ShellWord;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.WarmUpEnd;
import io.gatebench.report.column.Column;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.results.StoredResult;

/** Everything that the page of one case shows. */
final class CaseData {

    private static final double MEBIBYTE = 1 << 20;
    private static final Map<String, Function<ResponseTimes, MeasuredValue>> TIMES = timesByName();

    private final RunManifest info;
    private final Path directory;
    private final TestCaseResult result;
    private final int points;
    private final Map<String, Object> data = new LinkedHashMap<>();

    /**
     * Creates the data of a case.
     *
     * @param points how many points a chart over time has at most
     */
    CaseData(RunManifest info, StoredResult stored, int points) {
        this.points = points;
        this.info = info;
        this.directory = stored.directory();
        this.result = stored.result();
    }

    Map<String, Object> data() {
        if (result instanceof TestCaseResult.Completed completed) {
            load(completed.load());
            control(completed);
            processes(completed.processes(), completed.load());
            probes(completed.probes());
            answers(completed.load().firstFailures(), Optional.of(completed.load()));
            data.put("facts", pairs(shown(completed)));
        } else if (result instanceof TestCaseResult.Failed failed) {
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
            answers(failed.firstAnswers(), failed.load());
        } else if (result instanceof TestCaseResult.Skipped skipped) {
            data.put("failure", "not run: " + skipped.why());
        }
        return data;
    }

    private void load(LoadResult load) {
        List<List<String>> figures = new ArrayList<>();
        List<List<String>> times = new ArrayList<>();
        for (SampleStatistics s : load.measurement()) {
            figures.add(List.of("Throughput (" + s.label() + ")", Numbers.text(s.throughputPerSecond(), 2) + " /s"));
            figures.add(List.of(
                    "Mean and 99th percentile",
                    Numbers.text(s.all().meanMillis(), 2) + " ms, "
                            + Numbers.text(s.all().p99Millis(), 2) + " ms"));
            figures.add(List.of("Samples", Long.toString(s.samples())));
            figures.add(List.of("Errors", s.errors() + " (" + Numbers.text(s.errorPercent(), 2) + " %)"));
            times.add(times(s.label(), s.all()));
            s.successes().ifPresent(t -> times.add(times(s.label() + ", successful", t)));
            s.failures().ifPresent(t -> times.add(times(s.label() + ", failed", t)));
            s.latency().ifPresent(t -> times.add(times(s.label() + ", to first byte", t)));
            s.connect().ifPresent(t -> times.add(times(s.label() + ", to connect", t)));
        }
        steps(load);
        load.corrected()
                .ifPresent(c -> new TreeMap<>(c.perLabel())
                        .forEach((label, t) -> times.add(times(label + ", corrected for coordinated omission", t))));
        load.open().ifPresent(open -> {
            figures.add(List.of(
                    "Requests of the schedule sent",
                    open.started() + " of " + open.intended() + ", " + open.late() + " of them late"));
            figures.add(List.of("Users needed at once", open.usersNeeded() + " of " + open.usersAvailable()));
        });
        load.warmUpEnd().ifPresent(end -> data.put("warmUp", warmUp(end)));
        load.requests()
                .ifPresent(requests -> figures.add(List.of(
                        "Requests of the window",
                        requests.sent() + " sent; " + requests.completed() + " responses within it; "
                                + requests.answeredLate() + " answered after it, " + requests.unanswered()
                                + " never")));
        data.put("figures", figures);
        List<String> head = new ArrayList<>(List.of("Samples", "Number"));
        head.addAll(TIMES.keySet());
        data.put("timesHead", head);
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

    /** One row for each step, whose response times follow those of all requests. */
    private void steps(LoadResult load) {
        if (load.steps().isEmpty()) {
            return;
        }
        double all = load.steps().stream().mapToLong(SampleStatistics::samples).sum();
        List<List<String>> rows = new ArrayList<>();
        for (SampleStatistics s : load.steps()) {
            List<String> row = new ArrayList<>(List.of(
                    s.label(),
                    Long.toString(s.samples()),
                    Numbers.text(100.0 * s.samples() / all, 2),
                    Long.toString(s.errors()),
                    Numbers.text(s.throughputPerSecond(), 2)));
            TIMES.forEach((metric, time) -> row.add(Column.rounded(2).apply(time.apply(s.all()))));
            rows.add(row);
        }
        List<String> head =
                new ArrayList<>(List.of("Step", "Samples", "of all (%)", "Errors", "Throughput (Requests/sec)"));
        head.addAll(TIMES.keySet());
        data.put("stepsHead", head);
        data.put("steps", rows);
        if (load.facts().containsKey(LoadResult.ROUTES)) {
            data.put("routes", load.facts().get(LoadResult.ROUTES));
        }
    }

    private static String warmUp(WarmUpEnd end) {
        String why = switch (end.reason()) {
            case PLANNED -> "as planned";
            case STEADY -> "ended because the load was steady";
            case LIMIT -> "ended by its limit, before the load was steady";
        };
        return Numbers.text(end.took().toMillis() / 1000.0, 1) + " s, " + why
                + (end.detail().isEmpty() ? "" : ": " + end.detail());
    }

    private static Map<String, Function<ResponseTimes, MeasuredValue>> timesByName() {
        Map<String, Function<ResponseTimes, MeasuredValue>> times = new LinkedHashMap<>();
        Arrays.stream(Metric.values())
                .sorted(Comparator.comparingDouble(metric -> metric.percentile().orElse(0)))
                .forEach(metric -> metric.ofTimes().ifPresent(time -> times.put(name(metric), time)));
        return Collections.unmodifiableMap(times);
    }

    private static String name(Metric metric) {
        String longest = metric.allNames().get(metric.allNames().size() - 1);
        String name = longest.startsWith("p") ? longest : metric.shortName();
        return name.startsWith("p") ? name : name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    private static List<String> times(String name, ResponseTimes t) {
        List<String> row = new ArrayList<>(List.of(name, Long.toString(t.count())));
        TIMES.forEach((metric, time) -> row.add(Column.rounded(2).apply(time.apply(t))));
        return row;
    }

    private void series(LoadResult load) {
        TimesFile times = TimesFile.read(directory.resolve("load/times.csv"));
        ErrorsFile errors = ErrorsFile.read(directory.resolve("load/errors.csv"));
        data.put("load", Timelines.load(load, times.seconds(), errors, points));
        data.put("heat", Timelines.heat(times, points));
        data.put(
                "window",
                List.of(
                        since(load, load.window().start()),
                        since(load, load.window().end())));
    }

    private static double since(LoadResult load, Instant time) {
        return GcEvents.rounded(Duration.between(load.started(), time).toMillis() / 1000.0);
    }

    private void percentiles() {
        List<Path> files = new ArrayList<>();
        files.add(directory.resolve("load/load.hlog"));
        for (int generator = 2; generator <= info.loadGenerators(); generator++) {
            files.add(directory.resolve("load-" + generator + "/load.hlog"));
        }
        List<List<Object>> distributions = new ArrayList<>();
        List<List<Object>> histograms = new ArrayList<>();
        try {
            HistogramLog.distributions(files).forEach((outcome, distribution) -> {
                String name = outcome.equals("success") ? "successful" : outcome.equals("failure") ? "failed" : outcome;
                distributions.add(List.of(
                        name,
                        distribution.points().stream()
                                .map(p -> List.of(
                                        Math.rint(p.percentile() * 1e6) / 1e6, Math.rint(p.millis() * 1e3) / 1e3))
                                .toList()));
                histograms.add(List.of(name, distribution.bars()));
            });
        } catch (IOException e) {
            data.put("failure", "The histograms could not be read: " + e.getMessage());
        }
        data.put("percentiles", distributions);
        data.put("histograms", histograms);
    }

    private void control(TestCaseResult.Completed completed) {
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

    private void processes(List<ProcessReport> processes, LoadResult load) {
        commands(processes);
        gc(processes);
        host(processes);
        data.put("hosts", Timelines.hosts(directory, processes, load, points));
        List<Map<String, Object>> logs = new ArrayList<>();
        List<String> findings = new ArrayList<>();
        for (ProcessReport process : processes.stream()
                .sorted(Comparator.comparing(ProcessReport::role))
                .toList()) {
            process.notes().forEach(note -> findings.add(process.name() + ": " + note));
            process.gc().ifPresent(gc -> gc.findings().forEach(f -> findings.add(process.name() + ": " + f.text())));
            if (process.role() != NodeRole.LOAD_GENERATOR) {
                GcEvents.Events events = GcEvents.read(
                        directory.resolve(process.directory()).resolve("gc-events.csv"),
                        load.started().toEpochMilli(),
                        points);
                if (!events.kept().isEmpty()) {
                    Map<String, Object> log = new LinkedHashMap<>();
                    log.put("name", process.name());
                    log.put("all", events.all());
                    log.put("events", events.kept());
                    logs.add(log);
                }
            }
        }
        data.put("gc", logs);
        data.put("findings", findings);
    }

    private void commands(List<ProcessReport> processes) {
        data.put(
                "commands",
                processes.stream()
                        .filter(process -> !process.command().isEmpty())
                        .map(process -> List.of(
                                process.name() + " on " + process.host() + ", heap " + process.heap(),
                                process.command().stream()
                                        .map(ShellWord::readable)
                                        .collect(Collectors.joining(" "))))
                        .toList());
    }

    private void gc(List<ProcessReport> processes) {
        List<String> names = new ArrayList<>();
        List<GcStatistics> figures = new ArrayList<>();
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
            rows.add(row("GC throughput (%)", figures, GcStatistics::gcThroughputPercent, 1));
            rows.add(row("Pauses", figures, GcStatistics::pauseCount, 1));
            rows.add(row("Accumulated pause (s)", figures, GcStatistics::pauseTotalSeconds, 1));
            rows.add(row("Full collections", figures, GcStatistics::fullGcCount, 1));
            rows.add(
                    row("Footprint after full GC (M)", figures, GcStatistics::footprintAfterFullGcMeanBytes, MEBIBYTE));
            rows.add(row("Footprint (M)", figures, GcStatistics::footprintBytes, MEBIBYTE));
        }
        data.put("gcNames", names);
        data.put("gcFigures", rows);
    }

    private static List<String> row(
            String name, List<GcStatistics> figures, Function<GcStatistics, MeasuredValue> figure, double unit) {
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
            measured.forEach(
                    process -> row.add(Optional.ofNullable(process.hostMetrics().get(name))
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
                                probe.status().map(String::valueOf).orElse("no response"),
                                probe.passed() ? "passed" : "wrong",
                                probe.detail()))
                        .toList());
    }

    private void answers(List<ResponseExcerpt> excerpts, Optional<LoadResult> load) {
        excerpts.stream()
                .min(Comparator.comparing(ResponseExcerpt::at))
                .filter(first -> load.isPresent())
                .ifPresent(first ->
                        data.put("firstFailure", List.of(since(load.orElseThrow(), first.at()), first.message())));
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

    private static Map<String, String> shown(TestCaseResult.Completed result) {
        LoadResult load = result.load();
        Map<String, String> facts = new TreeMap<>(load.facts());
        facts.putAll(result.facts());
        load.method().ifPresent(method -> facts.put("load.model", method.model()));
        load.startSkew().ifPresent(skew -> facts.put("start.skew.millis", millis(skew)));
        load.probes().ifPresent(probes -> {
            facts.put("probes.sent", Long.toString(probes.sent()));
            facts.put("probes.wrong", Long.toString(probes.wrong()));
            probes.firstWrong().ifPresent(first -> facts.put("probes.first.wrong", first));
        });
        result.backend().ifPresent(backend -> {
            facts.put("backend.requests", Long.toString(backend.requests()));
            backend.bodies().ifPresent(bodies -> facts.put("backend.request.bytes", Long.toString(bodies.bytes())));
        });
        result.clockOffsets().forEach((host, offset) -> facts.put("clock.offset." + host + ".millis", millis(offset)));
        result.processors()
                .forEach((role, own) -> facts.put(
                        "processors." + role.name().toLowerCase(Locale.ROOT),
                        own.stream().map(String::valueOf).collect(Collectors.joining(","))));
        result.jvm().ifPresent(jvm -> {
            facts.put("jvm.processors", Integer.toString(jvm.processors()));
            facts.put("jvm.processors.planned", Integer.toString(jvm.plannedProcessors()));
            facts.put("jvm.memory", jvm.memory().toString());
            jvm.plannedMemory().ifPresent(limit -> facts.put("jvm.memory.planned", limit.toString()));
            facts.put("jvm.heap", jvm.heap().toString());
        });
        return facts;
    }

    private static String millis(Duration time) {
        return Numbers.text(time.toNanos() / 1e6, 3);
    }

    private static List<List<String>> pairs(Map<String, String> map) {
        return map.entrySet().stream()
                .map(entry -> List.of(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static String text(MeasuredValue figure, double unit) {
        return figure.fold(value -> Numbers.text(value / unit, 3), reason -> "N/A: " + reason);
    }
}
