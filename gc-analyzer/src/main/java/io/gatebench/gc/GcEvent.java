/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One pause or one cycle of a concurrent collector, as a point of a chart.
 *
 * @param epochMillis when it began, by the wall clock, if the log or the caller tells
 * @param uptimeSeconds when it began, in seconds after the JVM's start or, in logs without uptime, after the first line
 * @param kind the kind, e.g. {@code young}, {@code full}, {@code cycle}
 * @param cause why it happened, empty if the log does not tell
 * @param pauseMillis how long the application stood still; empty for a concurrent cycle
 * @param heapBeforeBytes heap used before
 * @param heapAfterBytes heap used after
 * @param heapCapacityBytes heap size after
 * @since 0.1
 */
public record GcEvent(
        OptionalLong epochMillis,
        OptionalDouble uptimeSeconds,
        String kind,
        String cause,
        OptionalDouble pauseMillis,
        OptionalLong heapBeforeBytes,
        OptionalLong heapAfterBytes,
        OptionalLong heapCapacityBytes) {

    /** The first line of {@link #writeCsv}. */
    public static final String CSV_HEADER =
            "epochMillis,uptimeSeconds,kind,pauseMillis,heapBeforeBytes,heapAfterBytes,heapCapacityBytes";

    /** Returns the collections that were kept of a run. */
    static List<GcEvent> of(JvmGcAccumulator run, long originEpochMillis, GcLogOptions options) {
        long zero = originEpochMillis == Decorations.NONE && options.started().isPresent()
                ? options.started().get().toEpochMilli()
                : originEpochMillis;
        return run.events().stream().map(c -> of(c, zero)).toList();
    }

    private static GcEvent of(Collection c, long originEpochMillis) {
        boolean timed = c.startNanos() != Collection.UNKNOWN;
        return new GcEvent(
                timed && originEpochMillis != Decorations.NONE
                        ? OptionalLong.of(originEpochMillis + Math.floorDiv(c.startNanos(), 1_000_000L))
                        : OptionalLong.empty(),
                timed ? OptionalDouble.of(c.startNanos() / 1e9) : OptionalDouble.empty(),
                c.kind(),
                c.cause(),
                c.pause() ? OptionalDouble.of(c.durationNanos() / 1e6) : OptionalDouble.empty(),
                size(c.beforeBytes()),
                size(c.afterBytes()),
                size(c.capacityBytes()));
    }

    private static OptionalLong size(long bytes) {
        return bytes < 0 ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    /**
     * Writes events as CSV with {@link #CSV_HEADER}, line feeds, and nothing where a value is unknown.
     *
     * @throws IOException if the file cannot be written
     */
    public static void writeCsv(List<GcEvent> events, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            out.write(CSV_HEADER);
            out.write('\n');
            for (GcEvent event : events) {
                out.write(event.csv());
                out.write('\n');
            }
        }
    }

    private String csv() {
        return text(epochMillis) + "," + decimal(uptimeSeconds, 3) + "," + kind + "," + decimal(pauseMillis, 6) + ","
                + text(heapBeforeBytes) + "," + text(heapAfterBytes) + "," + text(heapCapacityBytes);
    }

    private static String text(OptionalLong value) {
        return value.isPresent() ? Long.toString(value.getAsLong()) : "";
    }

    private static String decimal(OptionalDouble value, int places) {
        return value.isPresent() ? String.format(Locale.ROOT, "%." + places + "f", value.getAsDouble()) : "";
    }
}
