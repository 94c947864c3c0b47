/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.List;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Verdict;

/**
 * The rows of the wide CSV as JSON lines: numbers as numbers, {@code N/A} and empty cells as null, the reasons of the
 * verdict as an array of {@code {"rule": ..., "text": ...}}.
 */
public final class JsonLines {

    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d{0,17})(\\.\\d{1,12})?");

    private JsonLines() {}

    /**
     * Returns one object per row with the columns as members, each line ended by a newline.
     *
     * @param table the rows
     * @param verdicts one verdict per row, in their order
     */
    public static String text(SummaryTable table, List<Verdict> verdicts) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < table.rows().size(); i++) {
            ObjectNode object = JsonNodeFactory.instance.objectNode();
            for (String column : table.columns()) {
                put(object, column, table.rows().get(i).text(column));
            }
            object.put(RunResultRows.VERDICT, verdicts.get(i).level().toString());
            ArrayNode reasons = object.putArray(RunResultRows.VERDICT_REASONS);
            for (Finding finding : verdicts.get(i).findings()) {
                reasons.addObject().put("rule", finding.rule().id()).put("text", finding.text());
            }
            text.append(object).append('\n');
        }
        return text.toString();
    }

    private static void put(ObjectNode object, String column, String cell) {
        if (cell.isEmpty() || cell.equals(SummaryTable.NOT_AVAILABLE)) {
            object.putNull(column);
        } else if (!NUMBER.matcher(cell).matches()) {
            object.put(column, cell);
        } else if (cell.indexOf('.') < 0) {
            object.put(column, Long.parseLong(cell));
        } else {
            object.put(column, Double.parseDouble(cell));
        }
    }
}
