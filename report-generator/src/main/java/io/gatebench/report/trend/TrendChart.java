/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.trend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

import io.gatebench.report.chart.Drawing;

/** Draws the runs of one test case with the levels between their changes. */
final class TrendChart {

    private static final int WIDTH = 1180;
    private static final int PLOT = 236;
    private static final int LABEL_ROW = 14;
    private static final int MAX_LABEL_ROWS = 6;
    private static final int GAP = 10;
    private static final int LEFT = 76;
    private static final int RIGHT = WIDTH - 20;
    private static final double WIDTH_OF_CHARACTER = 7;
    /** From here on the axis begins below the smallest figure, because a change of a few percent would not be seen. */
    private static final double NEAR = 0.5;

    private final Trend.Series series;
    private final String value;
    private final double step;
    private final int top;
    private final int bottom;
    private final List<Label> labels;

    /** The text of a change, where it has room. */
    private record Label(double at, double from, int row, String text) {}

    private TrendChart(String value, Trend.Series series) {
        this.value = value;
        this.series = series;
        step = (RIGHT - LEFT) / (double) Math.max(1, series.points().size());
        labels = labels();
        int rows = labels.stream().mapToInt(Label::row).max().orElse(0) + 1;
        top = Drawing.TITLE_HEIGHT + 20 + rows * LABEL_ROW;
        bottom = top + PLOT;
    }

    static Drawing of(String value, Trend.Series series) {
        return new TrendChart(value, series).drawing();
    }

    private double x(double run) {
        return LEFT + (run + 0.5) * step;
    }

    /**
     * From the right each change has its text in the lowest row in which it meets no other, and no line of a later change;
     * where there is none, the table has it.
     */
    private List<Label> labels() {
        double[] free = new double[MAX_LABEL_ROWS];
        Arrays.fill(free, RIGHT + GAP);
        List<Trend.Change> changes = new ArrayList<>(series.changes());
        series.early().ifPresent(changes::add);
        Collections.reverse(changes);
        List<Label> found = new ArrayList<>();
        for (Trend.Change change : changes) {
            String text = TrendWriter.percent(change)
                    + (series.early().filter(change::equals).isPresent()
                            ? ": too early to tell"
                            : " at " + TrendWriter.place(change.point()));
            double width = text.length() * WIDTH_OF_CHARACTER;
            double at = x(change.index()) - step / 2;
            double from = Math.min(at + 5, RIGHT - width);
            for (int row = 0; row < MAX_LABEL_ROWS; row++) {
                if (from + width + GAP <= free[row]) {
                    free[row] = Math.min(at, from);
                    found.add(new Label(at, from, row, text));
                    break;
                }
            }
        }
        return found;
    }

    private Drawing drawing() {
        List<Trend.Point> points = series.points();
        double[] values = points.stream().mapToDouble(Trend.Point::value).toArray();
        double smallest = Arrays.stream(values).min().orElse(0);
        double largest = Arrays.stream(values).max().orElse(1);
        boolean fromZero = smallest < NEAR * largest;
        List<Double> ticks = Drawing.ticks(smallest, largest, fromZero);
        double low = ticks.get(0);
        double span = ticks.get(ticks.size() - 1) - low;
        DoubleUnaryOperator y = figure -> bottom - (figure - low) / span * PLOT;
        Drawing drawing = new Drawing(value + " of " + series.name(), WIDTH, bottom + 58);
        for (double tick : ticks) {
            double at = y.applyAsDouble(tick);
            drawing.line(LEFT, at, RIGHT, at, tick == low ? "axis" : "grid");
            drawing.text(LEFT - 7, at + 4, "end", TrendWriter.figure(tick));
        }
        times(drawing);
        drawing.text(
                (LEFT + RIGHT) / 2.0,
                bottom + 46,
                "middle",
                points.size() + (points.size() == 1 ? " run" : " runs") + ", " + value
                        + (fromZero || low == 0 ? "" : "; the axis does not begin at zero"));
        List<double[]> line = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            line.add(new double[] {x(i), y.applyAsDouble(values[i])});
        }
        drawing.path(line, "t t-same");
        levels(drawing, values, y);
        for (int i = 0; i < values.length; i++) {
            drawing.dot(
                    line.get(i)[0],
                    line.get(i)[1],
                    3.2,
                    "f0",
                    TrendWriter.place(points.get(i)) + "\n" + TrendWriter.figure(values[i]) + "\nrun "
                            + points.get(i).number() + ", " + points.get(i).where());
        }
        return drawing;
    }

    private void levels(Drawing drawing, double[] values, DoubleUnaryOperator y) {
        int from = 0;
        int end = series.early().map(Trend.Change::index).orElse(values.length);
        for (int i = 0; i <= series.changes().size(); i++) {
            int to =
                    i == series.changes().size() ? end : series.changes().get(i).index();
            double level = y.applyAsDouble(ChangePoints.median(Arrays.copyOfRange(values, from, to)));
            drawing.line(x(from) - step / 2, level, x(to - 1) + step / 2, level, "t t1 wide");
            from = to;
        }
        for (Trend.Change change : series.changes()) {
            double at = x(change.index()) - step / 2;
            drawing.line(at, top - 6, at, bottom, "t t1 thin");
        }
        series.early()
                .map(change -> x(change.index()) - step / 2)
                .ifPresent(at -> drawing.line(at, top - 6, at, bottom, "t t-same"));
        for (Label label : labels) {
            double at = top - 10 - label.row() * LABEL_ROW;
            drawing.line(label.at(), top - 6, label.at(), at, "t t1 thin");
            drawing.text(label.from(), at, "start", label.text());
        }
    }

    private void times(Drawing drawing) {
        double free = Double.NEGATIVE_INFINITY;
        String before = "";
        for (int i = 0; i < series.points().size(); i++) {
            Trend.Point point = series.points().get(i);
            String day = point.date().isEmpty()
                    ? Integer.toString(point.number())
                    : point.date().replaceFirst(" \\d\\d:\\d\\d$", "");
            String version = point.version().map(TrendChart::shortened).orElse("");
            double half = Math.max(day.length(), version.length()) * WIDTH_OF_CHARACTER / 2;
            double at = x(i);
            if (at - half > free && at + half <= WIDTH) {
                drawing.line(at, bottom, at, bottom + 4, "axis").text(at, bottom + 17, "middle", day);
                if (!version.equals(before)) {
                    drawing.text(at, bottom + 31, "middle", version);
                }
                before = version;
                free = at + half + GAP;
            }
        }
    }

    private static String shortened(String text) {
        int most = 16;
        return text.length() <= most ? text : text.substring(0, most - 1) + "\u2026";
    }
}
