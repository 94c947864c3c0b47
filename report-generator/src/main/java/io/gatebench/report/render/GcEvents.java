/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/** Reads {@code gc-events.csv} for drawing: time, pause, heap before and after, size of the heap. */
final class GcEvents {

    private static final double MEBIBYTE = 1 << 20;
    private static final List<String> COLUMNS =
            List.of(SeriesFile.TIME, "uptimeSeconds", "kind", "pauseMillis", "heapBeforeBytes", "heapAfterBytes");

    private GcEvents() {}

    /**
     * Events of a log that can be drawn.
     *
     * @param kept per event: seconds since an instant, pause in ms, heap before and after in MiB (null where unknown), kind,
     *     size of the heap in MiB (null where unknown)
     * @param all how many the log holds
     */
    record Events(List<List<Object>> kept, int all) {}

    /**
     * Returns the events in order of time. Of more than are wanted, the longest pause of each of so many equal stretches of
     * time is kept, so that the curve of the heap stays whole and no long pause is lost.
     *
     * @param file the file; none gives no events, and so does one with other columns
     * @param originMillis the instant, in milliseconds since 1970
     * @param most how many events are wanted at most
     */
    static Events read(Path file, long originMillis, int most) {
        SeriesFile series = SeriesFile.read(file);
        List<String> header = series.header();
        if (!header.containsAll(COLUMNS)) {
            return new Events(List.of(), 0);
        }
        double[] second = rounded(series.column(SeriesFile.TIME), 1);
        for (int i = 0; i < second.length; i++) {
            second[i] = rounded((second[i] - originMillis) / 1000);
        }
        double[] pause = rounded(series.column("pauseMillis"), 1);
        double[] before = rounded(series.column("heapBeforeBytes"), MEBIBYTE);
        double[] after = rounded(series.column("heapAfterBytes"), MEBIBYTE);
        double[] capacity = rounded(series.column("heapCapacityBytes"), MEBIBYTE);
        int kind = header.indexOf("kind");
        List<Integer> events = IntStream.range(0, series.rows())
                .filter(row -> !Double.isNaN(second[row]) && !Double.isNaN(pause[row]))
                .boxed()
                .toList();
        List<List<Object>> kept = new ArrayList<>();
        for (int row : longest(events, most, row -> second[row], row -> pause[row])) {
            kept.add(Arrays.asList(
                    second[row],
                    pause[row],
                    orNull(before[row]),
                    orNull(after[row]),
                    series.cell(row, kind),
                    orNull(capacity[row])));
        }
        return new Events(kept, events.size());
    }

    /** Returns all events, or of more than there are stretches of time the one with the longest pause in each of them. */
    static <T> List<T> longest(
            List<T> events, int stretches, ToDoubleFunction<T> second, ToDoubleFunction<T> pauseMillis) {
        if (events.size() <= stretches) {
            return events;
        }
        double first = events.stream().mapToDouble(second).min().orElse(0);
        double last = events.stream().mapToDouble(second).max().orElse(0);
        double length = Math.max(Double.MIN_NORMAL, (last - first) / stretches);
        TreeMap<Integer, T> kept = new TreeMap<>();
        for (T event : events) {
            kept.merge(
                    (int) Math.min(stretches - 1, (second.applyAsDouble(event) - first) / length),
                    event,
                    (a, b) -> pauseMillis.applyAsDouble(b) > pauseMillis.applyAsDouble(a) ? b : a);
        }
        return List.copyOf(kept.values());
    }

    private static double[] rounded(double[] values, double unit) {
        return Arrays.stream(values).map(value -> rounded(value / unit)).toArray();
    }

    private static @Nullable Double orNull(double value) {
        return Double.isNaN(value) ? null : Double.valueOf(value);
    }

    /** Rounds to three decimals. */
    static double rounded(double value) {
        return Math.rint(value * 1000) / 1000;
    }
}
