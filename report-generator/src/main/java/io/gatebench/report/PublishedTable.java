/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.ResultsImporter;
import io.gatebench.report.judge.VerdictColumns;
import io.gatebench.report.judge.Verdicts;
import io.gatebench.report.render.MarkdownTable;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.verdict.Verdict;

/**
 * A table that was read from a file of results.
 *
 * @param table the rows, every cell with the text of the file
 * @param columns the columns of its Markdown form: of a Markdown document those of its table, of anything else the
 *     twelve published ones and the response size, if it has one
 * @param verdicts one verdict per row, by the rules that need no more than its cells
 * @param problems every row that could not be read, or not fully, with its place
 * @since 0.1
 */
public record PublishedTable(SummaryTable table, List<String> columns, List<Verdict> verdicts, List<String> problems) {

    private static final List<String> MESSAGES =
            List.of(SummaryColumns.MESSAGE_SIZE, SummaryColumns.QUERY, SummaryColumns.ELEMENTS);
    private static final String RESPONSE_SIZE = "Response Size (Bytes)";

    /** Copies the lists. */
    public PublishedTable {
        columns = List.copyOf(columns);
        verdicts = List.copyOf(verdicts);
        problems = List.copyOf(problems);
    }

    /** Returns the published Markdown table of the rows; of rows with several kinds of messages one table per kind. */
    public String markdown() {
        Map<String, List<SummaryTable.Row>> kinds = new LinkedHashMap<>();
        for (SummaryTable.Row row : table.rows()) {
            String message = MESSAGES.stream()
                    .filter(column -> row.cells().containsKey(column))
                    .findFirst()
                    .orElse(table.messageColumn());
            kinds.computeIfAbsent(message, column -> new ArrayList<>()).add(row);
        }
        if (kinds.size() < 2) {
            return MarkdownTable.text(table, columns);
        }
        List<String> texts = new ArrayList<>();
        kinds.forEach((message, rows) -> texts.add(MarkdownTable.text(
                new SummaryTable(table.applicationName(), message, table.columns(), rows, List.of()),
                columns.stream()
                        .filter(column -> column.equals(table.messageColumn()) || !MESSAGES.contains(column))
                        .map(column -> column.equals(table.messageColumn()) ? message : column)
                        .toList())));
        return String.join("\n", texts);
    }

    /**
     * Returns what speaks against rows, as Markdown to stand below the table: how many are valid, doubtful and invalid, and
     * each reason with its rows, worst first.
     */
    public String verdictNotes() {
        return VerdictNotes.text(table.rows().stream().map(SummaryTable.Row::id).toList(), verdicts);
    }

    static PublishedTable read(Path file, ResultsImporter reader) {
        ImportedRun results = reader.read(file).requireFigures(file);
        Set<String> columns = new LinkedHashSet<>(header(results, reader));
        List<SummaryTable.Row> rows = new ArrayList<>();
        for (ResultRow row : results.rows()) {
            columns.addAll(row.cells().keySet());
            rows.add(new SummaryTable.Row(row.key().text(), Optional.empty(), row.cells(), row.numbers()));
        }
        List<String> problems = new ArrayList<>(results.notes());
        results.problems().forEach(problem -> problems.add(problem.toString()));
        String message = columns.contains(SummaryColumns.QUERY) ? SummaryColumns.QUERY : SummaryColumns.MESSAGE_SIZE;
        SummaryTable table =
                new SummaryTable(application(results, reader), message, List.copyOf(columns), rows, List.of());
        return new PublishedTable(
                table,
                isOneMarkdownTable(results, columns) ? List.copyOf(columns) : published(table),
                verdicts(results.rows()),
                problems);
    }

    private static List<String> header(ImportedRun results, ResultsImporter reader) {
        Optional<String> own = results.application();
        Optional<String> given = reader.givenApplication();
        if (own.isEmpty() || given.isEmpty()) {
            return results.columns();
        }
        return results.columns().stream()
                .map(column -> column.replace(own.get(), given.get()))
                .toList();
    }

    /** Rows keep the name that they carry; a header alone may be given another. */
    private static String application(ImportedRun results, ResultsImporter reader) {
        return (results.rows().isEmpty() ? reader.givenApplication() : Optional.<String>empty())
                .or(results::application)
                .orElse("Gateway");
    }

    /** A table of ours holds verdicts that needed the whole run. */
    private static List<Verdict> verdicts(List<ResultRow> rows) {
        List<Verdict> judged = Verdicts.ofRows(rows);
        List<Verdict> verdicts = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            verdicts.add(VerdictColumns.of(rows.get(i)).orElse(judged.get(i)));
        }
        return verdicts;
    }

    /** Returns whether the rows are of one table, or of several with the same columns. */
    private static boolean isOneMarkdownTable(ImportedRun results, Set<String> columns) {
        return results.format() == ImportedRun.Format.MARKDOWN
                && !columns.isEmpty()
                && results.rows().stream().allMatch(row -> row.cells().keySet().equals(columns));
    }

    private static List<String> published(SummaryTable table) {
        List<String> published =
                new ArrayList<>(SummaryColumns.published(table.applicationName(), table.messageColumn()));
        if (table.columns().contains(RESPONSE_SIZE)) {
            published.add(published.indexOf(table.messageColumn()) + 1, RESPONSE_SIZE);
        }
        return published;
    }
}
