/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import org.HdrHistogram.AbstractHistogram;

import io.gatebench.model.ResponseTimes;

/**
 * Response times as the published documents have them: whole milliseconds in a histogram of two significant digits, from
 * which mean, deviation and percentiles are taken.
 *
 * <p>Formulas: {@code StatCalculator} of the predecessor's performance-common. Its percentiles may exceed the largest
 * response time, as the upper end of a histogram's step is reported; the caller says whether to keep that.
 */
public final class PublishedTimes {

    /** Significant digits of the predecessor's histograms. */
    public static final int SIGNIFICANT_DIGITS = 2;

    private PublishedTimes() {}

    /**
     * Returns the figures of a histogram of milliseconds.
     *
     * @param millis the histogram, not empty
     * @param minMillis smallest response time
     * @param maxMillis largest response time
     * @param limited whether percentiles above the largest response time are lowered to it
     */
    public static ResponseTimes of(AbstractHistogram millis, long minMillis, long maxMillis, boolean limited) {
        return ResponseTimes.of(
                millis.getTotalCount(),
                millis.getMean(),
                millis.getStdDeviation(),
                minMillis,
                maxMillis,
                percentile -> {
                    long value = millis.getValueAtPercentile(percentile);
                    return limited ? Math.min(value, maxMillis) : value;
                });
    }
}
