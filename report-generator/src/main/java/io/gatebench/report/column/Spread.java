/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.column;

/** Mean and spread of a few figures. */
public final class Spread {

    private Spread() {}

    /** Returns the mean; no number of no figures. */
    public static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    /** Returns the sum of the squares of the deviations from the mean. */
    public static double squares(double[] values) {
        double mean = mean(values);
        double sum = 0;
        for (double value : values) {
            sum += (value - mean) * (value - mean);
        }
        return sum;
    }
}
