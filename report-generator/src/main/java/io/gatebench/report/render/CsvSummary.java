/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.List;
import java.util.stream.Collectors;

import io.gatebench.report.page.ForeignText;
import io.gatebench.report.summary.SummaryTable;

/**
 * The wide CSV in the published dialect: comma, CRLF, quotation marks only around what contains a comma, a quotation
 * mark or a line break.
 *
 * <p>Written here because commons-csv also quotes whatever begins with {@code #}, as {@code # Samples} does.
 */
public final class CsvSummary {

    private static final String LINE_END = "\r\n";

    private CsvSummary() {}

    /**
     * Returns the header and one line per row; a row without a column has {@code N/A} in it.
     *
     * @param raw whether cells stay as they are where a spreadsheet would take them for a formula
     */
    public static String text(SummaryTable table, List<String> columns, boolean raw) {
        StringBuilder text = new StringBuilder(line(guarded(columns, raw)));
        for (SummaryTable.Row row : table.rows()) {
            text.append(line(guarded(columns.stream().map(row::text).toList(), raw)));
        }
        return text.toString();
    }

    private static List<String> guarded(List<String> cells, boolean raw) {
        return raw ? cells : cells.stream().map(ForeignText::cell).toList();
    }

    /** Returns one line with its end. */
    static String line(List<String> cells) {
        return cells.stream().map(ForeignText::csv).collect(Collectors.joining(",")) + LINE_END;
    }
}
