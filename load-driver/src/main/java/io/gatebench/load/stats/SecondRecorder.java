/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.stats;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

import org.HdrHistogram.AtomicHistogram;
import org.jspecify.annotations.Nullable;

/** The samples that started in one second. Thread-safe without a lock. */
final class SecondRecorder {

    private static final int SAMPLES = 0;
    private static final int ERRORS = 1;
    private static final int SUM = 2;
    private static final int MAX = 3;

    private final int second;
    private final AtomicLongArray totals = new AtomicLongArray(4);
    private final AtomicIntegerArray users = new AtomicIntegerArray(1);
    private volatile @Nullable AtomicHistogram micros =
            new AtomicHistogram(Distribution.MAX_MICROS, SecondTotals.SIGNIFICANT_DIGITS);
    private volatile byte[] settled = new byte[0];

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

    /** Keeps the distribution in the few bytes of what it holds, so that a long test needs little more than a short one. */
    void settle() {
        AtomicHistogram histogram = micros;
        if (histogram != null) {
            settled = SecondTotals.encoded(histogram);
            micros = null;
        }
    }

    SecondTotals totals() {
        AtomicHistogram histogram = micros;
        return new SecondTotals(
                second,
                totals.get(SAMPLES),
                totals.get(ERRORS),
                totals.get(SUM),
                totals.get(MAX),
                users.get(0),
                histogram == null ? settled : SecondTotals.encoded(histogram));
    }
}
