/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.summary;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.model.MessageLevel;
import io.gatebench.model.TestCase;
import io.gatebench.report.column.Cells;
import io.gatebench.report.column.SummaryColumns;

/**
 * The rows of a run under their column names, as text exactly as it is published.
 *
 * @param applicationName the name of the gateway in the columns
 * @param messageColumn the name of the column that holds the message level
 * @param columns the columns in order
 * @param rows the rows in order
 * @param gaps every cell without a figure, with the reason
 * @since 0.1
 */
public record SummaryTable(
        String applicationName, String messageColumn, List<String> columns, List<Row> rows, List<Gap> gaps) {

    /** Text of a cell that nothing could be measured for. */
    public static final String NOT_AVAILABLE = "N/A";

    /** Copies the lists. */
    public SummaryTable {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
        gaps = List.copyOf(gaps);
    }

    /**
     * One row.
     *
     * @param id the path of the case in the results tree
     * @param testCase the case, absent if the row comes from a file that does not tell
     * @param cells the cells by column name
     * @param numbers the numbers among them, as they are published, by column name
     */
    public record Row(String id, Optional<TestCase> testCase, Map<String, String> cells, Map<String, Double> numbers) {

        /** Keeps the cells' order. */
        public Row {
            cells = Collections.unmodifiableMap(new LinkedHashMap<>(cells));
            numbers = Map.copyOf(numbers);
        }

        /** Creates a row with the numbers of its texts: what is drawn and compared is what the table shows. */
        public Row(String id, Optional<TestCase> testCase, Map<String, String> cells) {
            this(id, testCase, cells, Cells.read(cells).numbers());
        }

        private Row withMessage(String old, String column) {
            Map<String, String> renamed = new LinkedHashMap<>();
            String level =
                    testCase.map(one -> Integer.toString(one.message().value())).orElseThrow();
            cells.forEach((name, text) -> {
                boolean message = name.equals(old);
                renamed.put(message ? column : name, message ? level : text);
            });
            return new Row(id, testCase, renamed);
        }

        /** Returns the text in a column, {@code N/A} if the row has no such column. */
        public String text(String column) {
            return cells.getOrDefault(column, NOT_AVAILABLE);
        }

        /** Returns the number in a column, or empty if there is none. */
        public OptionalDouble number(String column) {
            Double number = numbers.get(column);
            return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
        }
    }

    /**
     * A cell without a figure.
     *
     * @param id the path of the case in the results tree
     * @param column the column, or the columns as a group, e.g. {@code Netty Service host metrics}
     * @param reason why there is no figure
     */
    public record Gap(String id, String column, String reason) {}

    /** Returns the rows' values in a column, each once, in the order in which they first appear. */
    public List<String> distinct(String column) {
        List<String> values = new ArrayList<>();
        for (Row row : rows) {
            String value = row.text(column);
            if (!values.contains(value)) {
                values.add(value);
            }
        }
        return values;
    }

    /**
     * Returns one table per kind of message level, each with the column of its kind, in the order in which they first appear;
     * itself if all rows are of one kind.
     */
    public List<SummaryTable> byMessageKind() {
        Map<MessageLevel.Kind, List<Row>> kinds = new LinkedHashMap<>();
        for (Row row : rows) {
            if (row.testCase().isEmpty()) {
                return List.of(this);
            }
            kinds.computeIfAbsent(row.testCase().get().message().kind(), kind -> new ArrayList<>())
                    .add(row);
        }
        if (kinds.size() < 2) {
            return List.of(this);
        }
        List<SummaryTable> tables = new ArrayList<>();
        kinds.forEach((kind, ofKind) -> {
            String column = SummaryColumns.messageColumn(kind);
            tables.add(new SummaryTable(
                    applicationName,
                    column,
                    columns.stream()
                            .map(name -> name.equals(messageColumn) ? column : name)
                            .toList(),
                    ofKind.stream()
                            .map(row -> row.withMessage(messageColumn, column))
                            .toList(),
                    gaps));
        });
        return tables;
    }

    /** Returns whether the message levels are GraphQL queries. */
    public boolean graphQl() {
        return messageColumn.equals(SummaryColumns.messageColumn(MessageLevel.Kind.GRAPHQL_QUERY));
    }
}
