/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.trend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;

import io.gatebench.report.chart.Drawing;

/** Draws the runs of one cell with the levels between their changes. */
final class TrendChart {

    private static final int WIDTH = 1180;
    private static final int HEIGHT = 330;
    private static final int LEFT = 76;
    private static final int RIGHT = WIDTH - 20;
    private static final int TOP = Drawing.TITLE_HEIGHT + 34;
    private static final int BOTTOM = HEIGHT - 58;
    private static final double WIDTH_OF_CHARACTER = 7;
    /** From here on the axis begins below the smallest figure, because a change of a few percent would not be seen. */
    private static final double NEAR = 0.5;

    private TrendChart() {}

    static Drawing of(String value, Trend.Series series) {
        List<Trend.Point> points = series.points();
        double[] values = points.stream().mapToDouble(Trend.Point::value).toArray();
        double smallest = Arrays.stream(values).min().orElse(0);
        double largest = Arrays.stream(values).max().orElse(1);
        boolean fromZero = smallest < NEAR * largest;
        List<Double> ticks = Drawing.ticks(smallest, largest, fromZero);
        double low = ticks.get(0);
        double span = ticks.get(ticks.size() - 1) - low;
        IntToDoubleFunction x = run -> LEFT + (run + 0.5) * (RIGHT - LEFT) / points.size();
        Drawing drawing = new Drawing(value + " of " + series.name(), WIDTH, HEIGHT);
        for (double tick : ticks) {
            double y = y(tick, low, span);
            drawing.line(LEFT, y, RIGHT, y, tick == low ? "axis" : "grid");
            drawing.text(LEFT - 7, y + 4, "end", TrendWriter.figure(tick));
        }
        times(drawing, points, x);
        drawing.text(
                (LEFT + RIGHT) / 2.0,
                HEIGHT - 12,
                "middle",
                points.size() + (points.size() == 1 ? " run" : " runs") + ", " + value
                        + (fromZero || low == 0 ? "" : "; the axis does not begin at zero"));
        List<double[]> line = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            line.add(new double[] {x.applyAsDouble(i), y(values[i], low, span)});
        }
        drawing.path(line, "t t-same");
        levels(drawing, series, values, x, low, span);
        for (int i = 0; i < values.length; i++) {
            drawing.dot(
                    line.get(i)[0],
                    line.get(i)[1],
                    3.2,
                    "f0",
                    points.get(i).time() + "\n" + TrendWriter.figure(values[i]) + "\n"
                            + points.get(i).where());
        }
        return drawing;
    }

    private static void levels(
            Drawing drawing, Trend.Series series, double[] values, IntToDoubleFunction x, double low, double span) {
        int from = 0;
        int end = series.early().map(Trend.Change::index).orElse(values.length);
        double step = (RIGHT - LEFT) / (double) values.length / 2;
        for (int i = 0; i <= series.changes().size(); i++) {
            boolean last = i == series.changes().size();
            int to = last ? end : series.changes().get(i).index();
            double y = y(ChangePoints.median(Arrays.copyOfRange(values, from, to)), low, span);
            drawing.line(x.applyAsDouble(from) - step, y, x.applyAsDouble(to - 1) + step, y, "t t1 wide");
            if (!last) {
                Trend.Change change = series.changes().get(i);
                double at = x.applyAsDouble(to) - step;
                drawing.line(at, TOP - 6, at, BOTTOM, "t t1 thin");
                String text =
                        TrendWriter.percent(change) + " at " + change.point().time();
                boolean fits = at + text.length() * WIDTH_OF_CHARACTER < RIGHT;
                drawing.text(at + (fits ? 5 : -5), TOP - 10 - i % 2 * 14, fits ? "start" : "end", text);
            }
            from = to;
        }
        series.early().ifPresent(change -> {
            double at = x.applyAsDouble(change.index()) - step;
            drawing.line(at, TOP - 6, at, BOTTOM, "t t-same");
            drawing.text(at - 5, TOP - 10, "end", TrendWriter.percent(change) + ": too early to tell");
        });
    }

    private static void times(Drawing drawing, List<Trend.Point> points, IntToDoubleFunction x) {
        double free = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < points.size(); i++) {
            String text = points.get(i).time().isEmpty()
                    ? Integer.toString(i + 1)
                    : points.get(i).time();
            double half = text.length() * WIDTH_OF_CHARACTER / 2;
            double at = x.applyAsDouble(i);
            if (at - half > free && at + half <= WIDTH) {
                drawing.line(at, BOTTOM, at, BOTTOM + 4, "axis").text(at, BOTTOM + 18, "middle", text);
                free = at + half + 10;
            }
        }
    }

    private static double y(double value, double low, double span) {
        return BOTTOM - (value - low) / span * (BOTTOM - TOP);
    }
}
