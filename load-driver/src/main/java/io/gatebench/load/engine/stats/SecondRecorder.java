/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import org.HdrHistogram.AtomicHistogram;
import org.jspecify.annotations.Nullable;

import io.gatebench.model.SecondOfLoad.Completions;

/** The samples that started in one second. Thread-safe without a lock. */
final class SecondRecorder {

    private static final int SAMPLES = 0;
    private static final int ERRORS = 1;
    private static final int SUM = 2;
    private static final int MAX = 3;
    private static final int ANSWERS = 4;

    private static final int USERS = 0;
    private static final int FIRST_ANSWER = 1;
    private static final int LAST_ANSWER = 2;
    private static final int NO_ANSWER = -1;

    private final int second;
    private final AtomicLongArray totals = new AtomicLongArray(5);
    private final AtomicIntegerArray marks = new AtomicIntegerArray(new int[] {0, NO_ANSWER, NO_ANSWER});
    private volatile @Nullable AtomicHistogram micros =
            new AtomicHistogram(Distribution.MAX_MICROS, SecondTotals.SIGNIFICANT_DIGITS);
    private volatile byte[] settled = new byte[0];
    private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();

    SecondRecorder(int second) {
        this.second = second;
    }

    /**
     * Records a sample.
     *
     * @param kind the kind of its failure, null if it succeeded
     */
    void record(Sample sample, @Nullable String kind) {
        totals.incrementAndGet(SAMPLES);
        if (kind != null) {
            totals.incrementAndGet(ERRORS);
            failures.computeIfAbsent(kind, name -> new LongAdder()).increment();
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

    /** Counts an answer that has ended in this second, so many milliseconds after its begin. */
    void answered(int millis) {
        totals.incrementAndGet(ANSWERS);
        int first = marks.get(FIRST_ANSWER);
        while ((first == NO_ANSWER || millis < first) && !marks.compareAndSet(FIRST_ANSWER, first, millis)) {
            first = marks.get(FIRST_ANSWER);
        }
        int last = marks.get(LAST_ANSWER);
        while (millis > last && !marks.compareAndSet(LAST_ANSWER, last, millis)) {
            last = marks.get(LAST_ANSWER);
        }
    }

    void users(int atWork) {
        marks.set(USERS, atWork);
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
                marks.get(USERS),
                new Completions(
                        totals.get(ANSWERS), Math.max(0, marks.get(FIRST_ANSWER)), Math.max(0, marks.get(LAST_ANSWER))),
                histogram == null ? settled : SecondTotals.encoded(histogram),
                failures.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, entry -> entry.getValue().sum())));
    }
}
