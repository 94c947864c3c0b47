/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import java.util.Optional;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

import org.HdrHistogram.AtomicHistogram;

import io.gatebench.jtl.PublishedTimes;

/** The samples of one label in one phase. Thread-safe without a lock. */
final class PhaseRecorder {

    private static final long MAX_MILLIS = Distribution.MAX_MICROS / 1000;

    private final Distribution successes = new Distribution();
    private final Distribution failures = new Distribution();
    private final Distribution latency = new Distribution();
    private final Distribution connect = new Distribution();
    private final AtomicHistogram publishedMillis = new AtomicHistogram(MAX_MILLIS, PublishedTimes.SIGNIFICANT_DIGITS);
    private final LongAccumulator minMillis = new LongAccumulator(Math::min, Long.MAX_VALUE);
    private final LongAccumulator maxMillis = new LongAccumulator(Math::max, 0);
    private final LongAccumulator firstStart = new LongAccumulator(Math::min, Long.MAX_VALUE);
    private final LongAccumulator lastEnd = new LongAccumulator(Math::max, Long.MIN_VALUE);
    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder answers = new LongAdder();
    private final LongAdder answersReceived = new LongAdder();
    private final LongAdder answersSent = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder unanswered = new LongAdder();

    /** Records a sample whose start is given from the start of the test on. */
    void record(Sample sample, long startOffsetNanos) {
        (sample.failure() == null ? successes : failures).record(sample.elapsedNanos());
        latency.record(sample.latencyNanos());
        if (sample.connectNanos() >= 0) {
            connect.record(sample.connectNanos());
        }
        long endOffsetNanos = startOffsetNanos + sample.elapsedNanos();
        // Both ends in whole milliseconds first: what a clock of milliseconds would have shown.
        long millis =
                Math.max(0, Math.floorDiv(endOffsetNanos, 1_000_000L) - Math.floorDiv(startOffsetNanos, 1_000_000L));
        publishedMillis.recordValue(Math.min(MAX_MILLIS, millis));
        minMillis.accumulate(millis);
        maxMillis.accumulate(millis);
        firstStart.accumulate(startOffsetNanos);
        lastEnd.accumulate(endOffsetNanos);
        received.add(sample.receivedBytes());
        sent.add(sample.sentBytes());
    }

    /** Counts an answer that has ended in this phase, whenever its request had started. */
    void answered(Sample sample) {
        answers.increment();
        answersReceived.add(sample.receivedBytes());
        answersSent.add(sample.sentBytes());
    }

    /** Counts a sample of this phase whose answer has ended after it. */
    void late() {
        late.increment();
    }

    /** Counts a sample of this phase that was given up. */
    void unanswered() {
        unanswered.increment();
    }

    Optional<PhaseTotals> totals() {
        PhaseTotals totals = new PhaseTotals(
                successes.totals(),
                failures.totals(),
                latency.totals(),
                connect.totals(),
                Distribution.contents(publishedMillis),
                minMillis.get(),
                maxMillis.get(),
                firstStart.get(),
                lastEnd.get(),
                received.sum(),
                sent.sum(),
                new PhaseTotals.Answers(
                        answers.sum(), answersReceived.sum(), answersSent.sum(), late.sum(), unanswered.sum()));
        return totals.count() == 0 && totals.answers().count() == 0 ? Optional.empty() : Optional.of(totals);
    }
}
