/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gatebench.report.chart.Drawing;
import io.gatebench.report.column.Metric;
import io.gatebench.report.compare.Comparison.Candidate;
import io.gatebench.report.compare.Comparison.Cell;
import io.gatebench.report.compare.Comparison.Judged;
import io.gatebench.report.compare.Comparison.NoiseSource;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.report.compare.Comparison.Overall;
import io.gatebench.report.compare.Comparison.Unmatched;
import io.gatebench.report.compare.Comparison.Whole;
import io.gatebench.report.page.ForeignText;
import io.gatebench.report.page.Page;
import io.gatebench.report.verdict.Finding;

/**
 * Writes a comparison as JSON, Markdown or one HTML file that needs no network.
 *
 * <p>The same comparison gives the same bytes. Thread-safe.
 */
public final class ComparisonWriter {

    /** Makes a writer. */
    public ComparisonWriter() {}

    /**
     * Writes {@code comparison.json}, {@code comparison.md}, {@code comparison.html}, the charts as SVG, and for build
     * servers {@code comment.md} and {@code annotations.txt} into a directory, which is made if it does not exist.
     *
     * @throws IOException if a file cannot be written
     */
    public void writeAll(Comparison comparison, Path directory) throws IOException {
        Path charts = Files.createDirectories(directory.resolve("charts"));
        Files.writeString(directory.resolve("comparison.json"), json(comparison), StandardCharsets.UTF_8);
        Files.writeString(directory.resolve("comparison.md"), markdown(comparison), StandardCharsets.UTF_8);
        Files.writeString(directory.resolve("comparison.html"), html(comparison), StandardCharsets.UTF_8);
        Files.writeString(directory.resolve("comment.md"), CommentWriter.comment(comparison), StandardCharsets.UTF_8);
        Files.writeString(
                directory.resolve("annotations.txt"), CommentWriter.annotations(comparison), StandardCharsets.UTF_8);
        for (ComparisonCharts.Chart chart : ComparisonCharts.of(comparison)) {
            Files.writeString(
                    charts.resolve(chart.fileName() + ".svg"), chart.drawing().file(), StandardCharsets.UTF_8);
        }
    }

    /**
     * Returns the comparison as JSON: {@code cells[]} with {@code key}, {@code metric}, {@code ratio}, {@code verdict} and
     * {@code reason}, worst first, {@code unmatched[]}, and the overall verdict per run.
     */
    public String json(Comparison comparison) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put("baseline", comparison.baseline());
        root.put("regressed", comparison.regressed());
        root.put("falseAlarmRate", comparison.falseAlarmRate());
        root.put("marginPercent", comparison.marginPercent());
        ArrayNode runs = root.putArray("runs");
        ArrayNode cells = root.putArray("cells");
        ArrayNode unmatched = root.putArray("unmatched");
        ArrayNode rows = root.putArray("rows");
        for (Candidate candidate : comparison.candidates()) {
            ObjectNode run = runs.addObject();
            run.put("run", candidate.name());
            run.put("verdict", candidate.outcome().word());
            run.put("regressed", candidate.regressed());
            run.put("undecided", candidate.undecided());
            run.put("nothingCompared", candidate.nothingCompared());
            ArrayNode summary = run.putArray("summary");
            candidate.summary().forEach(summary::add);
            ArrayNode overall = run.putArray("overall");
            for (Overall metric : candidate.overall()) {
                ObjectNode node = overall.addObject();
                node.put("metric", metric.metric().shortName());
                node.put("cells", metric.cells());
                node.put("better", metric.better());
                node.put("worse", metric.worse());
                put(node, "meanRatio", metric.meanRatio());
                put(node, "detectablePercent", metric.detectablePercent());
                metric.whole()
                        .ifPresentOrElse(whole -> put(node.putObject("whole"), whole), () -> node.putNull("whole"));
            }
            candidate.cells().forEach(cell -> put(cells.addObject(), candidate, cell));
            for (Judged row : candidate.judged()) {
                ObjectNode node = rows.addObject();
                node.put("run", row.run());
                node.put("key", row.key().text());
                node.put("where", row.where());
                node.put("verdict", row.verdict().level().toString());
                ArrayNode reasons = node.putArray("verdictReasons");
                for (Finding finding : row.verdict().findings()) {
                    reasons.addObject().put("rule", finding.rule().id()).put("text", finding.text());
                }
            }
            for (Unmatched other : candidate.unmatched()) {
                ObjectNode node = unmatched.addObject();
                node.put("key", other.key().text());
                node.put("onlyIn", other.onlyIn());
                node.put("where", other.where());
            }
        }
        ArrayNode problems = root.putArray("problems");
        comparison.problems().forEach(problems::add);
        return root.toPrettyString() + "\n";
    }

    private static void put(ObjectNode node, Whole whole) {
        node.put("verdict", whole.outcome().word());
        node.put("ratio", whole.ratio());
        node.put("low", whole.low());
        node.put("high", whole.high());
        node.put("p", whole.adjustedP());
        node.put("earlierRuns", whole.earlierRuns());
        put(node, "detectablePercent", OptionalDouble.of(whole.detectablePercent()));
        ObjectNode noise = node.putObject("noise");
        noise.put("percent", whole.noise().percent());
        noise.put("source", name(whole.noise().source()));
    }

    private static void put(ObjectNode node, Candidate candidate, Cell cell) {
        node.put("run", candidate.name());
        node.put("key", cell.key().text());
        node.put("metric", cell.metric().shortName());
        put(node, "before", cell.before());
        put(node, "after", cell.after());
        put(node, "ratio", cell.ratio());
        node.put("verdict", cell.outcome().word());
        node.put("reason", cell.reason());
        put(node, "low", cell.low());
        put(node, "high", cell.high());
        put(node, "p", cell.adjustedP());
        put(node, "detectablePercent", cell.detectablePercent());
        node.put("suspect", cell.suspect());
        node.put("doubtful", cell.doubtful());
        node.put("repeatsBefore", cell.repeatsBefore());
        node.put("repeatsAfter", cell.repeatsAfter());
        node.put("broken", cell.broken().name().toLowerCase(Locale.ROOT));
        if (cell.noise().isPresent()) {
            ObjectNode noise = node.putObject("noise");
            noise.put("percent", cell.noise().get().percent());
            noise.put("source", name(cell.noise().get().source()));
        } else {
            node.putNull("noise");
        }
        ObjectNode parts = node.putObject("cell");
        parts.put("scenario", cell.key().scenario());
        parts.put("variant", cell.key().variant());
        cell.key().heap().ifPresent(heap -> parts.put("heap", heap.toString()));
        cell.key().users().ifPresent(users -> parts.put("users", users));
        cell.key().message().ifPresent(message -> parts.put("message", message.directoryName()));
        cell.key().delayMillis().ifPresent(delay -> parts.put("delayMillis", delay));
    }

    private static void put(ObjectNode node, String name, OptionalDouble value) {
        if (value.isPresent() && Double.isFinite(value.getAsDouble())) {
            node.put(name, value.getAsDouble());
        } else {
            node.putNull(name);
        }
    }

    /**
     * Returns the comparison as Markdown: the overall verdict, all test cases worst first, unmatched test cases,
     * problems.
     */
    public String markdown(Comparison comparison) {
        StringBuilder text =
                new StringBuilder("# Comparison with " + ForeignText.markdownLiteral(comparison.baseline()) + "\n");
        for (Candidate candidate : comparison.candidates()) {
            text.append("\n## ")
                    .append(ForeignText.markdownLiteral(candidate.name()))
                    .append(": ")
                    .append(candidate.outcome().word())
                    .append("\n\n");
            candidate
                    .summary()
                    .forEach(sentence -> text.append("- ")
                            .append(ForeignText.markdownLiteral(sentence))
                            .append('\n'));
            text.append("\n| Test case | Metric | Before | After | Ratio | Verdict | Reason |\n");
            text.append("|---|---|---:|---:|---:|---|---|\n");
            for (Cell cell : candidate.cells()) {
                text.append("| ").append(ForeignText.markdownLiteral(cell.key().text()));
                text.append(" | ").append(cell.metric().shortName());
                text.append(" | ").append(number(cell.before()));
                text.append(" | ").append(number(cell.after()));
                text.append(" | ")
                        .append(
                                cell.ratio().isPresent()
                                        ? ComparisonText.ratio(cell.ratio().getAsDouble())
                                        : "");
                text.append(" | ").append(cell.outcome().word());
                text.append(" | ")
                        .append(ForeignText.markdownLiteral(cell.reason()))
                        .append(" |\n");
            }
            if (!candidate.judged().isEmpty()) {
                text.append("\nRows that are doubtful or invalid:\n\n");
                for (String row : rows(candidate)) {
                    text.append("- ").append(ForeignText.markdownLiteral(row)).append('\n');
                }
            }
            if (!candidate.unmatched().isEmpty()) {
                text.append("\nCells without a counterpart:\n\n");
                for (Unmatched other : candidate.unmatched()) {
                    text.append("- ")
                            .append(ForeignText.markdownLiteral(other.key().text()))
                            .append(", only in ")
                            .append(ForeignText.markdownLiteral(other.onlyIn()));
                    text.append(" (")
                            .append(ForeignText.markdownLiteral(other.where()))
                            .append(")\n");
                }
            }
        }
        if (!comparison.problems().isEmpty()) {
            text.append("\n## What was not read, or is not in the files\n\n");
            comparison
                    .problems()
                    .forEach(problem -> text.append("- ")
                            .append(ForeignText.markdownLiteral(problem))
                            .append('\n'));
        }
        return text.toString();
    }

    private static List<String> rows(Candidate candidate) {
        return candidate.judged().stream()
                .map(row -> row.run() + ", " + row.key().text() + " (" + row.where() + "): "
                        + row.verdict().text())
                .toList();
    }

    /** Returns the comparison as one HTML file. */
    public String html(Comparison comparison) {
        Map<String, Object> model = new LinkedHashMap<>();
        model.put("baseline", comparison.baseline());
        model.put("names", comparison.candidates().stream().map(Candidate::name).collect(Collectors.joining(", ")));
        model.put(
                "metrics",
                comparison.candidates().stream()
                        .flatMap(candidate -> candidate.overall().stream())
                        .map(overall -> overall.metric().shortName())
                        .distinct()
                        .toList());
        model.put("margin", ComparisonText.number(comparison.marginPercent()));
        model.put("problems", comparison.problems());
        List<Map<String, Object>> candidates = new ArrayList<>();
        for (Candidate candidate : comparison.candidates()) {
            candidates.add(model("run-" + (candidates.size() + 1), candidate, comparison.baseline()));
        }
        model.put("candidates", candidates);
        model.put(
                "lines",
                ComparisonCharts.lines(comparison).stream()
                        .map(chart -> drawing(chart.title(), chart.drawing()))
                        .toList());
        return Page.of("comparison.html.ftlh", model);
    }

    private static Map<String, String> drawing(String title, Drawing drawing) {
        return Map.of("title", title, "svg", drawing.inPage());
    }

    private static List<Map<String, String>> whole(Candidate candidate, String baseline) {
        if (candidate.overall().stream().noneMatch(metric -> metric.whole().isPresent())) {
            return List.of();
        }
        String title = "All test cases together: " + candidate.name() + " / " + baseline;
        return List.of(drawing(title, ComparisonCharts.overall(title, candidate)));
    }

    /** Each metric of the test cases that are not the same, one that got slower as a whole first. */
    private static List<Map<String, String>> charts(Candidate candidate, String baseline) {
        List<Map<String, String>> charts = new ArrayList<>();
        List<Overall> slowerFirst = candidate.overall().stream()
                .sorted(Comparator.comparing(overall -> overall.whole()
                        .filter(whole -> whole.outcome() == Outcome.SLOWER)
                        .isEmpty()))
                .toList();
        for (Overall overall : slowerFirst) {
            Metric metric = overall.metric();
            List<Cell> cells = candidate.cells().stream()
                    .filter(cell -> cell.metric() == metric && !isSame(cell))
                    .toList();
            if (!cells.isEmpty()) {
                String title = "Ratio of " + metric.shortName() + ": " + candidate.name() + " / " + baseline;
                charts.add(drawing(title, ComparisonCharts.ratios(title, metric, cells)));
            }
        }
        return charts;
    }

    private static boolean isSame(Cell cell) {
        return cell.outcome() == Outcome.NO_DIFFERENCE && !cell.suspect();
    }

    private static List<Map<String, String>> overall(Candidate candidate) {
        List<Map<String, String>> rows = new ArrayList<>();
        for (Overall metric : candidate.overall()) {
            metric.whole()
                    .ifPresent(whole -> rows.add(Map.of(
                            "metric", metric.metric().shortName(),
                            "cells", Integer.toString(metric.cells()),
                            "better", Integer.toString(metric.better()),
                            "worse", Integer.toString(metric.worse()),
                            "ratio", ComparisonText.ratio(whole.ratio()),
                            "interval", ComparisonText.ratio(whole.low()) + " to " + ComparisonText.ratio(whole.high()),
                            "verdict", whole.outcome().word())));
        }
        return rows;
    }

    private static Map<String, Object> model(String id, Candidate candidate, String baseline) {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("id", id);
        run.put("name", candidate.name());
        run.put("verdict", candidate.outcome().word());
        run.put("summary", candidate.summary());
        List<Map<String, String>> counts = new ArrayList<>();
        for (Outcome outcome : Outcome.values()) {
            long number = candidate.cells().stream()
                    .filter(cell -> cell.outcome() == outcome)
                    .count();
            String kind = number == 0
                    ? ""
                    : switch (outcome) {
                        case FASTER, REPAIRED -> "ok";
                        case SLOWER, BROKE -> "bad";
                        case NO_DIFFERENCE -> "";
                        case UNDECIDED, NOT_COMPARABLE -> "warn";
                    };
            counts.add(Map.of("kind", kind, "number", Long.toString(number), "text", outcome.word()));
        }
        run.put("counts", counts);
        run.put("whole", whole(candidate, baseline));
        run.put("charts", charts(candidate, baseline));
        run.put("overall", overall(candidate));
        List<Map<String, Object>> cells = new ArrayList<>();
        List<Map<String, Object>> same = new ArrayList<>();
        for (Cell cell : candidate.cells()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("anchor", id + "-" + (cells.size() + same.size() + 1));
            row.put("key", cell.key().text());
            row.put("metric", cell.metric().shortName());
            row.put("before", number(cell.before()));
            row.put("after", number(cell.after()));
            row.put(
                    "ratio",
                    cell.ratio().isPresent() ? ComparisonText.ratio(cell.ratio().getAsDouble()) : "");
            row.put("verdict", cell.outcome().word());
            row.put("suspect", cell.suspect());
            row.put("reason", cell.reason());
            (isSame(cell) ? same : cells).add(row);
        }
        run.put("cells", cells);
        run.put("same", same);
        run.put("rows", rows(candidate));
        run.put(
                "unmatched",
                candidate.unmatched().stream()
                        .map(other -> other.key().text() + ", only in " + other.onlyIn() + " (" + other.where() + ")")
                        .toList());
        return run;
    }

    static String number(OptionalDouble value) {
        return value.isPresent() ? ComparisonText.number(value.getAsDouble()) : "";
    }

    private static String name(NoiseSource source) {
        return source.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
