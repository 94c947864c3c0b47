/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jtl;

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

    private final List<String> texts = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private byte[][] keys = new byte[64][];
    private int[] hashes = new int[64];
    private int[] values = new int[64];
    private int used;

    int numberOf(String text) {
        Integer known = numbers.get(text);
        if (known != null) {
            return known;
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
        int end = row.ends[field];
        int hash = hash(row.bytes, start, end);
        int mask = keys.length - 1;
        int slot = hash & mask;
        while (true) {
            byte[] key = keys[slot];
            if (key == null) {
                return add(row, field, hash);
            }
            if (hashes[slot] == hash && row.fieldEquals(field, key)) {
                return values[slot];
            }
            slot = slot + 1 & mask;
        }
    }

    private static int hash(byte[] bytes, int start, int end) {
        long hash = end - start;
        int at = start;
        for (; at <= end - Long.BYTES; at += Long.BYTES) {
            hash = (hash ^ (long) WORDS.get(bytes, at)) * SPREAD;
        }
        long rest = 0;
        for (; at < end; at++) {
            rest = rest << 8 | bytes[at] & 0xff;
        }
        hash = (hash ^ rest) * SPREAD;
        return (int) (hash >>> 32);
    }

    private int add(JtlRow row, int field, int hash) {
        byte[] raw = Arrays.copyOfRange(row.bytes, row.starts[field], row.ends[field]);
        int number = numberOf(row.field(field));
        used++;
        if (used * 2 > keys.length) {
            grow();
        }
        insert(raw, hash, number);
        return number;
    }

    private void insert(byte[] key, int hash, int value) {
        int mask = keys.length - 1;
        int slot = hash & mask;
        while (keys[slot] != null) {
            slot = slot + 1 & mask;
        }
        keys[slot] = key;
        hashes[slot] = hash;
        values[slot] = value;
    }

    private void grow() {
        byte[][] oldKeys = keys;
        int[] oldHashes = hashes;
        int[] oldValues = values;
        keys = new byte[oldKeys.length * 2][];
        hashes = new int[keys.length];
        values = new int[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != null) {
                insert(oldKeys[i], oldHashes[i], oldValues[i]);
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
