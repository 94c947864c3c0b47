/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.column;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** The number format of published tables: rounded half to even, without trailing zeros, no grouping. */
public final class Numbers {

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
}
