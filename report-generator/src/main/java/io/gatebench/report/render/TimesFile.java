/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.io.NumberInput;

/**
 * The file {@code times.csv} of a load generator: how long the answers of each second took.
 *
 * @param upperMillis the upper ends of the steps of time, in milliseconds
 * @param seconds the seconds that had a sample, by their number
 */
record TimesFile(List<Double> upperMillis, TreeMap<Integer, Second> seconds) {

    private static final int FIRST_STEP = 2;

    /**
     * One second.
     *
     * @param p90Millis 90th percentile
     * @param counts samples in each step
     */
    record Second(double p90Millis, long[] counts) {}

    /** Reads the file; one that is missing, or is no such file, gives no second. */
    static TimesFile read(Path file) {
        TimesFile none = new TimesFile(List.of(), new TreeMap<>());
        if (!Files.isRegularFile(file)) {
            return none;
        }
        try (Stream<String> text = Files.lines(file, StandardCharsets.UTF_8)) {
            List<String[]> lines = text.map(line -> line.split(",", -1)).toList();
            if (lines.isEmpty() || lines.get(0).length <= FIRST_STEP) {
                return none;
            }
            String[] header = lines.get(0);
            List<Double> upper = new ArrayList<>();
            for (String step : Arrays.asList(header).subList(FIRST_STEP, header.length)) {
                upper.add(Double.valueOf(step));
            }
            TreeMap<Integer, Second> seconds = new TreeMap<>();
            for (String[] line : lines.subList(1, lines.size())) {
                long[] counts = new long[upper.size()];
                for (int i = 0; i < counts.length; i++) {
                    String cell = line[FIRST_STEP + i];
                    counts[i] = cell.isEmpty() ? 0 : Long.parseLong(cell);
                }
                seconds.put(Integer.valueOf(line[0]), new Second(NumberInput.parseDouble(line[1], true), counts));
            }
            return new TimesFile(List.copyOf(upper), seconds);
        } catch (IOException | UncheckedIOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return none;
        }
    }
}
