/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

import io.gatebench.report.chart.Drawing;
import io.gatebench.report.column.Metric;
import io.gatebench.report.compare.Comparison.Candidate;
import io.gatebench.report.compare.Comparison.Cell;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.report.importer.CellKey;

/** Draws a comparison: the ratio of each test case with its interval, and one line per run over the users. */
final class ComparisonCharts {

    private static final int WIDTH = 860;
    private static final int LABELS = 360;
    private static final int ROW = 18;
    private static final int MAX_LINE_CHARTS = 60;
    private static final int COLOURS = 8;
    private static final List<String> DASHES = List.of("", " dash", " dotted", " dashdot");
    private static final double[] RATIOS = {
        0.01, 0.02, 0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100
    };

    private ComparisonCharts() {}

    /**
     * A drawing.
     *
     * @param fileName name without ending, of letters, digits and hyphens
     * @param title title
     * @param drawing the drawing
     */
    record Chart(String fileName, String title, Drawing drawing) {}

    static List<Chart> of(Comparison comparison) {
        List<Chart> charts = new ArrayList<>();
        int number = 0;
        for (Candidate candidate : comparison.candidates()) {
            number++;
            Map<Metric, List<Cell>> byMetric = new LinkedHashMap<>();
            candidate.overall().forEach(overall -> byMetric.put(overall.metric(), new ArrayList<>()));
            candidate
                    .cells()
                    .forEach(cell -> byMetric.computeIfAbsent(cell.metric(), any -> new ArrayList<>())
                            .add(cell));
            for (Map.Entry<Metric, List<Cell>> entry : byMetric.entrySet()) {
                String title = "Ratio of " + entry.getKey().shortName() + ": " + candidate.name() + " / "
                        + comparison.baseline();
                charts.add(new Chart(
                        "ratio-" + entry.getKey().shortName() + "-" + number,
                        title,
                        ratios(title, entry.getKey(), entry.getValue())));
            }
        }
        charts.addAll(lines(comparison));
        return charts;
    }

    /** Returns the run as a whole against the baseline, one row per metric. */
    static Drawing overall(String title, Candidate candidate) {
        List<Row> rows = candidate.overall().stream()
                .filter(metric -> metric.whole().isPresent())
                .map(metric -> {
                    Comparison.Whole whole = metric.whole().orElseThrow();
                    return new Row(
                            metric.metric().shortName() + " of " + metric.cells() + " test cases",
                            whole.ratio(),
                            OptionalDouble.of(whole.low()),
                            OptionalDouble.of(whole.high()),
                            whole.outcome(),
                            metric.metric().shortName() + "\n" + whole.outcome().word() + ": ratio "
                                    + ComparisonText.ratio(whole.ratio()) + ", 95 % interval "
                                    + ComparisonText.ratio(whole.low())
                                    + " to " + ComparisonText.ratio(whole.high()));
                })
                .toList();
        return ratios(title, rows, "less", "more");
    }

    /** A ratio with its interval. */
    private record Row(
            String label, double ratio, OptionalDouble low, OptionalDouble high, Outcome outcome, String text) {}

    /** Returns the ratios of these test cases in one metric. */
    static Drawing ratios(String title, Metric metric, List<Cell> all) {
        boolean higher = metric.better() == Metric.Better.HIGHER;
        return ratios(
                title,
                all.stream()
                        .filter(cell -> cell.ratio().isPresent() && cell.ratio().getAsDouble() > 0)
                        .sorted((a, b) -> CellKey.ORDER.compare(a.key(), b.key()))
                        .map(cell -> new Row(
                                cell.key().text(),
                                cell.ratio().getAsDouble(),
                                cell.low(),
                                cell.high(),
                                cell.outcome(),
                                cell.key().text() + "\n" + cell.outcome().word() + ": " + cell.reason()))
                        .toList(),
                higher ? "worse" : "better",
                higher ? "better" : "worse");
    }

    private static Drawing ratios(String title, List<Row> cells, String left, String right) {
        double widest = Math.log(1.25);
        for (Row cell : cells) {
            widest = Math.max(widest, Math.abs(Math.log(cell.ratio())));
            widest = Math.max(widest, -Math.log(cell.low().orElse(1)));
            widest = Math.max(widest, Math.log(cell.high().orElse(1)));
        }
        double reach = Math.min(widest, Math.log(100)) * 1.1;
        int top = Drawing.TITLE_HEIGHT + 42;
        int bottom = top + ROW * Math.max(1, cells.size());
        Drawing drawing = new Drawing(title, WIDTH, bottom + 48);
        legend(drawing, Drawing.TITLE_HEIGHT + 16);
        double free = Double.NEGATIVE_INFINITY;
        for (double tick : RATIOS) {
            if (Math.abs(Math.log(tick)) > reach) {
                continue;
            }
            double x = x(Math.log(tick), reach);
            drawing.line(x, top - 10, x, bottom, tick == 1 ? "axis" : "grid");
            if (x - free > 34) {
                drawing.text(x, bottom + 16, "middle", ComparisonText.number(tick));
                free = x;
            }
        }
        drawing.text(LABELS + 4, bottom + 36, "start", left);
        drawing.text(WIDTH - 24, bottom + 36, "end", right);
        double y = top + 4;
        for (Row cell : cells) {
            drawing.text(LABELS - 8, y + 4, "end", shortened(cell.label()));
            if (cell.low().isPresent() && cell.high().isPresent()) {
                drawing.line(
                        x(clamp(Math.log(cell.low().getAsDouble()), reach), reach),
                        y,
                        x(clamp(Math.log(cell.high().getAsDouble()), reach), reach),
                        y,
                        "t t" + style(cell.outcome()));
            }
            double at = x(clamp(Math.log(cell.ratio()), reach), reach);
            String text = cell.text();
            if (isCross(cell.outcome())) {
                drawing.cross(at, y, 4, "t t" + style(cell.outcome()), text);
            } else {
                drawing.dot(at, y, 4.5, "f" + style(cell.outcome()), text);
            }
            y += ROW;
        }
        return drawing;
    }

    private static void legend(Drawing drawing, double y) {
        double x = 12;
        for (Outcome outcome : Outcome.values()) {
            if (isCross(outcome)) {
                drawing.cross(x + 6, y - 4, 4, "t t" + style(outcome), outcome.word());
            } else {
                drawing.dot(x + 6, y - 4, 4.5, "f" + style(outcome), outcome.word());
            }
            drawing.text(x + 16, y, "start", outcome.word());
            x += 30 + 7.5 * outcome.word().length();
        }
        drawing.line(x + 2, y - 4, x + 24, y - 4, "t t-same").text(x + 30, y, "start", "95 % interval");
    }

    /** The end tells test cases of one scenario apart, so that it is the beginning that goes. */
    private static String shortened(String text) {
        int most = 50;
        return text.length() <= most ? text : "\u2026" + text.substring(text.length() - most + 1);
    }

    private static boolean isCross(Outcome outcome) {
        return switch (outcome) {
            case FASTER, SLOWER, NO_DIFFERENCE -> false;
            case UNDECIDED, BROKE, REPAIRED, NOT_COMPARABLE -> true;
        };
    }

    private static String style(Outcome outcome) {
        return switch (outcome) {
            case SLOWER -> "1";
            case FASTER -> "0";
            case NO_DIFFERENCE, UNDECIDED -> "-same";
            case BROKE, REPAIRED, NOT_COMPARABLE -> "3";
        };
    }

    private static double clamp(double value, double reach) {
        return Math.max(-reach, Math.min(reach, value));
    }

    private static double x(double log, double reach) {
        return LABELS + (log + reach) / (2 * reach) * (WIDTH - LABELS - 20);
    }

    /** Returns lines over the users: one chart per metric, scenario, heap, message and delay that has more than one user count. */
    static List<Chart> lines(Comparison comparison) {
        Map<String, Map<String, TreeMap<Integer, Double>>> groups = new LinkedHashMap<>();
        Map<String, Metric> metrics = new LinkedHashMap<>();
        for (Candidate candidate : comparison.candidates()) {
            List<Metric> metricsInOrder =
                    candidate.overall().stream().map(Comparison.Overall::metric).toList();
            for (Cell cell : candidate.cells().stream()
                    .sorted(Comparator.<Cell>comparingInt(any -> metricsInOrder.indexOf(any.metric()))
                            .thenComparing(Cell::key, CellKey.ORDER))
                    .toList()) {
                if (cell.key().users().isEmpty()) {
                    continue;
                }
                CellKey key = cell.key();
                String group = cell.metric().shortName() + " of "
                        + new CellKey(
                                        key.scenario(),
                                        key.heap(),
                                        OptionalInt.empty(),
                                        key.message(),
                                        key.delayMillis(),
                                        key.variant())
                                .text();
                metrics.put(group, cell.metric());
                Map<String, TreeMap<Integer, Double>> runs =
                        groups.computeIfAbsent(group, any -> new LinkedHashMap<>());
                int users = key.users().getAsInt();
                cell.before()
                        .ifPresent(value -> runs.computeIfAbsent(comparison.baseline(), any -> new TreeMap<>())
                                .put(users, value));
                cell.after()
                        .ifPresent(value -> runs.computeIfAbsent(candidate.name(), any -> new TreeMap<>())
                                .put(users, value));
            }
        }
        List<Chart> charts = new ArrayList<>();
        for (Map.Entry<String, Map<String, TreeMap<Integer, Double>>> group : groups.entrySet()) {
            boolean hasLine = group.getValue().values().stream().anyMatch(points -> points.size() > 1);
            if (hasLine && charts.size() < MAX_LINE_CHARTS) {
                Metric metric = metrics.get(group.getKey());
                charts.add(new Chart(
                        "line-" + metric.shortName() + "-" + (charts.size() + 1),
                        group.getKey(),
                        line(group.getKey(), metric, group.getValue())));
            }
        }
        return charts;
    }

    private static Drawing line(String title, Metric metric, Map<String, TreeMap<Integer, Double>> runs) {
        int left = 80;
        int right = WIDTH - 20;
        int top = Drawing.TITLE_HEIGHT + 18 + 18 * ((runs.size() + 2) / 3);
        int bottom = top + 230;
        Drawing drawing = new Drawing(title, WIDTH, bottom + 50);
        double most = runs.values().stream()
                .flatMap(points -> points.values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
        List<Double> ticks = Drawing.ticks(0, most, true);
        double ceiling = ticks.get(ticks.size() - 1);
        TreeSet<Integer> users = new TreeSet<>();
        runs.values().forEach(points -> users.addAll(points.keySet()));
        List<Integer> places = List.copyOf(users);
        ToDoubleFunction<Integer> atX = count -> left + (right - left) * (places.indexOf(count) + 0.5) / places.size();
        ToDoubleFunction<Double> atY = value -> bottom - (bottom - top) * value / ceiling;
        for (double tick : ticks) {
            double y = atY.applyAsDouble(tick);
            drawing.line(left, y, right, y, tick == 0 ? "axis" : "grid")
                    .text(left - 6, y + 4, "end", ComparisonText.number(tick));
        }
        double free = Double.NEGATIVE_INFINITY;
        for (int count : places) {
            double x = atX.applyAsDouble(count);
            if (x - free > 36) {
                drawing.text(x, bottom + 16, "middle", ComparisonText.number(count));
                free = x;
            }
        }
        drawing.text(
                (left + right) / 2.0,
                bottom + 38,
                "middle",
                "concurrent users; vertical axis in " + metric.unit().inSentences());
        int index = 0;
        for (Map.Entry<String, TreeMap<Integer, Double>> run : runs.entrySet()) {
            int colour = index % COLOURS;
            String line = "t t" + colour + DASHES.get(index % DASHES.size());
            List<double[]> points = new ArrayList<>();
            run.getValue()
                    .forEach((count, value) ->
                            points.add(new double[] {atX.applyAsDouble(count), atY.applyAsDouble(value)}));
            drawing.path(points, line);
            run.getValue()
                    .forEach((count, value) -> drawing.dot(
                            atX.applyAsDouble(count),
                            atY.applyAsDouble(value),
                            4,
                            "f" + colour,
                            run.getKey() + ", " + count + " users: " + ComparisonText.number(value) + " "
                                    + metric.unit().inSentences()));
            double x = left + index % 3 * 255;
            double y = Drawing.TITLE_HEIGHT + 12 + 18 * (index / 3);
            drawing.line(x, y - 4, x + 24, y - 4, line).text(x + 30, y, "start", shortenedName(run.getKey()));
            index++;
        }
        return drawing;
    }

    private static String shortenedName(String name) {
        int most = 32;
        return name.length() <= most ? name : name.substring(0, most - 1) + "\u2026";
    }
}
