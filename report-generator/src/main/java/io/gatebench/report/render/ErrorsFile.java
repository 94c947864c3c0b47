/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The file {@code errors.csv} of a load generator: which kinds of errors there were in each second.
 *
 * @param kinds of each kind the errors of the seconds that had any, by their number
 */
record ErrorsFile(Map<String, TreeMap<Integer, Long>> kinds) {

    private static final int MAX_KINDS = 5;
    private static final String OTHERS = "other kinds";

    /** Reads the file; one that is missing, or is no such file, gives no kind. */
    static ErrorsFile read(Path file) {
        if (!Files.isRegularFile(file)) {
            return new ErrorsFile(Map.of());
        }
        CSVFormat format = CSVFormat.RFC4180
                .builder()
                .setHeader()
                .setSkipHeaderRecord(true)
                .get();
        Map<String, TreeMap<Integer, Long>> kinds = new TreeMap<>();
        try (CSVParser lines = CSVParser.parse(file, StandardCharsets.UTF_8, format)) {
            for (CSVRecord line : lines) {
                kinds.computeIfAbsent(line.get("kind"), kind -> new TreeMap<>())
                        .merge(Integer.valueOf(line.get("second")), Long.valueOf(line.get("errors")), Long::sum);
            }
            return new ErrorsFile(kinds);
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            return new ErrorsFile(Map.of());
        }
    }

    /**
     * Returns the commonest kinds, and the others together: each with its errors per second at each point.
     *
     * @param seconds the first second of each point
     * @param every how many seconds a point covers
     */
    List<List<Object>> timelines(List<Integer> seconds, int every) {
        List<Map.Entry<String, TreeMap<Integer, Long>>> commonest = kinds.entrySet().stream()
                .sorted(Comparator.comparingLong(
                                (Map.Entry<String, TreeMap<Integer, Long>> kind) -> -sum(kind.getValue()))
                        .thenComparing(Map.Entry::getKey))
                .toList();
        List<List<Object>> timelines = new ArrayList<>();
        TreeMap<Integer, Long> others = new TreeMap<>();
        for (int i = 0; i < commonest.size(); i++) {
            TreeMap<Integer, Long> errors = commonest.get(i).getValue();
            if (i < MAX_KINDS) {
                timelines.add(List.of(commonest.get(i).getKey(), rates(errors, seconds, every)));
            } else {
                errors.forEach((second, count) -> others.merge(second, count, Long::sum));
            }
        }
        if (!others.isEmpty()) {
            timelines.add(List.of(OTHERS, rates(others, seconds, every)));
        }
        return timelines;
    }

    private static long sum(TreeMap<Integer, Long> errors) {
        return errors.values().stream().mapToLong(Long::longValue).sum();
    }

    private static List<Double> rates(TreeMap<Integer, Long> errors, List<Integer> seconds, int every) {
        return seconds.stream()
                .map(second -> errors.subMap(second, second + every).values().stream()
                                .mapToLong(Long::longValue)
                                .sum()
                        / (double) every)
                .toList();
    }
}
