/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.io.NumberInput;

/**
 * A CSV file with one line per time: metrics of a host, events of a GC log.
 *
 * <p>A line of another length than the header, as a torn last one, is left out. A file that is missing or cannot be read has no
 * header and no lines.
 *
 * @param header names of the columns
 * @param lines cells of each line
 */
record SeriesFile(List<String> header, List<String[]> lines) {

    static final String TIME = "epochMillis";

    static SeriesFile read(Path file) {
        if (!Files.isRegularFile(file)) {
            return new SeriesFile(List.of(), List.of());
        }
        try (Stream<String> text = Files.lines(file, StandardCharsets.UTF_8)) {
            List<String[]> all = text.map(line -> line.split(",", -1)).toList();
            List<String> header = all.isEmpty() ? List.of() : List.of(all.get(0));
            return new SeriesFile(
                    header,
                    all.stream()
                            .skip(1)
                            .filter(line -> line.length == header.size())
                            .toList());
        } catch (IOException | UncheckedIOException e) {
            return new SeriesFile(List.of(), List.of());
        }
    }

    int rows() {
        return header.contains(TIME) ? lines.size() : 0;
    }

    double[] column(String name) {
        int at = header.indexOf(name);
        return lines.stream()
                .mapToDouble(line -> at < 0 ? Double.NaN : parsed(line[at]))
                .toArray();
    }

    double[] sum(List<String> names) {
        double[] sum = new double[lines.size()];
        for (String name : names) {
            double[] column = column(name);
            for (int i = 0; i < sum.length; i++) {
                sum[i] += column[i];
            }
        }
        return sum;
    }

    /** The columns at the times of another file of the same host, which were read at once. */
    List<double[]> at(double[] times, List<String> names) {
        Map<Double, Integer> rows = new HashMap<>();
        double[] own = column(TIME);
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

    private static double parsed(String cell) {
        try {
            return cell.isEmpty() ? Double.NaN : NumberInput.parseDouble(cell, true);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
