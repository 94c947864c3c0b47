/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.column.WholeGateway;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Verdict;

/** Results of a run as an aligned table for a terminal: one line per case, sampler label and repeat. */
final class ResultTable {

    private static final int WIDTH = 100;
    private static final int MIN_NAME = 8;
    private static final String CUT = "\u2026";
    private static final String RESET = "\u001b[0m";
    private static final String BOLD = "\u001b[1m";
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String RED = "\u001b[31m";

    private record Line(List<String> cells, String colour) {}

    private final RunManifest info;
    private final boolean manyHeaps;
    private final boolean manyDelays;
    private final boolean coloured;
    private final List<Line> lines = new ArrayList<>();

    private ResultTable(RunManifest info, List<? extends TestCaseResult> results, boolean coloured) {
        this.info = info;
        this.coloured = coloured;
        manyHeaps = results.stream().map(r -> r.testCase().heap()).distinct().count() > 1;
        manyDelays = results.stream()
                        .map(r -> r.testCase().backendDelay())
                        .distinct()
                        .count()
                > 1;
    }

    /**
     * Returns the table, each line ended by a newline, no line longer than 100 columns.
     *
     * @param info the head of the run
     * @param results all results
     * @param verdicts one verdict per result, in their order
     * @param coloured whether verdicts are coloured by escape sequences
     */
    static String text(
            RunManifest info, List<? extends TestCaseResult> results, List<Verdict> verdicts, boolean coloured) {
        ResultTable table = new ResultTable(info, results, coloured);
        table.head();
        for (int i = 0; i < results.size(); i++) {
            table.add(results.get(i), verdicts.get(i));
        }
        return table.layOut();
    }

    private void head() {
        List<String> cells = new ArrayList<>(List.of("scenario"));
        if (manyHeaps) {
            cells.add("heap");
        }
        cells.addAll(List.of("users", "size"));
        if (manyDelays) {
            cells.add("delay");
        }
        cells.addAll(List.of("req/s", "p50 ms", "p99 ms", "errors", "GC %", "footprint", "verdict"));
        lines.add(new Line(cells, BOLD));
    }

    private void add(TestCaseResult result, Verdict verdict) {
        result.fold(
                completed -> completed(completed, verdict),
                failed -> without(failed, "failed"),
                skipped -> without(skipped, "skipped"));
    }

    private boolean completed(TestCaseResult.Completed result, Verdict verdict) {
        if (result.load().measurement().isEmpty()) {
            return without(result, verdict.level().toString());
        }
        boolean several = result.load().measurement().size() > 1;
        Optional<GcSummary> gc = WholeGateway.of(result.processes()).flatMap(ProcessReport::gc);
        for (SampleStatistics statistics : result.load().measurement()) {
            List<String> cells = key(result, several ? " " + statistics.label() : "");
            cells.add(number(statistics.throughputPerSecond()));
            cells.add(number(statistics.all().p50Millis()));
            cells.add(number(statistics.all().p99Millis()));
            cells.add(errors(statistics));
            cells.add(gc.map(summary -> figure(summary.exact().gcThroughputPercent(), 1, 2))
                    .orElse("-"));
            cells.add(gc.map(SummaryRows::measured)
                    .flatMap(figures -> figures.footprintAfterFullGcMeanBytes().value().stream()
                            .boxed()
                            .findFirst())
                    .map(bytes -> Numbers.text(bytes / (1 << 20), 1) + "M")
                    .orElse("-"));
            cells.add(verdict.level().toString());
            lines.add(new Line(cells, colour(verdict.level())));
        }
        return true;
    }

    private boolean without(TestCaseResult result, String outcome) {
        List<String> cells = key(result, "");
        cells.addAll(List.of("-", "-", "-", "-", "-", "-", outcome));
        lines.add(new Line(cells, RED));
        return false;
    }

    private List<String> key(TestCaseResult result, String further) {
        TestCase testCase = result.testCase();
        List<String> cells = new ArrayList<>();
        cells.add(PrintableWriter.text(SummaryRows.displayName(info, testCase) + further)
                + (info.plan().repeats() > 1 ? " #" + result.repeat() : ""));
        if (manyHeaps) {
            cells.add(testCase.heap().toString());
        }
        cells.add(Integer.toString(testCase.users()));
        cells.add(size(testCase.message()));
        if (manyDelays) {
            cells.add(testCase.backendDelay().toMillis() + "ms");
        }
        return cells;
    }

    private static String size(MessageLevel message) {
        return switch (message.kind()) {
            case SIZE_BYTES -> message.value() + "B";
            case GRAPHQL_QUERY -> "query " + message.value();
            case ELEMENTS -> message.value() + " el.";
        };
    }

    /** No more than a digit behind the point of what is large: nobody reads it, and the table is narrow. */
    private static String number(double value) {
        return Numbers.text(value, value >= 1000 ? 0 : value >= 100 ? 1 : 2);
    }

    /** A share that would be rounded to zero is not printed as zero. */
    private static String errors(SampleStatistics statistics) {
        if (statistics.errors() == 0) {
            return "0";
        }
        String percent = Numbers.text(statistics.errorPercent(), 2);
        return (percent.equals("0") ? "<0.01" : percent) + "%";
    }

    private static String figure(MeasuredValue figure, double unit, int decimals) {
        return figure.fold(value -> Numbers.text(value / unit, decimals), reason -> "-");
    }

    private static String colour(Level level) {
        return switch (level) {
            case VALID -> GREEN;
            case DOUBTFUL -> YELLOW;
            case INVALID -> RED;
        };
    }

    private String layOut() {
        int columns = lines.get(0).cells().size();
        int[] widths = new int[columns];
        for (Line line : lines) {
            for (int column = 0; column < columns; column++) {
                widths[column] =
                        Math.max(widths[column], line.cells().get(column).length());
            }
        }
        int others = 0;
        for (int column = 1; column < columns; column++) {
            others += widths[column];
        }
        int gap = others + 2 * (columns - 1) + MIN_NAME <= WIDTH ? 2 : 1;
        widths[0] = Math.min(widths[0], Math.max(MIN_NAME, WIDTH - others - gap * (columns - 1)));
        Set<Integer> leftAligned = new TreeSet<>(Set.of(0, columns - 1));
        StringBuilder text = new StringBuilder();
        for (Line line : lines) {
            for (int column = 0; column < columns; column++) {
                boolean whole = line == lines.get(0);
                String cell = shortened(line.cells().get(column), widths[column]);
                String padding = " ".repeat(widths[column] - cell.length());
                boolean last = column == columns - 1;
                String shown = coloured && (whole || last) ? line.colour() + cell + RESET : cell;
                text.append(column == 0 ? "" : " ".repeat(gap))
                        .append(leftAligned.contains(column) ? shown + (last ? "" : padding) : padding + shown);
            }
            text.append('\n');
        }
        return text.toString();
    }

    private static String shortened(String cell, int width) {
        return cell.length() <= width ? cell : cell.substring(0, width - 1) + CUT;
    }
}
