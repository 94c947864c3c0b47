/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.column;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The numbers of published tables: written rounded half to even, without trailing zeros and groups; read in any form. */
public final class Numbers {

    private static final int MAX_LENGTH = 64;
    /** No figure of a gateway comes near it, and sums of squares of what is below stay finite. */
    private static final double MAX_VALUE = 1e19;

    private static final Pattern PLAIN = Pattern.compile("[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d{1,3})?");
    private static final Pattern GROUPED = Pattern.compile("[+-]?\\d{1,3}(?:,\\d{3})+(?:\\.\\d*)?");

    private Numbers() {}

    /**
     * Returns a number with at most so many decimals, e.g. {@code 95}, {@code 1051.6}.
     *
     * @param value a finite number
     * @param decimals the most decimals, 0 or more
     */
    public static String text(double value, int decimals) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_EVEN);
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }

    /** Returns the number of at most 1e19 in a cell such as {@code 2939.35}, {@code 1,234} or {@code 0.00%}, else empty. */
    public static OptionalDouble parse(String cell) {
        String text = cell.strip();
        if (text.endsWith("%")) {
            text = text.substring(0, text.length() - 1).strip();
        }
        if (text.isEmpty() || text.length() > MAX_LENGTH) {
            return OptionalDouble.empty();
        }
        if (GROUPED.matcher(text).matches()) {
            text = text.replace(",", "");
        }
        if (!PLAIN.matcher(text).matches()) {
            return OptionalDouble.empty();
        }
        double value = Double.parseDouble(text);
        return Math.abs(value) <= MAX_VALUE ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    /** Returns the whole number in a cell, else empty. */
    public static OptionalLong whole(String cell) {
        OptionalDouble value = parse(cell);
        if (value.isEmpty()
                || value.getAsDouble() != Math.rint(value.getAsDouble())
                || Math.abs(value.getAsDouble()) > 1e15) {
            return OptionalLong.empty();
        }
        return OptionalLong.of((long) value.getAsDouble());
    }
}
