/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * A linear axis that ends at round numbers.
 *
 * @param low value at the lower end
 * @param high value at the upper end
 * @param step distance of the ticks
 */
record Scale(double low, double high, double step) {

    private static final int TICKS = 6;

    /**
     * Returns the axis that holds the values; from zero, but a percentage whose values are all large is drawn from 50 or from
     * 90 to 100, so that a tenth of a point is no cliff.
     */
    static Scale of(double smallest, double largest, boolean percentage) {
        if (percentage && smallest >= 50 && largest <= 100) {
            return smallest >= 90 ? new Scale(90, 100, 2) : new Scale(50, 100, 10);
        }
        double from = Math.min(0, smallest);
        double span = largest - from;
        double rough = (span > 0 ? span : Math.max(1, Math.abs(largest))) / TICKS;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double fraction = rough / power;
        double step = (fraction <= 1 ? 1 : fraction <= 2 ? 2 : fraction <= 5 ? 5 : 10) * power;
        double low = Math.floor(from / step) * step;
        double high = Math.max(low + step, Math.ceil(largest / step) * step);
        return new Scale(low, percentage ? Math.min(high, 100) : high, step);
    }

    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        for (int i = 0; low + i * step <= high + step / 1000; i++) {
            ticks.add(low + i * step);
        }
        return ticks;
    }

    /** Returns where a value lies, 0 at the lower end and 1 at the upper. */
    double share(double value) {
        return (value - low) / (high - low);
    }
}
