/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

import io.gatebench.model.HostMetric;
import io.gatebench.report.chart.Chart.Kind;
import io.gatebench.report.chart.Chart.Panel;
import io.gatebench.report.chart.Chart.Point;
import io.gatebench.report.chart.Chart.Series;
import io.gatebench.report.chart.Chart.Unit;
import io.gatebench.report.column.Column;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.summary.SummaryTable.Row;
import io.gatebench.report.verdict.Level;

/**
 * The published charts of a table of results: established titles and file names.
 *
 * <p>Rows with 100 or more errors are not drawn, because the speed of refusals is not that of the gateway; past
 * releases left them out as well, but without a word. Here each row that is left out stands below its chart.
 */
public final class Charts {

    private static final int MAX_ERRORS = 100;

    private final SummaryTable table;
    private final String message;
    private final Unit messageUnit;
    private final List<String> scenarios;
    private final List<String> heaps;
    private final List<String> messages;
    private final List<String> delays;

    private Charts(SummaryTable table) {
        this.table = table;
        message = table.messageColumn();
        messageUnit =
                table.graphQl() ? Unit.QUERY : message.equals(SummaryColumns.MESSAGE_SIZE) ? Unit.BYTES : Unit.NUMBER;
        scenarios = table.distinct(SummaryColumns.SCENARIO);
        heaps = table.distinct(SummaryColumns.HEAP);
        messages = ascending(table.distinct(message));
        delays = ascending(table.distinct(SummaryColumns.DELAY));
    }

    /**
     * Returns the charts of a table.
     *
     * @param table the rows
     * @param all whether every chart is wanted that was ever published, or those alone that say something about this
     *     table: throughput, response times and GC, where there is more than one value to see on an axis
     */
    public static List<Chart> of(SummaryTable table, boolean all) {
        if (table.rows().isEmpty()) {
            return List.of();
        }
        Charts charts = new Charts(table);
        Map<String, Chart> byName = new LinkedHashMap<>();
        charts.firstSet(all).forEach(chart -> byName.put(chart.fileName(), chart));
        List<String> columns = new ArrayList<>(
                all
                        ? SummaryColumns.LOAD_COLUMNS.subList(
                                SummaryColumns.LOAD_COLUMNS.indexOf(Metric.THROUGHPUT.column()),
                                SummaryColumns.LOAD_COLUMNS.size())
                        : List.of(Metric.THROUGHPUT.column(), Metric.MEAN.column()));
        if (all) {
            SummaryColumns.FURTHER.stream()
                    .<String>map(Column::header)
                    .filter(table.columns()::contains)
                    .forEach(columns::add);
            columns.add(SummaryColumns.gcThroughput(table.applicationName()));
        }
        for (String column : columns) {
            charts.general(column, all).forEach(chart -> byName.put(chart.fileName(), chart));
        }
        LimitCharts.of(table).forEach(chart -> byName.put(chart.fileName(), chart));
        return byName.values().stream()
                .map(chart -> all ? chart : chart.withoutEmptyPanels())
                .filter(chart -> all ? !chart.isEmpty() : chart.saysSomething())
                .toList();
    }

    /** Returns the PNG file of a chart, two pixels per unit. */
    public static byte[] png(Chart chart) {
        return new ChartPainter(chart).png();
    }

    /** Returns the SVG file of a chart. */
    public static String svg(Chart chart) {
        return new ChartPainter(chart).svg();
    }

    private static List<String> ascending(List<String> values) {
        TreeMap<Double, String> sorted = new TreeMap<>();
        for (String value : values) {
            number(value).ifPresent(number -> sorted.put(number, value));
        }
        return sorted.size() == values.size() ? List.copyOf(sorted.values()) : values;
    }

    private static OptionalDouble number(String text) {
        try {
            return OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            return OptionalDouble.empty();
        }
    }

    private List<Chart> firstSet(boolean all) {
        String app = table.applicationName();
        List<Chart> charts = new ArrayList<>();
        for (String delay : delays) {
            String tail = "for " + delay + "ms backend delay";
            Chart throughput =
                    perMessage("thrpt", Metric.THROUGHPUT.column(), "Throughput vs Concurrent Users " + tail, delay);
            // With one line in each panel, the charts of all scenarios together show the same.
            if (all || throughput.comparesSeries()) {
                charts.add(throughput);
                charts.add(perMessage(
                        "avgt", Metric.MEAN.column(), "Average Response Time vs Concurrent Users " + tail, delay));
            }
            charts.add(perMessage(
                    "gc", SummaryColumns.gcThroughput(app), "GC Throughput vs Concurrent Users " + tail, delay));
            String with = "with " + delay + "ms backend delay";
            if (all) {
                charts.addAll(host(app, with, delay));
            }
            Map<String, String> percentiles = new LinkedHashMap<>();
            percentiles.put("90th Percentile", Metric.P90.column());
            percentiles.put("95th Percentile", Metric.P95.column());
            percentiles.put("99th Percentile", Metric.P99.column());
            charts.add(panels(
                    "response_time",
                    "Response Time Percentiles " + with,
                    "Response Time (ms)",
                    "Percentile",
                    percentiles,
                    Kind.BARS,
                    delay));
            if (all) {
                messages.forEach(level -> charts.add(responseTimeSummary(level, delay)));
            }
        }
        return charts;
    }

    private List<Chart> host(String app, String with, String delay) {
        Map<String, String> load = new LinkedHashMap<>();
        load.put("1 minute", SummaryColumns.host(app, HostMetric.LOAD_1.header()));
        load.put("5 minutes", SummaryColumns.host(app, HostMetric.LOAD_5.header()));
        load.put("15 minutes", SummaryColumns.host(app, HostMetric.LOAD_15.header()));
        Chart averages = panels("loadavg", "Load Average " + with, "Load Average", "Period", load, Kind.LINES, delay);
        Map<String, String> network = new LinkedHashMap<>();
        network.put("Received", Metric.RECEIVED.column());
        network.put("Sent", Metric.SENT.column());
        Chart traffic = panels(
                "network",
                "Network Throughput " + with,
                "Network Throughput (KB/sec)",
                "Direction",
                network,
                Kind.LINES,
                delay);
        return List.of(averages, traffic);
    }

    /** One panel per scenario and heap, one series per message level. */
    private Chart perMessage(String prefix, String column, String title, String delay) {
        List<String> leftOut = new ArrayList<>();
        List<Panel> panels = new ArrayList<>();
        for (String heap : heaps) {
            for (String scenario : scenarios) {
                if (!isPresent(heap, scenario)) {
                    continue;
                }
                List<Series> series = new ArrayList<>();
                for (String level : messages) {
                    if (!isPresent(heap, scenario, level)) {
                        continue;
                    }
                    series.add(overUsers(messageName(level), column, scenario, heap, level, delay, leftOut));
                }
                panels.add(users(panelTitle(scenario, heap), yLabel(column), Kind.LINES, true, series));
            }
        }
        return new Chart(prefix + "_" + delay + "ms", title, "", messageWord(), panels, leftOut);
    }

    /** One panel per scenario, heap and message level, one series per column. */
    private Chart panels(
            String prefix,
            String title,
            String yLabel,
            String legend,
            Map<String, String> columns,
            Kind kind,
            String delay) {
        List<String> leftOut = new ArrayList<>();
        List<Panel> panels = new ArrayList<>();
        for (String heap : heaps) {
            for (String scenario : scenarios) {
                for (String level : messages) {
                    if (!isPresent(heap, scenario, level)) {
                        continue;
                    }
                    List<Series> series = new ArrayList<>();
                    columns.forEach((name, column) ->
                            series.add(overUsers(name, column, scenario, heap, level, delay, leftOut)));
                    String own = panelTitle(scenario, heap);
                    panels.add(
                            users((own.isEmpty() ? "" : own + ", ") + messageName(level), yLabel, kind, true, series));
                }
            }
        }
        return new Chart(prefix + "_" + delay + "ms", title, "", legend, panels, leftOut);
    }

    private Chart responseTimeSummary(String level, String delay) {
        Map<String, String> columns = new LinkedHashMap<>();
        columns.put("Minimum", Metric.MIN.column());
        columns.put("90th Percentile", Metric.P90.column());
        columns.put("95th Percentile", Metric.P95.column());
        columns.put("99th Percentile", Metric.P99.column());
        columns.put("Maximum", Metric.MAX.column());
        List<String> leftOut = new ArrayList<>();
        List<Panel> panels = new ArrayList<>();
        for (String heap : heaps) {
            for (String scenario : scenarios) {
                if (!isPresent(heap, scenario, level)) {
                    continue;
                }
                List<Series> series = new ArrayList<>();
                columns.forEach(
                        (name, column) -> series.add(overUsers(name, column, scenario, heap, level, delay, leftOut)));
                panels.add(users(panelTitle(scenario, heap), "Response Time (ms)", Kind.BARS, true, series));
            }
        }
        String what = switch (messageUnit) {
            case BYTES -> messageName(level) + " message size";
            case QUERY -> "GraphQL query " + level;
            default -> level + " elements";
        };
        return new Chart(
                "response_time_summary_" + fileLevel(level) + "_" + delay + "ms",
                "Response Time Summary for " + what + " with " + delay + "ms backend delay",
                "",
                "Response Time Summary",
                panels,
                leftOut);
    }

    private List<Chart> general(String column, boolean all) {
        List<Chart> charts = new ArrayList<>();
        String y = Labels.fileName(column);
        for (String heap : heaps) {
            for (String delay : delays) {
                for (String level : messages) {
                    charts.add(linePlot(column, y, heap, level, delay));
                }
                if (all) {
                    charts.add(categories(
                            column,
                            "catplot-" + y + "-" + heap + "-" + delayName(delay),
                            "Memory = " + heap + ", Back-end Service Delay = " + delayName(delay),
                            messages,
                            this::messageName,
                            (level, leftOut) -> perScenario(column, heap, level, delay, leftOut)));
                }
            }
            if (all && delays.size() > 1) {
                for (String level : messages) {
                    charts.add(categories(
                            column,
                            "catplot-" + y + "-" + heap + "-" + fileLevel(level),
                            "Memory = " + heap + ", " + messageWord() + " = " + messageName(level),
                            delays,
                            Charts::delayName,
                            (delay, leftOut) -> perScenario(column, heap, level, delay, leftOut)));
                }
            }
            charts.add(regression(column, y, SummaryColumns.USERS, Unit.NUMBER, heap));
            if (messages.size() > 1) {
                charts.add(regression(column, y, message, messageUnit, heap));
            }
            if (all && delays.size() > 1) {
                charts.add(regression(column, y, SummaryColumns.DELAY, Unit.MILLIS, heap));
            }
        }
        return charts;
    }

    private Chart linePlot(String column, String y, String heap, String level, String delay) {
        List<String> leftOut = new ArrayList<>();
        List<Series> series = perScenario(column, heap, level, delay, leftOut);
        return new Chart(
                "lineplot-" + y + "-" + heap + "-" + fileLevel(level) + "-" + delayName(delay),
                column + " vs Concurrent Users",
                "Memory = " + heap + ", " + messageWord() + " = " + messageName(level) + ", Back-end Service Delay = "
                        + delayName(delay),
                SummaryColumns.SCENARIO,
                List.of(users("", column, Kind.LINES, false, series)),
                leftOut);
    }

    private Chart categories(
            String column,
            String fileName,
            String subtitle,
            List<String> values,
            Function<String, String> name,
            BiFunction<String, List<String>, List<Series>> series) {
        List<String> leftOut = new ArrayList<>();
        List<Panel> panels = new ArrayList<>();
        for (String value : values) {
            panels.add(users(name.apply(value), column, Kind.LINES, true, series.apply(value, leftOut)));
        }
        return new Chart(fileName, column + " vs Concurrent Users", subtitle, SummaryColumns.SCENARIO, panels, leftOut);
    }

    private Chart regression(String column, String y, String x, Unit unit, String heap) {
        List<String> leftOut = new ArrayList<>();
        List<Series> series = new ArrayList<>();
        for (String scenario : scenarios) {
            series.add(series(
                    scenario,
                    x,
                    column,
                    row -> is(row, SummaryColumns.SCENARIO, scenario) && is(row, SummaryColumns.HEAP, heap),
                    leftOut));
        }
        return new Chart(
                "lmplot-" + y + "-" + Labels.fileName(x) + "-" + heap,
                column + " vs " + x,
                "Memory = " + heap,
                SummaryColumns.SCENARIO,
                List.of(new Panel("", x, column, Kind.REGRESSION, unit, false, series)),
                leftOut);
    }

    private static Panel users(String title, String yLabel, Kind kind, boolean evenly, List<Series> series) {
        return new Panel(title, SummaryColumns.USERS, yLabel, kind, Unit.NUMBER, evenly, series);
    }

    private List<Series> perScenario(String column, String heap, String level, String delay, List<String> leftOut) {
        return scenarios.stream()
                .map(scenario -> overUsers(scenario, column, scenario, heap, level, delay, leftOut))
                .toList();
    }

    private Series overUsers(
            String name,
            String column,
            String scenario,
            String heap,
            String level,
            String delay,
            List<String> leftOut) {
        return series(
                name,
                SummaryColumns.USERS,
                column,
                row -> is(row, SummaryColumns.DELAY, delay)
                        && is(row, SummaryColumns.HEAP, heap)
                        && is(row, SummaryColumns.SCENARIO, scenario)
                        && is(row, message, level),
                leftOut);
    }

    private Series series(String name, String x, String y, Predicate<Row> filter, List<String> leftOut) {
        List<Point> points = new ArrayList<>();
        for (Row row : table.rows()) {
            if (!filter.test(row)) {
                continue;
            }
            OptionalDouble atX = row.number(x);
            OptionalDouble atY = row.number(y);
            String reason = whyNotDrawn(row, atX, atY);
            if (reason.isEmpty()) {
                points.add(new Point(atX.orElseThrow(), atY.orElseThrow(), isHollow(row)));
            } else {
                String line = describe(row) + " (" + reason + ")";
                if (!leftOut.contains(line)) {
                    leftOut.add(line);
                }
            }
        }
        points.sort((a, b) -> Double.compare(a.x(), b.x()));
        return new Series(name, points);
    }

    static boolean isHollow(Row row) {
        String verdict = row.text(RunResultRows.VERDICT);
        return verdict.equals(Level.DOUBTFUL.toString()) || verdict.equals(Level.INVALID.toString());
    }

    /** A pair that was never planned gets no panel. */
    private boolean isPresent(String heap, String scenario) {
        return table.rows().stream()
                .anyMatch(row -> is(row, SummaryColumns.HEAP, heap) && is(row, SummaryColumns.SCENARIO, scenario));
    }

    private boolean isPresent(String heap, String scenario, String level) {
        return table.rows().stream()
                .anyMatch(row -> is(row, SummaryColumns.HEAP, heap)
                        && is(row, SummaryColumns.SCENARIO, scenario)
                        && is(row, message, level));
    }

    private String describe(Row row) {
        return row.text(SummaryColumns.SCENARIO) + (heaps.size() > 1 ? " " + row.text(SummaryColumns.HEAP) : "") + " "
                + row.text(SummaryColumns.USERS) + " users " + messageName(row.text(message))
                + (delays.size() > 1 ? " " + delayName(row.text(SummaryColumns.DELAY)) : "");
    }

    /** Returns why there is no point of a row; empty if there is one. */
    static String whyNotDrawn(Row row, OptionalDouble x, OptionalDouble y) {
        OptionalDouble errors = row.number(Metric.ERRORS.column());
        if (errors.isPresent() && errors.getAsDouble() >= MAX_ERRORS) {
            return Numbers.text(errors.getAsDouble(), 0) + " errors";
        }
        return x.isEmpty() || y.isEmpty() ? "no figure" : "";
    }

    private static boolean is(Row row, String column, String value) {
        return row.text(column).equals(value);
    }

    private String panelTitle(String scenario, String heap) {
        return heaps.size() > 1 ? scenario + ", " + heap : scenarios.size() > 1 ? scenario : "";
    }

    private String messageWord() {
        return switch (messageUnit) {
            case BYTES -> "Message Size";
            case QUERY -> "GraphQL Query";
            default -> message;
        };
    }

    private String messageName(String level) {
        OptionalDouble number = number(level);
        return number.isPresent() ? Labels.of(number.getAsDouble(), messageUnit) : level;
    }

    private String fileLevel(String level) {
        return messageUnit == Unit.BYTES ? messageName(level).replace(' ', '-') : level.replace(' ', '-');
    }

    private static String delayName(String delay) {
        OptionalDouble number = number(delay);
        return number.isPresent() ? Labels.time((long) number.getAsDouble()) : delay;
    }

    private static String yLabel(String column) {
        return column.endsWith(" GC Throughput (%)") ? "GC Throughput (%)" : column;
    }
}
