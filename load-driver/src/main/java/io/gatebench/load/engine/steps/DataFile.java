/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.steps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of a CSV file (RFC 4180, UTF-8) whose first row names the columns. Immutable.
 *
 * @param file where they are from
 * @param columns the names of the columns
 * @param rows one value for each column
 */
public record DataFile(Path file, List<String> columns, List<List<String>> rows) {

    /** Largest file that is read. */
    public static final long MAX_BYTES = 256L << 20;

    /** Copies the lists. */
    public DataFile {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it cannot be read, has no row, a row of another length, or names that are none; the message
     *     says file and line
     */
    public static DataFile read(Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException(
                        file + " is larger than " + (MAX_BYTES >> 20) + " MiB; data lies in memory");
            }
            return parse(file, Files.readString(file));
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read the data " + file + ": " + e, e);
        }
    }

    private static DataFile parse(Path file, String text) {
        List<List<String>> rows = new ArrayList<>();
        List<String> columns = List.of();
        List<String> row = new ArrayList<>();
        StringBuilder value = new StringBuilder();
        boolean quoted = false;
        boolean wasQuoted = false;
        int line = 1;
        int rowLine = 1;
        // The byte order mark that spreadsheets write is no part of the first name.
        int at = text.startsWith("\uFEFF") ? 1 : 0;
        for (; at <= text.length(); at++) {
            boolean end = at == text.length();
            char c = end ? '\n' : text.charAt(at);
            if (c == '\n' && !end) {
                line++;
            }
            if (quoted && !end) {
                if (c != '"') {
                    value.append(c);
                } else if (at + 1 < text.length() && text.charAt(at + 1) == '"') {
                    value.append('"');
                    at++;
                } else {
                    quoted = false;
                }
            } else if (quoted) {
                throw new IllegalArgumentException(file + ", line " + rowLine + ": a quoted value has no end");
            } else if (c == '"' && value.isEmpty() && !wasQuoted) {
                quoted = true;
                wasQuoted = true;
            } else if (c == ',' || c == '\n') {
                row.add(value.toString());
                value.setLength(0);
                if (c == '\n') {
                    boolean blank = row.size() == 1 && row.get(0).isEmpty() && !wasQuoted;
                    if (!blank && columns.isEmpty()) {
                        columns = names(file, row);
                    } else if (!blank) {
                        rows.add(sized(file, rowLine, row, columns));
                    }
                    row = new ArrayList<>();
                    rowLine = line;
                }
                wasQuoted = false;
            } else if (c != '\r' || at + 1 < text.length() && text.charAt(at + 1) != '\n') {
                value.append(c);
            }
        }
        if (rows.isEmpty()) {
            throw new IllegalArgumentException(file + " has no row below the names of its columns");
        }
        return new DataFile(file, columns, rows);
    }

    private static List<String> names(Path file, List<String> row) {
        for (String name : row) {
            if (!Template.NAME.matcher(name).matches() || row.indexOf(name) != row.lastIndexOf(name)) {
                throw new IllegalArgumentException(
                        file + ": the first row must name the columns, each with another name of letters,"
                                + " digits, '_', '.' and '-', but has '" + name + "'");
            }
        }
        return row;
    }

    private static List<String> sized(Path file, int line, List<String> row, List<String> columns) {
        if (row.size() != columns.size()) {
            throw new IllegalArgumentException(file + ", line " + line + ": has " + row.size()
                    + " values but there are " + columns.size() + " columns");
        }
        return List.copyOf(row);
    }

    /** Returns a row by the names of its columns. */
    public Map<String, String> row(int index) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            values.put(columns.get(i), rows.get(index).get(i));
        }
        return values;
    }
}
