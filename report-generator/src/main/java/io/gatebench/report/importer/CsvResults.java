/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

import io.gatebench.report.importer.ImportedRun.Problem;

/**
 * Reads CSV files with one row per test case: wide ones of one or two load generators, also mixed in one file, several
 * blocks with headers of their own, and other column sets.
 *
 * <p>Works line by line: a quotation mark that is never closed costs its line, not the rest of the file.
 */
final class CsvResults {

    private static final int MAX_COLUMNS = 4_096;
    private static final int MAX_JOINED_LINES = 32;
    private static final int MAX_RECORD = 1 << 20;
    private static final int MAX_ROWS = 1_000_000;
    /** The five key columns, 18 of the load and four of the gateway's GC: equal in every published width. */
    private static final int SHARED_COLUMNS = 27;

    private final String file;
    private final List<ResultRow> rows = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final Map<Integer, Optional<List<String>>> layouts = new LinkedHashMap<>();
    private List<String> header = List.of();
    private CSVFormat format = CSVFormat.DEFAULT;
    private int headers;

    CsvResults(String file) {
        this.file = file;
    }

    /**
     * Reads all rows.
     *
     * @throws IOException if the reader fails
     */
    ImportedRun read(BufferedReader reader) throws IOException {
        List<String> pending = new ArrayList<>();
        long number = 0;
        long start = 0;
        String line;
        while ((line = reader.readLine()) != null) {
            number++;
            if (number == 1 && line.startsWith("\uFEFF")) {
                line = line.substring(1);
            }
            if (pending.isEmpty()) {
                start = number;
            }
            pending.add(line);
            if (!isBalanced(pending)) {
                if (pending.size() < MAX_JOINED_LINES && length(pending) < MAX_RECORD) {
                    continue;
                }
                retryWithoutFirst(pending, start);
                continue;
            }
            record(String.join("\n", pending), start);
            pending.clear();
            if (rows.size() > MAX_ROWS) {
                problems.add(new Problem(file, number, "only the first " + MAX_ROWS + " rows were read"));
                break;
            }
        }
        while (!pending.isEmpty()) {
            start = number - pending.size() + 1;
            retryWithoutFirst(pending, start);
        }
        if (rows.isEmpty() && headers > 0 && problems.isEmpty()) {
            notes.add(file + " holds a header and no row");
        }
        return new ImportedRun(
                file,
                ImportedRun.Format.CSV,
                KeyColumns.unique(rows),
                problems,
                notes,
                rows.isEmpty() ? header : List.of());
    }

    /** Reports the first of the lines, whose quotation mark is not closed, and reads the others on their own. */
    private void retryWithoutFirst(List<String> pending, long start) throws IOException {
        problems.add(new Problem(file, start, "a quotation mark is opened and not closed; the line was not read"));
        List<String> rest = new ArrayList<>(pending.subList(1, pending.size()));
        pending.clear();
        long at = start;
        for (String line : rest) {
            at++;
            pending.add(line);
            if (isBalanced(pending)) {
                record(String.join("\n", pending), at - pending.size() + 1);
                pending.clear();
            }
        }
    }

    private void record(String text, long line) throws IOException {
        if (text.isBlank()) {
            return;
        }
        if (headers == 0) {
            format = format(text);
        }
        List<String> cells = cells(text, line);
        if (cells.isEmpty()) {
            return;
        }
        if (headers == 0 || KeyColumns.isHeader(cells)) {
            header(cells, line);
            return;
        }
        row(cells, line);
    }

    private List<String> cells(String text, long line) throws IOException {
        try (CSVParser parser = CSVParser.parse(new StringReader(text), format)) {
            for (CSVRecord record : parser) {
                if (record.size() > MAX_COLUMNS) {
                    problems.add(new Problem(
                            file,
                            line,
                            "has " + record.size() + " cells, more than " + MAX_COLUMNS + "; it was not read"));
                    return List.of();
                }
                return record.toList();
            }
            return List.of();
        } catch (IOException | IllegalStateException | UncheckedIOException e) {
            problems.add(new Problem(file, line, "is not CSV: " + e.getMessage()));
            return List.of();
        }
    }

    private void header(List<String> cells, long line) {
        List<String> names = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String cell : cells) {
            String name = cell.strip();
            if (!name.isEmpty() && !seen.add(name)) {
                String plain = name;
                int count = 2;
                while (!seen.add(name)) {
                    name = plain + " #" + count++;
                }
                problems.add(new Problem(
                        file, line, "the column '" + plain + "' occurs again; it was read as '" + name + "'"));
            }
            names.add(name);
        }
        while (!names.isEmpty() && names.get(names.size() - 1).isEmpty()) {
            names.remove(names.size() - 1);
        }
        if (names.size() < 2) {
            problems.add(new Problem(file, line, "is neither a header nor a row: '" + shorten(cells.get(0)) + "'"));
            return;
        }
        header = List.copyOf(names);
        layouts.clear();
        headers++;
    }

    private void row(List<String> raw, long line) {
        List<String> cells = new ArrayList<>(raw);
        while (cells.size() > header.size() && cells.get(cells.size() - 1).isBlank()) {
            cells.remove(cells.size() - 1);
        }
        if (cells.stream().allMatch(String::isBlank)) {
            return;
        }
        if (cells.size() == header.size()) {
            add(header, cells, line);
            return;
        }
        Optional<List<String>> layout =
                layouts.computeIfAbsent(cells.size(), width -> PublishedWidths.layoutFor(header, width));
        if (layout.isPresent()) {
            add(layout.get(), cells, line);
        } else if (cells.size() >= SHARED_COLUMNS && PublishedWidths.isPublished(header)) {
            problems.add(new Problem(
                    file,
                    line,
                    "has " + cells.size() + " cells under a header of " + header.size()
                            + ", which is no published width; only the first " + SHARED_COLUMNS
                            + " columns, equal in all of them, were read"));
            add(header.subList(0, SHARED_COLUMNS), cells.subList(0, SHARED_COLUMNS), line);
        } else {
            problems.add(new Problem(
                    file,
                    line,
                    "has " + cells.size() + " cells under a header of " + header.size() + "; it was not read: '"
                            + shorten(String.join(",", cells)) + "'"));
        }
    }

    private void add(List<String> names, List<String> cells, long line) {
        Map<String, String> byName = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            if (!names.get(i).isEmpty()) {
                byName.put(names.get(i), unguarded(cells.get(i).strip()));
            }
        }
        ResultRow row = new ResultRow(KeyColumns.keyOf(byName), 1, byName, file, line);
        problems.addAll(KeyColumns.unreadable(row));
        rows.add(row);
    }

    /** An apostrophe that keeps a spreadsheet from a formula is not part of the cell. */
    private static String unguarded(String cell) {
        return cell.length() > 1 && cell.charAt(0) == '\'' && "=+-@".indexOf(cell.charAt(1)) >= 0
                ? cell.substring(1)
                : cell;
    }

    private static CSVFormat format(String firstLine) {
        char delimiter = ',';
        long most = count(firstLine, ',');
        for (char candidate : new char[] {';', '\t'}) {
            if (count(firstLine, candidate) > most) {
                most = count(firstLine, candidate);
                delimiter = candidate;
            }
        }
        return CSVFormat.DEFAULT
                .builder()
                .setDelimiter(delimiter)
                .setIgnoreEmptyLines(false)
                .setTrailingData(true)
                .setLenientEof(true)
                .get();
    }

    /** Counts as a parser would: a quotation mark opens a cell only at its beginning. */
    private boolean isBalanced(List<String> lines) {
        boolean open = false;
        boolean atStart = true;
        char delimiter = format.getDelimiterString().charAt(0);
        for (String line : lines) {
            for (int i = 0; i < line.length(); i++) {
                char c = line.charAt(i);
                if (open) {
                    if (c == '"') {
                        if (i + 1 < line.length() && line.charAt(i + 1) == '"') {
                            i++;
                        } else {
                            open = false;
                        }
                    }
                } else if (c == '"' && atStart) {
                    open = true;
                    atStart = false;
                } else {
                    atStart = c == delimiter || atStart && c == ' ';
                }
            }
            if (!open) {
                atStart = true;
            }
        }
        return !open;
    }

    private static int length(List<String> lines) {
        return lines.stream().mapToInt(String::length).sum();
    }

    private static long count(String text, char wanted) {
        return text.chars().filter(c -> c == wanted).count();
    }

    static String shorten(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "...";
    }
}
