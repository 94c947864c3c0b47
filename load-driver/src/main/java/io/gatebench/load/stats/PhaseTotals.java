/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.stats;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

import io.gatebench.load.stats.Distribution.Totals;
import io.gatebench.model.SampleStatistics;

/**
 * What was recorded of one label in one phase; can be merged with that of another load generator without loss.
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
        long sentBytes) {

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
                sentBytes + other.sentBytes);
    }

    /** Returns the figures under that label. */
    public SampleStatistics statistics(String label) {
        // A single instant answer would otherwise have an infinite throughput.
        double seconds = Math.max(1, lastEndNanos - firstStartNanos) / 1e9;
        return new SampleStatistics(
                label,
                count(),
                failures.count(),
                count() / seconds,
                all().figures().orElseThrow(),
                successes.figures(),
                failures.figures(),
                PublishedTimes.of(publishedMillis, minMillis, maxMillis, true),
                receivedBytes / seconds,
                sentBytes / seconds,
                connect.figures(),
                latency.figures());
    }

    int encodedCapacity() {
        return successes.encodedCapacity()
                + failures.encodedCapacity()
                + latency.encodedCapacity()
                + connect.encodedCapacity()
                + publishedMillis.getNeededByteBufferCapacity()
                + 64;
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
                in.getLong());
    }
}
