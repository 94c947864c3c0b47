/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.gatebench.report.column.Metric;
import io.gatebench.report.compare.Comparison.Noise;
import io.gatebench.report.compare.Comparison.NoiseSource;
import io.gatebench.report.compare.ModeratedVariance.Estimate;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.SeriesNoise;

/** Size of the noise of one run of one test case, and by how much it is known. */
final class NoiseModel {

    /** Median variation per test case of 11 published nightly runs of one matrix. */
    private static final double DEFAULT_NOISE_PERCENT = 5.5;
    /** The same for the 99th percentile; taken for all figures of the tail. */
    private static final double DEFAULT_TAIL_NOISE_PERCENT = 20.5;
    /** From one start of a gateway to the next, on a processor of its own and steady; see docs/concepts/noise.md. */
    private static final double SAME_DAY_NOISE_PERCENT = 3.2;
    /** The same for the figures of the tail. */
    private static final double SAME_DAY_TAIL_NOISE_PERCENT = 7;

    private final Map<Metric, ModeratedVariance> repeats = new EnumMap<>(Metric.class);
    private final Map<Metric, Map<CellKey, Estimate>> history = new EnumMap<>(Metric.class);
    private final Map<Metric, ModeratedVariance> series = new EnumMap<>(Metric.class);
    private final Map<ResultRow, Map<Metric, Estimate>> ofRows = new HashMap<>();

    /** Learns from all pairs of a matrix together. */
    NoiseModel(List<Metric> metrics, EarlierRuns earlier, List<Pair> pairs) {
        for (Metric metric : metrics) {
            List<Pair> all = pairs.stream()
                    .filter(pair -> pair.metric == metric && pair.comparable())
                    .toList();
            List<Estimate> within = all.stream()
                    .map(pair -> pair.within)
                    .filter(estimate -> estimate.degreesOfFreedom() > 0)
                    .toList();
            if (!within.isEmpty()) {
                repeats.put(metric, ModeratedVariance.fit(within));
            }
            history.put(metric, earlier.noise(metric));
            List<Estimate> seconds = all.stream()
                    .flatMap(pair -> List.of(pair.before, pair.after).stream())
                    .map(side -> ofSeconds(side, metric))
                    .filter(estimate -> estimate.degreesOfFreedom() > 0)
                    .toList();
            if (!seconds.isEmpty()) {
                series.put(metric, ModeratedVariance.fit(seconds));
            }
        }
    }

    /** Returns the noise of a pair: of the repeats, else of earlier runs, else what is stated and what the seconds tell. */
    Noise of(Pair pair) {
        ModeratedVariance common = repeats.get(pair.metric);
        if (common != null) {
            return noise(common.of(pair.within), NoiseSource.REPEATS);
        }
        Map<CellKey, Estimate> earlier = history.getOrDefault(pair.metric, Map.of());
        if (!earlier.isEmpty()) {
            Estimate estimate = earlier.get(pair.before.key().matching());
            if (estimate == null) {
                estimate = ModeratedVariance.fit(List.copyOf(earlier.values())).of(new Estimate(0, 0));
            }
            return noise(estimate, NoiseSource.HISTORY);
        }
        boolean sameDay = pair.before.isOfTheSameDayAs(pair.after);
        double stated = (sameDay ? sameDayNoise(pair.metric) : defaultNoise(pair.metric)) / 100;
        Estimate before = ofSeconds(pair.before, pair.metric);
        Estimate after = ofSeconds(pair.after, pair.metric);
        ModeratedVariance seconds = series.get(pair.metric);
        if (seconds == null || before.degreesOfFreedom() <= 0 || after.degreesOfFreedom() <= 0) {
            return new Noise(
                    100 * stated, Double.POSITIVE_INFINITY, sameDay ? NoiseSource.SAME_DAY : NoiseSource.DEFAULT);
        }
        Estimate left = seconds.of(before);
        Estimate right = seconds.of(after);
        double within = (left.variance() + right.variance()) / 2;
        // Satterthwaite: what is stated counts as known, what the seconds tell by as much as they do.
        double unknown = left.variance() * left.variance() / (4 * left.degreesOfFreedom())
                + right.variance() * right.variance() / (4 * right.degreesOfFreedom());
        double variance = stated * stated + within;
        return new Noise(
                100 * Math.sqrt(variance),
                variance * variance / unknown,
                sameDay ? NoiseSource.SAME_DAY : NoiseSource.SERIES);
    }

    private static Noise noise(Estimate estimate, NoiseSource source) {
        return new Noise(100 * Math.sqrt(estimate.variance()), estimate.degreesOfFreedom(), source);
    }

    /** Returns the stated noise of one run of one test case in percent. */
    static double defaultNoise(Metric metric) {
        return metric.ofTheTail() ? DEFAULT_TAIL_NOISE_PERCENT : DEFAULT_NOISE_PERCENT;
    }

    /** Returns the stated noise of one test case between runs of one day in percent. */
    static double sameDayNoise(Metric metric) {
        return metric.ofTheTail() ? SAME_DAY_TAIL_NOISE_PERCENT : SAME_DAY_NOISE_PERCENT;
    }

    private Estimate ofSeconds(ComparedCase side, Metric metric) {
        return side.sound().size() != 1
                ? new Estimate(0, 0)
                : ofRows.computeIfAbsent(side.sound().get(0), any -> new EnumMap<>(Metric.class))
                        .computeIfAbsent(
                                metric,
                                any -> SeriesNoise.read(side.sound().get(0), metric)
                                        .map(noise -> new Estimate(
                                                noise.percent() * noise.percent() / 10_000, noise.degreesOfFreedom()))
                                        .orElse(new Estimate(0, 0)));
    }
}
