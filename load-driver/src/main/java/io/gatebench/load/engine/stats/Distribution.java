/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.DataFormatException;

import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.AtomicHistogram;
import org.HdrHistogram.Histogram;

import io.gatebench.model.ResponseTimes;

/**
 * Collects durations of many threads without a lock: percentiles to three significant digits; mean, deviation, smallest
 * and largest exactly. Its size does not depend on the number of samples.
 */
public final class Distribution {

    /** Largest duration that keeps its place among the percentiles; longer ones count as this one there. */
    public static final long MAX_MICROS = 3_600_000_000L;

    private static final int SIGNIFICANT_DIGITS = 3;

    private final AtomicHistogram micros = new AtomicHistogram(MAX_MICROS, SIGNIFICANT_DIGITS);
    private final LongAdder sum = new LongAdder();
    private final DoubleAdder sumOfSquares = new DoubleAdder();
    private final LongAccumulator min = new LongAccumulator(Math::min, Long.MAX_VALUE);
    private final LongAccumulator max = new LongAccumulator(Math::max, 0);

    void record(long durationNanos) {
        long value = Math.max(0, (durationNanos + 500) / 1000);
        micros.recordValue(Math.min(MAX_MICROS, value));
        sum.add(value);
        sumOfSquares.add((double) value * value);
        min.accumulate(value);
        max.accumulate(value);
    }

    /** Returns what was collected so far; exact once no thread records any more. */
    Totals totals() {
        return new Totals(contents(micros), sum.sum(), sumOfSquares.sum(), min.get(), max.get());
    }

    /** Returns what a histogram holds now: the copying constructor takes over the ranges only, not the counts. */
    static Histogram contents(AbstractHistogram source) {
        Histogram contents = new Histogram(source);
        contents.add(source);
        return contents;
    }

    /**
     * Collected samples, to be merged and turned into figures.
     *
     * @param micros the distribution in microseconds
     * @param sumMicros sum of the durations
     * @param sumOfSquares sum of their squares
     * @param minMicros smallest, or {@link Long#MAX_VALUE} if there is none
     * @param maxMicros largest, or 0 if there is none
     */
    public record Totals(Histogram micros, long sumMicros, double sumOfSquares, long minMicros, long maxMicros) {

        /** Returns totals of nothing. */
        public static Totals none() {
            return new Totals(new Histogram(MAX_MICROS, SIGNIFICANT_DIGITS), 0, 0, Long.MAX_VALUE, 0);
        }

        /** Returns the totals of both: exactly what one recorder would hold that had seen all samples. */
        public Totals plus(Totals other) {
            Histogram both = micros.copy();
            both.add(other.micros);
            return new Totals(
                    both,
                    sumMicros + other.sumMicros,
                    sumOfSquares + other.sumOfSquares,
                    Math.min(minMicros, other.minMicros),
                    Math.max(maxMicros, other.maxMicros));
        }

        /** Returns the number of durations. */
        public long count() {
            return micros.getTotalCount();
        }

        /** Returns the figures, or empty if there is no duration. */
        public Optional<ResponseTimes> figures() {
            long count = count();
            if (count == 0) {
                return Optional.empty();
            }
            double mean = (double) sumMicros / count;
            double variance = Math.max(0, sumOfSquares / count - mean * mean);
            return Optional.of(ResponseTimes.of(
                    count,
                    mean / 1000,
                    Math.sqrt(variance) / 1000,
                    minMicros / 1000.0,
                    maxMicros / 1000.0,
                    this::percentileMillis));
        }

        /**
         * Returns a percentile in milliseconds, never above the largest duration.
         *
         * @param percentile 0 to 100
         */
        public double percentileMillis(double percentile) {
            long value = micros.getValueAtPercentile(percentile);
            return Math.max(Math.min(value, maxMicros), minMicros == Long.MAX_VALUE ? 0 : minMicros) / 1000.0;
        }

        void encode(ByteBuffer out) {
            ByteBuffer histogram = ByteBuffer.allocate(micros.getNeededByteBufferCapacity());
            int length = micros.encodeIntoCompressedByteBuffer(histogram);
            out.putLong(sumMicros).putDouble(sumOfSquares).putLong(minMicros).putLong(maxMicros);
            out.putInt(length).put(histogram.array(), 0, length);
        }

        int encodedCapacity() {
            return micros.getNeededByteBufferCapacity() + 64;
        }

        static Totals decode(ByteBuffer in) throws DataFormatException {
            long sumMicros = in.getLong();
            double sumOfSquares = in.getDouble();
            long minMicros = in.getLong();
            long maxMicros = in.getLong();
            byte[] histogram = new byte[in.getInt()];
            in.get(histogram);
            return new Totals(
                    Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(histogram), 0),
                    sumMicros,
                    sumOfSquares,
                    minMicros,
                    maxMicros);
        }
    }
}
