/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.gatebench.report.column.Metric;
import io.gatebench.report.results.ReportException;

/**
 * Result of reading one input.
 *
 * @param name the input's name, for headings
 * @param format what it was
 * @param rows the rows in the order of the input
 * @param problems every row or file that could not be read, or not fully
 * @param notes what a reader should know, e.g. that a file held a header and no row
 * @param columns the columns of a table without rows; empty if there are rows, or no table
 * @since 0.1
 */
public record ImportedRun(
        String name,
        Format format,
        List<ResultRow> rows,
        List<Problem> problems,
        List<String> notes,
        List<String> columns) {

    /** Kind of an input. */
    public enum Format {
        /** A results directory of Gatebench. */
        RESULTS_DIRECTORY,
        /** A results directory of the predecessor scripts. */
        PREDECESSOR_DIRECTORY,
        /** A CSV with one row per test case. */
        CSV,
        /** A published Markdown document. */
        MARKDOWN,
        /** A file that another load generator wrote, or a directory of such files. */
        OTHER_TOOL
    }

    /**
     * Something that could not be read, or not fully.
     *
     * @param file the file
     * @param line the line, from 1; 0 for the file as a whole
     * @param text what is wrong and what was done about it
     */
    public record Problem(String file, long line, String text) {

        /** Returns the problem as one line beginning with its place. */
        @Override
        public String toString() {
            return (line > 0 ? file + ":" + line : file) + ": " + text;
        }
    }

    /** Copies the lists. */
    public ImportedRun {
        rows = List.copyOf(rows);
        problems = List.copyOf(problems);
        notes = List.copyOf(notes);
        columns = List.copyOf(columns);
    }

    /** Makes results whose columns are those of their rows. */
    public ImportedRun(String name, Format format, List<ResultRow> rows, List<Problem> problems, List<String> notes) {
        this(name, format, rows, problems, notes, List.of());
    }

    /**
     * Returns these results, unless they are a table without a figure that is known here.
     *
     * @param input what the message calls them
     * @throws ReportException if no column is a figure; results of a run of ours, whose cases may all have failed, are kept
     */
    public ImportedRun requireFigures(Object input) {
        if (format == Format.RESULTS_DIRECTORY
                || Stream.concat(columns.stream(), rows.stream().flatMap(row -> row.cells().keySet().stream()))
                        .anyMatch(KeyColumns::isMetric)) {
            return this;
        }
        throw new ReportException(input + " holds no table of results: no column is a figure such as '"
                + Metric.THROUGHPUT.column() + "'");
    }

    /** Returns the application's name, if a row carries it, or the header of a table without rows. */
    public Optional<String> application() {
        return rows.stream()
                .map(ResultRow::application)
                .flatMap(Optional::stream)
                .filter(name -> !name.isBlank())
                .findFirst()
                .or(() -> ResultRow.applicationIn(columns));
    }
}
