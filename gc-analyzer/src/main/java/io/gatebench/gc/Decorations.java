/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/**
 * The bracketed decorations in front of a line of a unified log, recognised by their form and not by their order.
 *
 * <p>Not thread safe; one instance is reused for all lines.
 */
final class Decorations {

    /** A stamp that the line does not carry. */
    static final long NONE = Long.MIN_VALUE;

    private static final int MAX_GROUPS = 14;
    /** The longest is the name of a host. */
    private static final int MAX_GROUP = 256;
    /** Foreign text has few brackets, and a line of nothing else must not take long. */
    private static final int MAX_STARTS = 100;
    /** Milliseconds above this are wall-clock time (the year 1973), below they are the JVM's uptime. */
    private static final long EARLIEST_EPOCH_MILLIS = 100_000_000_000L;

    private final int[] from = new int[MAX_GROUPS];
    private final int[] to = new int[MAX_GROUPS];
    private int groups;
    private byte[] buffer = new byte[0];

    private long uptimeNanos = NONE;
    private long tickNanos = NONE;
    private long epochMillis = NONE;
    private boolean fine;
    private boolean levelKnown;
    private int tagsFrom;
    private int tagsTo;

    /**
     * Finds the brackets.
     *
     * @return where the message begins, or -1 if a bracket is not closed or holds more than a decoration does
     */
    int scan(byte[] bytes, int start, int end) {
        buffer = bytes;
        groups = 0;
        int p = start;
        while (p < end && bytes[p] == '[' && groups < MAX_GROUPS) {
            int q = p + 1;
            int most = Math.min(end, q + MAX_GROUP);
            while (q < most && bytes[q] != ']') {
                q++;
            }
            if (q == most) {
                return -1;
            }
            from[groups] = p + 1;
            to[groups] = q;
            groups++;
            p = q + 1;
        }
        return groups > 0 && p < end && bytes[p] == ' ' ? p + 1 : p;
    }

    /**
     * Finds the decorations of a GC line behind foreign text: a container's prefix, or output that did not end its own
     * line. They are decoded then.
     *
     * @return where they begin, or -1
     */
    int find(byte[] bytes, int start, int end) {
        int p = Bytes.indexOf(bytes, start, end, '[');
        for (int i = 0; i < MAX_STARTS && p >= 0; i++) {
            if (scan(bytes, p, end) >= 0 && groups > 1) {
                decode();
                if (tagsStartWith("gc") || tagsStartWith("safepoint")) {
                    return p;
                }
            }
            p = Bytes.indexOf(bytes, p + 1, end, '[');
        }
        return -1;
    }

    int groups() {
        return groups;
    }

    /** Reads what {@link #scan} found. */
    void decode() {
        uptimeNanos = NONE;
        tickNanos = NONE;
        epochMillis = NONE;
        fine = false;
        levelKnown = false;
        tagsFrom = 0;
        tagsTo = 0;
        for (int i = 0; i < groups; i++) {
            int f = from[i];
            int t = to[i];
            while (t > f && buffer[t - 1] == ' ') {
                t--;
            }
            while (f < t && buffer[f] == ' ') {
                f++;
            }
            if (f == t) {
                continue;
            }
            byte first = buffer[f];
            if (first >= '0' && first <= '9' && stamp(f, t)) {
                continue;
            }
            if (first >= 'a' && first <= 'z') {
                if (!levelKnown && level(f, t)) {
                    continue;
                }
                // Without a level in front, the last group may be the name of the host.
                if (i == groups - 1 && (levelKnown || tag(f, t, "gc") || tag(f, t, "safepoint"))) {
                    tagsFrom = f;
                    tagsTo = t;
                }
            }
        }
    }

    /** Returns the JVM's uptime in nanoseconds, or {@link #NONE}. */
    long uptimeNanos() {
        return uptimeNanos;
    }

    /** Returns a monotonic clock's nanoseconds of unknown origin, or {@link #NONE}. */
    long tickNanos() {
        return tickNanos;
    }

    /** Returns the wall-clock time, or {@link #NONE}. */
    long epochMillis() {
        return epochMillis;
    }

    /** Returns whether the level is known to be debug or trace. */
    boolean fine() {
        return fine;
    }

    boolean tagsKnown() {
        return tagsTo > tagsFrom;
    }

    boolean tagsAre(String tags) {
        return tagsTo - tagsFrom == tags.length() && Bytes.startsWith(buffer, tagsFrom, tagsTo, tags);
    }

    boolean tagsStartWith(String tags) {
        return Bytes.startsWith(buffer, tagsFrom, tagsTo, tags);
    }

    boolean tagsEndWith(String tags) {
        return tagsTo - tagsFrom >= tags.length() && Bytes.startsWith(buffer, tagsTo - tags.length(), tagsTo, tags);
    }

    private boolean tag(int f, int t, String first) {
        return Bytes.startsWith(buffer, f, t, first) && (t - f == first.length() || buffer[f + first.length()] == ',');
    }

    private boolean level(int f, int t) {
        if (t - f < 4 || t - f > 7) {
            return false;
        }
        if (Bytes.equals(buffer, f, t, "debug") || Bytes.equals(buffer, f, t, "trace")) {
            fine = true;
            levelKnown = true;
        } else if (Bytes.equals(buffer, f, t, "info")
                || Bytes.equals(buffer, f, t, "warning")
                || Bytes.equals(buffer, f, t, "error")) {
            levelKnown = true;
        }
        return levelKnown;
    }

    private boolean stamp(int f, int t) {
        if (t - f >= 19 && buffer[f + 4] == '-') {
            long millis = Bytes.isoMillis(buffer, f, t);
            if (millis != NONE) {
                epochMillis = millis;
                return true;
            }
            return false;
        }
        if (buffer[t - 1] != 's') {
            return false;
        }
        byte unit = buffer[t - 2];
        if (unit == 'm') {
            long millis = Bytes.whole(buffer, f, t - 2);
            if (millis >= EARLIEST_EPOCH_MILLIS) {
                epochMillis = millis;
            } else if (millis >= 0) {
                uptimeNanos = preferred(millis * 1_000_000L);
            }
            return millis >= 0;
        }
        if (unit == 'n') {
            long nanos = Bytes.whole(buffer, f, t - 2);
            if (nanos >= 0) {
                // timenanos and uptimenanos look alike; printed together, uptimenanos comes last.
                tickNanos = nanos;
            }
            return nanos >= 0;
        }
        long nanos = Bytes.decimal(buffer, f, t - 1, 9);
        if (nanos >= 0) {
            uptimeNanos = preferred(nanos);
        }
        return nanos >= 0;
    }

    /** Seconds come before milliseconds in a line and are no less exact. */
    private long preferred(long nanos) {
        return uptimeNanos == NONE ? nanos : uptimeNanos;
    }
}
