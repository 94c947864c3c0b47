/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.List;
import java.util.stream.Collectors;

import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.page.ForeignText;
import io.gatebench.report.summary.SummaryTable;

/** The published result table: its bytes are those of past releases for the same cells. */
public final class MarkdownTable {

    private MarkdownTable() {}

    /** Returns one published table per kind of message, with an empty line between two of them. */
    public static String all(SummaryTable table) {
        return table.byMessageKind().stream().map(MarkdownTable::text).collect(Collectors.joining("\n"));
    }

    /** Returns the header, the rule and one line per row of the twelve published columns, each ended by a newline. */
    public static String text(SummaryTable table) {
        return text(table, SummaryColumns.published(table.applicationName(), table.messageColumn()));
    }

    /** Returns the table in the same form, of other columns. */
    public static String text(SummaryTable table, List<String> columns) {
        StringBuilder text = new StringBuilder("| ");
        columns.forEach(column ->
                text.append(' ').append(ForeignText.markdownCell(column)).append(" |"));
        text.append("\n|---|").append("---:|".repeat(columns.size() - 1)).append('\n');
        for (SummaryTable.Row row : table.rows()) {
            text.append("| ");
            columns.forEach(column -> text.append(' ')
                    .append(ForeignText.markdownCell(row.text(column)))
                    .append(" |"));
            text.append('\n');
        }
        return text.toString();
    }
}
