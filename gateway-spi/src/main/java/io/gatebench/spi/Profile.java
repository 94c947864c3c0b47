/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.util.Locale;

/**
 * A ready choice of matrix and timing.
 *
 * @since 0.1
 */
public enum Profile {
    /** Small matrix, short windows: shows in minutes that all works; its figures are not release figures. */
    QUICK,
    /** The matrix and durations of the product's published results. */
    RELEASE;

    /** Returns the name used in options and reports. */
    public String optionName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
