/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

import io.gatebench.report.column.Cells;
import io.gatebench.report.column.Metric;
import io.gatebench.report.verdict.Finding;

/**
 * One row of results of any origin: a key, and cells by column name.
 *
 * @param key the test case
 * @param repeat which repeat of the test case this is within its file, from 1
 * @param cells the cells as text by column name, in the order of the columns
 * @param numbers the numbers among them by column name, each measured, or read from its text once
 * @param file the file it was read from
 * @param line the line it begins on, from 1; 0 if the file has no lines
 * @param findings what was found of the row while its run was judged and its cells do not hold; empty for rows that hold
 *     no more than their cells
 * @since 0.1
 */
public record ResultRow(
        CellKey key,
        int repeat,
        Map<String, String> cells,
        Map<String, Double> numbers,
        String file,
        long line,
        List<Finding> findings) {

    private static final Set<String> OTHER_PROCESSES = Set.of("netty service", "jmeter client", "load generator");

    /** Copies the cells and keeps their order. */
    public ResultRow {
        cells = Collections.unmodifiableMap(new LinkedHashMap<>(cells));
        numbers = Map.copyOf(numbers);
        findings = List.copyOf(findings);
    }

    /** Makes a row that holds no more than its cells. */
    public ResultRow(CellKey key, int repeat, Map<String, String> cells, String file, long line) {
        this(key, repeat, Cells.read(cells), file, line, List.of());
    }

    ResultRow(CellKey key, int repeat, Cells cells, String file, long line, List<Finding> findings) {
        this(key, repeat, cells.texts(), cells.numbers(), file, line, findings);
    }

    /** Returns the row with further findings. */
    ResultRow with(List<Finding> further) {
        List<Finding> all = new ArrayList<>(findings);
        all.addAll(further);
        return new ResultRow(key, repeat, cells, numbers, file, line, all);
    }

    /** Returns the number in the column of a metric, or empty if there is no such column or no number in it. */
    public OptionalDouble number(Metric metric) {
        return column(metric).map(this::number).orElseGet(OptionalDouble::empty);
    }

    /** Returns the number in a column, or empty if there is no such column or no number in it. */
    public OptionalDouble number(String column) {
        Double number = numbers.get(column);
        return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
    }

    /** Returns the name of the column that holds a metric, if the row has it. */
    public Optional<String> column(Metric metric) {
        if (metric.ofProcess()) {
            return cells.keySet().stream()
                    .filter(name -> isOfGateway(name, metric))
                    .findFirst();
        }
        for (String name : metric.columns()) {
            if (cells.containsKey(name)) {
                return Optional.of(name);
            }
        }
        for (String name : metric.columns()) {
            for (String column : cells.keySet()) {
                if (column.strip().equalsIgnoreCase(name)) {
                    return Optional.of(column);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the failed part of the samples in percent: from the percentage, else from the counts, else empty.
     *
     * <p>Where both stand in the row, the larger counts: a percentage that was rounded to zero hides errors.
     */
    public OptionalDouble errorPercent() {
        OptionalDouble percent = number(Metric.ERROR_PERCENT);
        OptionalDouble errors = number(Metric.ERRORS);
        OptionalDouble samples = number(Metric.SAMPLES);
        if (errors.isPresent() && samples.isPresent() && samples.getAsDouble() > 0) {
            double counted = 100.0 * errors.getAsDouble() / samples.getAsDouble();
            return OptionalDouble.of(Math.max(counted, percent.orElse(0)));
        }
        if (percent.isEmpty() && errors.isPresent() && errors.getAsDouble() == 0) {
            return OptionalDouble.of(0);
        }
        return percent;
    }

    /** Returns the application's name as its GC column carries it, if the row has one. */
    public Optional<String> application() {
        return column(Metric.GC_THROUGHPUT)
                .map(name -> name.substring(0, name.length() - " GC Throughput (%)".length()));
    }

    /** Returns the application's name as its GC column among these carries it. */
    static Optional<String> applicationIn(Collection<String> columns) {
        return columns.stream()
                .filter(name -> isOfGateway(name, Metric.GC_THROUGHPUT))
                .map(name -> name.substring(0, name.length() - " GC Throughput (%)".length()))
                .findFirst();
    }

    /** Returns this row under another key. */
    ResultRow withKey(CellKey other) {
        return new ResultRow(other, repeat, cells, numbers, file, line, findings);
    }

    /** Returns this row as another repeat. */
    ResultRow withRepeat(int other) {
        return new ResultRow(key, other, cells, numbers, file, line, findings);
    }

    /** Returns where the row stands, e.g. {@code summary.csv:12}. */
    public String where() {
        return line > 0 ? file + ":" + line : file;
    }

    private static boolean isOfGateway(String column, Metric metric) {
        for (String ending : metric.columns()) {
            if (column.endsWith(ending)) {
                String process = column.substring(0, column.length() - ending.length());
                if (process.startsWith("Standard Deviation of ")) {
                    return false;
                }
                if (process.startsWith("Average ")) {
                    process = process.substring("Average ".length());
                }
                String plain = process.strip().toLowerCase(Locale.ROOT);
                return !OTHER_PROCESSES.contains(plain) && !plain.startsWith("jmeter server");
            }
        }
        return false;
    }
}
