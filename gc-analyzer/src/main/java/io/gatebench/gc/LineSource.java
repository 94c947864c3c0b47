/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Cuts a stream into lines without copying them, in constant memory.
 *
 * <p>A line that does not fit into the buffer is handed out cut, and the rest of it is skipped: no log line of a JVM is
 * that long, so it is foreign.
 */
final class LineSource {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NEWLINES = 0x0A0A0A0A0A0A0A0AL;
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGH_BITS = 0x8080808080808080L;

    private final InputStream in;
    private final Runnable beforeRefill;
    private final byte[] buffer;
    private int position;
    private int limit;
    private boolean exhausted;

    private int start;
    private int end;
    private boolean terminated;
    private boolean overlong;

    /**
     * Creates a source.
     *
     * @param beforeRefill called before the bytes of the last line are overwritten
     */
    LineSource(InputStream in, int bufferBytes, Runnable beforeRefill) {
        this.in = in;
        this.beforeRefill = beforeRefill;
        this.buffer = new byte[bufferBytes];
    }

    byte[] buffer() {
        return buffer;
    }

    /** Returns the index of the line's first byte in the buffer. */
    int start() {
        return start;
    }

    /** Returns the index after the line's last byte, line end excluded. */
    int end() {
        return end;
    }

    /** Returns whether the line was ended by a line feed: the last line of a log that was cut off is not. */
    boolean terminated() {
        return terminated;
    }

    /** Returns whether the line was longer than the buffer and is cut. */
    boolean overlong() {
        return overlong;
    }

    /** Moves to the next line; false at the end. */
    boolean next() throws IOException {
        int from = position;
        while (true) {
            int newline = indexOfNewline(from, limit);
            if (newline >= 0) {
                line(position, newline, true, false);
                position = newline + 1;
                return true;
            }
            from = limit;
            if (exhausted) {
                if (position == limit) {
                    return false;
                }
                line(position, limit, false, false);
                position = limit;
                return true;
            }
            beforeRefill.run();
            if (position > 0) {
                System.arraycopy(buffer, position, buffer, 0, limit - position);
                limit -= position;
                from -= position;
                position = 0;
            }
            if (limit == buffer.length) {
                return overlongLine();
            }
            int count = in.read(buffer, limit, buffer.length - limit);
            if (count < 0) {
                exhausted = true;
            } else {
                limit += count;
            }
        }
    }

    /** Returns what was read after the last line and before the stream broke, as the last line; false if nothing was. */
    boolean rest() {
        exhausted = true;
        if (position >= limit) {
            return false;
        }
        line(position, limit, false, false);
        position = limit;
        return true;
    }

    /** Hands out the buffer as the cut line; the rest is skipped into its second half, which the line then loses. */
    private boolean overlongLine() throws IOException {
        int half = buffer.length / 2;
        boolean ended = false;
        while (!ended) {
            int count = in.read(buffer, half, buffer.length - half);
            if (count < 0) {
                exhausted = true;
                position = 0;
                limit = 0;
                break;
            }
            int newline = indexOfNewline(half, half + count);
            if (newline >= 0) {
                position = newline + 1;
                limit = half + count;
                ended = true;
            }
        }
        line(0, half, ended, true);
        return true;
    }

    private void line(int from, int to, boolean ended, boolean cut) {
        start = from;
        end = to > from && buffer[to - 1] == '\r' ? to - 1 : to;
        terminated = ended;
        overlong = cut;
    }

    private int indexOfNewline(int from, int to) {
        int i = from;
        for (; i <= to - 8; i += 8) {
            long word = (long) LONGS.get(buffer, i) ^ NEWLINES;
            long found = (word - ONES) & ~word & HIGH_BITS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        for (; i < to; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }
}
