/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.options;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Choices by which a report is made.
 *
 * @param statistics which response times the columns show
 * @param columns which columns the wide CSV has
 * @param charts which charts are drawn
 * @param templates a directory whose templates replace the built-in ones of the same name, if any
 * @param rawCsv whether cells of the wide CSV stay as they are where a spreadsheet would take them for a formula
 * @param failedRows whether a case of which every sample of the window failed has a row, too
 * @param baseline an earlier run, or a published table of one, that the page says the changes since
 * @since 0.1
 */
public record ReportOptions(
        Statistics statistics,
        Columns columns,
        Charts charts,
        Optional<Path> templates,
        boolean rawCsv,
        boolean failedRows,
        Optional<Path> baseline) {

    /** Response times that the columns show. */
    public enum Statistics {
        /** As recorded: three significant digits, fractions of milliseconds. */
        EXACT,
        /** As past releases did: whole milliseconds, two significant digits. */
        WSO2
    }

    /** Columns of the wide CSV. */
    public enum Columns {
        /** The published ones alone. */
        PUBLISHED,
        /** The published ones, followed by our own. */
        ALL
    }

    /** Charts that are drawn. */
    public enum Charts {
        /** None. */
        NONE,
        /** Those of the published charts that say something about this table: throughput, response times and GC. */
        STANDARD,
        /** Every chart that was ever published, one set per column. */
        PUBLISHED
    }

    /** Returns the defaults: exact statistics, published columns, standard charts, built-in templates. */
    public static ReportOptions defaults() {
        return new ReportOptions(
                Statistics.EXACT, Columns.PUBLISHED, Charts.STANDARD, Optional.empty(), false, false, Optional.empty());
    }

    /** Returns these options with other statistics. */
    public ReportOptions withStatistics(Statistics other) {
        return new ReportOptions(other, columns, charts, templates, rawCsv, failedRows, baseline);
    }

    /** Returns these options with other columns. */
    public ReportOptions withColumns(Columns other) {
        return new ReportOptions(statistics, other, charts, templates, rawCsv, failedRows, baseline);
    }

    /** Returns these options with other charts. */
    public ReportOptions withCharts(Charts other) {
        return new ReportOptions(statistics, columns, other, templates, rawCsv, failedRows, baseline);
    }

    /** Returns these options with templates from a directory; a template that is not in it stays the built-in one. */
    public ReportOptions withTemplates(Path directory) {
        return new ReportOptions(statistics, columns, charts, Optional.of(directory), rawCsv, failedRows, baseline);
    }

    /** Returns these options with a wide CSV whose cells stay as they are, byte for byte. */
    public ReportOptions withRawCsv() {
        return new ReportOptions(statistics, columns, charts, templates, true, failedRows, baseline);
    }

    /** Returns these options with an earlier run that this one is compared with on the page. */
    public ReportOptions withBaseline(Path earlier) {
        return new ReportOptions(statistics, columns, charts, templates, rawCsv, failedRows, Optional.of(earlier));
    }

    /** Returns these options with a row also for a case of which every sample of the window failed. */
    public ReportOptions withFailedRows() {
        return new ReportOptions(statistics, columns, charts, templates, rawCsv, true, baseline);
    }
}
