/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** Writes figures into sentences. */
public final class Text {

    private Text() {}

    /** Returns a number with at most three significant digits or all digits before the point, grouped by commas. */
    public static String number(double value) {
        return number(value, 3);
    }

    /** Returns a number with at most so many significant digits, at least three, in the same form. */
    public static String number(double value, int digits) {
        BigDecimal exact = BigDecimal.valueOf(value);
        BigDecimal rounded = Math.abs(value) >= 1000
                ? exact.setScale(0, RoundingMode.HALF_EVEN)
                : exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
        DecimalFormat format = new DecimalFormat("#,##0.######", DecimalFormatSymbols.getInstance(Locale.ROOT));
        return format.format(rounded);
    }
}
