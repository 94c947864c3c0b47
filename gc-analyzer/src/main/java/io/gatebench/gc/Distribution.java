/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.Optional;

import org.HdrHistogram.Histogram;

import io.gatebench.model.ResponseTimes;

/** Durations in constant memory: sum, minimum, maximum and moments exact, percentiles within 0.1 %. */
final class Distribution {

    private static final double NANOS_PER_MILLI = 1e6;

    private final Histogram histogram = new Histogram(3);
    private long totalNanos;
    private double sumOfSquares;
    private long least = Long.MAX_VALUE;
    private long greatest;

    Distribution() {
        histogram.setAutoResize(true);
    }

    void record(long nanos) {
        histogram.recordValue(nanos);
        totalNanos += nanos;
        double millis = nanos / NANOS_PER_MILLI;
        sumOfSquares += millis * millis;
        least = Math.min(least, nanos);
        greatest = Math.max(greatest, nanos);
    }

    long count() {
        return histogram.getTotalCount();
    }

    double totalSeconds() {
        return totalNanos / 1e9;
    }

    /** Returns the histogram, for charts. */
    Histogram histogram() {
        return histogram;
    }

    /** Returns the distribution with nearest-rank percentiles, or empty if nothing was recorded. */
    Optional<ResponseTimes> millis() {
        long count = count();
        if (count == 0) {
            return Optional.empty();
        }
        double mean = totalNanos / NANOS_PER_MILLI / count;
        double variance = Math.max(0, sumOfSquares / count - mean * mean);
        return Optional.of(ResponseTimes.of(
                count,
                mean,
                Math.sqrt(variance),
                least / NANOS_PER_MILLI,
                greatest / NANOS_PER_MILLI,
                this::percentile));
    }

    private double percentile(double percent) {
        // The histogram answers with the upper end of a bucket; no percentile may leave what was recorded.
        long nanos = histogram.getValueAtPercentile(percent);
        return Math.max(least, Math.min(greatest, nanos)) / NANOS_PER_MILLI;
    }
}
