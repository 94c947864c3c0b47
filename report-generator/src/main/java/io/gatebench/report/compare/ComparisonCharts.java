/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;

import io.gatebench.report.compare.Comparison.Candidate;
import io.gatebench.report.compare.Comparison.Cell;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.report.past.CellKey;
import io.gatebench.report.past.Metric;

/** Draws a comparison as SVG: the ratio of each cell with its interval, and one line per run over the users. */
final class ComparisonCharts {

    private static final int WIDTH = 860;
    private static final int LABELS = 360;
    private static final int ROW = 18;
    private static final int MOST_LINE_CHARTS = 60;
    /** Okabe and Ito's palette, which tells apart under every kind of colour blindness. */
    private static final List<String> COLOURS =
            List.of("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000");

    private static final Map<Outcome, String> OUTCOME_COLOURS = Map.of(
            Outcome.SLOWER,
            "#D55E00",
            Outcome.FASTER,
            "#0072B2",
            Outcome.SAME,
            "#767676",
            Outcome.NOT_COMPARABLE,
            "#AA4499");

    private ComparisonCharts() {}

    /**
     * A drawing.
     *
     * @param fileName name without ending, of letters, digits and hyphens
     * @param title title
     * @param svg the whole SVG document
     */
    record Chart(String fileName, String title, String svg) {}

    static List<Chart> of(Comparison comparison) {
        List<Chart> charts = new ArrayList<>();
        int number = 0;
        for (Candidate candidate : comparison.candidates()) {
            number++;
            Map<Metric, List<Cell>> byMetric = new LinkedHashMap<>();
            candidate
                    .cells()
                    .forEach(cell -> byMetric.computeIfAbsent(cell.metric(), any -> new ArrayList<>())
                            .add(cell));
            for (Map.Entry<Metric, List<Cell>> entry : byMetric.entrySet()) {
                String title = "Ratio of " + entry.getKey().shortName() + ": " + candidate.name() + " / "
                        + comparison.baseline();
                charts.add(new Chart(
                        "ratio-" + entry.getKey().shortName() + "-" + number, title, ratios(title, entry.getValue())));
            }
        }
        lines(comparison, charts);
        return charts;
    }

    private static String ratios(String title, List<Cell> all) {
        List<Cell> cells = all.stream()
                .filter(cell -> cell.ratio().isPresent() && cell.ratio().getAsDouble() > 0)
                .sorted((a, b) -> CellKey.ORDER.compare(a.key(), b.key()))
                .toList();
        double reach = Math.log(1.25);
        for (Cell cell : cells) {
            reach = Math.max(reach, Math.abs(Math.log(cell.ratio().orElseThrow())));
        }
        reach = Math.min(reach, Math.log(100)) * 1.1;
        int height = 60 + ROW * cells.size() + 30;
        StringBuilder svg = open(title, WIDTH, height);
        double[] ticks = {
            0.01, 0.02, 0.05, 0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100
        };
        double lastX = Double.NEGATIVE_INFINITY;
        for (double tick : ticks) {
            if (Math.abs(Math.log(tick)) > reach) {
                continue;
            }
            double x = x(Math.log(tick), reach);
            line(svg, x, 44, x, height - 26, tick == 1 ? "axis" : "grid");
            if (x - lastX > 34) {
                text(svg, x, height - 10, "middle", "label", Words.number(tick));
                lastX = x;
            }
        }
        int y = 54;
        for (Cell cell : cells) {
            String colour = OUTCOME_COLOURS.get(cell.outcome());
            text(svg, LABELS - 8, y + 4, "end", "label", cell.key().text());
            if (cell.low().isPresent() && cell.high().isPresent()) {
                double from = x(clamp(Math.log(cell.low().getAsDouble()), reach), reach);
                double to = x(clamp(Math.log(cell.high().getAsDouble()), reach), reach);
                svg.append(String.format(
                        Locale.ROOT,
                        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/>\n",
                        from,
                        y,
                        to,
                        y,
                        colour));
            }
            double at = x(clamp(Math.log(cell.ratio().orElseThrow()), reach), reach);
            String shape = cell.outcome() == Outcome.NOT_COMPARABLE
                    ? "<path d=\"M%.1f %d l8 8 m0 -8 l-8 8\" stroke=\"%s\" stroke-width=\"2\" fill=\"none\"><title>%s</title></path>\n"
                    : "<circle cx=\"%.1f\" cy=\"%d\" r=\"4\" fill=\"%s\"><title>%s</title></circle>\n";
            boolean cross = cell.outcome() == Outcome.NOT_COMPARABLE;
            svg.append(String.format(
                    Locale.ROOT,
                    shape,
                    cross ? at - 4 : at,
                    cross ? y - 4 : y,
                    colour,
                    escape(cell.outcome().word() + ": " + cell.reason())));
            y += ROW;
        }
        return svg.append("</svg>\n").toString();
    }

    private static double clamp(double value, double reach) {
        return Math.max(-reach, Math.min(reach, value));
    }

    private static double x(double log, double reach) {
        return LABELS + (log + reach) / (2 * reach) * (WIDTH - LABELS - 20);
    }

    /** One chart per metric, scenario, heap, message and delay that has more than one user count. */
    private static void lines(Comparison comparison, List<Chart> charts) {
        Map<String, Map<String, TreeMap<Integer, Double>>> groups = new LinkedHashMap<>();
        Map<String, Metric> metrics = new LinkedHashMap<>();
        for (Candidate candidate : comparison.candidates()) {
            for (Cell cell : candidate.cells().stream()
                    .sorted((a, b) -> CellKey.ORDER.compare(a.key(), b.key()))
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
        int number = 0;
        for (Map.Entry<String, Map<String, TreeMap<Integer, Double>>> group : groups.entrySet()) {
            boolean hasLine = group.getValue().values().stream().anyMatch(points -> points.size() > 1);
            if (hasLine && number < MOST_LINE_CHARTS) {
                number++;
                Metric metric = metrics.get(group.getKey());
                charts.add(new Chart(
                        "line-" + metric.shortName() + "-" + number,
                        group.getKey(),
                        line(group.getKey(), metric, group.getValue())));
            }
        }
    }

    private static String line(String title, Metric metric, Map<String, TreeMap<Integer, Double>> runs) {
        int height = 320;
        int left = 80;
        int right = WIDTH - 20;
        int top = 50 + 18 * ((runs.size() + 2) / 3);
        int bottom = height - 50;
        double most = runs.values().stream()
                .flatMap(points -> points.values().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(1);
        int mostUsers = runs.values().stream()
                .mapToInt(points -> points.lastKey())
                .max()
                .orElse(1);
        double step = niceStep(most / 5);
        double ceiling = Math.max(step, Math.ceil(most / step) * step);
        Function<Integer, Double> atX = users -> left + (right - left) * (double) users / mostUsers;
        Function<Double, Double> atY = value -> bottom - (bottom - top) * value / ceiling;
        StringBuilder svg = open(title, WIDTH, height);
        for (double tick = 0; tick <= ceiling * 1.0001; tick += step) {
            double y = atY.apply(tick);
            line(svg, left, y, right, y, tick == 0 ? "axis" : "grid");
            text(svg, left - 6, y + 4, "end", "label", Words.number(tick));
        }
        TreeMap<Integer, Boolean> users = new TreeMap<>();
        runs.values().forEach(points -> points.keySet().forEach(key -> users.put(key, true)));
        double lastX = Double.NEGATIVE_INFINITY;
        for (int count : users.keySet()) {
            double x = atX.apply(count);
            if (x - lastX > 30) {
                text(svg, x, bottom + 16, "middle", "label", Integer.toString(count));
                lastX = x;
            }
        }
        text(
                svg,
                (left + right) / 2.0,
                height - 12,
                "middle",
                "label",
                "concurrent users; vertical axis in " + Words.unit(metric));
        int index = 0;
        for (Map.Entry<String, TreeMap<Integer, Double>> run : runs.entrySet()) {
            String colour = COLOURS.get(index % COLOURS.size());
            StringBuilder points = new StringBuilder();
            run.getValue()
                    .forEach((count, value) -> points.append(
                            String.format(Locale.ROOT, "%.1f,%.1f ", atX.apply(count), atY.apply(value))));
            svg.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"").append(colour);
            svg.append("\"").append(index % 2 == 1 ? " stroke-dasharray=\"7 4\"" : "");
            svg.append(" points=\"").append(points.toString().strip()).append("\"/>\n");
            for (Map.Entry<Integer, Double> point : run.getValue().entrySet()) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"><title>%s</title></circle>\n",
                        atX.apply(point.getKey()),
                        atY.apply(point.getValue()),
                        colour,
                        escape(run.getKey() + ", " + point.getKey() + " users: " + Words.number(point.getValue()) + " "
                                + Words.unit(metric))));
            }
            double x = left + (index % 3) * 250;
            double y = 44 + 18 * (index / 3);
            svg.append(String.format(
                    Locale.ROOT,
                    "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"3\"%s/>\n",
                    x,
                    y - 4,
                    x + 24,
                    y - 4,
                    colour,
                    index % 2 == 1 ? " stroke-dasharray=\"7 4\"" : ""));
            text(svg, x + 30, y, "start", "label", run.getKey());
            index++;
        }
        return svg.append("</svg>\n").toString();
    }

    private static double niceStep(double rough) {
        if (!(rough > 0)) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double lead = rough / power;
        return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
    }

    private static StringBuilder open(String title, int width, int height) {
        StringBuilder svg = new StringBuilder();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n",
                width,
                height));
        svg.append("<title>").append(escape(title)).append("</title>\n");
        svg.append("<style>.grid{stroke:#8884;stroke-width:1}.axis{stroke:#888;stroke-width:1.5}")
                .append(".label{fill:currentColor}.head{fill:currentColor;font-size:15px;font-weight:600}</style>\n");
        text(svg, 12, 22, "start", "head", title);
        return svg;
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2, String style) {
        svg.append(String.format(
                Locale.ROOT,
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
                style,
                x1,
                y1,
                x2,
                y2));
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String style, String text) {
        svg.append(String.format(
                Locale.ROOT,
                "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
                style,
                x,
                y,
                anchor,
                escape(text)));
    }

    /** Escapes for XML and drops what XML cannot hold. */
    private static String escape(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints()
                .filter(c -> c >= 0x20 && c != 0xFFFE && c != 0xFFFF && !(c >= 0xD800 && c <= 0xDFFF))
                .forEach(c -> {
                    switch (c) {
                        case '<' -> safe.append("&lt;");
                        case '>' -> safe.append("&gt;");
                        case '&' -> safe.append("&amp;");
                        case '"' -> safe.append("&quot;");
                        default -> safe.appendCodePoint(c);
                    }
                });
        return safe.toString();
    }
}
