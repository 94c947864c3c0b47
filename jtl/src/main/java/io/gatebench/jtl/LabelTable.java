/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers labels in the order in which they appear, without making a text per row. */
final class LabelTable {

    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    /** Largest number of labels that a table of them can be read with, and that a heap of 512 MiB holds. */
    private static final int MAX_LABELS = 50_000;

    private static final long MAX_BYTES = 16L << 20;

    /** There are more labels than figures of labels fit into memory. */
    static final class TooMany extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooMany(int labels) {
            super("more than " + labels + " labels, which is what is kept");
        }
    }

    private final List<String> texts = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private byte[][] keys = new byte[64][];
    private long[] heads = new long[64];
    private long[] tails = new long[64];
    private int[] values = new int[64];
    private int used;
    private long bytes;

    int numberOf(String text) {
        Integer known = numbers.get(text);
        if (known != null) {
            return known;
        }
        bytes += text.length();
        if (texts.size() == MAX_LABELS || bytes > MAX_BYTES) {
            throw new TooMany(texts.size());
        }
        int number = texts.size();
        texts.add(text);
        numbers.put(text, number);
        return number;
    }

    int numberOf(JtlBuffer content, int start, int end) {
        int length = end - start;
        long head = head(content, start, length);
        long tail = tail(content, start, length);
        int slot = slot(head, tail, length);
        while (true) {
            byte[] key = keys[slot];
            if (key == null) {
                return add(content, start, end);
            }
            // Head and tail are all of a label of up to 16 bytes.
            if (heads[slot] == head
                    && tails[slot] == tail
                    && key.length == length
                    && (length <= 2 * Long.BYTES || Arrays.equals(content.bytes, start, end, key, 0, length))) {
                return values[slot];
            }
            slot = slot + 1 & keys.length - 1;
        }
    }

    private static long head(JtlBuffer content, int start, int length) {
        long head = content.wordAt(start);
        return length >= Long.BYTES ? head : head & (1L << length * Long.BYTES) - 1;
    }

    private static long tail(JtlBuffer content, int start, int length) {
        return length >= Long.BYTES ? content.wordAt(start + length - Long.BYTES) : 0;
    }

    private int slot(long head, long tail, int length) {
        long mixed = (head ^ Long.rotateLeft(tail, 29) ^ length) * SPREAD;
        return (int) (mixed >>> 32) & keys.length - 1;
    }

    private int add(JtlBuffer content, int start, int end) {
        byte[] raw = Arrays.copyOfRange(content.bytes, start, end);
        int number = numberOf(new String(raw, StandardCharsets.UTF_8));
        used++;
        if (used * 2 > keys.length) {
            grow();
        }
        insert(raw, head(content, start, raw.length), tail(content, start, raw.length), number);
        return number;
    }

    private void insert(byte[] key, long head, long tail, int value) {
        int slot = slot(head, tail, key.length);
        while (keys[slot] != null) {
            slot = slot + 1 & keys.length - 1;
        }
        keys[slot] = key;
        heads[slot] = head;
        tails[slot] = tail;
        values[slot] = value;
    }

    private void grow() {
        byte[][] oldKeys = keys;
        long[] oldHeads = heads;
        long[] oldTails = tails;
        int[] oldValues = values;
        keys = new byte[oldKeys.length * 2][];
        heads = new long[keys.length];
        tails = new long[keys.length];
        values = new int[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != null) {
                insert(oldKeys[i], oldHeads[i], oldTails[i], oldValues[i]);
            }
        }
    }

    String text(int number) {
        return texts.get(number);
    }

    int size() {
        return texts.size();
    }
}
