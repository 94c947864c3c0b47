/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

import io.gatebench.model.SecondOfLoad;

/**
 * Records the samples of a test while they happen.
 *
 * <p>Thread-safe; {@link #record} takes no lock. Memory grows with the number of labels and, by a few hundred bytes
 * each, of seconds, never with the number of samples. A sample belongs to the phase and to the second of its start; its
 * answer is also counted in those of its end.
 */
public final class SampleRecorder {

    /** Different failure texts that are counted apart; further ones are counted together. */
    public static final int MAX_FAILURE_TEXTS = 200;

    /** Seconds after which the percentiles of a second are final; slower answers count for its other figures only. */
    public static final int SETTLE_AFTER_SECONDS = 120;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final String OTHER_FAILURES = "other failures";

    private final long startNanos;
    private volatile long warmUpNanos;
    private volatile long durationNanos;
    private final int shards;
    private final Map<String, Label> labels = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<SecondRecorder> seconds;
    private final LongAdder samples = new LongAdder();
    private final LongAdder errors = new LongAdder();

    /**
     * Creates a recorder.
     *
     * @param startNanos start of the test, by the same clock as the samples
     * @param warmUp samples that start within it are apart from the others
     * @param duration length of the test; answers that end after it are late
     */
    public SampleRecorder(long startNanos, Duration warmUp, Duration duration) {
        this.startNanos = startNanos;
        this.warmUpNanos = warmUp.toNanos();
        this.durationNanos = duration.toNanos();
        this.seconds = new AtomicReferenceArray<>((int) Math.min(10_000_000, duration.toSeconds() + 2));
        int processors = Runtime.getRuntime().availableProcessors();
        this.shards = Integer.highestOneBit(Math.max(1, Math.min(8, processors)));
    }

    private static final class Label {
        private final PhaseRecorder[] warmUp;
        private final PhaseRecorder[] measurement;

        private Label(int shards) {
            warmUp = recorders(shards);
            measurement = recorders(shards);
        }

        private static PhaseRecorder[] recorders(int shards) {
            PhaseRecorder[] recorders = new PhaseRecorder[shards];
            for (int i = 0; i < shards; i++) {
                recorders[i] = new PhaseRecorder();
            }
            return recorders;
        }
    }

    /**
     * Begins the window at another time than was planned; to be called before it.
     *
     * @param offsetNanos from the start of the test on
     */
    public void windowFrom(long offsetNanos) {
        durationNanos += offsetNanos - warmUpNanos;
        warmUpNanos = offsetNanos;
    }

    /** Records one sample. */
    public void record(String label, Sample sample) {
        long offset = sample.startNanos() - startNanos;
        Label recorders = labels.get(label);
        if (recorders == null) {
            recorders = labels.computeIfAbsent(label, name -> new Label(shards));
        }
        int shard = (int) (Thread.currentThread().getId() & (shards - 1));
        (offset < warmUpNanos ? recorders.warmUp : recorders.measurement)[shard].record(sample, offset);
        SecondRecorder second = second(offset);
        String kind = sample.failure() == null ? null : kind(sample.failure());
        second.record(sample, kind);
        end(recorders, shard, second, offset, sample);
        samples.increment();
        if (kind != null) {
            errors.increment();
            failures.computeIfAbsent(kind, name -> new LongAdder()).increment();
        }
    }

    private void end(Label recorders, int shard, SecondRecorder ofStart, long offset, Sample sample) {
        long end = offset + sample.elapsedNanos();
        if (sample.unanswered()) {
            (offset < warmUpNanos ? recorders.warmUp : recorders.measurement)[shard].unanswered();
        } else if (end < durationNanos) {
            (end < warmUpNanos ? recorders.warmUp : recorders.measurement)[shard].answered(sample);
            SecondRecorder ofEnd = end / NANOS_PER_SECOND == offset / NANOS_PER_SECOND ? ofStart : second(end);
            ofEnd.answered((int) (Math.max(0, end) % NANOS_PER_SECOND / NANOS_PER_MILLI));
        } else {
            (offset < warmUpNanos ? recorders.warmUp : recorders.measurement)[shard].late();
        }
    }

    private String kind(String failure) {
        return failures.containsKey(failure) || failures.size() < MAX_FAILURE_TEXTS ? failure : OTHER_FAILURES;
    }

    private SecondRecorder second(long offsetNanos) {
        int index = (int) Math.max(0, Math.min(seconds.length() - 1, offsetNanos / NANOS_PER_SECOND));
        SecondRecorder recorder = seconds.get(index);
        if (recorder == null) {
            seconds.compareAndSet(index, null, new SecondRecorder(index));
            recorder = seconds.get(index);
        }
        return recorder;
    }

    /**
     * Is called once a second: keeps the number of users of that second and settles an old one.
     *
     * @param nowNanos the time
     * @param users users at work
     */
    public void tick(long nowNanos, int users) {
        long offset = nowNanos - startNanos;
        if (offset < 0 || offset / NANOS_PER_SECOND >= seconds.length()) {
            return;
        }
        second(offset).users(users);
        int old = (int) (offset / NANOS_PER_SECOND) - SETTLE_AFTER_SECONDS;
        SecondRecorder settled = old < 0 ? null : seconds.get(old);
        if (settled != null) {
            settled.settle();
        }
    }

    /** Returns all samples so far. */
    public long samples() {
        return samples.sum();
    }

    /** Returns the failed samples so far. */
    public long errors() {
        return errors.sum();
    }

    /** Returns the figures of a second so far. */
    public SecondOfLoad figuresOf(int second) {
        SecondRecorder recorder = second < 0 || second >= seconds.length() ? null : seconds.get(second);
        return (recorder == null ? SecondTotals.none(second) : recorder.totals()).figures();
    }

    /** Returns everything recorded; exact once no thread records any more. */
    public RecordedLoad recorded() {
        Map<String, PhaseTotals> warmUp = new TreeMap<>();
        Map<String, PhaseTotals> measurement = new TreeMap<>();
        labels.forEach((label, recorders) -> {
            merge(warmUp, label, recorders.warmUp);
            merge(measurement, label, recorders.measurement);
        });
        // Without a sample of its own a phase has no figures that an answer from the phase before could be part of.
        warmUp.values().removeIf(totals -> totals.count() == 0);
        measurement.values().removeIf(totals -> totals.count() == 0);
        int last = seconds.length() - 1;
        while (last >= 0 && seconds.get(last) == null) {
            last--;
        }
        List<SecondTotals> series = new ArrayList<>();
        for (int second = 0; second <= last; second++) {
            SecondRecorder recorder = seconds.get(second);
            series.add(recorder == null ? SecondTotals.none(second) : recorder.totals());
        }
        Map<String, Long> reasons = new TreeMap<>();
        failures.forEach((text, count) -> reasons.put(text, count.sum()));
        return new RecordedLoad(warmUp, measurement, series, reasons);
    }

    private static void merge(Map<String, PhaseTotals> into, String label, PhaseRecorder[] shards) {
        for (PhaseRecorder shard : shards) {
            shard.totals().ifPresent(totals -> into.merge(label, totals, PhaseTotals::plus));
        }
    }
}
