/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.trend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.apache.commons.statistics.inference.MannWhitneyUTest;

/**
 * Splits a series where its level changes.
 *
 * <p>Three steps. Single spikes are set to the median of their neighbours (Hampel filter). The series is cut into
 * segments so that the squared deviations from the segments' means plus a penalty per cut are least: optimal
 * partitioning (Jackson et al., An algorithm for optimal partitioning of data on an interval, IEEE Signal Processing
 * Letters 12, 2005), with a penalty of four times the noise variance times the logarithm of the length. Each cut
 * must then stand a Mann-Whitney U test between the unfiltered values on both sides, corrected for the number of places
 * where a cut could be; the weakest cut goes first, until all that remain stand.
 */
final class ChangePoints {

    /** A level that holds for fewer runs is a spike. */
    static final int SHORTEST_SEGMENT = 4;

    private static final double PENALTY = 4;
    private static final double SPIKE = 4;
    /** Ratio of the standard deviation to the median absolute deviation of normal values. */
    private static final double NORMAL = 1.4826;

    private static final double SMALLEST_NOISE = 1e-6;

    /**
     * A change of level.
     *
     * @param index the first run at the new level
     * @param p chance of such a difference without a change, corrected
     */
    record ChangePoint(int index, double p) {}

    private ChangePoints() {}

    /** Returns the changes in order; {@code falseAlarmRate} is the chance that a series without any shows one. */
    static List<ChangePoint> find(double[] values, double falseAlarmRate) {
        if (values.length < 2 * SHORTEST_SEGMENT) {
            return List.of();
        }
        double noise = noise(values);
        List<Integer> cuts = partition(withoutSpikes(values, noise), noise);
        int places = values.length - 2 * SHORTEST_SEGMENT + 1;
        while (true) {
            double worst = -1;
            int weakest = -1;
            List<ChangePoint> found = new ArrayList<>();
            for (int i = 0; i < cuts.size(); i++) {
                int from = i == 0 ? 0 : cuts.get(i - 1);
                int to = i + 1 == cuts.size() ? values.length : cuts.get(i + 1);
                double p = Math.min(1, places * test(values, from, cuts.get(i), to));
                found.add(new ChangePoint(cuts.get(i), p));
                if (p > worst) {
                    worst = p;
                    weakest = i;
                }
            }
            if (weakest < 0 || worst <= falseAlarmRate) {
                return List.copyOf(found);
            }
            cuts.remove(weakest);
        }
    }

    private static double test(double[] values, int from, int cut, int to) {
        return MannWhitneyUTest.withDefaults()
                .test(Arrays.copyOfRange(values, from, cut), Arrays.copyOfRange(values, cut, to))
                .getPValue();
    }

    /** The noise from one run to the next, which changes of level hardly enter. */
    private static double noise(double[] values) {
        double[] steps = new double[values.length - 1];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = Math.abs(values[i + 1] - values[i]);
        }
        return Math.max(SMALLEST_NOISE, NORMAL * median(steps) / Math.sqrt(2));
    }

    private static double[] withoutSpikes(double[] values, double noise) {
        double[] filtered = values.clone();
        for (int i = 0; i < values.length; i++) {
            double median = median(Arrays.copyOfRange(values, Math.max(0, i - 2), Math.min(values.length, i + 3)));
            if (Math.abs(values[i] - median) > SPIKE * noise) {
                filtered[i] = median;
            }
        }
        return filtered;
    }

    private static List<Integer> partition(double[] values, double noise) {
        int length = values.length;
        double penalty = PENALTY * noise * noise * Math.log(length);
        double[] sums = new double[length + 1];
        double[] squares = new double[length + 1];
        for (int i = 0; i < length; i++) {
            sums[i + 1] = sums[i] + values[i] - values[0];
            squares[i + 1] = squares[i] + (values[i] - values[0]) * (values[i] - values[0]);
        }
        double[] best = new double[length + 1];
        int[] last = new int[length + 1];
        Arrays.fill(best, Double.POSITIVE_INFINITY);
        best[0] = -penalty;
        for (int end = SHORTEST_SEGMENT; end <= length; end++) {
            for (int start = 0; start <= end - SHORTEST_SEGMENT; start++) {
                double cost = best[start] + cost(sums, squares, start, end) + penalty;
                if (cost < best[end]) {
                    best[end] = cost;
                    last[end] = start;
                }
            }
        }
        List<Integer> cuts = new ArrayList<>();
        for (int end = last[length]; end > 0; end = last[end]) {
            cuts.add(0, end);
        }
        return cuts;
    }

    private static double cost(double[] sums, double[] squares, int start, int end) {
        double sum = sums[end] - sums[start];
        return Math.max(0, squares[end] - squares[start] - sum * sum / (end - start));
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
