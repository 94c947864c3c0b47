/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.past;

import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Reads the numbers that published cells hold. */
final class Numbers {

    private static final int LONGEST = 64;
    /** No figure of a gateway comes near it, and sums of squares of what is below stay finite. */
    private static final double LARGEST = 1e19;

    private static final Pattern PLAIN = Pattern.compile("[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d{1,3})?");
    private static final Pattern GROUPED = Pattern.compile("[+-]?\\d{1,3}(?:,\\d{3})+(?:\\.\\d*)?");

    private Numbers() {}

    /** Returns the number of at most 1e19 in a cell such as {@code 2939.35}, {@code 1,234} or {@code 0.00%}, else empty. */
    static OptionalDouble parse(String cell) {
        String text = cell.strip();
        if (text.endsWith("%")) {
            text = text.substring(0, text.length() - 1).strip();
        }
        if (text.isEmpty() || text.length() > LONGEST) {
            return OptionalDouble.empty();
        }
        if (GROUPED.matcher(text).matches()) {
            text = text.replace(",", "");
        }
        if (!PLAIN.matcher(text).matches()) {
            return OptionalDouble.empty();
        }
        double value = Double.parseDouble(text);
        return Math.abs(value) <= LARGEST ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    /** Returns the whole number in a cell, else empty. */
    static OptionalLong whole(String cell) {
        OptionalDouble value = parse(cell);
        if (value.isEmpty()
                || value.getAsDouble() != Math.rint(value.getAsDouble())
                || Math.abs(value.getAsDouble()) > 1e15) {
            return OptionalLong.empty();
        }
        return OptionalLong.of((long) value.getAsDouble());
    }
}
