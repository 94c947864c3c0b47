/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;

import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.SecondOfLoad.Completions;

/**
 * The samples that started in one second, in a form that can be merged with the same second of another load generator
 * without loss.
 *
 * @param second seconds since the start of the test
 * @param samples samples
 * @param errors failed samples among them
 * @param sumNanos sum of the response times
 * @param maxNanos largest response time, 0 if there is no sample
 * @param users users at work at its end
 * @param answers the answers that ended in it
 * @param micros response times, as {@link #encoded} writes a histogram of microseconds; empty for none
 * @param failures failed samples by the kind of failure
 */
record SecondTotals(
        int second,
        long samples,
        long errors,
        long sumNanos,
        long maxNanos,
        int users,
        Completions answers,
        byte[] micros,
        Map<String, Long> failures) {

    SecondTotals {
        failures = Collections.unmodifiableMap(new TreeMap<>(failures));
    }

    /** Significant digits of the response times of a second. */
    static final int SIGNIFICANT_DIGITS = 2;

    private static final double NANOS_PER_MILLI = 1e6;

    /** Returns the totals of a second in which nothing happened. */
    static SecondTotals none(int second) {
        return new SecondTotals(second, 0, 0, 0, 0, 0, new Completions(0, 0, 0), new byte[0], Map.of());
    }

    /** Returns a histogram in few bytes: those of the steps that hold something. */
    static byte[] encoded(AbstractHistogram micros) {
        if (micros.getTotalCount() == 0) {
            return new byte[0];
        }
        ByteBuffer buffer = ByteBuffer.allocate(micros.getNeededByteBufferCapacity());
        int length = micros.encodeIntoByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), length);
    }

    static Histogram decoded(byte[] micros) {
        return micros.length == 0
                ? new Histogram(Distribution.MAX_MICROS, SIGNIFICANT_DIGITS)
                : Histogram.decodeFromByteBuffer(ByteBuffer.wrap(micros), Distribution.MAX_MICROS);
    }

    /** Returns the totals of both for the same second. */
    SecondTotals plus(SecondTotals other) {
        Histogram both = decoded(micros);
        both.add(decoded(other.micros));
        Map<String, Long> all = new TreeMap<>(failures);
        other.failures.forEach((kind, count) -> all.merge(kind, count, Long::sum));
        return new SecondTotals(
                second,
                samples + other.samples,
                errors + other.errors,
                sumNanos + other.sumNanos,
                Math.max(maxNanos, other.maxNanos),
                users + other.users,
                plus(answers, other.answers),
                encoded(both),
                all);
    }

    private static Completions plus(Completions one, Completions other) {
        if (one.count() == 0 || other.count() == 0) {
            return one.count() == 0 ? other : one;
        }
        return new Completions(
                one.count() + other.count(),
                Math.min(one.firstMillis(), other.firstMillis()),
                Math.max(one.lastMillis(), other.lastMillis()));
    }

    /** Returns the figures. */
    SecondOfLoad figures() {
        Histogram histogram = decoded(micros);
        return new SecondOfLoad(
                second,
                samples,
                errors,
                samples == 0 ? 0 : sumNanos / NANOS_PER_MILLI / samples,
                percentile(histogram, 50),
                percentile(histogram, 99),
                maxNanos / NANOS_PER_MILLI,
                users,
                Optional.of(answers));
    }

    /** Returns the response times, in microseconds. */
    Histogram times() {
        return decoded(micros);
    }

    private double percentile(Histogram histogram, double percentile) {
        if (histogram.getTotalCount() == 0) {
            return 0;
        }
        return Math.min(histogram.getValueAtPercentile(percentile) / 1000.0, maxNanos / NANOS_PER_MILLI);
    }

    void encode(DataOutputStream out) throws IOException {
        out.writeInt(second);
        out.writeLong(samples);
        out.writeLong(errors);
        out.writeLong(sumNanos);
        out.writeLong(maxNanos);
        out.writeInt(users);
        out.writeLong(answers.count());
        out.writeInt(answers.firstMillis());
        out.writeInt(answers.lastMillis());
        out.writeInt(micros.length);
        out.write(micros);
        EncodedData.write(out, failures);
    }

    static SecondTotals decode(DataInputStream in) throws IOException {
        return new SecondTotals(
                in.readInt(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readInt(),
                new Completions(in.readLong(), in.readInt(), in.readInt()),
                EncodedData.bytes(in),
                EncodedData.counts(in));
    }
}
