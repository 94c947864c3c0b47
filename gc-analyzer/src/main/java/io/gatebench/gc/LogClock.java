/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/**
 * One JVM's time line, whatever stamps its log carries: nanoseconds since the JVM's start, or since the first line where
 * the log does not tell the uptime.
 */
final class LogClock {

    /** A stamp this small at the first line is an uptime; a monotonic clock of the host would have to be as young. */
    private static final long YOUNG_NANOS = 60_000_000_000L;

    private long tickOrigin = Decorations.NONE;
    private long originEpochMillis = Decorations.NONE;
    private boolean uptimeKnown;
    private boolean stamped;

    /** Returns the time of a decoded line, or {@link Decorations#NONE}. */
    long time(Decorations line) {
        long epoch = line.epochMillis();
        long time = Decorations.NONE;
        if (line.uptimeNanos() != Decorations.NONE) {
            time = line.uptimeNanos();
            uptimeKnown = true;
        } else if (line.tickNanos() != Decorations.NONE) {
            if (tickOrigin == Decorations.NONE) {
                boolean uptime = line.tickNanos() < YOUNG_NANOS;
                tickOrigin = uptime ? 0 : line.tickNanos();
                uptimeKnown = uptime;
            }
            time = line.tickNanos() - tickOrigin;
        } else if (epoch != Decorations.NONE) {
            if (originEpochMillis == Decorations.NONE) {
                originEpochMillis = epoch;
            }
            time = (epoch - originEpochMillis) * 1_000_000L;
        }
        if (time != Decorations.NONE) {
            stamped = true;
            if (originEpochMillis == Decorations.NONE && epoch != Decorations.NONE) {
                originEpochMillis = epoch - time / 1_000_000L;
            }
        }
        return time;
    }

    /** Returns whether any line carried a stamp. */
    boolean stamped() {
        return stamped;
    }

    /** Returns whether time zero is the JVM's start and not the first line. */
    boolean uptimeKnown() {
        return uptimeKnown;
    }

    /** Returns the wall-clock time of time zero, or {@link Decorations#NONE} if the log has no wall-clock stamps. */
    long originEpochMillis() {
        return originEpochMillis;
    }

    void restart() {
        tickOrigin = Decorations.NONE;
        originEpochMillis = Decorations.NONE;
        uptimeKnown = false;
        stamped = false;
    }
}
