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

import org.jspecify.annotations.Nullable;

/** Reads {@code gc-events.csv} for drawing: time, pause, heap before and after, size of the heap. */
final class GcEvents {

    private static final double MEBIBYTE = 1 << 20;
    private static final List<String> COLUMNS =
            List.of("epochMillis", "uptimeSeconds", "kind", "pauseMillis", "heapBeforeBytes", "heapAfterBytes");

    private GcEvents() {}

    /**
     * Events of a log that can be drawn.
     *
     * @param kept per event: seconds since an instant, pause in ms, heap before and after in MiB (null where unknown), kind,
     *     size of the heap in MiB (null where unknown)
     * @param all how many the log holds
     */
    record Events(List<List<Object>> kept, int all) {
        private static final Events NONE = new Events(List.of(), 0);
    }

    /**
     * Returns the events in order of time. Of more than are wanted, the longest pause of each of so many equal stretches of
     * time is kept, so that the curve of the heap stays whole and no long pause is lost.
     *
     * @param file the file; none gives no events, and so does one with other columns
     * @param originMillis the instant, in milliseconds since 1970
     * @param most how many events are wanted at most
     */
    static Events read(Path file, long originMillis, int most) {
        if (!Files.isRegularFile(file)) {
            return Events.NONE;
        }
        List<List<Object>> events = new ArrayList<>();
        try (Stream<String> lines = Files.lines(file, StandardCharsets.UTF_8)) {
            List<String[]> cells = lines.map(line -> line.split(",", -1)).toList();
            if (cells.isEmpty() || !Arrays.asList(cells.get(0)).containsAll(COLUMNS)) {
                return Events.NONE;
            }
            List<String> header = Arrays.asList(cells.get(0));
            int capacity = header.indexOf("heapCapacityBytes");
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
                    event.add(capacity < 0 ? null : number(line[capacity], MEBIBYTE));
                    events.add(event);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            return Events.NONE;
        }
        return new Events(events.size() <= most ? events : longest(events, most), events.size());
    }

    private static List<List<Object>> longest(List<List<Object>> events, int stretches) {
        double first = events.stream().mapToDouble(GcEvents::second).min().orElse(0);
        double last = events.stream().mapToDouble(GcEvents::second).max().orElse(0);
        double length = Math.max(Double.MIN_NORMAL, (last - first) / stretches);
        TreeMap<Integer, List<Object>> kept = new TreeMap<>();
        for (List<Object> event : events) {
            int stretch = (int) Math.min(stretches - 1, (second(event) - first) / length);
            kept.merge(stretch, event, (a, b) -> pause(b) > pause(a) ? b : a);
        }
        return List.copyOf(kept.values());
    }

    private static double second(List<Object> event) {
        return (Double) event.get(0);
    }

    private static double pause(List<Object> event) {
        return (Double) event.get(1);
    }

    private static @Nullable Double number(String text, double unit) {
        try {
            return text.isEmpty() ? null : Double.valueOf(rounded(Double.parseDouble(text) / unit));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static double rounded(double value) {
        return Math.rint(value * 1000) / 1000;
    }
}
