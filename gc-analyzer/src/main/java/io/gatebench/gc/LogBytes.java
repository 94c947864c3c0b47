/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/**
 * The part of a log that is in memory, as bytes and as words.
 *
 * <p>The words are an array of their own: a short program ends before the JVM's second compiler is at work, and code of the
 * first one puts a word together byte by byte where it is asked for one of a byte array.
 */
final class LogBytes {

    private static final long ONES = 0x0101010101010101L;
    private static final long NEWLINES = ONES * '\n';
    private static final long LOW_BITS = ONES * 0x7f;
    private static final long HIGH_BITS = ONES << 7;

    final byte[] bytes;
    private final long[] words;
    private final LongBuffer view;

    LogBytes(int length) {
        int count = (length + Long.BYTES - 1) / Long.BYTES;
        bytes = new byte[count * Long.BYTES];
        // A word may be asked for that begins in the last one.
        words = new long[count + 1];
        view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    }

    /** Takes over bytes that were written. */
    void changed(int from, int to) {
        int first = from >>> 3;
        view.get(first, words, first, (to + Long.BYTES - 1 >>> 3) - first);
    }

    /** Returns the eight bytes from an index on, the first of them lowest. */
    long wordAt(int index) {
        int word = index >>> 3;
        int shift = index << 3;
        return words[word] >>> shift | words[word + 1] << 1 << ~shift;
    }

    /** Returns the index of the next line feed, or -1. */
    int indexOfNewline(int from, int to) {
        if (from >= to) {
            return -1;
        }
        int word = from >>> 3;
        long eight = words[word] ^ NEWLINES;
        // Exact for every byte, as the lowest may be of one before.
        long found = ~((eight & LOW_BITS) + LOW_BITS | eight) & HIGH_BITS & -1L << (from << 3);
        int last = to - 1 >>> 3;
        while (found == 0 && word < last) {
            word++;
            eight = words[word] ^ NEWLINES;
            // Exact for the lowest.
            found = eight - ONES & ~eight & HIGH_BITS;
        }
        if (found == 0) {
            return -1;
        }
        // The bits below the lowest one, counted by a multiplication, as the first compiler knows no instruction for
        // it.
        int at = word * Long.BYTES + (int) (((found >>> 7) - 1 & ~(found >>> 7) & ONES) * ONES >>> 56);
        return at < to ? at : -1;
    }
}
