/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.gatebench.report.column.Numbers;
import io.gatebench.report.importer.ImportedRun.Problem;

/**
 * Reads the result tables of published Markdown documents; their other tables are skipped.
 *
 * <p>Pipes at either end of a row may be missing, a pipe inside a cell may be escaped or, in the first cell, not.
 */
final class MarkdownResults {

    private static final Pattern RULE_CELL = Pattern.compile("\\s*:?-{1,}:?\\s*");
    private static final int MAX_LINE = 1 << 16;
    private static final int MAX_ROWS = 1_000_000;

    private final String file;
    private final List<ResultRow> rows = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private List<String> columns = List.of();
    private int tables;

    MarkdownResults(String file) {
        this.file = file;
    }

    /**
     * Reads all rows.
     *
     * @throws IOException if the reader fails
     */
    ImportedRun read(BufferedReader reader) throws IOException {
        List<String> header = List.of();
        List<String> before = List.of();
        boolean inCode = false;
        long number = 0;
        String line;
        while ((line = reader.readLine()) != null) {
            number++;
            if (rows.size() >= MAX_ROWS) {
                problems.add(new Problem(file, number, "only the first " + MAX_ROWS + " rows were read"));
                break;
            }
            if (line.strip().startsWith("```")) {
                inCode = !inCode;
            }
            if (inCode || line.length() > MAX_LINE || line.indexOf('|') < 0) {
                if (line.length() > MAX_LINE) {
                    problems.add(
                            new Problem(file, number, "is longer than " + MAX_LINE + " characters; it was not read"));
                }
                header = List.of();
                before = List.of();
                continue;
            }
            List<String> cells = split(line);
            if (cells.stream().allMatch(cell -> RULE_CELL.matcher(cell).matches())) {
                if (!before.isEmpty() && isResultHeader(before)) {
                    header = before;
                    columns = before;
                    tables++;
                }
                continue;
            }
            if (header.isEmpty()) {
                before = cells;
            } else if (isResultHeader(cells)) {
                header = cells;
            } else {
                row(header, cells, number);
            }
        }
        if (tables == 0) {
            problems.add(new Problem(file, 0, "holds no table of results"));
        } else if (rows.isEmpty() && problems.isEmpty()) {
            notes.add(file + " holds a table of results without a row");
        }
        return new ImportedRun(
                file,
                ImportedRun.Format.MARKDOWN,
                KeyColumns.unique(rows),
                problems,
                notes,
                rows.isEmpty() ? columns : List.of());
    }

    private void row(List<String> header, List<String> raw, long line) {
        List<String> cells = raw;
        if (cells.size() > header.size()) {
            cells = joinFirst(cells, header.size());
            if (cells.size() != header.size()) {
                problems.add(new Problem(
                        file,
                        line,
                        "has " + raw.size() + " cells under a header of " + header.size() + "; it was not read"));
                return;
            }
            problems.add(new Problem(
                    file, line, "has a pipe that is not escaped; the first cell was read as '" + cells.get(0) + "'"));
        } else if (cells.size() < header.size()) {
            problems.add(new Problem(
                    file,
                    line,
                    "has " + cells.size() + " cells under a header of " + header.size()
                            + "; the missing ones were read as empty"));
        }
        Map<String, String> byName = new LinkedHashMap<>();
        for (int i = 0; i < header.size(); i++) {
            byName.put(header.get(i), i < cells.size() ? cells.get(i) : "");
        }
        ResultRow row =
                new ResultRow(KeyColumns.keyOf(byName, KeyColumns.furtherParameters(header)), 1, byName, file, line);
        problems.addAll(KeyColumns.unreadable(row));
        rows.add(row);
    }

    /** Joins leading cells to one if all others are numbers, sizes, empty or N/A, as in a row with a pipe in its name. */
    private static List<String> joinFirst(List<String> cells, int wanted) {
        int excess = cells.size() - wanted;
        List<String> rest = cells.subList(excess + 1, cells.size());
        boolean plain = rest.stream()
                .allMatch(cell -> cell.isEmpty()
                        || cell.equals("N/A")
                        || cell.chars().anyMatch(Character::isDigit) && cell.length() <= 24);
        if (!plain
                || cells.subList(0, excess + 1).stream()
                        .anyMatch(cell -> Numbers.parse(cell).isPresent())) {
            return cells;
        }
        List<String> joined = new ArrayList<>();
        joined.add(String.join("|", cells.subList(0, excess + 1)));
        joined.addAll(rest);
        return joined;
    }

    private static boolean isResultHeader(List<String> cells) {
        return cells.stream().anyMatch(KeyColumns::isMetric) && cells.stream().anyMatch(KeyColumns::isKey);
    }

    /** Splits at pipes that are not escaped; one empty cell at either end is that of the outer pipes. */
    private static List<String> split(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        String text = line.strip();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length() && isPunctuation(text.charAt(i + 1))) {
                cell.append(text.charAt(++i));
            } else if (c == '|') {
                cells.add(cell.toString().strip().replace("&lt;", "<"));
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        if (!text.endsWith("|") || text.endsWith("\\|")) {
            cells.add(cell.toString().strip().replace("&lt;", "<"));
        }
        if (text.startsWith("|")) {
            cells.remove(0);
        }
        return cells;
    }

    private static boolean isPunctuation(char c) {
        return c > ' ' && c < 127 && !Character.isLetterOrDigit(c);
    }
}
