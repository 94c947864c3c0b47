/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.apache.commons.statistics.distribution.FDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Spread;
import io.gatebench.report.compare.Comparison.Noise;
import io.gatebench.report.compare.Comparison.NoiseSource;
import io.gatebench.report.compare.ModeratedVariance.Estimate;
import io.gatebench.report.importer.CellKey;

/**
 * The geometric mean over the test cases of a run, held against that of the baseline.
 *
 * <p>The test cases of a run do not vary alone: a machine, a day, a JVM is shared by all. What the mean over them
 * varies by is measured over earlier runs; else over the rounds of the repeats; else a quarter of the variance of a
 * test case is taken to be shared, and all of it where one gateway served all test cases of a run of the same day.
 *
 * @param pairs the test cases that may be built on
 * @param difference of the candidate from the reference, as a logarithm
 * @param standardError of that difference
 * @param degreesOfFreedom by which it is known
 * @param earlierRuns earlier runs that belong to the reference
 * @param noise of the mean over the test cases of one run
 */
record WholeRun(
        List<Pair> pairs,
        double difference,
        double standardError,
        double degreesOfFreedom,
        int earlierRuns,
        Noise noise) {

    /** The part of the variance of a test case that all test cases of a run share, where nothing tells it. */
    static final double SHARED = 0.25;
    /** Fewer steps between earlier runs do not tell the noise of a mean. */
    private static final double MIN_DEGREES = 2;
    /**
     * Rounds of repeats count as noise of their own if the test cases' noise makes them as unlike in fewer cases than
     * this.
     */
    private static final double ROUNDS_DIFFER = 0.2;

    /** Makes the test of one metric from its testable pairs, of which there must be one or more. */
    static WholeRun of(Metric metric, List<Pair> pairs, NoiseModel noises, EarlierRuns earlier) {
        double difference =
                pairs.stream().mapToDouble(Pair::difference).average().orElseThrow();
        NoiseSource source = noises.of(pairs.get(0)).source();
        if (source == NoiseSource.REPEATS) {
            return ofRepeats(pairs, difference, noises);
        }
        int cells = pairs.size();
        double independent = 0;
        double deviations = 0;
        double degrees = 0;
        double spread = 0;
        for (Pair pair : pairs) {
            Noise noise = noises.of(pair);
            independent += Math.pow(noise.percent() / 100 / cells, 2);
            deviations += noise.percent() / 100 / cells;
            degrees = Math.max(degrees, noise.degreesOfFreedom());
            spread += pair.spread() / Math.sqrt(2) / cells;
        }
        // How fast the compiler has made a gateway is shared by all test cases that it served; what varies within a
        // window is not.
        boolean kept = source == NoiseSource.SAME_DAY && pairs.get(0).before.hasKeptGateway() && !metric.ofTheTail();
        double shared = kept ? Math.pow(NoiseModel.sameDayNoise(metric) / (100 * deviations), 2) : SHARED;
        double modelled = (1 - shared) * independent + shared * deviations * deviations;
        Estimate measured = source == NoiseSource.HISTORY ? earlier.noiseOfRun(metric) : new Estimate(0, 0);
        if (measured.degreesOfFreedom() < MIN_DEGREES) {
            return single(pairs, difference, modelled, degrees, spread, source);
        }
        double variance = Math.max(independent, measured.variance());
        double deviation = Math.sqrt(variance);
        Map<CellKey, Double> baseline = new HashMap<>();
        pairs.forEach(pair -> baseline.put(pair.before.key().matching(), Spread.mean(pair.left)));
        EarlierRuns.Reference level = earlier.reference(metric, baseline, deviation);
        // The baseline is one run of its level as the others are.
        double reference = level.difference() * level.runs() / (level.runs() + 1.0);
        return new WholeRun(
                pairs,
                difference - reference,
                deviation * Math.sqrt(1 + 1.0 / (1 + level.runs())),
                measured.degreesOfFreedom(),
                level.runs(),
                new Noise(100 * deviation, measured.degreesOfFreedom(), source));
    }

    private static WholeRun single(
            List<Pair> pairs, double difference, double variance, double degrees, double spread, NoiseSource source) {
        double deviation = Math.sqrt(variance);
        return new WholeRun(
                pairs,
                difference,
                deviation * Math.sqrt(2) * spread,
                degrees,
                0,
                new Noise(100 * deviation, degrees, source));
    }

    private static WholeRun ofRepeats(List<Pair> pairs, double difference, NoiseModel noises) {
        int cells = pairs.size();
        double error = 0;
        double single = 0;
        double degrees = 0;
        for (Pair pair : pairs) {
            Noise noise = noises.of(pair);
            double variance = Math.pow(noise.percent() / 100 / cells, 2);
            error += variance * pair.spread() * pair.spread();
            single += variance;
            degrees += noise.degreesOfFreedom();
        }
        // Moderated variances share their degrees of freedom, so that the sum would count them once per test case.
        degrees = Math.max(1, degrees / cells);
        Estimate rounds = rounds(pairs);
        if (rounds.degreesOfFreedom() > 0
                && FDistribution.of(rounds.degreesOfFreedom(), degrees).survivalProbability(rounds.variance() / single)
                        < ROUNDS_DIFFER) {
            double spread = pairs.get(0).spread();
            return new WholeRun(
                    pairs,
                    difference,
                    Math.sqrt(rounds.variance()) * spread,
                    rounds.degreesOfFreedom(),
                    0,
                    new Noise(100 * Math.sqrt(rounds.variance()), rounds.degreesOfFreedom(), NoiseSource.REPEATS));
        }
        return new WholeRun(
                pairs,
                difference,
                Math.sqrt(error),
                degrees,
                0,
                new Noise(100 * Math.sqrt(single), degrees, NoiseSource.REPEATS));
    }

    /**
     * The variance of the mean over the test cases from one round of repeats to another, if all test cases have the
     * same rounds.
     */
    private static Estimate rounds(List<Pair> pairs) {
        Pair first = pairs.get(0);
        boolean alike = pairs.stream()
                .allMatch(pair -> pair.left.length == first.left.length && pair.right.length == first.right.length);
        int degrees = first.left.length + first.right.length - 2;
        if (!alike || degrees < MIN_DEGREES || pairs.size() < 2) {
            return new Estimate(0, 0);
        }
        double[] left = new double[first.left.length];
        double[] right = new double[first.right.length];
        for (Pair pair : pairs) {
            add(left, pair.left, pairs.size());
            add(right, pair.right, pairs.size());
        }
        return new Estimate((squares(left) + squares(right)) / degrees, degrees);
    }

    private static void add(double[] sums, double[] values, int cells) {
        double mean = Spread.mean(values);
        for (int i = 0; i < sums.length; i++) {
            sums[i] += (values[i] - mean) / cells;
        }
    }

    private static double squares(double[] deviations) {
        double sum = 0;
        for (double deviation : deviations) {
            sum += deviation * deviation;
        }
        return sum;
    }

    /** Returns the chance to be as much worse, or better, by noise alone. */
    double p(boolean loss) {
        boolean higher = pairs.get(0).metric.better() == Metric.Better.HIGHER;
        double gain = higher ? difference : -difference;
        return distribution().survivalProbability((loss ? -gain : gain) / standardError);
    }

    TDistribution distribution() {
        return TDistribution.of(degreesOfFreedom);
    }
}
