/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

import io.gatebench.model.DataSize;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.TestCase;
import io.gatebench.report.chart.Chart.Kind;
import io.gatebench.report.chart.Chart.Panel;
import io.gatebench.report.chart.Chart.Point;
import io.gatebench.report.chart.Chart.Series;
import io.gatebench.report.chart.Chart.Unit;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.summary.SummaryTable.Row;

/** Throughput and response times against the limits of the gateway, where a plan has several of one kind. */
final class LimitCharts {

    private static final double MEBIBYTE = DataSize.ofMebibytes(1).bytes();

    /** A limit as it stands on the horizontal axis, and what else a case must share with its neighbours there. */
    private enum Axis {
        CPUS("Processors of the Gateway"),
        MEMORY("Memory of the Gateway (MiB)");

        private final String label;

        Axis(String label) {
            this.label = label;
        }

        private OptionalDouble of(TestCase cell) {
            return this == CPUS
                    ? cell.gatewayCpus().number()
                    : cell.gatewayMemory()
                            .map(size -> OptionalDouble.of(size.bytes() / MEBIBYTE))
                            .orElse(OptionalDouble.empty());
        }

        private String series(TestCase cell) {
            Optional<String> other = this == CPUS
                    ? cell.gatewayMemory().map(DataSize::toString)
                    : Optional.of(cell.gatewayCpus())
                            .filter(cpus -> cpus.number().isPresent())
                            .map(GatewayCpus::toString)
                            .map(cpus -> cpus + " CPUs");
            return cell.users()
                    + other.map(limit -> ", " + limit).orElse("")
                    + (cell.gatewayReplicas() > 1 ? ", " + cell.gatewayReplicas() + " replicas" : "");
        }
    }

    private LimitCharts() {}

    /** Returns one chart for each kind of limit, scenario, heap, message and delay that was measured with several limits. */
    static List<Chart> of(SummaryTable table) {
        List<Chart> charts = new ArrayList<>();
        for (Axis axis : Axis.values()) {
            Map<String, List<Row>> groups = new LinkedHashMap<>();
            for (Row row : table.rows()) {
                row.testCase()
                        .filter(cell -> axis.of(cell).isPresent())
                        .ifPresent(cell -> groups.computeIfAbsent(group(cell), any -> new ArrayList<>())
                                .add(row));
            }
            groups.forEach((group, rows) -> {
                if (rows.stream()
                                .map(row -> axis.of(row.testCase().orElseThrow()))
                                .distinct()
                                .count()
                        > 1) {
                    charts.add(chart(axis, rows));
                }
            });
        }
        return charts;
    }

    private static String group(TestCase cell) {
        return cell.scenario() + "-" + cell.heap() + "-" + cell.message().directoryName() + "-"
                + cell.backendDelay().toMillis() + "ms";
    }

    private static Chart chart(Axis axis, List<Row> rows) {
        TestCase first = rows.get(0).testCase().orElseThrow();
        Set<String> leftOut = new LinkedHashSet<>();
        List<Panel> panels = new ArrayList<>();
        panels.add(
                panel(axis, rows, Metric.THROUGHPUT.column(), row -> row.number(Metric.THROUGHPUT.column()), leftOut));
        if (axis == Axis.CPUS) {
            panels.add(panel(axis, rows, "Throughput per Processor", LimitCharts::perProcessor, leftOut));
        }
        panels.add(panel(axis, rows, Metric.P99.column(), row -> row.number(Metric.P99.column()), leftOut));
        return new Chart(
                "limits-" + (axis == Axis.CPUS ? "cpus" : "memory") + "-" + Labels.fileName(group(first)),
                "Throughput and 99th Percentile vs " + (axis == Axis.CPUS ? "Processors" : "Memory")
                        + " of the Gateway",
                first.scenario() + ", Heap = " + first.heap() + ", Message = "
                        + first.message().directoryName() + ", Back-end Service Delay = "
                        + first.backendDelay().toMillis() + "ms",
                SummaryColumns.USERS,
                panels,
                List.copyOf(leftOut));
    }

    private static OptionalDouble perProcessor(Row row) {
        OptionalDouble throughput = row.number(Metric.THROUGHPUT.column());
        TestCase cell = row.testCase().orElseThrow();
        double cpus = Axis.CPUS.of(cell).orElseThrow() * cell.gatewayReplicas();
        return throughput.isPresent() ? OptionalDouble.of(throughput.getAsDouble() / cpus) : OptionalDouble.empty();
    }

    private static Panel panel(
            Axis axis, List<Row> rows, String yLabel, Function<Row, OptionalDouble> y, Set<String> leftOut) {
        Map<String, List<Point>> points = new LinkedHashMap<>();
        for (Row row : rows) {
            TestCase cell = row.testCase().orElseThrow();
            OptionalDouble atX = axis.of(cell);
            OptionalDouble atY = y.apply(row);
            String reason = Charts.whyNotDrawn(row, atX, atY);
            if (reason.isEmpty()) {
                points.computeIfAbsent(axis.series(cell), any -> new ArrayList<>())
                        .add(new Point(atX.orElseThrow(), atY.orElseThrow(), Charts.isHollow(row)));
            } else {
                leftOut.add(cell.id() + " (" + reason + ")");
            }
        }
        List<Series> series = new ArrayList<>();
        points.forEach((name, ofSeries) -> {
            ofSeries.sort(Comparator.comparingDouble(Point::x));
            series.add(new Series(name, ofSeries));
        });
        return new Panel(yLabel, axis.label, yLabel, Kind.LINES, Unit.NUMBER, false, series);
    }
}
