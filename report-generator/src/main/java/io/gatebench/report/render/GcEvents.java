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
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatebench.report.summary.Numbers;

/** Reads {@code gc-events.csv} for drawing: time, pause, heap before and after. */
final class GcEvents {

    private static final double MEBIBYTE = 1 << 20;
    private static final List<String> COLUMNS =
            List.of("epochMillis", "uptimeSeconds", "kind", "pauseMillis", "heapBeforeBytes", "heapAfterBytes");

    private GcEvents() {}

    /**
     * Returns per event: seconds since an instant, pause in ms, heap before and after in MiB (null where unknown), kind.
     *
     * @param file the file; none gives no events, and so does one with other columns
     * @param originMillis the instant, in milliseconds since 1970
     * @param most how many events are wanted at most; of more, those with the longest pauses are kept
     */
    static List<List<Object>> read(Path file, long originMillis, int most) {
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        List<List<Object>> events = new ArrayList<>();
        try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
            List<String[]> cells = lines.map(line -> line.split(",", -1)).toList();
            if (cells.isEmpty() || !Arrays.asList(cells.get(0)).containsAll(COLUMNS)) {
                return List.of();
            }
            List<String> header = Arrays.asList(cells.get(0));
            int[] at = COLUMNS.stream().mapToInt(header::indexOf).toArray();
            for (String[] line : cells.subList(1, cells.size())) {
                Double epoch = line.length == header.size() ? number(line[at[0]], 1) : null;
                Double pause = epoch == null ? null : number(line[at[3]], 1);
                if (epoch != null && pause != null) {
                    List<Object> event = new ArrayList<>();
                    event.add(rounded((epoch - originMillis) / 1000));
                    event.add(rounded(pause));
                    event.add(number(line[at[4]], MEBIBYTE));
                    event.add(number(line[at[5]], MEBIBYTE));
                    event.add(line[at[2]]);
                    events.add(event);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            return List.of();
        }
        return events.size() <= most ? events : longest(events, most);
    }

    private static List<List<Object>> longest(List<List<Object>> events, int most) {
        double[] pauses = events.stream()
                .mapToDouble(event -> (Double) event.get(1))
                .sorted()
                .toArray();
        double least = pauses[pauses.length - most];
        return events.stream()
                .filter(event -> (Double) event.get(1) >= least)
                .limit(most)
                .toList();
    }

    private static @Nullable Double number(String text, double unit) {
        try {
            return text.isEmpty() ? null : Double.valueOf(rounded(Double.parseDouble(text) / unit));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static double rounded(double value) {
        return Double.parseDouble(Numbers.text(value, 3));
    }
}
