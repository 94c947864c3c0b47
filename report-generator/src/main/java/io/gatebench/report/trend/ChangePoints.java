/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.trend;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.MannWhitneyUTest;

/**
 * Splits a series where its level changes.
 *
 * <p>Single spikes are set to the median of their neighbours (Hampel filter). The series is cut into segments so that the
 * squared deviations from the segments' means plus a penalty per cut are least: optimal partitioning (Jackson et al., An
 * algorithm for optimal partitioning of data on an interval, IEEE Signal Processing Letters 12, 2005), with a penalty of
 * four times the noise variance times the logarithm of the length. A cut stands where the squares are least and is never
 * moved to make a level long enough: a level of fewer than {@link #HELD} runs inside the series is an excursion and is
 * joined with its neighbours, one at the end is too young to be told. Each cut must stand a t-test or a Mann-Whitney U test between the unfiltered values of both sides,
 * corrected for the number of places where a cut could be; the weakest cut goes first, its neighbours are placed anew, until
 * all that remain stand.
 *
 * <p>The place of a change is known by the posterior of the single change point between the levels beside it, with flat
 * priors of place, levels and logarithm of the deviation (Smith, A Bayesian approach to inference about a change-point in a
 * sequence of random variables, Biometrika 62, 1975): the shortest set of places that holds 95 %.
 */
public final class ChangePoints {

    /** A level must hold for so many runs to be one. */
    static final int HELD = 4;

    private static final double PLACE = 0.95;
    /** The part of the false alarms that changes may cause; the rest is for the runs at the end. */
    private static final double CHANGES_SHARE = 0.8;

    private static final double PENALTY = 4;
    /** The chance of a cut in a series without a change, where cuts keep changes out of the noise. */
    private static final double CUT_BY_CHANCE = 0.05;

    private static final double SPIKE = 4;
    /** Ratio of the standard deviation to the median absolute deviation of normal values. */
    private static final double NORMAL = 1.4826;

    private static final double MIN_NOISE = 1e-6;

    /**
     * A change of level.
     *
     * @param index the first run at the new level
     * @param earliest the first place at which it may have been
     * @param latest the last place at which it may have been
     * @param p chance of such a difference without a change, corrected
     */
    record ChangePoint(int index, int earliest, int latest, double p) {}

    /**
     * Finding in a series.
     *
     * @param changes the changes, in order
     * @param early the runs at the end that left the last level and are too few to be a level, if there are any
     */
    record Found(List<ChangePoint> changes, Optional<ChangePoint> early) {}

    private ChangePoints() {}

    /**
     * Returns what changed.
     *
     * @param falseAlarmRate the chance that all series together show a change if there is none
     * @param series the number of series that are tested together
     */
    static Found find(double[] values, double falseAlarmRate, int series) {
        if (values.length <= HELD) {
            return new Found(List.of(), Optional.empty());
        }
        double noise = noise(values);
        double[] filtered = withoutSpikes(values, noise);
        List<Integer> cuts = partition(filtered, noise);
        Optional<ChangePoint> early = early(values, cuts, falseAlarmRate, series);
        int length = early.map(ChangePoint::index).orElse(values.length);
        cuts.removeIf(cut -> cut >= length);
        return new Found(standing(Arrays.copyOf(values, length), filtered, cuts, falseAlarmRate, series), early);
    }

    /**
     * Returns where the values step to another level, however short: for estimates of the noise that no change may enter.
     *
     * <p>A cut that is none makes the noise too small, so that each must stand a t-test between the levels beside it.
     *
     * <p>Of few values the steps tell the noise badly, so that the deviations from the median are asked too, which a change
     * near an end of the series hardly enters.
     *
     * @param leastNoise the standard deviation that the values have at least
     */
    public static List<Integer> cuts(double[] values, double leastNoise) {
        if (values.length < 3) {
            return List.of();
        }
        double middle = median(values);
        double around = NORMAL
                * median(Arrays.stream(values)
                        .map(value -> Math.abs(value - middle))
                        .toArray());
        List<Integer> cuts = partition(values, Math.max(leastNoise, Math.min(noise(values), around)));
        Sums sums = new Sums(values);
        while (!cuts.isEmpty()) {
            int weakest = 0;
            double weakness = -1;
            for (int i = 0; i < cuts.size(); i++) {
                double p = (values.length - 1) * test(sums, from(cuts, i), cuts.get(i), to(cuts, i, values.length));
                if (p > weakness) {
                    weakness = p;
                    weakest = i;
                }
            }
            if (weakness <= CUT_BY_CHANCE) {
                break;
            }
            remove(sums, values.length, cuts, weakest);
        }
        return cuts;
    }

    private static List<ChangePoint> standing(
            double[] values, double[] filtered, List<Integer> all, double falseAlarmRate, int series) {
        List<Integer> cuts = new ArrayList<>(all);
        int length = values.length;
        double tests = series * Math.max(1, length - 2 * HELD + 1) / CHANGES_SHARE;
        Sums sums = new Sums(values);
        Sums smooth = new Sums(filtered);
        List<Strength> strengths = new ArrayList<>();
        for (int i = 0; i < cuts.size(); i++) {
            strengths.add(strength(values, sums, tests, cuts, i));
        }
        while (true) {
            double worst = -1;
            int weakest = -1;
            for (int i = 0; i < cuts.size(); i++) {
                if (strengths.get(i).weakness() > worst) {
                    worst = strengths.get(i).weakness();
                    weakest = i;
                }
            }
            if (weakest < 0 || worst <= falseAlarmRate) {
                break;
            }
            remove(smooth, length, cuts, weakest);
            strengths.remove(weakest);
            // Both neighbours may have moved, and with them an end of the levels of the next two.
            for (int i = Math.max(0, weakest - 2); i < Math.min(cuts.size(), weakest + 2); i++) {
                strengths.set(i, strength(values, sums, tests, cuts, i));
            }
        }
        List<ChangePoint> found = new ArrayList<>();
        for (int i = 0; i < cuts.size(); i++) {
            int[] places = places(smooth, from(cuts, i), cuts.get(i), to(cuts, i, length));
            found.add(new ChangePoint(
                    cuts.get(i), places[0], places[1], strengths.get(i).p()));
        }
        return List.copyOf(found);
    }

    /** Quality of a cut: the least weak ones stay. */
    private record Strength(double p, double weakness) {}

    private static Strength strength(double[] values, Sums sums, double tests, List<Integer> cuts, int at) {
        int from = from(cuts, at);
        int to = to(cuts, at, values.length);
        int cut = cuts.get(at);
        int shorter = Math.min(cut - from, to - cut);
        double p = Math.min(1, tests * difference(values, sums, from, cut, to));
        // What is too short to be a level goes first, the shortest of it before all.
        return new Strength(p, shorter < HELD ? 2 + HELD - shorter + p : p);
    }

    private static int from(List<Integer> cuts, int at) {
        return at == 0 ? 0 : cuts.get(at - 1);
    }

    private static int to(List<Integer> cuts, int at, int length) {
        return at + 1 == cuts.size() ? length : cuts.get(at + 1);
    }

    /** Removes a cut and places its neighbours anew. */
    private static void remove(Sums sums, int length, List<Integer> cuts, int at) {
        cuts.remove(at);
        place(sums, length, cuts, at - 1);
        place(sums, length, cuts, at);
    }

    /** Places a cut anew between its neighbours. */
    private static void place(Sums sums, int length, List<Integer> cuts, int at) {
        if (at < 0 || at >= cuts.size()) {
            return;
        }
        int from = from(cuts, at);
        int to = to(cuts, at, length);
        int best = cuts.get(at);
        for (int cut = from + 1; cut < to; cut++) {
            if (sums.cost(from, cut) + sums.cost(cut, to) < sums.cost(from, best) + sums.cost(best, to)) {
                best = cut;
            }
        }
        cuts.set(at, best);
    }

    /** The first and the last place that the posterior of a change between two cuts leaves open. */
    private static int[] places(Sums sums, int from, int cut, int to) {
        int length = to - from;
        double[] logs = new double[length];
        Arrays.fill(logs, Double.NEGATIVE_INFINITY);
        double least = length * MIN_NOISE * MIN_NOISE;
        for (int at = 1; at < length; at++) {
            double cost = Math.max(least, sums.cost(from, from + at) + sums.cost(from + at, to));
            logs[at] = -0.5 * Math.log((double) at * (length - at)) - (length - 2) / 2.0 * Math.log(cost);
        }
        double largest = Arrays.stream(logs).max().orElse(0);
        double[] weights =
                Arrays.stream(logs).map(log -> Math.exp(log - largest)).toArray();
        double total = Arrays.stream(weights).sum();
        int[] order = IntStream.range(1, length)
                .boxed()
                .sorted(Comparator.comparingDouble(at -> -weights[at]))
                .mapToInt(Integer::intValue)
                .toArray();
        int earliest = cut;
        int latest = cut;
        double held = 0;
        for (int at : order) {
            if (held >= PLACE * total) {
                break;
            }
            held += weights[at];
            earliest = Math.min(earliest, from + at);
            latest = Math.max(latest, from + at);
        }
        return new int[] {earliest, latest};
    }

    /** The last runs, fewer than a level, held against the level before them. */
    private static Optional<ChangePoint> early(double[] values, List<Integer> cuts, double falseAlarmRate, int series) {
        int length = values.length;
        int from = cuts.stream().filter(cut -> length - cut >= HELD).reduce(0, Math::max);
        Sums sums = new Sums(values);
        Optional<ChangePoint> best = Optional.empty();
        for (int runs = 1; runs < HELD && length - runs - from >= HELD; runs++) {
            int cut = length - runs;
            double p = Math.min(1, (HELD - 1) * series * test(sums, from, cut, length) / (1 - CHANGES_SHARE));
            if (p <= falseAlarmRate && (best.isEmpty() || p < best.get().p())) {
                best = Optional.of(new ChangePoint(cut, cut, cut, p));
            }
        }
        return best;
    }

    /** The t-test tells short levels, the rank test long ones with spikes; there are two chances for a false alarm. */
    private static double difference(double[] values, Sums sums, int from, int cut, int to) {
        double ranks = MannWhitneyUTest.withDefaults()
                .test(Arrays.copyOfRange(values, from, cut), Arrays.copyOfRange(values, cut, to))
                .getPValue();
        return 2 * Math.min(test(sums, from, cut, to), ranks);
    }

    /** Student's two-sided test between both sides of a cut. */
    private static double test(Sums sums, int from, int cut, int to) {
        int degrees = to - from - 2;
        if (degrees < 1) {
            return 1;
        }
        double variance = Math.max(MIN_NOISE * MIN_NOISE, (sums.cost(from, cut) + sums.cost(cut, to)) / degrees);
        double error = Math.sqrt(variance * (1.0 / (cut - from) + 1.0 / (to - cut)));
        double t = Math.abs(sums.mean(cut, to) - sums.mean(from, cut)) / error;
        return 2 * TDistribution.of(degrees).survivalProbability(t);
    }

    /** The noise from one run to the next, which changes of level hardly enter. */
    private static double noise(double[] values) {
        double[] steps = new double[values.length - 1];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = Math.abs(values[i + 1] - values[i]);
        }
        return Math.max(MIN_NOISE, NORMAL * median(steps) / Math.sqrt(2));
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
        Sums sums = new Sums(values);
        double[] best = new double[length + 1];
        int[] last = new int[length + 1];
        Arrays.fill(best, Double.POSITIVE_INFINITY);
        best[0] = -penalty;
        for (int end = 1; end <= length; end++) {
            for (int start = 0; start < end; start++) {
                double cost = best[start] + sums.cost(start, end) + penalty;
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

    /** Means and squared deviations of any stretch of a series. */
    private static final class Sums {
        private final double origin;
        private final double[] sums;
        private final double[] squares;

        Sums(double[] values) {
            origin = values[0];
            sums = new double[values.length + 1];
            squares = new double[values.length + 1];
            for (int i = 0; i < values.length; i++) {
                double value = values[i] - origin;
                sums[i + 1] = sums[i] + value;
                squares[i + 1] = squares[i] + value * value;
            }
        }

        double mean(int from, int to) {
            return origin + (sums[to] - sums[from]) / (to - from);
        }

        double cost(int from, int to) {
            double sum = sums[to] - sums[from];
            return Math.max(0, squares[to] - squares[from] - sum * sum / (to - from));
        }
    }

    /** Returns the median; 0 of no values. */
    public static double median(double[] values) {
        if (values.length == 0) {
            return 0;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
