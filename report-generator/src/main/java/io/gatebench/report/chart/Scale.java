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

    /** Returns the axis that holds the values; from zero unless a percentage axis would only show its upper end. */
    static Scale of(double smallest, double largest, boolean percentage) {
        boolean upperEnd = percentage && smallest > 50;
        double from = upperEnd ? smallest : Math.min(0, smallest);
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
