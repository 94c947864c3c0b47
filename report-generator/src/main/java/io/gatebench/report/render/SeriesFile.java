/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.core.io.NumberInput;

/**
 * A CSV file with one line per time: metrics of a host, events of a GC log.
 *
 * <p>A line of another length than the header, as a torn last one, is left out. A file that is missing or cannot be read has no
 * header and no lines. Cells are read when they are asked for: a report reads a few columns of files as long as its tests.
 */
final class SeriesFile {

    static final String TIME = "epochMillis";

    /** Powers of ten that a double holds exactly. */
    private static final double[] TENS = {
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };
    /** So many digits are a whole number that a double holds exactly. */
    private static final int EXACT_DIGITS = 15;

    private final String text;
    private final List<String> header;
    /** Places at which the cells of each line begin, and behind those of a line that of a further one. */
    private final int[] begins;

    private SeriesFile(String text, List<String> header, int[] begins) {
        this.text = text;
        this.header = header;
        this.begins = begins;
    }

    static SeriesFile read(Path file) {
        if (!Files.isRegularFile(file)) {
            return of("");
        }
        try {
            return of(Files.readString(file));
        } catch (IOException e) {
            return of("");
        }
    }

    static SeriesFile of(String text) {
        if (text.isEmpty()) {
            return new SeriesFile(text, List.of(), new int[0]);
        }
        int newline = text.indexOf('\n');
        List<String> header = List.of(text.substring(0, end(text, newline)).split(",", -1));
        int width = header.size() + 1;
        int[] begins = new int[width];
        int cells = 0;
        while (newline >= 0 && newline + 1 < text.length()) {
            if (begins.length < cells + width) {
                begins = Arrays.copyOf(begins, 2 * begins.length + width);
            }
            int from = newline + 1;
            newline = text.indexOf('\n', from);
            int end = end(text, newline);
            int commas = 0;
            begins[cells] = from;
            for (int at = from; at < end; at++) {
                if (text.charAt(at) == ',' && ++commas < header.size()) {
                    begins[cells + commas] = at + 1;
                }
            }
            if (commas == header.size() - 1) {
                begins[cells + header.size()] = end + 1;
                cells += width;
            }
        }
        return new SeriesFile(text, header, Arrays.copyOf(begins, cells));
    }

    private static int end(String text, int newline) {
        int end = newline < 0 ? text.length() : newline;
        return end > 0 && text.charAt(end - 1) == '\r' ? end - 1 : end;
    }

    List<String> header() {
        return header;
    }

    /** Returns how many lines tell their time. */
    int rows() {
        return header.contains(TIME) ? lines() : 0;
    }

    private int lines() {
        return begins.length / (header.size() + 1);
    }

    /** Returns the numbers of a column; not a number where there is none, or no such column. */
    double[] column(String name) {
        return column(header.indexOf(name));
    }

    double[] column(int column) {
        double[] numbers = new double[lines()];
        for (int row = 0; row < numbers.length; row++) {
            numbers[row] = column < 0 ? Double.NaN : number(begin(row, column), begin(row, column + 1) - 1);
        }
        return numbers;
    }

    String cell(int row, int column) {
        return text.substring(begin(row, column), begin(row, column + 1) - 1);
    }

    private int begin(int row, int column) {
        return begins[row * (header.size() + 1) + column];
    }

    double[] sum(List<String> names) {
        double[] sum = new double[lines()];
        for (String name : names) {
            double[] column = column(name);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += column[i];
            }
        }
        return sum;
    }

    /** Returns the columns at the times of another file of the same host, which were read at once. */
    List<double[]> at(double[] times, List<String> names) {
        double[] own = column(TIME);
        if (Arrays.equals(own, times)) {
            return names.stream().map(this::column).toList();
        }
        Map<Double, Integer> rows = new HashMap<>();
        for (int row = 0; row < own.length; row++) {
            rows.put(own[row], row);
        }
        return names.stream()
                .map(this::column)
                .map(column -> Arrays.stream(times)
                        .map(time -> {
                            Integer row = rows.get(time);
                            return row == null ? Double.NaN : column[row];
                        })
                        .toArray())
                .toList();
    }

    private double number(int from, int to) {
        int first = from < to && text.charAt(from) == '-' ? from + 1 : from;
        long digits = 0;
        int point = -1;
        for (int at = first; at < to; at++) {
            char next = text.charAt(at);
            if (next >= '0' && next <= '9') {
                digits = 10 * digits + next - '0';
            } else if (next == '.' && point < 0) {
                point = at;
            } else {
                return parsed(from, to);
            }
        }
        int count = to - first - (point < 0 ? 0 : 1);
        if (count < 1 || count > EXACT_DIGITS) {
            return parsed(from, to);
        }
        // Both are exact, so the quotient is what a parser would round to.
        double value = point < 0 ? digits : digits / TENS[to - point - 1];
        return first == from ? value : -value;
    }

    private double parsed(int from, int to) {
        try {
            return from == to ? Double.NaN : NumberInput.parseDouble(text.substring(from, to), true);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
