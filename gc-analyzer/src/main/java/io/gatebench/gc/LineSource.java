/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.io.IOException;
import java.io.InputStream;

/**
 * Cuts a stream into lines without copying them, in constant memory.
 *
 * <p>A line that does not fit into the buffer is handed out cut, and the rest of it is skipped: no log line of a JVM is
 * that long, so it is foreign.
 */
final class LineSource {

    private final InputStream in;
    private final LogFile.LineTaker taker;
    private final LogBytes content;
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
     * @param taker asked which lines need not be handed out, and told before the bytes of the last line are overwritten
     */
    LineSource(InputStream in, int bufferBytes, LogFile.LineTaker taker) {
        this.in = in;
        this.taker = taker;
        this.content = new LogBytes(bufferBytes);
        this.buffer = content.bytes;
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
        position = taker.skip(content, position, limit);
        int from = position;
        while (true) {
            int newline = content.indexOfNewline(from, limit);
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
            taker.beforeRefill();
            boolean moved = position > 0;
            if (moved) {
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
                content.changed(moved ? 0 : limit - count, limit);
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
            content.changed(half, half + count);
            int newline = content.indexOfNewline(half, half + count);
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
}
