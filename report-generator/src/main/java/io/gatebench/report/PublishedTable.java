/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.gatebench.report.past.PastReader;
import io.gatebench.report.past.PastResults;
import io.gatebench.report.past.PastRow;
import io.gatebench.report.render.MarkdownTable;
import io.gatebench.report.summary.SummaryColumns;
import io.gatebench.report.summary.SummaryTable;

/**
 * A table that was read from a file of results.
 *
 * @param table the rows, every cell with the text of the file
 * @param problems every row that could not be read, or not fully, with its place
 */
public record PublishedTable(SummaryTable table, List<String> problems) {

    /** Copies the list. */
    public PublishedTable {
        problems = List.copyOf(problems);
    }

    /** Returns the published Markdown table of the rows. */
    public String markdown() {
        return MarkdownTable.text(table);
    }

    static PublishedTable read(Path file, PastReader reader) {
        PastResults results = reader.read(file);
        Set<String> columns = new LinkedHashSet<>();
        List<SummaryTable.Row> rows = new ArrayList<>();
        for (PastRow row : results.rows()) {
            columns.addAll(row.cells().keySet());
            rows.add(new SummaryTable.Row(row.key().toString(), Optional.empty(), row.cells()));
        }
        List<String> problems = new ArrayList<>(results.notes());
        results.problems().forEach(problem -> problems.add(problem.toString()));
        String message = columns.contains(SummaryColumns.QUERY) ? SummaryColumns.QUERY : SummaryColumns.MESSAGE_SIZE;
        SummaryTable table = new SummaryTable(
                results.application().orElse("Gateway"), message, List.copyOf(columns), rows, List.of());
        return new PublishedTable(table, problems);
    }
}
