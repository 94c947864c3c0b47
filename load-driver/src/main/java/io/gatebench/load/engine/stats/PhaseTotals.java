/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

import io.gatebench.jtl.PublishedTimes;
import io.gatebench.load.engine.stats.Distribution.Totals;
import io.gatebench.model.SampleStatistics;

/**
 * Recording of one label in one phase; can be merged with that of another load generator without loss.
 *
 * @param successes response times of successful samples
 * @param failures response times of failed samples
 * @param latency times to the first byte
 * @param connect times to connect
 * @param publishedMillis all response times in whole milliseconds, two significant digits
 * @param minMillis smallest of them
 * @param maxMillis largest of them
 * @param firstStartNanos first start, from the start of the test
 * @param lastEndNanos last end, from the start of the test
 * @param receivedBytes bytes received
 * @param sentBytes bytes sent
 * @param answers what has ended in the phase, and what of its own has not
 */
public record PhaseTotals(
        Totals successes,
        Totals failures,
        Totals latency,
        Totals connect,
        Histogram publishedMillis,
        long minMillis,
        long maxMillis,
        long firstStartNanos,
        long lastEndNanos,
        long receivedBytes,
        long sentBytes,
        Answers answers) {

    /**
     * Answers by their end, where all else is by the start of a sample.
     *
     * @param count answers that ended in the phase, whenever their requests had started
     * @param receivedBytes bytes received by them
     * @param sentBytes bytes sent by them
     * @param late samples of the phase whose answers ended after it
     * @param unanswered samples of the phase that were given up
     */
    public record Answers(long count, long receivedBytes, long sentBytes, long late, long unanswered) {

        Answers plus(Answers other) {
            return new Answers(
                    count + other.count,
                    receivedBytes + other.receivedBytes,
                    sentBytes + other.sentBytes,
                    late + other.late,
                    unanswered + other.unanswered);
        }
    }

    /** Returns the number of samples. */
    public long count() {
        return successes.count() + failures.count();
    }

    /** Returns the response times of all samples. */
    public Totals all() {
        return successes.plus(failures);
    }

    /** Returns the totals of both. */
    public PhaseTotals plus(PhaseTotals other) {
        Histogram published = publishedMillis.copy();
        published.add(other.publishedMillis);
        return new PhaseTotals(
                successes.plus(other.successes),
                failures.plus(other.failures),
                latency.plus(other.latency),
                connect.plus(other.connect),
                published,
                Math.min(minMillis, other.minMillis),
                Math.max(maxMillis, other.maxMillis),
                Math.min(firstStartNanos, other.firstStartNanos),
                Math.max(lastEndNanos, other.lastEndNanos),
                receivedBytes + other.receivedBytes,
                sentBytes + other.sentBytes,
                answers.plus(other.answers));
    }

    /**
     * Returns the figures under that label.
     *
     * @param length length of the phase
     */
    public SampleStatistics statistics(String label, Duration length) {
        // A test that was ended in its first moment would otherwise have an infinite throughput.
        double seconds = Math.max(1, length.toNanos()) / 1e9;
        return new SampleStatistics(
                label,
                count(),
                failures.count(),
                answers.count() / seconds,
                all().figures().orElseThrow(),
                successes.figures(),
                failures.figures(),
                PublishedTimes.of(publishedMillis, minMillis, maxMillis, true),
                answers.receivedBytes() / seconds,
                answers.sentBytes() / seconds,
                connect.figures(),
                latency.figures());
    }

    int encodedCapacity() {
        return successes.encodedCapacity()
                + failures.encodedCapacity()
                + latency.encodedCapacity()
                + connect.encodedCapacity()
                + publishedMillis.getNeededByteBufferCapacity()
                + 128;
    }

    void encode(ByteBuffer out) {
        successes.encode(out);
        failures.encode(out);
        latency.encode(out);
        connect.encode(out);
        ByteBuffer published = ByteBuffer.allocate(publishedMillis.getNeededByteBufferCapacity());
        int length = publishedMillis.encodeIntoCompressedByteBuffer(published);
        out.putInt(length).put(published.array(), 0, length);
        out.putLong(minMillis).putLong(maxMillis).putLong(firstStartNanos).putLong(lastEndNanos);
        out.putLong(receivedBytes).putLong(sentBytes);
        out.putLong(answers.count()).putLong(answers.receivedBytes()).putLong(answers.sentBytes());
        out.putLong(answers.late()).putLong(answers.unanswered());
    }

    static PhaseTotals decode(ByteBuffer in) throws DataFormatException {
        Totals successes = Totals.decode(in);
        Totals failures = Totals.decode(in);
        Totals latency = Totals.decode(in);
        Totals connect = Totals.decode(in);
        byte[] published = new byte[in.getInt()];
        in.get(published);
        return new PhaseTotals(
                successes,
                failures,
                latency,
                connect,
                Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(published), 0),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                in.getLong(),
                new Answers(in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong()));
    }
}
