/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import org.jspecify.annotations.Nullable;

/**
 * Takes rows that are like one of the same label before, without looking at all their fields.
 *
 * <p>JMeter's rows differ from each other in the times, in the thread and in what follows the URL. What lies between is
 * most often the same, byte for byte, and then it means the same. A row that is not like the one before is left to the
 * parser.
 */
final class LikeRows {

    private static final int SLOTS = 256;
    private static final long SPREAD = 0x9e3779b97f4a7c15L;
    private static final int MAX_BYTES = 1024;
    /** Time stamps in milliseconds have thirteen digits from 2001 to 2286; many rows have that of the row before. */
    private static final int STAMP_DIGITS = 13;

    /** The last five digits and what follows them. */
    private static final long LAST_BYTES = 0xffff_ffff_ffffL;
    /** A file with more rows that are like no other than rows that are, and so many, has few of them. */
    private static final int MAX_MISSES = 1000;

    private final JtlBuffer content;
    private final @Nullable Row[] rows = new Row[SLOTS];
    private boolean possible;
    private int thread;
    /** The first column of those that follow what is the same in many rows. */
    private int tail;

    private int misses;
    private long firstBytes;
    private long lastBytes = -1;
    private long stamp;

    /** Bytes that are the same in many rows, and their meaning. */
    private static final class Row {
        /** From the begin of the label to that of the thread's name, and from its end to the begin of the tail. */
        private long[] before = {};

        private long[] behind = {};
        private int label;
        private int bytesBefore;
        private int bytesBehind;
        private boolean success;
        private long received;
        private long sent;
        private boolean missed;
    }

    LikeRows(JtlBuffer content) {
        this.content = content;
    }

    /** Says which columns the rows have. */
    void columns(JtlColumns columns) {
        thread = columns.threadName;
        tail = columns.alike;
        possible = columns.timestamp == 0
                && columns.elapsed == 1
                && columns.label == 2
                && thread > 2
                && columns.needed <= tail
                && thread + 1 < tail
                && tail < columns.count;
    }

    /** Takes the row at an index; returns the index behind it, or -1 if it is not like one before. */
    int take(JtlRow row, int start) {
        if (!possible) {
            return -1;
        }
        byte[] bytes = content.bytes;
        byte separator = row.columns.separator;
        long first = content.wordAt(start);
        long last = content.wordAt(start + Long.BYTES) & LAST_BYTES;
        if ((first != firstBytes || last != lastBytes) && !stamp(first, last, start, separator)) {
            return missed();
        }
        int at = start + STAMP_DIGITS + 1;
        long word = content.wordAt(at);
        int digits = JtlBuffer.lowestByte(content.fieldEnds(word));
        long elapsed = digits == 0 ? -1 : JtlBuffer.number(word, digits);
        int labelStart = at + digits + 1;
        if (elapsed < 0 || bytes[labelStart - 1] != separator) {
            return missed();
        }
        int labelEnd = content.fieldEnd(labelStart);
        if (labelEnd < 0 || bytes[labelStart] == '"') {
            return missed();
        }
        Row like = rows[slot(labelStart, labelEnd)];
        if (like == null || !content.holds(like.before, like.bytesBefore, labelStart)) {
            return missed();
        }
        at = labelStart + like.bytesBefore;
        int threadEnd = bytes[at] == '"' ? -1 : content.fieldEnd(at);
        if (threadEnd < 0 || !content.holds(like.behind, like.bytesBehind, threadEnd)) {
            return missed();
        }
        int end = content.lineEnd(threadEnd + like.bytesBehind, row.columns.count - 1 - tail);
        if (end < 0) {
            return missed();
        }
        row.timestamp = stamp;
        row.elapsed = elapsed;
        row.success = like.success;
        row.received = like.received;
        row.sent = like.sent;
        row.transaction = false;
        row.labelNumber = like.label;
        row.starts[0] = start;
        row.ends[0] = start + STAMP_DIGITS;
        row.starts[1] = start + STAMP_DIGITS + 1;
        row.ends[1] = labelStart - 1;
        row.starts[2] = labelStart;
        row.ends[2] = labelEnd;
        row.located(3, row.columns.count, labelEnd + 1, bytes[end - 1] == '\r' ? end - 1 : end);
        like.missed = false;
        if (misses > 0) {
            misses--;
        }
        return end + 1;
    }

    /** Reads another time stamp; returns whether it is one. */
    private boolean stamp(long first, long last, int start, byte separator) {
        long number =
                content.bytes[start + STAMP_DIGITS] == separator ? content.number(start, start + STAMP_DIGITS) : -1;
        if (number < 0) {
            return false;
        }
        firstBytes = first;
        lastBytes = last;
        stamp = number;
        return true;
    }

    private int slot(int labelStart, int labelEnd) {
        int length = labelEnd - labelStart;
        long mixed = content.wordAt(labelStart);
        if (length < Long.BYTES) {
            mixed &= (1L << (length << 3)) - 1;
        } else {
            mixed ^= Long.rotateLeft(content.wordAt(labelEnd - Long.BYTES), 29);
        }
        return (int) ((mixed ^ length) * SPREAD >>> 56);
    }

    private int missed() {
        misses++;
        if (misses > MAX_MISSES) {
            possible = false;
        }
        return -1;
    }

    /** Keeps a row without quotes that was read, if two in sequence were not like the one before. */
    void keep(JtlRow row) {
        if (!possible || row.transaction) {
            return;
        }
        int slot = slot(row.starts[2], row.ends[2]);
        Row like = rows[slot];
        if (like != null && !like.missed) {
            like.missed = true;
            return;
        }
        row.locateRest();
        int bytesBefore = row.starts[thread] - row.starts[2];
        int bytesBehind = row.starts[tail] - row.ends[thread];
        if (bytesBefore > MAX_BYTES || bytesBehind > MAX_BYTES) {
            return;
        }
        like = new Row();
        like.before = content.copy(row.starts[2], bytesBefore);
        like.behind = content.copy(row.ends[thread], bytesBehind);
        like.bytesBefore = bytesBefore;
        like.bytesBehind = bytesBehind;
        like.label = row.labelNumber;
        like.success = row.success;
        like.received = row.received;
        like.sent = row.sent;
        rows[slot] = like;
    }
}
