/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import static io.gatebench.report.trend.ChangePoints.median;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Spread;
import io.gatebench.report.compare.ModeratedVariance.Estimate;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.trend.ChangePoints;

/**
 * Noise that earlier runs tell of, whatever changed between them.
 *
 * <p>The noise comes from the steps between one run and the next. A step over a place where the runs as a whole went to
 * another level, however short, does not count, and of a single test case no step beyond four robust standard
 * deviations, so that a release or a broken night inside the history is no noise. What remains are {@code m} steps with
 * {@code s² = Σ d² / (2 m)}, which is known by two thirds of {@code m} (von Neumann, Distribution of the ratio of the
 * mean square successive difference to the variance, Annals of Mathematical Statistics 12, 1941).
 */
final class EarlierRuns {

    private static final double SPIKE = 4;
    /** Ratio of the standard deviation to the median absolute deviation of normal values. */
    private static final double NORMAL = 1.4826;

    private static final double EFFICIENCY = 2.0 / 3;
    /** A run counts in the mean over the test cases if it holds this part of them. */
    private static final double MAX_CELLS = 0.5;
    /** A baseline belongs to a level that is no further off than this many standard errors. */
    private static final double NEAR = 2;

    private final List<Map<Metric, Map<CellKey, Double>>> runs;

    /**
     * The earlier runs at the level of the baseline.
     *
     * @param runs how many
     * @param difference their geometric mean by that of the baseline, as a logarithm; 0 if there are none
     */
    record Reference(int runs, double difference) {}

    private EarlierRuns(List<Map<Metric, Map<CellKey, Double>>> runs) {
        this.runs = runs;
    }

    static EarlierRuns of(ComparisonOptions options) {
        List<Map<Metric, Map<CellKey, Double>>> all = new ArrayList<>();
        for (ImportedRun run : options.history()) {
            all.add(figures(
                    ComparedCase.byCell(run.name(), run.rows(), options.largestErrorPercent()), options.metrics()));
        }
        return new EarlierRuns(all);
    }

    /** Returns these runs without those that hold the figures of another: it must not tell its own noise. */
    EarlierRuns without(Map<CellKey, ComparedCase> run, List<Metric> metrics) {
        if (runs.isEmpty()) {
            return this;
        }
        Map<Metric, Map<CellKey, Double>> figures = figures(run, metrics);
        return new EarlierRuns(
                runs.stream().filter(earlier -> !earlier.equals(figures)).toList());
    }

    private static Map<Metric, Map<CellKey, Double>> figures(Map<CellKey, ComparedCase> run, List<Metric> metrics) {
        Map<Metric, Map<CellKey, Double>> figures = new EnumMap<>(Metric.class);
        for (Metric metric : metrics) {
            Map<CellKey, Double> cells = new HashMap<>();
            run.forEach((key, side) -> {
                double[] logs = side.logs(metric);
                if (side.reason().isEmpty() && logs.length > 0) {
                    cells.put(key, Spread.mean(logs));
                }
            });
            figures.put(metric, cells);
        }
        return figures;
    }

    /** Returns the noise of each test case; empty if there are fewer than two runs of any. */
    Map<CellKey, Estimate> noise(Metric metric) {
        boolean[] cut = cuts(metric);
        Map<CellKey, double[]> steps = new TreeMap<>(CellKey.ORDER);
        steps(metric, cut).forEach(steps::put);
        double pooled = median(steps.values().stream()
                .flatMapToDouble(Arrays::stream)
                .map(Math::abs)
                .toArray());
        Map<CellKey, Estimate> raw = new LinkedHashMap<>();
        steps.forEach((key, all) -> {
            double own = median(Arrays.stream(all).map(Math::abs).toArray());
            double most = SPIKE * NORMAL * Math.max(own, pooled / 2);
            double[] kept = Arrays.stream(all)
                    .filter(step -> most == 0 || Math.abs(step) <= most)
                    .toArray();
            if (kept.length > 0) {
                raw.put(key, estimate(kept));
            }
        });
        ModeratedVariance common = ModeratedVariance.fit(List.copyOf(raw.values()));
        // Test cases that share a part of their noise tell less together than their number says.
        double together =
                raw.values().stream().mapToDouble(Estimate::degreesOfFreedom).sum()
                        / (1 + WholeRun.SHARED * WholeRun.SHARED * (raw.size() - 1));
        Map<CellKey, Estimate> moderated = new LinkedHashMap<>();
        raw.forEach((key, estimate) -> {
            Estimate of = common.of(estimate);
            double degrees = Math.min(of.degreesOfFreedom(), Math.max(estimate.degreesOfFreedom(), together));
            moderated.put(key, new Estimate(of.variance(), degrees));
        });
        return moderated;
    }

    /**
     * Returns the noise of the mean over the test cases of one run, from its deviations within the levels; without
     * degrees of freedom if there are none.
     */
    Estimate noiseOfRun(Metric metric) {
        double squares = 0;
        int degrees = 0;
        for (List<Double> level : levels(means(metric, medians(metric)), cuts(metric))) {
            double mean = mean(level);
            squares += level.stream()
                    .mapToDouble(run -> (run - mean) * (run - mean))
                    .sum();
            degrees += Math.max(0, level.size() - 1);
        }
        return new Estimate(degrees == 0 ? 0 : squares / degrees, degrees);
    }

    /** The runs that hold a figure, by level. */
    private static List<List<Double>> levels(double[] means, boolean[] cut) {
        List<List<Double>> levels = new ArrayList<>();
        levels.add(new ArrayList<>());
        for (int i = 0; i < means.length; i++) {
            if (cut[i]) {
                levels.add(new ArrayList<>());
            }
            if (!Double.isNaN(means[i])) {
                levels.get(levels.size() - 1).add(means[i]);
            }
        }
        return levels;
    }

    /**
     * Returns the runs at the level of the baseline: those of the only level that it can belong to.
     *
     * @param baseline the baseline's logarithms of the tested test cases
     * @param deviation of the mean over the test cases of one run
     */
    Reference reference(Metric metric, Map<CellKey, Double> baseline, double deviation) {
        double[] means = means(metric, baseline);
        for (int i = 0; i < means.length; i++) {
            // The baseline stands beside its level, and counts once.
            means[i] = baseline.equals(runs.get(i).get(metric)) ? Double.NaN : means[i];
        }
        List<List<Double>> levels = levels(means, cuts(metric));
        List<List<Double>> near = levels.stream()
                .filter(level -> !level.isEmpty())
                .filter(level -> Math.abs(mean(level)) <= NEAR * deviation * Math.sqrt(1 + 1.0 / level.size()))
                .toList();
        return near.size() == 1 ? new Reference(near.get(0).size(), mean(near.get(0))) : new Reference(0, 0);
    }

    private static Estimate estimate(double[] steps) {
        return new Estimate(
                Arrays.stream(steps).map(step -> step * step).sum() / (2 * steps.length), EFFICIENCY * steps.length);
    }

    /**
     * The steps of each test case from one of its runs to the next that lie within one level of the runs as a whole.
     */
    private Map<CellKey, double[]> steps(Metric metric, boolean[] cut) {
        Map<CellKey, List<Double>> steps = new HashMap<>();
        Map<CellKey, Double> last = new HashMap<>();
        for (int i = 0; i < runs.size(); i++) {
            if (cut[i]) {
                last.clear();
            }
            runs.get(i).get(metric).forEach((key, value) -> {
                Double before = last.put(key, value);
                if (before != null) {
                    steps.computeIfAbsent(key, any -> new ArrayList<>()).add(value - before);
                }
            });
        }
        Map<CellKey, double[]> arrays = new HashMap<>();
        steps.forEach((key, values) ->
                arrays.put(key, values.stream().mapToDouble(Double::doubleValue).toArray()));
        return arrays;
    }

    /** Returns at which runs the mean over the test cases steps to another level. */
    private boolean[] cuts(Metric metric) {
        boolean[] cut = new boolean[runs.size()];
        double[] means = means(metric, medians(metric));
        int[] places = IntStream.range(0, means.length)
                .filter(i -> !Double.isNaN(means[i]))
                .toArray();
        double[] present = Arrays.stream(places).mapToDouble(i -> means[i]).toArray();
        ChangePoints.cuts(present, leastNoise(metric)).forEach(at -> cut[places[at]] = true);
        return cut;
    }

    /** A mean over the test cases varies at least as much as if they shared nothing. */
    private double leastNoise(Metric metric) {
        Map<CellKey, double[]> steps = steps(metric, new boolean[runs.size()]);
        double median = median(steps.values().stream()
                .flatMapToDouble(Arrays::stream)
                .map(Math::abs)
                .toArray());
        return NORMAL * median / Math.sqrt(2 * Math.max(1, steps.size()));
    }

    private Map<CellKey, Double> medians(Metric metric) {
        Map<CellKey, List<Double>> values = new HashMap<>();
        runs.forEach(run -> run.get(metric)
                .forEach((key, value) ->
                        values.computeIfAbsent(key, any -> new ArrayList<>()).add(value)));
        Map<CellKey, Double> medians = new HashMap<>();
        values.forEach((key, all) -> medians.put(
                key, median(all.stream().mapToDouble(Double::doubleValue).toArray())));
        return medians;
    }

    /** Returns per run the mean over the test cases of what they are beyond an origin; NaN if it lacks most of them. */
    private double[] means(Metric metric, Map<CellKey, Double> origin) {
        double[] means = new double[runs.size()];
        for (int i = 0; i < means.length; i++) {
            double sum = 0;
            int cells = 0;
            for (Map.Entry<CellKey, Double> cell : runs.get(i).get(metric).entrySet()) {
                Double at = origin.get(cell.getKey());
                if (at != null) {
                    sum += cell.getValue() - at;
                    cells++;
                }
            }
            means[i] = cells == 0 || cells < MAX_CELLS * origin.size() ? Double.NaN : sum / cells;
        }
        return means;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
}
