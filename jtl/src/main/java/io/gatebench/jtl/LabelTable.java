/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers labels in the order in which they appear, without making a text per row. */
final class LabelTable {

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
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

    int numberOf(JtlRow row, int field) {
        if (row.quoted[field]) {
            return numberOf(row.field(field));
        }
        int start = row.starts[field];
        int length = row.ends[field] - start;
        long head = (long) WORDS.get(row.bytes, start);
        long tail = 0;
        if (length >= Long.BYTES) {
            tail = (long) WORDS.get(row.bytes, start + length - Long.BYTES);
        } else {
            head &= (1L << length * Long.BYTES) - 1;
        }
        int slot = slot(head, tail, length);
        while (true) {
            byte[] key = keys[slot];
            if (key == null) {
                return add(row, field, head, tail);
            }
            // Head and tail are all of a label of up to 16 bytes.
            if (heads[slot] == head
                    && tails[slot] == tail
                    && key.length == length
                    && (length <= 2 * Long.BYTES || row.fieldEquals(field, key))) {
                return values[slot];
            }
            slot = slot + 1 & keys.length - 1;
        }
    }

    private int slot(long head, long tail, int length) {
        long mixed = (head ^ Long.rotateLeft(tail, 29) ^ length) * SPREAD;
        return (int) (mixed >>> 32) & keys.length - 1;
    }

    private int add(JtlRow row, int field, long head, long tail) {
        byte[] raw = Arrays.copyOfRange(row.bytes, row.starts[field], row.ends[field]);
        int number = numberOf(row.field(field));
        used++;
        if (used * 2 > keys.length) {
            grow();
        }
        insert(raw, head, tail, number);
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
