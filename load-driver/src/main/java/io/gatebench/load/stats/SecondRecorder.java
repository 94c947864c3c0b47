/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.stats;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

import org.HdrHistogram.AtomicHistogram;
import org.jspecify.annotations.Nullable;

import io.gatebench.model.SecondOfLoad;

/** The samples that started in one second. Thread-safe without a lock. */
final class SecondRecorder {

    private static final int SAMPLES = 0;
    private static final int ERRORS = 1;
    private static final int SUM = 2;
    private static final int MAX = 3;
    private static final double NANOS_PER_MILLI = 1e6;

    private final int second;
    private final AtomicLongArray totals = new AtomicLongArray(4);
    private final AtomicIntegerArray users = new AtomicIntegerArray(1);
    private volatile @Nullable AtomicHistogram micros = new AtomicHistogram(Distribution.MAX_MICROS, 2);
    private volatile double p50;
    private volatile double p99;

    SecondRecorder(int second) {
        this.second = second;
    }

    void record(Sample sample) {
        totals.incrementAndGet(SAMPLES);
        if (sample.failure() != null) {
            totals.incrementAndGet(ERRORS);
        }
        totals.addAndGet(SUM, sample.elapsedNanos());
        long seen = totals.get(MAX);
        while (sample.elapsedNanos() > seen && !totals.compareAndSet(MAX, seen, sample.elapsedNanos())) {
            seen = totals.get(MAX);
        }
        AtomicHistogram histogram = micros;
        if (histogram != null) {
            histogram.recordValue(Math.min(Distribution.MAX_MICROS, Math.max(0, sample.elapsedNanos() / 1000)));
        }
    }

    void users(int atWork) {
        users.set(0, atWork);
    }

    /** Keeps the percentiles and gives up the distribution, so that a long test needs no more memory than a short one. */
    void settle() {
        AtomicHistogram histogram = micros;
        if (histogram != null) {
            p50 = percentile(histogram, 50);
            p99 = percentile(histogram, 99);
            micros = null;
        }
    }

    private double percentile(AtomicHistogram histogram, double percentile) {
        if (histogram.getTotalCount() == 0) {
            return 0;
        }
        return Math.min(histogram.getValueAtPercentile(percentile) / 1000.0, totals.get(MAX) / NANOS_PER_MILLI);
    }

    SecondOfLoad figures() {
        AtomicHistogram histogram = micros;
        long samples = totals.get(SAMPLES);
        return new SecondOfLoad(
                second,
                samples,
                totals.get(ERRORS),
                samples == 0 ? 0 : totals.get(SUM) / NANOS_PER_MILLI / samples,
                histogram == null ? p50 : percentile(histogram, 50),
                histogram == null ? p99 : percentile(histogram, 99),
                totals.get(MAX) / NANOS_PER_MILLI,
                users.get(0));
    }
}
