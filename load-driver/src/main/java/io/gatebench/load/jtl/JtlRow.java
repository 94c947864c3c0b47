/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jtl;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One sample of a JTL. The same instance is used for every row: take what is needed before the next one comes.
 */
public final class JtlRow {

    byte[] bytes = new byte[0];
    final int[] starts = new int[JtlParser.MAX_COLUMNS];
    final int[] ends = new int[JtlParser.MAX_COLUMNS];
    final boolean[] quoted = new boolean[JtlParser.MAX_COLUMNS];
    int fields;
    JtlColumns columns = JtlColumns.NONE;
    long line;
    long timestamp;
    long elapsed;
    boolean success;
    long received;
    long sent;
    int labelNumber;
    boolean anyQuoted;

    private final LabelTable labels;

    JtlRow(LabelTable labels) {
        this.labels = labels;
    }

    /** Marks all fields as ones without doubled quotes. */
    void forgetQuotes() {
        if (anyQuoted) {
            Arrays.fill(quoted, false);
            anyQuoted = false;
        }
    }

    /** Returns the number of the row's first line in its file, from 1. */
    public long line() {
        return line;
    }

    /** Returns when the sample began, in milliseconds since 1970. */
    public long timestampMillis() {
        return timestamp;
    }

    /** Returns the response time in milliseconds, zero or more. */
    public long elapsedMillis() {
        return elapsed;
    }

    /** Returns whether the sample succeeded. */
    public boolean success() {
        return success;
    }

    /** Returns the label. */
    public String label() {
        return labels.text(labelNumber);
    }

    /** Returns a small number that stands for the label in this reader. */
    public int labelNumber() {
        return labelNumber;
    }

    /** Returns the bytes received, or 0 if the file does not say. */
    public long receivedBytes() {
        return received;
    }

    /** Returns the bytes sent, or 0 if the file does not say. */
    public long sentBytes() {
        return sent;
    }

    /** Returns the text of a column by its name in JMeter's header, empty if the file has no such column. */
    public String text(String column) {
        int index = columns.indexOf(column);
        return index < 0 || index >= fields ? "" : field(index);
    }

    String field(int index) {
        String text = new String(bytes, starts[index], ends[index] - starts[index], StandardCharsets.UTF_8);
        return quoted[index] ? text.replace("\"\"", "\"") : text;
    }

    boolean fieldEquals(int index, byte[] other) {
        return Arrays.equals(bytes, starts[index], ends[index], other, 0, other.length);
    }
}
