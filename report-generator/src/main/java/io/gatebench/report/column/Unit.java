/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.column;

/**
 * The unit of a column.
 *
 * @since 0.1
 */
public enum Unit {
    /** Milliseconds. */
    MILLISECONDS("ms", "ms"),
    /** Requests per second. */
    PER_SECOND("/s", "requests/s"),
    /** Percent. */
    PERCENT("%", "%"),
    /** 1,048,576 bytes. */
    MEBIBYTES("M", "M"),
    /** KiB per second. */
    KIBIBYTES_PER_SECOND("KiB/s", "KiB/s"),
    /** A number of samples. */
    COUNT("", "samples"),
    /** No unit: a text, a time, or a number that says itself what it counts. */
    NONE("", "");

    private final String symbol;
    private final String inSentences;

    Unit(String symbol, String inSentences) {
        this.symbol = symbol;
        this.inSentences = inSentences;
    }

    /** Returns the symbol that follows a number in a condition. */
    public String symbol() {
        return symbol;
    }

    /** Returns what follows a number in a sentence, e.g. {@code requests/s}. */
    public String inSentences() {
        return inSentences;
    }
}
