/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jtl;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

import org.HdrHistogram.Histogram;

import io.gatebench.load.stats.PublishedTimes;

/** The samples of one label: exact counts per millisecond, and the predecessor's histogram if it is asked for. */
final class LabelTotals {

    /** Response times below it are counted in an array, longer ones in a map: few are so long. */
    private static final int DENSE_LIMIT = 1 << 20;

    /** Largest value of the predecessor's histogram that this one holds without growing beyond sense: a year. */
    private static final long MAX_MILLIS = 366L * 24 * 3600 * 1000;

    private final boolean wso2;
    private final Histogram published = new Histogram(PublishedTimes.SIGNIFICANT_DIGITS);
    private long[] counts = new long[256];
    private final Map<Long, Long> longer = new TreeMap<>();
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
        this.wso2 = statistics == JtlStatistics.WSO2;
    }

    void add(long timestamp, long elapsed, boolean success, long receivedBytes, long sentBytes) {
        if (elapsed < counts.length) {
            counts[(int) elapsed]++;
        } else {
            addLonger(elapsed);
        }
        if (wso2) {
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

    private void addLonger(long elapsed) {
        if (elapsed < DENSE_LIMIT) {
            counts = Arrays.copyOf(counts, Math.max(Integer.highestOneBit((int) elapsed) * 2, counts.length * 2));
            counts[(int) elapsed]++;
        } else {
            longer.merge(elapsed, 1L, Long::sum);
        }
    }

    JtlLabelSummary summary(String label) {
        double seconds = (lastEnd - firstStart) / 1000.0;
        return wso2 ? JtlLabelSummary.wso2(label, this, seconds) : JtlLabelSummary.exact(label, this, seconds);
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
        return published;
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
