/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import java.util.List;

/**
 * Content of a chart, apart from its look.
 *
 * @param fileName the file name without its ending
 * @param title the title
 * @param subtitle a second line, may be empty
 * @param legendTitle what the series are, e.g. {@code Scenario Name}
 * @param panels one or more plots with a common legend
 * @param leftOut the rows that are not drawn, each with the reason
 */
public record Chart(
        String fileName, String title, String subtitle, String legendTitle, List<Panel> panels, List<String> leftOut) {

    /** Ways to draw points. */
    enum Kind {
        LINES,
        BARS,
        REGRESSION
    }

    /** Meaning of the numbers on an axis. */
    enum Unit {
        NUMBER,
        BYTES,
        MILLIS,
        QUERY
    }

    /** Copies the lists. */
    public Chart {
        panels = List.copyOf(panels);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * One plot.
     *
     * @param title its own title, may be empty
     * @param xLabel label of the horizontal axis
     * @param yLabel label of the vertical axis
     * @param kind how points are drawn
     * @param xUnit what the horizontal numbers are
     * @param evenly whether the values on the horizontal axis have equal distances
     * @param series the series
     */
    record Panel(
            String title, String xLabel, String yLabel, Kind kind, Unit xUnit, boolean evenly, List<Series> series) {
        Panel {
            series = List.copyOf(series);
        }
    }

    /** A named row of points in ascending order of x. */
    record Series(String name, List<Point> points) {
        Series {
            points = List.copyOf(points);
        }
    }

    /**
     * One point.
     *
     * @param hollow whether its row is not valid as it stands
     */
    record Point(double x, double y, boolean hollow) {}

    boolean hasHollowMarks() {
        return panels.stream()
                .flatMap(panel -> panel.series().stream())
                .flatMap(series -> series.points().stream())
                .anyMatch(Point::hollow);
    }

    boolean isEmpty() {
        return panels.stream()
                .allMatch(panel -> panel.series().stream()
                        .allMatch(series -> series.points().isEmpty()));
    }

    Chart withoutEmptyPanels() {
        return new Chart(
                fileName,
                title,
                subtitle,
                legendTitle,
                panels.stream()
                        .filter(panel -> panel.series().stream()
                                .anyMatch(series -> !series.points().isEmpty()))
                        .toList(),
                leftOut);
    }

    boolean comparesSeries() {
        return panels.stream().anyMatch(panel -> panel.series().size() > 1);
    }

    /**
     * Returns whether there is more to see than points above one value; for a fitted line, above two, which the line
     * charts show without a fit.
     */
    boolean saysSomething() {
        return panels.stream().anyMatch(panel -> {
            long least = panel.kind() == Kind.REGRESSION ? 3 : 2;
            return panel.series().stream()
                    .anyMatch(series -> series.points().stream()
                                    .mapToDouble(Point::x)
                                    .distinct()
                                    .count()
                            >= least);
        });
    }
}
