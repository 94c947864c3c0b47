/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.judge;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.gatebench.model.TestCaseResult;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.Verdict;

/** The two columns that follow the published ones in every wide table: whether a row can be believed, and why not. */
public final class VerdictColumns {

    /** A text may hold a semicolon, too, but no rule behind it. */
    private static final Pattern REASON = Pattern.compile(
            "; (?=(?:" + Arrays.stream(Rule.values()).map(Rule::id).collect(Collectors.joining("|")) + "): )");

    private VerdictColumns() {}

    /**
     * Returns the verdict of each row: that of the repeat which the row shows.
     *
     * @param results all results
     * @param verdicts one verdict per result, in their order
     * @param table the rows
     */
    public static List<Verdict> ofRows(
            List<? extends TestCaseResult> results, List<Verdict> verdicts, SummaryTable table) {
        Map<String, Verdict> byResult = new HashMap<>();
        for (int i = 0; i < results.size(); i++) {
            TestCaseResult result = results.get(i);
            byResult.put(result.testCase().id() + "#" + result.repeat(), verdicts.get(i));
        }
        Map<String, Verdict> byCase = new HashMap<>();
        for (TestCaseResult.Completed shown : SummaryRows.representatives(results)) {
            String id = shown.testCase().id();
            byCase.put(id, byResult.getOrDefault(id + "#" + shown.repeat(), Verdict.VALID));
        }
        return table.rows().stream()
                .map(row -> byCase.getOrDefault(row.id(), Verdict.VALID))
                .toList();
    }

    /** Returns the verdict that the two columns of a row hold, if it has them; each reason has the level of the row. */
    public static Optional<Verdict> of(ResultRow row) {
        Optional<Level> level = Arrays.stream(Level.values())
                .filter(value -> value.toString().equals(row.cells().get(RunResultRows.VERDICT)))
                .findFirst();
        return level.map(found ->
                new Verdict(found, reasons(found, row.cells().getOrDefault(RunResultRows.VERDICT_REASONS, ""))));
    }

    private static List<Finding> reasons(Level level, String text) {
        List<Finding> findings = new ArrayList<>();
        for (String reason : REASON.split(text)) {
            Arrays.stream(Rule.values())
                    .filter(rule -> reason.startsWith(rule.id() + ": "))
                    .findFirst()
                    .ifPresent(rule -> findings.add(
                            new Finding(rule, level, reason.substring(rule.id().length() + 2))));
        }
        return findings;
    }

    /** Returns the table with the two columns behind those it has, unless it has them already. */
    public static SummaryTable appended(SummaryTable table, List<Verdict> verdicts) {
        if (table.columns().contains(RunResultRows.VERDICT)) {
            return table;
        }
        List<SummaryTable.Row> rows = new ArrayList<>();
        for (int i = 0; i < table.rows().size(); i++) {
            SummaryTable.Row row = table.rows().get(i);
            Map<String, String> cells = new LinkedHashMap<>(row.cells());
            cells.put(RunResultRows.VERDICT, verdicts.get(i).level().toString());
            cells.put(RunResultRows.VERDICT_REASONS, verdicts.get(i).codedReasons());
            rows.add(new SummaryTable.Row(row.id(), row.testCase(), cells, row.numbers()));
        }
        List<String> columns = new ArrayList<>(table.columns());
        columns.add(RunResultRows.VERDICT);
        columns.add(RunResultRows.VERDICT_REASONS);
        return new SummaryTable(table.applicationName(), table.messageColumn(), columns, rows, table.gaps());
    }
}
