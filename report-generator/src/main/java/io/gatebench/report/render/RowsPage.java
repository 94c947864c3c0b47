/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

import io.gatebench.report.column.Metric;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.page.Page;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.summary.SummaryTable.Row;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Verdict;

/** The page {@code index.html} of a table alone: verdicts, throughput and response times over the users, all rows. */
public final class RowsPage {

    private static final int MAX_CAUSES = 6;
    private static final int MAX_GROUPS = 24;

    private final SummaryTable table;
    private final List<Verdict> verdicts;

    private RowsPage(SummaryTable table, List<Verdict> verdicts) {
        this.table = table;
        this.verdicts = verdicts;
    }

    /**
     * Returns the page.
     *
     * @param table the rows
     * @param columns the columns of its table
     * @param verdicts one verdict per row, in their order
     * @param problems what could not be read
     */
    public static String text(SummaryTable table, List<String> columns, List<Verdict> verdicts, List<String> problems) {
        return new RowsPage(table, verdicts).page(columns, problems);
    }

    private String page(List<String> columns, List<String> problems) {
        Map<String, Object> model = new HashMap<>();
        model.put("application", table.applicationName());
        model.put("counts", counts());
        model.put("causes", Causes.of(verdicts, MAX_CAUSES));
        model.put("columns", columns);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (int i = 0; i < verdicts.size(); i++) {
            Row row = table.rows().get(i);
            rows.add(Map.of(
                    "anchor", "row-" + i,
                    "id", row.id(),
                    "level", verdicts.get(i).level().toString(),
                    "reasons", verdicts.get(i).reasons(),
                    "cells", columns.stream().map(row::text).toList()));
        }
        model.put("rows", rows);
        model.put(
                "reasons",
                rows.stream().filter(row -> !"".equals(row.get("reasons"))).toList());
        Map<String, List<Integer>> groups = groups();
        List<String> charts = new ArrayList<>();
        groups.entrySet().stream().limit(MAX_GROUPS).forEach(group -> charts(group.getKey(), group.getValue(), charts));
        model.put("charts", charts);
        model.put("drawn", Math.min(MAX_GROUPS, groups.size()));
        model.put("undrawn", Math.max(0, groups.size() - MAX_GROUPS));
        model.put("problems", problems);
        return Page.of("rows.html.ftlh", model);
    }

    private List<Map<String, String>> counts() {
        List<Map<String, String>> counts = new ArrayList<>();
        counts.add(Map.of("kind", "", "number", Integer.toString(verdicts.size()), "text", "rows"));
        Map<Level, String> kinds =
                new EnumMap<>(Map.of(Level.VALID, "ok", Level.DOUBTFUL, "warn", Level.INVALID, "bad"));
        kinds.forEach((level, kind) -> {
            long number = verdicts.stream()
                    .filter(verdict -> verdict.level() == level)
                    .count();
            if (number > 0) {
                counts.add(Map.of("kind", kind, "number", Long.toString(number), "text", level.toString()));
            }
        });
        return counts;
    }

    /** Rows of one scenario, heap and delay that have more than one number of users. */
    private Map<String, List<Integer>> groups() {
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        boolean heaps = table.distinct(SummaryColumns.HEAP).size() > 1;
        boolean delays = table.distinct(SummaryColumns.DELAY).size() > 1;
        for (int i = 0; i < table.rows().size(); i++) {
            Row row = table.rows().get(i);
            if (row.number(SummaryColumns.USERS).isPresent()
                    && row.number(Metric.THROUGHPUT.column()).isPresent()) {
                String name = row.text(SummaryColumns.SCENARIO)
                        + (heaps ? ", " + row.text(SummaryColumns.HEAP) : "")
                        + (delays ? ", delay " + row.text(SummaryColumns.DELAY) + " ms" : "");
                groups.computeIfAbsent(name, key -> new ArrayList<>()).add(i);
            }
        }
        groups.values().removeIf(rows -> users(rows).size() < 2);
        return groups;
    }

    private TreeSet<Double> users(List<Integer> rows) {
        TreeSet<Double> users = new TreeSet<>();
        rows.forEach(row -> table.rows().get(row).number(SummaryColumns.USERS).ifPresent(users::add));
        return users;
    }

    private void charts(String name, List<Integer> rows, List<String> charts) {
        // The figures of a row that is invalid may be so far off that nothing is seen of the others.
        List<Integer> drawn = rows.stream()
                .filter(row -> verdicts.get(row).level() != Level.INVALID)
                .toList();
        if (users(drawn).size() < 2) {
            drawn = rows;
        }
        charts.add(chart(name + ": throughput", Metric.THROUGHPUT.column(), "Requests/s", drawn, charts.size()));
        boolean p99 = drawn.stream()
                .anyMatch(
                        row -> table.rows().get(row).number(Metric.P99.column()).isPresent());
        charts.add(chart(
                name + (p99 ? ": 99th percentile" : ": average response time"),
                p99 ? Metric.P99.column() : Metric.MEAN.column(),
                "ms",
                drawn,
                charts.size()));
    }

    private String chart(String title, String column, String unit, List<Integer> rows, int number) {
        List<Double> users = List.copyOf(users(rows));
        Map<String, List<Integer>> byMessage = new LinkedHashMap<>();
        rows.forEach(row -> byMessage
                .computeIfAbsent(table.rows().get(row).text(table.messageColumn()), key -> new ArrayList<>())
                .add(row));
        List<Object> series = new ArrayList<>();
        byMessage.forEach((message, own) -> {
            List<@Nullable Double> values = new ArrayList<>();
            List<@Nullable String> hollow = new ArrayList<>();
            for (double user : users) {
                @Nullable Double value = null;
                @Nullable String weak = null;
                for (int row : own) {
                    OptionalDouble figure = table.rows().get(row).number(column);
                    if (table.rows().get(row).number(SummaryColumns.USERS).orElse(-1) == user && figure.isPresent()) {
                        value = figure.getAsDouble();
                        Level level = verdicts.get(row).level();
                        weak = level == Level.VALID ? null : level.toString();
                    }
                }
                values.add(value);
                hollow.add(weak);
            }
            // In an order of its own: that of Map.of is another one in each JVM.
            series.add(new TreeMap<>(Map.of("name", message, "values", values, "hollow", hollow)));
        });
        List<Integer> places = new ArrayList<>();
        List<String> labels = new ArrayList<>();
        for (double user : users) {
            places.add(places.size());
            labels.add(Long.toString(Math.round(user)));
        }
        Map<String, Object> chart = new LinkedHashMap<>();
        chart.put("id", "c" + number);
        chart.put("title", title);
        chart.put("xs", places);
        chart.put("x", new TreeMap<>(Map.of("label", SummaryColumns.USERS, "labels", labels)));
        chart.put("y", Map.of("label", unit));
        chart.put("wide", true);
        chart.put("marks", true);
        chart.put("height", 210);
        chart.put("series", series);
        return Page.json(chart);
    }
}
