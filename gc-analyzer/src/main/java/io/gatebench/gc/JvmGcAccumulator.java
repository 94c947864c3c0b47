/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * Adds up one JVM's log as it is read, in constant memory.
 *
 * <p>A pause that reaches across a border of the window counts by its part inside.
 */
final class JvmGcAccumulator {

    static final int MAX_FULL_VALUES = 10_000;

    private static final long UNKNOWN = Collection.UNKNOWN;

    final ParserHealth health;
    final Map<LogListener.Fact, String> facts = new EnumMap<>(LogListener.Fact.class);
    final Distribution pauses = new Distribution();
    final Map<String, Distribution> byKind = new TreeMap<>();
    final Distribution stops = new Distribution();
    final Distribution waits = new Distribution();
    final Map<LogListener.Event, Long> counts = new EnumMap<>(LogListener.Event.class);
    final Map<String, Long> fullCauses = new LinkedHashMap<>();
    final List<Double> afterFull = new ArrayList<>();
    final Trend afterAny = new Trend();
    final Trend afterFullTrend = new Trend();
    final Trend afterDeep = new Trend();

    private final @Nullable List<Collection> events;
    private long from = Long.MIN_VALUE;
    private long to = Long.MAX_VALUE;

    long fullCount;
    double afterFullSum;
    private double afterFullMean;
    private double afterFullSquares;
    long afterFullCount;
    long concurrentNanos;
    boolean concurrentSeen;
    long safepointsOutside;
    long footprintBytes = UNKNOWN;
    long allocatedBytes;
    boolean allocationKnown;
    long promotedBytes;
    boolean promotionKnown;
    long cutPauses;
    long pausesOutside;
    long unstampedPauses;
    long lastPauseEnd = UNKNOWN;
    double deepSum;
    long deepCount;
    String deepKind = "";
    private long lastAfter = UNKNOWN;
    long leastAfter = UNKNOWN;
    private long mixedAfter = UNKNOWN;

    /**
     * Creates empty figures of a whole run.
     *
     * @param keepEvents whether every collection is kept, for charts; memory then grows with the log
     */
    JvmGcAccumulator(boolean keepEvents) {
        this(keepEvents, new ParserHealth());
    }

    /** Creates empty figures of a whole run whose health others look at too. */
    JvmGcAccumulator(boolean keepEvents, ParserHealth health) {
        this.health = health;
        events = keepEvents ? new ArrayList<>() : null;
    }

    /** Returns the collections that were kept, in order. */
    List<Collection> events() {
        return events == null ? List.of() : events;
    }

    /**
     * Restricts the figures to a part of the run, before anything is added.
     *
     * @param firstNanos first nanosecond that counts
     * @param endNanos first nanosecond that no longer counts
     */
    void restrict(long firstNanos, long endNanos) {
        from = firstNanos;
        to = endNanos;
    }

    /** Returns how much of a stretch of time lies inside the window. */
    long inside(long firstNanos, long lastNanos) {
        return Math.max(0, Math.min(lastNanos, to) - Math.max(firstNanos, from));
    }

    long from() {
        return from;
    }

    long to() {
        return to;
    }

    private boolean whole() {
        return from == Long.MIN_VALUE && to == Long.MAX_VALUE;
    }

    private boolean inside(long time) {
        return whole() || time != UNKNOWN && time >= from && time < to;
    }

    void collection(Collection c) {
        if (events != null && (inside(c.startNanos()) || whole())) {
            events.add(c);
        }
        if (c.pause()) {
            pause(c);
        }
        if (c.capacityBytes() != UNKNOWN && inside(c.startNanos())) {
            footprintBytes = Math.max(footprintBytes, c.capacityBytes());
        }
        if (c.beforeBytes() == UNKNOWN || c.afterBytes() == UNKNOWN) {
            return;
        }
        boolean counts = inside(c.startNanos());
        if (counts) {
            if (lastAfter != UNKNOWN) {
                allocatedBytes += Math.max(0, c.beforeBytes() - lastAfter);
                allocationKnown = true;
            }
            afterAny.add(c.startNanos(), c.afterBytes());
            leastAfter = leastAfter == UNKNOWN ? c.afterBytes() : Math.min(leastAfter, c.afterBytes());
            deep(c);
        }
        lastAfter = c.afterBytes();
    }

    private void pause(Collection c) {
        long start = c.startNanos();
        long nanos = c.durationNanos();
        if (start == UNKNOWN) {
            unstampedPauses++;
            if (!whole()) {
                return;
            }
        } else {
            lastPauseEnd = Math.max(lastPauseEnd, start + nanos);
            long end = start + nanos;
            boolean begins = start >= from && start < to;
            long inside = whole() ? nanos : Math.min(end, to) - Math.max(start, from);
            if (!begins && inside <= 0) {
                pausesOutside++;
                return;
            }
            if (inside < nanos) {
                cutPauses++;
                nanos = Math.max(0, inside);
            }
        }
        pauses.record(nanos);
        byKind.computeIfAbsent(c.kind(), kind -> new Distribution()).record(nanos);
    }

    /** Follows the collections that went deeper than the young generation: their rest is close to what is alive. */
    private void deep(Collection c) {
        switch (c.kind()) {
            case "mixed" -> mixedAfter = c.afterBytes();
            case "young" -> {
                if (mixedAfter != UNKNOWN) {
                    addDeep(c, mixedAfter, "heap after the last mixed collection of each series");
                    mixedAfter = UNKNOWN;
                }
            }
            case "major cycle", "cycle" -> addDeep(c, c.afterBytes(), "heap after each cycle of the collector");
            default -> {}
        }
    }

    private void addDeep(Collection c, long bytes, String kind) {
        deepSum += bytes;
        deepCount++;
        deepKind = kind;
        afterDeep.add(c.startNanos(), bytes);
    }

    void afterFull(long start, double bytes, String cause) {
        if (!inside(start)) {
            return;
        }
        fullCount++;
        fullCauses.merge(cause.isEmpty() ? "unknown" : cause, 1L, Long::sum);
        afterFullCount++;
        afterFullSum += bytes;
        double delta = bytes - afterFullMean;
        afterFullMean += delta / afterFullCount;
        afterFullSquares += delta * (bytes - afterFullMean);
        if (afterFull.size() < MAX_FULL_VALUES) {
            afterFull.add(bytes);
        }
        afterFullTrend.add(start, bytes);
    }

    void fullWithoutHeap(long start, String cause) {
        if (inside(start)) {
            fullCount++;
            fullCauses.merge(cause.isEmpty() ? "unknown" : cause, 1L, Long::sum);
        }
    }

    double afterFullMean() {
        return afterFullMean;
    }

    /** Returns the sample standard deviation, 0 for one value. */
    double afterFullDeviation() {
        return afterFullCount < 2 ? 0 : Math.sqrt(afterFullSquares / (afterFullCount - 1));
    }

    void concurrent(long end, long nanos) {
        concurrentSeen = true;
        if (whole()) {
            concurrentNanos += nanos;
        } else if (end != UNKNOWN) {
            concurrentNanos += Math.max(0, Math.min(end, to) - Math.max(end - nanos, from));
        }
    }

    void safepoint(long end, long wait, long total) {
        if (whole()) {
            stops.record(total);
            waits.record(wait);
            return;
        }
        if (end == UNKNOWN) {
            safepointsOutside++;
            return;
        }
        long start = end - total;
        long inside = Math.min(end, to) - Math.max(start, from);
        if (inside <= 0 && !inside(start)) {
            safepointsOutside++;
            return;
        }
        stops.record(Math.max(0, inside));
        waits.record(Math.max(0, Math.min(start + wait, to) - Math.max(start, from)));
    }

    void oldGeneration(long end, long before, long after) {
        promotionKnown = true;
        if (inside(end)) {
            promotedBytes += Math.max(0, after - before);
        }
    }

    void count(LogListener.Event event, long time, long number) {
        if (inside(time)) {
            counts.merge(event, number, Long::sum);
        }
    }

    /** A least-squares line in constant memory. */
    static final class Trend {
        private long n;
        private double meanX;
        private double meanY;
        private double sxx;
        private double sxy;
        private double syy;
        private double firstX = Double.NaN;
        private double lastX;

        void add(long nanos, double y) {
            if (nanos == UNKNOWN) {
                return;
            }
            double x = nanos / 1e9;
            if (n == 0) {
                firstX = x;
            }
            lastX = x;
            n++;
            double dx = x - meanX;
            meanX += dx / n;
            double dy = y - meanY;
            meanY += dy / n;
            sxx += dx * (x - meanX);
            sxy += dx * (y - meanY);
            syy += dy * (y - meanY);
        }

        long count() {
            return n;
        }

        /** Returns whether there are points at different times. */
        boolean known() {
            return n >= 2 && sxx > 0;
        }

        double slopePerSecond() {
            return sxy / sxx;
        }

        /** Returns the part of the variation that the line explains, 0 to 1. */
        double determination() {
            return syy <= 0 ? 0 : Math.min(1, sxy * sxy / (sxx * syy));
        }

        /** Returns the rise of the line from the first point to the last. */
        double rise() {
            return slopePerSecond() * (lastX - firstX);
        }

        double spanSeconds() {
            return n == 0 ? 0 : lastX - firstX;
        }
    }
}
