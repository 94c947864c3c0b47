/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/**
 * The line of a unified log that is being read: where its bytes are, its decorations, which are only decoded on demand, and
 * its place on the log's clock.
 *
 * <p>Not thread safe; one instance is reused for all lines.
 */
final class LogLine {

    private static final long UNKNOWN = Collection.UNKNOWN;
    private static final long SECOND = 1_000_000_000L;
    private static final int REMEMBERED_LINES = 1 << 14;
    private static final long NEXT_RUN = 0x9e3779b97f4a7c15L;

    private final LogClock clock;
    private final Decorations head = new Decorations();
    private final long[] recentLines = new long[REMEMBERED_LINES];
    private ParserHealth health;
    private long run;

    private byte[] bytes = new byte[0];
    private int from;
    private int to;
    private boolean scanned;
    private boolean decoded;
    private boolean stampable;
    private boolean stamped;
    private long time = UNKNOWN;

    LogLine(LogClock clock, ParserHealth health) {
        this.clock = clock;
        this.health = health;
    }

    /** Returns the decorations to look at a line with that may or may not become the current one. */
    Decorations scanner() {
        scanned = false;
        decoded = false;
        return head;
    }

    /** Turns to the line that {@link #scanner} looked at last. */
    void set(byte[] b, int start, int end) {
        turnTo(b, start, end, head.groups() > 0);
        scanned = true;
    }

    /** Turns to a decorated line that nothing is read from but perhaps its stamp. */
    void passOver(byte[] b, int start, int end) {
        turnTo(b, start, end, true);
        scanned = false;
    }

    private void turnTo(byte[] b, int start, int end, boolean decorated) {
        bytes = b;
        from = start;
        to = end;
        decoded = false;
        stamped = false;
        stampable = decorated;
    }

    /** Turns to the log of another JVM, whose lines repeat nothing of the one before. */
    void nextRun(ParserHealth next) {
        clock.restart();
        health = next;
        run++;
        stamped = false;
    }

    /** Returns the decorations, decoded. */
    Decorations head() {
        if (!decoded) {
            if (!scanned) {
                head.scan(bytes, from, to);
                scanned = true;
            }
            head.decode();
            decoded = true;
        }
        return head;
    }

    /** Returns the line's time and lets the log reach to it; {@link Collection#UNKNOWN} without a stamp. */
    long stamp() {
        if (!stamped) {
            stamped = true;
            time = clock.time(head());
            if (time != Decorations.NONE) {
                extend();
            }
        }
        return time == Decorations.NONE ? UNKNOWN : time;
    }

    private void extend() {
        if (health.lastNanos != UNKNOWN && time < health.lastNanos - SECOND) {
            health.backwardJumps++;
        }
        health.firstNanos = health.firstNanos == UNKNOWN ? time : Math.min(health.firstNanos, time);
        health.lastNanos = Math.max(health.lastNanos, time);
    }

    /** Takes the stamp of a line that was passed over, before its bytes are overwritten: it may be the last one. */
    void stampBeforeItIsLost() {
        if (stampable) {
            stamp();
            stampable = false;
        }
    }

    /** Returns whether the same line came shortly before, byte for byte. */
    boolean repeated() {
        long hash = Bytes.hash(bytes, from, to) + run * NEXT_RUN;
        int slot = (int) (hash ^ hash >>> 32) & REMEMBERED_LINES - 1;
        if (recentLines[slot] == hash) {
            health.repeatedLines++;
            return true;
        }
        recentLines[slot] = hash;
        return false;
    }
}
