/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import io.gatebench.report.chart.Canvas.Anchor;
import io.gatebench.report.chart.Canvas.Corner;
import io.gatebench.report.chart.Chart.Kind;
import io.gatebench.report.chart.Chart.Panel;
import io.gatebench.report.chart.Chart.Point;
import io.gatebench.report.chart.Chart.Series;

/**
 * Draws a chart on any canvas.
 *
 * <p>Series differ by colour, marker and dash, so that a grey print and a colour-blind reader tell them apart.
 */
final class ChartPainter {

    /** The palette of Okabe and Ito (2008), made for every kind of colour blindness; yellow is too pale on white. */
    private static final List<String> COLOURS =
            List.of("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31");

    private static final double[][] DASHES = {{}, {7, 3}, {2, 2.5}, {9, 3, 2, 3}};
    /** The tallest panel may be this many times as tall as the lowest for all to share an axis. */
    private static final double MAX_SHARED = 4;

    private static final String INK = "#1c1f23";
    private static final String FAINT = "#4b5563";
    private static final String GRID = "#e3e6ea";
    private static final double TITLE = 17;
    private static final double TEXT = 12.5;
    private static final double SMALL = 11.5;
    private static final double MARGIN = 18;
    private static final double LINE = 17;
    /** Width of a character in units of its size: an upper mean of DejaVu Sans, the widest of the usual fonts. */
    private static final double CHARACTER = 0.62;

    private final Chart chart;
    private final List<String> names;
    private final int perRow;
    private final double panelWidth;
    private final double panelHeight;
    private final double width;
    private final double top;
    private final List<List<String>> legend;
    private final List<String> footer;
    private final boolean shared;

    ChartPainter(Chart chart) {
        this.chart = chart;
        Set<String> series = new LinkedHashSet<>();
        chart.panels().forEach(panel -> panel.series().forEach(s -> series.add(s.name())));
        names = List.copyOf(series);
        int panels = chart.panels().size();
        perRow = panels <= 1 ? 1 : panels <= 4 ? 2 : 3;
        panelWidth = perRow == 1 ? 800 : perRow == 2 ? 500 : 420;
        panelHeight = perRow == 1 ? 430 : perRow == 2 ? 340 : 300;
        width = Math.max(800, perRow * panelWidth) + 2 * MARGIN;
        top = MARGIN + TITLE + (chart.subtitle().isEmpty() ? 0 : LINE) + 10;
        legend = legendLines();
        shared = sharesAxis(chart);
        footer = footerLines();
    }

    byte[] png() {
        return PngCanvas.document(width, height(), this::paint);
    }

    String svg() {
        SvgCanvas canvas = new SvgCanvas(width, height(), chart.title());
        paint(canvas);
        return canvas.document();
    }

    private double height() {
        int rows = (chart.panels().size() + perRow - 1) / perRow;
        return top + legend.size() * LINE + 8 + rows * panelHeight + footer.size() * LINE + MARGIN;
    }

    private void paint(Canvas canvas) {
        canvas.fill(rectangle(0, 0, width, height()), "#ffffff", 1);
        canvas.text(width / 2, MARGIN + TITLE - 2, chart.title(), TITLE, true, INK, Anchor.MIDDLE);
        if (!chart.subtitle().isEmpty()) {
            canvas.text(width / 2, MARGIN + TITLE + LINE, chart.subtitle(), TEXT, false, FAINT, Anchor.MIDDLE);
        }
        double y = top + LINE - 4;
        for (List<String> line : legend) {
            legend(canvas, line, y);
            y += LINE;
        }
        y = top + legend.size() * LINE + 8;
        for (int i = 0; i < chart.panels().size(); i++) {
            panel(
                    canvas,
                    chart.panels().get(i),
                    MARGIN + i % perRow * ((width - 2 * MARGIN) / perRow),
                    y + i / perRow * panelHeight,
                    (width - 2 * MARGIN) / perRow);
        }
        y = height() - MARGIN - footer.size() * LINE + LINE;
        for (String line : footer) {
            canvas.text(MARGIN, y, line, SMALL, false, FAINT, Anchor.START);
            y += LINE;
        }
    }

    private List<List<String>> legendLines() {
        List<List<String>> lines = new ArrayList<>();
        List<String> line = new ArrayList<>();
        double used = textWidth(chart.legendTitle(), TEXT) + 20;
        for (String name : names) {
            double item = itemWidth(name);
            if (!line.isEmpty() && used + item > width - 2 * MARGIN) {
                lines.add(line);
                line = new ArrayList<>();
                used = 0;
            }
            line.add(name);
            used += item;
        }
        if (!line.isEmpty()) {
            lines.add(line);
        }
        return lines;
    }

    private List<String> footerLines() {
        List<String> lines = new ArrayList<>();
        if (chart.isEmpty()) {
            lines.add("There is no figure to draw.");
        }
        if (!shared) {
            lines.add("The vertical axes of the panels differ.");
        }
        if (chart.hasHollowMarks()) {
            lines.add("Hollow marks: rows that are doubtful or invalid by their verdict.");
        }
        if (chart.leftOut().isEmpty()) {
            return lines;
        }
        StringBuilder line = new StringBuilder("Not drawn: ");
        int most = (int) ((width - 2 * MARGIN) / (SMALL * CHARACTER));
        for (int i = 0; i < chart.leftOut().size(); i++) {
            String item = chart.leftOut().get(i) + (i < chart.leftOut().size() - 1 ? "; " : "");
            if (line.length() + item.length() > most && !line.isEmpty()) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(item);
        }
        lines.add(line.toString());
        return lines;
    }

    private void legend(Canvas canvas, List<String> line, double y) {
        boolean first = line == legend.get(0);
        double all = line.stream().mapToDouble(ChartPainter::itemWidth).sum()
                + (first ? textWidth(chart.legendTitle(), TEXT) + 20 : 0);
        double x = Math.max(MARGIN, (width - all) / 2);
        if (first && !chart.legendTitle().isEmpty()) {
            canvas.text(x, y, chart.legendTitle() + ":", TEXT, false, FAINT, Anchor.START);
            x += textWidth(chart.legendTitle(), TEXT) + 20;
        }
        boolean bars = chart.panels().get(0).kind() == Kind.BARS;
        for (String name : line) {
            int index = names.indexOf(name);
            if (bars) {
                canvas.fill(rectangle(x + 6, y - 10, 12, 12), colour(index), 1);
            } else {
                canvas.line(List.of(new Corner(x, y - 4), new Corner(x + 24, y - 4)), colour(index), 2.2, dash(index));
                canvas.fill(marker(index, x + 12, y - 4), colour(index), 1);
            }
            canvas.text(x + 29, y, name, TEXT, false, INK, Anchor.START);
            x += itemWidth(name);
        }
    }

    private static double itemWidth(String name) {
        return 29 + textWidth(name, TEXT) + 16;
    }

    private static double textWidth(String text, double size) {
        return text.codePointCount(0, text.length()) * size * CHARACTER;
    }

    private void panel(Canvas canvas, Panel panel, double x, double y, double whole) {
        double left = x + 78;
        double right = x + whole - 14;
        double upper = y + (panel.title().isEmpty() ? 8 : 26);
        double lower = y + panelHeight - 52;
        if (!panel.title().isEmpty()) {
            canvas.text((left + right) / 2, y + 16, panel.title(), TEXT, true, INK, Anchor.MIDDLE);
        }
        List<Point> points =
                panel.series().stream().flatMap(s -> s.points().stream()).toList();
        Scale vertical = vertical(shared ? chart.panels() : List.of(panel));
        for (double tick : vertical.ticks()) {
            double at = lower - vertical.share(tick) * (lower - upper);
            canvas.line(List.of(new Corner(left, at), new Corner(right, at)), GRID, 1, new double[0]);
            canvas.text(left - 7, at + 4, Labels.number(tick), SMALL, false, FAINT, Anchor.END);
        }
        canvas.upwards(x + 16, (upper + lower) / 2, panel.yLabel(), TEXT, INK);
        canvas.text((left + right) / 2, lower + 40, panel.xLabel(), TEXT, false, INK, Anchor.MIDDLE);
        canvas.line(List.of(new Corner(left, lower), new Corner(right, lower)), FAINT, 1.2, new double[0]);
        if (points.isEmpty()) {
            canvas.text((left + right) / 2, (upper + lower) / 2, "no figures", TEXT, false, FAINT, Anchor.MIDDLE);
            return;
        }
        Frame frame = new Frame(
                panel, left, right, upper, lower, vertical, xs(panel.evenly() ? points(chart.panels()) : points));
        frame.ticks(canvas);
        switch (panel.kind()) {
            case LINES -> lines(canvas, frame);
            case BARS -> bars(canvas, frame);
            case REGRESSION -> regression(canvas, frame);
        }
    }

    private static Scale vertical(List<Panel> panels) {
        List<Point> points = points(panels);
        boolean percentage = panels.get(0).yLabel().contains("GC Throughput");
        double smallest = points.stream().mapToDouble(Point::y).min().orElse(0);
        double largest = points.stream().mapToDouble(Point::y).max().orElse(1);
        return Scale.of(smallest, largest, percentage);
    }

    private static List<Point> points(List<Panel> panels) {
        return panels.stream()
                .flatMap(panel -> panel.series().stream())
                .flatMap(series -> series.points().stream())
                .toList();
    }

    /** One axis lets a reader compare heights, unless it would flatten a panel to a line. */
    private static boolean sharesAxis(Chart chart) {
        double[] tops = chart.panels().stream()
                .filter(panel -> !points(List.of(panel)).isEmpty())
                .mapToDouble(panel -> points(List.of(panel)).stream()
                        .mapToDouble(Point::y)
                        .max()
                        .orElse(0))
                .sorted()
                .toArray();
        return tops.length == 0 || tops[0] * MAX_SHARED >= tops[tops.length - 1];
    }

    private static List<Double> xs(Collection<Point> points) {
        TreeSet<Double> xs = new TreeSet<>();
        points.forEach(point -> xs.add(point.x()));
        return List.copyOf(xs);
    }

    private void lines(Canvas canvas, Frame frame) {
        for (Series series : frame.panel.series()) {
            int index = names.indexOf(series.name());
            List<Corner> corners = series.points().stream().map(frame::corner).toList();
            List<Boolean> hollow = series.points().stream().map(Point::hollow).toList();
            if (corners.size() > 1) {
                canvas.line(corners, colour(index), 2.2, dash(index));
            }
            for (int i = 0; i < corners.size(); i++) {
                mark(canvas, marker(index, corners.get(i).x(), corners.get(i).y()), index, hollow.get(i), 1);
            }
        }
    }

    private static void mark(Canvas canvas, List<Corner> shape, int index, boolean hollow, double opacity) {
        if (!hollow) {
            canvas.fill(shape, colour(index), opacity);
            return;
        }
        List<Corner> outline = new ArrayList<>(shape);
        outline.add(shape.get(0));
        canvas.fill(shape, "#ffffff", 1);
        canvas.line(outline, colour(index), 1.4, new double[0]);
    }

    private void bars(Canvas canvas, Frame frame) {
        double group = (frame.right - frame.left) / frame.xs.size() * 0.8;
        double bar = group / Math.max(1, names.size());
        for (Series series : frame.panel.series()) {
            int index = names.indexOf(series.name());
            for (Point point : series.points()) {
                Corner at = frame.corner(point);
                double from = at.x() - group / 2 + index * bar;
                mark(
                        canvas,
                        rectangle(from, at.y(), bar * 0.92, Math.max(1, frame.lower - at.y())),
                        index,
                        point.hollow(),
                        1);
            }
        }
    }

    /** Points and their least-squares line with its 95 % band for the mean, as the published regression plots. */
    private void regression(Canvas canvas, Frame frame) {
        for (Series series : frame.panel.series()) {
            int index = names.indexOf(series.name());
            Regression.of(series.points()).ifPresent(fit -> {
                List<Corner> band = new ArrayList<>();
                List<Corner> line = new ArrayList<>();
                int steps = 40;
                for (int i = 0; i <= steps; i++) {
                    double x = fit.from() + (fit.to() - fit.from()) * i / steps;
                    band.add(frame.clipped(x, fit.at(x) + fit.halfBand(x)));
                    line.add(frame.clipped(x, fit.at(x)));
                }
                for (int i = steps; i >= 0; i--) {
                    double x = fit.from() + (fit.to() - fit.from()) * i / steps;
                    band.add(frame.clipped(x, fit.at(x) - fit.halfBand(x)));
                }
                canvas.fill(band, colour(index), 0.13);
                canvas.line(line, colour(index), 2, dash(index));
            });
            for (Point point : series.points()) {
                Corner at = frame.corner(point);
                mark(canvas, marker(index, at.x(), at.y()), index, point.hollow(), 0.85);
            }
        }
    }

    private static String colour(int index) {
        return COLOURS.get(index % COLOURS.size());
    }

    private static double[] dash(int index) {
        return DASHES[index % DASHES.length];
    }

    private static List<Corner> marker(int index, double x, double y) {
        double r = 4.6;
        return switch (index % 5) {
            case 0 -> polygon(x, y, r, 16, 0);
            case 1 -> rectangle(x - r * 0.88, y - r * 0.88, r * 1.76, r * 1.76);
            case 2 -> polygon(x, y, r * 1.25, 3, -Math.PI / 2);
            case 3 -> polygon(x, y, r * 1.25, 4, -Math.PI / 2);
            default -> polygon(x, y, r * 1.25, 3, Math.PI / 2);
        };
    }

    private static List<Corner> polygon(double x, double y, double radius, int corners, double turn) {
        List<Corner> polygon = new ArrayList<>();
        for (int i = 0; i < corners; i++) {
            double angle = turn + 2 * Math.PI * i / corners;
            polygon.add(new Corner(x + radius * Math.cos(angle), y + radius * Math.sin(angle)));
        }
        return polygon;
    }

    private static List<Corner> rectangle(double x, double y, double width, double height) {
        return List.of(
                new Corner(x, y),
                new Corner(x + width, y),
                new Corner(x + width, y + height),
                new Corner(x, y + height));
    }

    /** The area of a plot and its axes. */
    private static final class Frame {
        private final Panel panel;
        private final double left;
        private final double right;
        private final double upper;
        private final double lower;
        private final Scale vertical;
        private final List<Double> xs;
        private final double lastX;

        Frame(Panel panel, double left, double right, double upper, double lower, Scale vertical, List<Double> xs) {
            this.panel = panel;
            this.left = left;
            this.right = right;
            this.upper = upper;
            this.lower = lower;
            this.vertical = vertical;
            this.xs = xs;
            this.lastX = xs.get(xs.size() - 1);
        }

        private double x(double value) {
            if (panel.evenly() || panel.kind() == Kind.BARS) {
                return left + (xs.indexOf(value) + 0.5) * (right - left) / xs.size();
            }
            double most = lastX > 0 ? lastX * 1.04 : 1;
            return left + value / most * (right - left);
        }

        Corner corner(Point point) {
            return new Corner(x(point.x()), lower - vertical.share(point.y()) * (lower - upper));
        }

        Corner clipped(double xValue, double yValue) {
            double y = lower - vertical.share(yValue) * (lower - upper);
            return new Corner(x(xValue), Math.max(upper, Math.min(lower, y)));
        }

        /** Labels each value; one that would touch its left neighbour keeps its tick and loses its label. */
        void ticks(Canvas canvas) {
            double free = Double.NEGATIVE_INFINITY;
            for (double value : xs) {
                String label = Labels.of(value, panel.xUnit());
                double at = x(value);
                canvas.line(List.of(new Corner(at, lower), new Corner(at, lower + 4)), FAINT, 1, new double[0]);
                double half = textWidth(label, SMALL) / 2;
                if (at - half > free) {
                    canvas.text(at, lower + 19, label, SMALL, false, FAINT, Anchor.MIDDLE);
                    free = at + half + 2;
                }
            }
        }
    }
}
