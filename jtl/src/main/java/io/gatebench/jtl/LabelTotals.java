/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.util.Arrays;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The samples of one label: exact counts per millisecond, and the predecessor's histogram if it is asked for. */
final class LabelTotals {

    /** Response times below it are counted in an array, longer ones in a map: few are so long. */
    private static final int DENSE_LIMIT = 1 << 20;

    /** An entry of the map takes the memory of eight counts. */
    private static final int COUNTS_PER_SAMPLE = 8;

    /** Largest value of the predecessor's histogram that this one holds without growing beyond sense: a year. */
    private static final long MAX_MILLIS = 366L * 24 * 3600 * 1000;

    private final @Nullable Histogram published;
    private long[] counts = new long[64];
    private final NavigableMap<Long, Long> longer = new TreeMap<>();
    private long samples;
    private long errors;
    private double sum;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;
    private long firstStart = Long.MAX_VALUE;
    private long lastEnd = Long.MIN_VALUE;
    private long received;
    private long sent;

    LabelTotals(JtlStatistics statistics) {
        this.published = statistics == JtlStatistics.WSO2 ? new Histogram(PublishedTimes.SIGNIFICANT_DIGITS) : null;
    }

    void add(long timestamp, long elapsed, boolean success, long receivedBytes, long sentBytes) {
        if (elapsed < counts.length) {
            counts[(int) elapsed]++;
        } else {
            addLonger(elapsed);
        }
        if (published != null) {
            published.recordValue(Math.min(MAX_MILLIS, elapsed));
        }
        samples++;
        sum += elapsed;
        if (!success) {
            errors++;
        }
        if (elapsed < min) {
            min = elapsed;
        }
        if (elapsed > max) {
            max = elapsed;
        }
        if (timestamp < firstStart) {
            firstStart = timestamp;
        }
        if (timestamp + elapsed > lastEnd) {
            lastEnd = timestamp + elapsed;
        }
        received += receivedBytes;
        sent += sentBytes;
    }

    /** Adds the samples of another part of the same files. */
    void addAll(LabelTotals other) {
        if (counts.length < other.counts.length) {
            counts = Arrays.copyOf(counts, other.counts.length);
        }
        for (int i = 0; i < other.counts.length; i++) {
            counts[i] += other.counts[i];
        }
        other.longer.forEach((millis, count) -> longer.merge(millis, count, Long::sum));
        Map<Long, Long> moved = longer.headMap((long) counts.length);
        moved.forEach((millis, count) -> counts[millis.intValue()] += count);
        moved.clear();
        if (published != null) {
            published.add(other.published());
        }
        samples += other.samples;
        errors += other.errors;
        // Of whole milliseconds, so that the order of the additions changes nothing.
        sum += other.sum;
        min = Math.min(min, other.min);
        max = Math.max(max, other.max);
        firstStart = Math.min(firstStart, other.firstStart);
        lastEnd = Math.max(lastEnd, other.lastEnd);
        received += other.received;
        sent += other.sent;
    }

    private void addLonger(long elapsed) {
        int wanted = elapsed < DENSE_LIMIT ? Integer.highestOneBit((int) elapsed) * 2 : Integer.MAX_VALUE;
        // An array that grows with the samples, and not with the longest of them, keeps a label of few samples small.
        if (wanted <= samples * COUNTS_PER_SAMPLE) {
            counts = Arrays.copyOf(counts, wanted);
            Map<Long, Long> moved = longer.headMap((long) wanted);
            moved.forEach((millis, count) -> counts[millis.intValue()] += count);
            moved.clear();
            counts[(int) elapsed]++;
        } else {
            longer.merge(elapsed, 1L, Long::sum);
        }
    }

    JtlLabelSummary summary(String label) {
        double seconds = (lastEnd - firstStart) / 1000.0;
        return published != null
                ? JtlLabelSummary.wso2(label, this, seconds)
                : JtlLabelSummary.exact(label, this, seconds);
    }

    long samples() {
        return samples;
    }

    long errors() {
        return errors;
    }

    long min() {
        return min;
    }

    long max() {
        return max;
    }

    long received() {
        return received;
    }

    long sent() {
        return sent;
    }

    Histogram published() {
        return Objects.requireNonNull(published);
    }

    double mean() {
        return sum / samples;
    }

    double standardDeviation() {
        double mean = mean();
        double squares = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                squares += counts[i] * (i - mean) * (i - mean);
            }
        }
        for (Map.Entry<Long, Long> entry : longer.entrySet()) {
            squares += entry.getValue() * (entry.getKey() - mean) * (entry.getKey() - mean);
        }
        return Math.sqrt(squares / samples);
    }

    /** Returns the smallest response time that at least that part of the samples does not exceed (nearest rank). */
    long percentile(double percent) {
        // The same rank as HdrHistogram's: a product like 99.9 % of 1000 must not become 1000 by the last binary digit.
        long rank = Math.max(1, (long) Math.ceil(Math.nextDown(percent / 100 * samples)));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return i;
            }
        }
        for (Map.Entry<Long, Long> entry : longer.entrySet()) {
            seen += entry.getValue();
            if (seen >= rank) {
                return entry.getKey();
            }
        }
        return max;
    }
}
