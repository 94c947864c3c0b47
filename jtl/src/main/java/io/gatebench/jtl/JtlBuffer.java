/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * The part of a file that is in memory, as bytes and as words of eight of them.
 *
 * <p>The words are an array of their own: a short program ends before the JVM's second compiler is at work, and code of the
 * first one puts a word together byte by byte where it is asked for one of a byte array. Nor does the first one know an
 * instruction for the lowest bit of a word or the number of its bits.
 */
final class JtlBuffer {

    private static final long ONES = 0x0101010101010101L;
    private static final long LOW_BITS = 0x7f7f7f7f7f7f7f7fL;
    private static final long HIGH_BITS = ~LOW_BITS;
    private static final long BREAKS = ONES * '\n';
    private static final long QUOTES = ONES * '"';
    /** Multiplied by the highest bit of each byte, it puts these bits side by side into the highest byte. */
    private static final long GATHER = 0x0002040810204081L;

    private static final long HIGHEST_BYTE = 0xff00000000000000L;

    /** Its product with a single bit has other highest six bits for each of the bits (a number of de Bruijn). */
    private static final long BIT_FINDER = 0x03f79d71b4cb0a89L;

    private static final byte[] BITS = bits();

    /** A block has as many bytes as a word has bits. */
    private static final int BLOCK_BYTES = Long.SIZE;

    final byte[] bytes;
    private final LongBuffer view;
    private final long[] words;
    private int limit;
    private long separators;

    private int block;
    private long blockSeparators;
    private long blockBreaks;
    private boolean blockQuoted;

    /** Creates a buffer for so many bytes. */
    JtlBuffer(int length) {
        int blocks = length / BLOCK_BYTES + 2;
        bytes = new byte[blocks * BLOCK_BYTES];
        view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        words = new long[blocks * Long.BYTES + 1];
    }

    private static byte[] bits() {
        byte[] bits = new byte[Long.SIZE];
        for (int bit = 0; bit < Long.SIZE; bit++) {
            bits[(int) ((1L << bit) * BIT_FINDER >>> 58)] = (byte) bit;
        }
        return bits;
    }

    private static int lowest(long bits) {
        return BITS[(int) ((bits & -bits) * BIT_FINDER >>> 58)];
    }

    /** Says what separates fields. */
    void separator(byte separator) {
        separators = ONES * separator;
        block = -1;
    }

    /** Takes over what is in the bytes now. */
    void changed(int length) {
        limit = length;
        // There is always a zero behind the last byte, so that no line can go on there.
        int blocks = length / BLOCK_BYTES + 1;
        Arrays.fill(bytes, length, blocks * BLOCK_BYTES, (byte) 0);
        view.get(0, words, 0, blocks * Long.BYTES);
        block = -1;
    }

    /** Puts a line end behind the last byte, or takes it away again. */
    void endLine(boolean there) {
        limit += there ? 1 : -1;
        int last = there ? limit - 1 : limit;
        bytes[last] = (byte) (there ? '\n' : 0);
        words[last >>> 3] = words[last >>> 3] & ~(0xffL << (last << 3)) | (long) bytes[last] << (last << 3);
        block = -1;
    }

    /** Returns the eight bytes from an index on, the first of them lowest. */
    long wordAt(int index) {
        return word(words, index);
    }

    // Both are short enough for the first compiler to put them into their callers.
    private static long word(long[] words, int index) {
        return words[index >>> 3] >>> (index << 3) | words[(index >>> 3) + 1] << 1 << ~(index << 3);
    }

    /** Returns a word in which the highest bit of a byte is clear where the word has a separator or a line end. */
    private static long others(long word, long separators) {
        // Of seven bits, zero is the only number whose eighth bit this leaves clear.
        long low = word & LOW_BITS;
        return (low ^ separators) + LOW_BITS & (low ^ BREAKS) + LOW_BITS | word;
    }

    /** Returns so many bytes from an index on as words. */
    long[] copy(int index, int length) {
        long[] copy = new long[length + Long.BYTES - 1 >>> 3];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = wordAt(index + i * Long.BYTES);
        }
        return copy;
    }

    /** Returns whether so many bytes from an index on are these. */
    boolean holds(long[] wanted, int length, int index) {
        if (index + length > limit) {
            return false;
        }
        int word = index >>> 3;
        int shift = index << 3;
        int whole = length >>> 3;
        long low = words[word];
        for (int i = 0; i < whole; i++) {
            word++;
            long high = words[word];
            if ((low >>> shift | high << 1 << ~shift) != wanted[i]) {
                return false;
            }
            low = high;
        }
        int rest = length & 7;
        return rest == 0
                || ((low >>> shift | words[word + 1] << 1 << ~shift) ^ wanted[whole]) << Long.SIZE - (rest << 3) == 0;
    }

    /** Returns the index of the next separator or line end, or -1 if there is none. */
    int fieldEnd(int index) {
        long[] all = words;
        long separator = separators;
        for (int at = index; at < limit; at += Long.BYTES) {
            long found = ~others(word(all, at), separator) & HIGH_BITS;
            if (found != 0) {
                return at + (lowest(found) >>> 3);
            }
        }
        return -1;
    }

    /** Returns the highest bit of each byte of a word that is a separator or a line end. */
    long fieldEnds(long word) {
        return ~others(word, separators) & HIGH_BITS;
    }

    /** Returns which byte of a word the lowest of such bits stands for. */
    static int lowestByte(long bits) {
        return lowest(bits) >>> 3;
    }

    /**
     * Returns the index of the line end before which there are so many further separators and no quote, or -1.
     *
     * @param index where to begin
     */
    int lineEnd(int index, int wanted) {
        int left = wanted;
        long[] all = words;
        for (int at = index; at < limit; at += Long.BYTES) {
            long word = word(all, at);
            long low = word & LOW_BITS;
            long found = ~((low ^ separators) + LOW_BITS | word) & HIGH_BITS;
            long others = ~((low ^ BREAKS) + LOW_BITS & (low ^ QUOTES) + LOW_BITS | word) & HIGH_BITS;
            if (others != 0) {
                int end = at + (lowest(others) >>> 3);
                left -= count(found & (others & -others) - 1);
                return left == 0 && end < limit && bytes[end] == '\n' ? end : -1;
            }
            left -= count(found);
        }
        return -1;
    }

    /** Returns how many of the highest bits of the bytes are set. */
    private static int count(long bits) {
        return (int) ((bits >>> 7) * ONES >>> 56);
    }

    /** Looks at the eight words of a block: where it has separators and line ends, and whether it has a quote. */
    private void look(int number) {
        long others = 0;
        long breaks = 0;
        boolean quoted = false;
        int first = number * Long.BYTES;
        for (int i = first; i < first + Long.BYTES; i++) {
            long word = words[i];
            long low = word & LOW_BITS;
            long other = (low ^ separators) + LOW_BITS | word;
            others = others >>> 8 | (other & HIGH_BITS) * GATHER & HIGHEST_BYTE;
            breaks >>>= 8;
            other = (low ^ BREAKS) + LOW_BITS & (low ^ QUOTES) + LOW_BITS | word;
            if ((other & HIGH_BITS) != HIGH_BITS) {
                other = (low ^ BREAKS) + LOW_BITS | word;
                breaks |= (~other & HIGH_BITS) * GATHER & HIGHEST_BYTE;
                quoted |= (((low ^ QUOTES) + LOW_BITS | word) & HIGH_BITS) != HIGH_BITS;
            }
        }
        block = number;
        blockSeparators = ~others;
        blockBreaks = breaks;
        blockQuoted = quoted;
    }

    /**
     * Finds the fields of a row without a quote, which nearly all are.
     *
     * <p>Looks at 64 bytes at a time: where a field ends becomes one word, whose bits are taken one by one as far as the
     * columns are needed. So there is one branch per block that cannot be foreseen, and not one per field.
     *
     * @return the index behind the row, or -1 if it has another number of fields or a quote, or goes on behind the buffer
     */
    int plainRow(JtlRow row, JtlColumns columns, int start) {
        int wanted = Math.min(columns.needed, columns.count - 1);
        int left = columns.count - 1;
        int field = 0;
        int from = start;
        long mask = -1L << start;
        for (int number = start / BLOCK_BYTES; number * BLOCK_BYTES < limit; number++) {
            if (number != block) {
                look(number);
            }
            if (blockQuoted) {
                return -1;
            }
            long found = blockSeparators & mask;
            long breaks = blockBreaks & mask;
            mask = -1;
            if (breaks != 0) {
                found &= (breaks & -breaks) - 1;
            }
            while (found != 0 && field < wanted) {
                int at = number * BLOCK_BYTES + lowest(found);
                row.starts[field] = from;
                row.ends[field] = at;
                from = at + 1;
                field++;
                left--;
                found &= found - 1;
            }
            while (found != 0) {
                left--;
                found &= found - 1;
            }
            if (breaks != 0) {
                int end = number * BLOCK_BYTES + lowest(breaks);
                if (left != 0) {
                    return -1;
                }
                row.located(field, columns.count, from, end > start && bytes[end - 1] == '\r' ? end - 1 : end);
                return end + 1;
            }
        }
        return -1;
    }

    /** Returns a whole number of at most 18 digits, or -1 if the bytes are none. */
    long number(int start, int end) {
        int length = end - start;
        if (length <= 0 || length > 18) {
            return -1;
        }
        int first = (length - 1 & 7) + 1;
        long number = number(wordAt(start), first);
        for (int at = start + first; at < end && number >= 0; at += Long.BYTES) {
            long more = number(wordAt(at), Long.BYTES);
            number = more < 0 ? -1 : number * 100_000_000 + more;
        }
        return number;
    }

    /** Returns the number that one to eight bytes of a word are, or -1 if they are none. */
    static long number(long word, int length) {
        // Zeros in front make eight digits of them.
        long digits = (word ^ ONES * '0') << Long.SIZE - (length << 3);
        if (((digits + ONES * 0x76 | digits) & HIGH_BITS) != 0) {
            return -1;
        }
        // Pairs of digits, of pairs, of fours: each step joins neighbours in one multiplication.
        digits = digits * 2561 >>> 8;
        digits = (digits & 0x00ff00ff00ff00ffL) * 6553601 >>> 16;
        return (digits & 0x0000ffff0000ffffL) * 42949672960001L >>> 32;
    }
}
