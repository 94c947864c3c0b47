/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

/**
 * Reads what surrounds the data of a chunked body (RFC 9112, section 7.1), byte by byte and without creating an object.
 *
 * <p>Sizes, extensions and trailers together may take as much room as a head: none of them is of any use here. Not
 * thread-safe.
 */
final class ChunkedBody {

    /** Returned by {@link #read} while the next byte belongs to it as well. */
    static final int MORE = 0;

    /** Returned by {@link #read} when {@link #size} bytes of data follow, after which it goes on. */
    static final int DATA = 1;

    /** Returned by {@link #read} when the body is complete. */
    static final int END = 2;

    private enum State {
        SIZE,
        EXTENSION,
        SIZE_LF,
        DATA_CR,
        DATA_LF,
        TRAILER_START,
        TRAILER,
        TRAILER_LF,
        LAST_LF
    }

    private final long longestBody;
    private final int mostOverhead;
    private State state = State.SIZE;
    private long size;
    private int digits;
    private int overhead;

    /**
     * Creates a reader for one body after the other.
     *
     * @param longestBody bytes of data a body may hold
     * @param mostOverhead bytes that may surround them, line ends and the digits of sizes not counted
     */
    ChunkedBody(long longestBody, int mostOverhead) {
        this.longestBody = longestBody;
        this.mostOverhead = mostOverhead;
    }

    /** Makes ready for a new body. */
    void start() {
        overhead = 0;
        nextChunk();
    }

    /** Returns how many bytes of data follow. */
    long size() {
        return size;
    }

    /**
     * Reads a byte.
     *
     * @param bodyLength how many bytes of data there have been so far
     * @return {@link #MORE}, {@link #DATA}, {@link #END}, or the status to refuse the request with, negated
     */
    int read(byte b, long bodyLength) {
        if (counts(b) && ++overhead > mostOverhead) {
            return state == State.SIZE || state == State.EXTENSION ? -400 : -431;
        }
        switch (state) {
            case SIZE -> {
                return size(b);
            }
            case EXTENSION -> {
                return b == '\r' ? then(State.SIZE_LF) : isControl(b) ? -400 : MORE;
            }
            case SIZE_LF -> {
                return endOfSize(b, bodyLength);
            }
            case DATA_CR -> {
                return b == '\r' ? then(State.DATA_LF) : -400;
            }
            case DATA_LF -> {
                nextChunk();
                return b == '\n' ? MORE : -400;
            }
            case TRAILER_START -> {
                if (b == '\r') {
                    return then(State.LAST_LF);
                }
                return isControl(b) || b == ' ' || b == '\t' || b == ':' ? -400 : then(State.TRAILER);
            }
            case TRAILER -> {
                return b == '\r' ? then(State.TRAILER_LF) : isControl(b) ? -400 : MORE;
            }
            case TRAILER_LF -> {
                return b == '\n' ? then(State.TRAILER_START) : -400;
            }
            default -> {
                return b == '\n' ? END : -400;
            }
        }
    }

    private boolean counts(byte b) {
        return state != State.DATA_CR
                && state != State.DATA_LF
                && b != '\r'
                && b != '\n'
                && (state != State.SIZE || digits > 7);
    }

    private int size(byte b) {
        int digit =
                b >= '0' && b <= '9' ? b - '0' : (b | 0x20) >= 'a' && (b | 0x20) <= 'f' ? (b | 0x20) - 'a' + 10 : -1;
        if (digit >= 0) {
            // Held at a number that no limit allows, instead of running over.
            size = Math.min(size * 16 + digit, Integer.MAX_VALUE * 2L);
            digits++;
            return MORE;
        }
        if (digits == 0) {
            return -400;
        }
        if (b == '\r') {
            return then(State.SIZE_LF);
        }
        return b == ';' || b == ' ' || b == '\t' ? then(State.EXTENSION) : -400;
    }

    private int endOfSize(byte b, long bodyLength) {
        if (b != '\n') {
            return -400;
        }
        if (size == 0) {
            return then(State.TRAILER_START);
        }
        if (bodyLength + size > longestBody) {
            return -413;
        }
        state = State.DATA_CR;
        return DATA;
    }

    private void nextChunk() {
        state = State.SIZE;
        size = 0;
        digits = 0;
    }

    private int then(State next) {
        state = next;
        return MORE;
    }

    private static boolean isControl(byte b) {
        return b >= 0 && b < ' ' && b != '\t' || b == 0x7F;
    }
}
