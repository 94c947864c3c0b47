/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.Arrays;

/**
 * The lines of one block of a unified log that its parser must see, found without the parser's state.
 *
 * <p>Most lines tell nothing (see {@link UnifiedLogParser#skip}); which ones those are can be said of a block alone, where the
 * first line of every collection is kept in case of doubt. So blocks are looked through in parallel, and one parser gets what
 * is left of them, in order.
 *
 * <p>Not thread safe; one instance and its bytes are reused for many blocks.
 */
final class BlockScan {

    /** Bytes by which the last line of a block may end behind it; a longer line is no log line of a JVM. */
    static final int MAX_LINE_BYTES = LogFile.BUFFER_BYTES;

    final LogBytes content;
    final byte[] bytes;
    private final Decorations head = new Decorations();
    private final int[] passed = new int[2];
    private int[] lines = new int[1 << 12];
    private int count;
    private int lastFrom;
    private int lastTo;
    private boolean terminated;

    BlockScan(int blockBytes) {
        content = new LogBytes(blockBytes + MAX_LINE_BYTES + 1);
        bytes = content.bytes;
    }

    /**
     * Looks through a block.
     *
     * @param from where its first line begins
     * @param border lines that begin here or later belong to the next block
     * @param limit where the bytes end
     */
    void scan(int from, int border, int limit) {
        count = 0;
        lastFrom = -1;
        terminated = true;
        int offset = 0;
        long id = -1;
        int p = from;
        while (p < border) {
            int next = UnifiedLogParser.pass(content, p, border, limit, offset, id, passed);
            if (next > p) {
                lastFrom = passed[0];
                lastTo = passed[1];
                p = next;
                continue;
            }
            int newline = content.indexOfNewline(p, limit);
            terminated = newline >= 0;
            int end = terminated ? newline : limit;
            add(p, end);
            lastFrom = -1;
            int message = head.scan(bytes, p, end);
            int close = message > 0 && Bytes.startsWith(bytes, message, end, "GC(")
                    ? Bytes.afterDigits(bytes, message + 3, end)
                    : -1;
            id = close > 0 && close + 1 < end && bytes[close] == ')' ? Bytes.whole(bytes, message + 3, close) : -1;
            offset = id >= 0 ? message - p : 0;
            p = end + 1;
        }
    }

    private void add(int from, int to) {
        if (count == lines.length) {
            lines = Arrays.copyOf(lines, 2 * count);
        }
        lines[count++] = from;
        lines[count++] = to;
    }

    /** Hands the lines out, and the last one that was passed over if it is the last of all. */
    void drain(LogFile.LineTaker taker) {
        for (int i = 0; i < count; i += 2) {
            int from = lines[i];
            int to = lines[i + 1];
            boolean ended = terminated || i + 2 < count;
            if (to - from >= MAX_LINE_BYTES) {
                taker.take(bytes, from, from + MAX_LINE_BYTES / 2, ended);
                taker.overlong();
            } else {
                taker.take(bytes, from, to > from && bytes[to - 1] == '\r' ? to - 1 : to, ended);
            }
        }
        if (lastFrom >= 0) {
            taker.passOver(bytes, lastFrom, lastTo);
        }
        taker.beforeRefill();
    }
}
