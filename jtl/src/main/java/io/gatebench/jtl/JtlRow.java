/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One sample of a JTL. The same instance is used for every row: take what is needed before the next one comes.
 */
public final class JtlRow {

    private static final String TRANSACTION = "Number of samples in transaction :";

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
    /** True if JMeter's transaction controller wrote the row, for samples that may have rows of their own. */
    boolean transaction;

    long received;
    long sent;
    int labelNumber;
    boolean anyQuoted;
    private int found;

    private final LabelTable labels;

    JtlRow(LabelTable labels) {
        this.labels = labels;
    }

    /** Says that all fields were found. */
    void located(int count) {
        fields = count;
        found = count;
    }

    /**
     * Says that only the first fields were looked for, in a row without quotes.
     *
     * @param first how many they are, fewer than there are fields
     * @param count how many fields there are
     * @param rest where the next field begins
     * @param end where the last field ends
     */
    void located(int first, int count, int rest, int end) {
        fields = count;
        starts[first] = rest;
        ends[count - 1] = end;
        found = first == count - 1 ? count : first;
        if (anyQuoted) {
            Arrays.fill(quoted, false);
            anyQuoted = false;
        }
    }

    /** Finds the fields that were not looked for: few readers want them. */
    void locateRest() {
        for (; found < fields - 1; found++) {
            int at = starts[found];
            while (bytes[at] != columns.separator) {
                at++;
            }
            ends[found] = at;
            starts[found + 1] = at + 1;
        }
        found = fields;
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
        if (index < 0 || index >= fields) {
            return "";
        }
        if (index >= found) {
            locateRest();
        }
        return field(index);
    }

    /** Returns whether the message is that of JMeter's transaction controller. */
    boolean hasMessageOfTransaction() {
        int index = columns.responseMessage;
        return index >= 0
                && ends[index] - starts[index] > TRANSACTION.length()
                && bytes[starts[index]] == 'N'
                && field(index).startsWith(TRANSACTION);
    }

    String field(int index) {
        String text = new String(bytes, starts[index], ends[index] - starts[index], StandardCharsets.UTF_8);
        return quoted[index] ? text.replace("\"\"", "\"") : text;
    }
}
