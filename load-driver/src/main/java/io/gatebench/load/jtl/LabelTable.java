/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jtl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers labels in the order in which they appear, without making a text per row. */
final class LabelTable {

    private final List<String> texts = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private byte[][] keys = new byte[64][];
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
        int hash = 0;
        for (int i = row.starts[field]; i < row.ends[field]; i++) {
            hash = 31 * hash + row.bytes[i];
        }
        int mask = keys.length - 1;
        int slot = (hash ^ hash >>> 16) & mask;
        while (true) {
            byte[] key = keys[slot];
            if (key == null) {
                return add(row, field);
            }
            if (row.fieldEquals(field, key)) {
                return values[slot];
            }
            slot = slot + 1 & mask;
        }
    }

    private int add(JtlRow row, int field) {
        byte[] raw = java.util.Arrays.copyOfRange(row.bytes, row.starts[field], row.ends[field]);
        int number = numberOf(row.field(field));
        used++;
        if (used * 2 > keys.length) {
            grow();
        }
        insert(raw, number);
        return number;
    }

    private void insert(byte[] key, int value) {
        int hash = 0;
        for (byte b : key) {
            hash = 31 * hash + b;
        }
        int mask = keys.length - 1;
        int slot = (hash ^ hash >>> 16) & mask;
        while (keys[slot] != null) {
            slot = slot + 1 & mask;
        }
        keys[slot] = key;
        values[slot] = value;
    }

    private void grow() {
        byte[][] oldKeys = keys;
        int[] oldValues = values;
        keys = new byte[oldKeys.length * 2][];
        values = new int[oldValues.length * 2];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != null) {
                insert(oldKeys[i], oldValues[i]);
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
