/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.BinomialTest;

import io.gatebench.report.compare.Comparison.Broken;
import io.gatebench.report.compare.Comparison.Candidate;
import io.gatebench.report.compare.Comparison.Cell;
import io.gatebench.report.compare.Comparison.Noise;
import io.gatebench.report.compare.Comparison.NoiseSource;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.report.compare.Comparison.Overall;
import io.gatebench.report.compare.Comparison.Unmatched;
import io.gatebench.report.compare.ModeratedVariance.Estimate;
import io.gatebench.report.past.CellKey;
import io.gatebench.report.past.Metric;
import io.gatebench.report.past.PastResults;
import io.gatebench.report.past.PastRow;

/**
 * Compares runs with a baseline, cell by cell.
 *
 * <p>Figures are compared as logarithms, so that a difference is a ratio. A difference counts if a t-test with moderated
 * variances rejects chance after correction for all cells and metrics of the matrix. The noise is that of the repeats
 * within the two runs, else that of earlier runs, else a stated default. A cell with errors or an invalid verdict on
 * either side is never faster or slower. The formulas stand in {@code docs/concepts/noise.md}.
 *
 * <p>A pure function: no clock and no random number.
 */
public final class RunComparator {

    /** Median variation per cell of 11 published nightly runs of one matrix. */
    private static final double DEFAULT_NOISE_PERCENT = 5.5;
    /** The same for the 99th percentile; taken for all figures of the tail. */
    private static final double DEFAULT_TAIL_NOISE_PERCENT = 20.5;

    private static final double INTERVAL = 0.95;
    /** The part of the false alarms that the first metric may cause. */
    private static final double PRIMARY_SHARE = 0.7;
    /** The part that all others share. The rest is kept in reserve, because the noise itself is estimated. */
    private static final double OTHERS_SHARE = 0.15;
    /** The part that losses may cause: a loss that is missed is shipped, a gain that is missed costs nothing. */
    private static final double LOSS_SHARE = 0.8;
    /** A cell is suspect if noise alone makes it this much worse in one case of twenty or less. */
    private static final double SUSPECT = 0.05;
    /** Normal quantile of the power of 90 %. */
    private static final double POWER_QUANTILE = 1.2815515655446004;
    /** Answers that shrink or grow by more than this factor are other answers. */
    private static final double ANSWER_SIZE_FACTOR = 2;

    private static final double COMMON_SHIFT = 0.001;
    /** Each figure asks two questions, whether it got worse and whether it got better. */
    private static final int LOSS = 0;

    private static final int GAIN = 1;

    private final ComparisonOptions options;
    private final Map<Metric, Map<CellKey, Estimate>> history;

    /** A matched figure before it is judged. */
    private static final class Pair {
        private final Side before;
        private final Side after;
        private final Metric metric;
        private final double[] left;
        private final double[] right;
        private final Estimate within;
        private final String missing;

        private Pair(Side before, Side after, Metric metric) {
            this.before = before;
            this.after = after;
            this.metric = metric;
            this.left = before.logs(metric);
            this.right = after.logs(metric);
            int degrees = Math.max(0, left.length - 1) + Math.max(0, right.length - 1);
            this.within = new Estimate(degrees == 0 ? 0 : (squares(left) + squares(right)) / degrees, degrees);
            this.missing = left.length == 0 ? before.run() : right.length == 0 ? after.run() : "";
        }

        private boolean testable() {
            return before.reason().isEmpty() && after.reason().isEmpty() && missing.isEmpty() && !ofTwoLoadModels();
        }

        /** A response time at a given rate says nothing beside one of users that wait for their answers. */
        private boolean ofTwoLoadModels() {
            return !before.loadModel().isEmpty()
                    && !after.loadModel().isEmpty()
                    && !before.loadModel().equals(after.loadModel());
        }

        private double difference() {
            return mean(right) - mean(left);
        }

        /** The difference with the sign of what is better. */
        private double gain() {
            return metric.better() == Metric.Better.HIGHER ? difference() : -difference();
        }

        /** Equal figures without any spread need no test, and none is counted for them. */
        private boolean identical() {
            return difference() == 0 && within.variance() == 0;
        }
    }

    /**
     * How likely a difference is by noise alone.
     *
     * @param adjusted in the direction that it went, corrected for all questions of the matrix
     * @param loss of being as much worse as it is, or more; not corrected
     * @param level what {@code loss} must fall below if this cell alone changed; empty if nothing was asked
     */
    private record Chances(double adjusted, double loss, OptionalDouble level) {}

    /** Makes a comparator. */
    public RunComparator(ComparisonOptions options) {
        this.options = options;
        this.history = new EnumMap<>(Metric.class);
        for (Metric metric : options.metrics()) {
            history.put(metric, historyOf(metric));
        }
    }

    /**
     * Compares all further inputs with the first.
     *
     * @throws IllegalArgumentException if there are fewer than two inputs
     */
    public Comparison compare(List<PastResults> inputs) {
        if (inputs.size() < 2) {
            throw new IllegalArgumentException("a comparison needs two inputs or more but got " + inputs.size());
        }
        List<String> names = names(inputs);
        List<Map<CellKey, Side>> sides = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            sides.add(Side.byCell(names.get(i), inputs.get(i).rows(), options.largestErrorPercent()));
            for (PastResults.Problem problem : inputs.get(i).problems()) {
                problems.add(names.get(i) + ": " + problem);
            }
        }
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 1; i < inputs.size(); i++) {
            candidates.add(candidate(names.get(0), sides.get(0), names.get(i), sides.get(i)));
        }
        return new Comparison(names.get(0), candidates, options.falseAlarmRate(), problems);
    }

    private Candidate candidate(String baseline, Map<CellKey, Side> before, String name, Map<CellKey, Side> after) {
        List<Pair> pairs = new ArrayList<>();
        List<Unmatched> unmatched = new ArrayList<>();
        for (Map.Entry<CellKey, Side> entry : before.entrySet()) {
            Side other = after.get(entry.getKey());
            if (other == null) {
                unmatched.add(new Unmatched(
                        entry.getValue().key(), baseline, entry.getValue().where()));
                continue;
            }
            Side counterpart = sameAnswers(entry.getValue(), other);
            for (Metric metric : options.metrics()) {
                pairs.add(new Pair(entry.getValue(), counterpart, metric));
            }
        }
        after.forEach((key, side) -> {
            if (!before.containsKey(key)) {
                unmatched.add(new Unmatched(side.key(), name, side.where()));
            }
        });
        List<Cell> cells = new ArrayList<>(judge(pairs));
        cells.sort(WORST_FIRST);
        List<Overall> overall =
                options.metrics().stream().map(metric -> overall(metric, cells)).toList();
        Outcome outcome = outcome(cells);
        return new Candidate(
                name, cells, unmatched, overall, outcome, summary(outcome, cells, unmatched, overall, baseline, name));
    }

    private static final Comparator<Cell> WORST_FIRST = Comparator.comparingInt(RunComparator::severity)
            .thenComparingDouble(RunComparator::badness)
            .thenComparing(Cell::key, CellKey.ORDER)
            .thenComparing(Cell::metric);

    private static int severity(Cell cell) {
        if (cell.broken() == Broken.CANDIDATE) {
            return 0;
        }
        return switch (cell.outcome()) {
            case SLOWER -> 1;
            case NOT_COMPARABLE -> 2;
            case SAME -> 3;
            case FASTER -> 4;
        };
    }

    /** Returns the change for the better as a logarithm: the more negative, the worse. */
    private static double badness(Cell cell) {
        if (cell.ratio().isEmpty() || cell.ratio().getAsDouble() <= 0) {
            return 0;
        }
        double log = Math.log(cell.ratio().getAsDouble());
        return cell.metric().better() == Metric.Better.HIGHER ? log : -log;
    }

    private List<Cell> judge(List<Pair> pairs) {
        Map<Metric, ModeratedVariance> repeats = new EnumMap<>(Metric.class);
        for (Metric metric : options.metrics()) {
            List<Estimate> estimates = pairs.stream()
                    .filter(pair -> pair.metric == metric && pair.testable() && pair.within.degreesOfFreedom() > 0)
                    .map(pair -> pair.within)
                    .toList();
            if (!estimates.isEmpty()) {
                repeats.put(metric, ModeratedVariance.fit(estimates));
            }
        }
        List<Pair> tested = pairs.stream()
                .filter(pair -> pair.testable() && !pair.identical())
                .toList();
        double[] p = new double[2 * tested.size()];
        double[] weights = new double[p.length];
        Map<Pair, Integer> index = new HashMap<>();
        for (int i = 0; i < tested.size(); i++) {
            Pair pair = tested.get(i);
            Noise noise = noise(pair, repeats);
            double t = pair.gain() / standardError(pair, noise);
            p[2 * i + LOSS] = distribution(noise).survivalProbability(-t);
            p[2 * i + GAIN] = distribution(noise).survivalProbability(t);
            index.put(pair, i);
        }
        weigh(tested, weights);
        double[] adjusted = FalseDiscoveries.adjust(p, weights);
        List<Cell> cells = new ArrayList<>();
        for (Pair pair : pairs) {
            Integer at = index.get(pair);
            if (!pair.testable()) {
                cells.add(notComparable(pair));
            } else if (at == null) {
                cells.add(judged(pair, noise(pair, repeats), new Chances(1, 1, OptionalDouble.empty()), tested.size()));
            } else {
                int loss = 2 * at + LOSS;
                double level = options.falseAlarmRate() * weights[loss] / p.length;
                Chances chances = new Chances(
                        adjusted[2 * at + (pair.gain() < 0 ? LOSS : GAIN)], p[loss], OptionalDouble.of(level));
                cells.add(judged(pair, noise(pair, repeats), chances, tested.size()));
            }
        }
        return cells;
    }

    /** Shares the false alarms out over metrics and directions; the mean weight is 1 less the reserve. */
    private void weigh(List<Pair> tested, double[] weights) {
        Metric primary = options.metrics().get(0);
        long primaries = tested.stream().filter(pair -> pair.metric == primary).count();
        long others = tested.size() - primaries;
        for (int i = 0; i < tested.size(); i++) {
            double weight = PRIMARY_SHARE + OTHERS_SHARE;
            if (others > 0 && primaries > 0) {
                weight = tested.get(i).metric == primary
                        ? PRIMARY_SHARE * tested.size() / primaries
                        : OTHERS_SHARE * tested.size() / others;
            }
            weights[2 * i + LOSS] = 2 * LOSS_SHARE * weight;
            weights[2 * i + GAIN] = 2 * (1 - LOSS_SHARE) * weight;
        }
    }

    private Noise noise(Pair pair, Map<Metric, ModeratedVariance> repeats) {
        ModeratedVariance common = repeats.get(pair.metric);
        if (common != null) {
            Estimate estimate = common.of(pair.within);
            return new Noise(100 * Math.sqrt(estimate.variance()), estimate.degreesOfFreedom(), NoiseSource.REPEATS);
        }
        Map<CellKey, Estimate> earlier = history.getOrDefault(pair.metric, Map.of());
        if (!earlier.isEmpty()) {
            Estimate estimate = earlier.get(pair.before.key().matching());
            if (estimate == null) {
                estimate = ModeratedVariance.fit(List.copyOf(earlier.values())).of(new Estimate(0, 0));
            }
            return new Noise(100 * Math.sqrt(estimate.variance()), estimate.degreesOfFreedom(), NoiseSource.HISTORY);
        }
        return new Noise(defaultNoise(pair.metric), Double.POSITIVE_INFINITY, NoiseSource.DEFAULT);
    }

    /** Returns the stated noise of one run of one cell in percent. */
    static double defaultNoise(Metric metric) {
        return switch (metric) {
            case P90, P95, P98, P99, P999, MAX, DEVIATION -> DEFAULT_TAIL_NOISE_PERCENT;
            default -> DEFAULT_NOISE_PERCENT;
        };
    }

    private static double standardError(Pair pair, Noise noise) {
        return noise.percent() / 100 * Math.sqrt(1.0 / pair.left.length + 1.0 / pair.right.length);
    }

    private static TDistribution distribution(Noise noise) {
        return TDistribution.of(noise.degreesOfFreedom());
    }

    private Cell judged(Pair pair, Noise noise, Chances chances, int comparisons) {
        double difference = pair.difference();
        double ratio = Math.exp(difference);
        double adjusted = chances.adjusted();
        double reach = standardError(pair, noise) * distribution(noise).inverseSurvivalProbability((1 - INTERVAL) / 2);
        boolean significant =
                adjusted <= options.falseAlarmRate() && Math.abs(ratio - 1) * 100 >= options.smallestChangePercent();
        Outcome outcome = !significant ? Outcome.SAME : pair.gain() > 0 ? Outcome.FASTER : Outcome.SLOWER;
        boolean suspect = outcome == Outcome.SAME
                && pair.metric == options.metrics().get(0)
                && chances.loss() <= SUSPECT
                && Math.abs(ratio - 1) * 100 >= options.smallestChangePercent();
        OptionalDouble detectable = chances.level().isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        detectablePercent(pair, noise, chances.level().getAsDouble()));
        String reason = Words.judged(
                pair.metric,
                Math.exp(mean(pair.left)),
                Math.exp(mean(pair.right)),
                ratio,
                Math.exp(difference - reach),
                Math.exp(difference + reach),
                noise,
                pair.left.length,
                pair.right.length,
                pair.identical(),
                adjusted,
                comparisons);
        if (outcome == Outcome.FASTER && !(pair.before.errorsKnown() && pair.after.errorsKnown())) {
            return new Cell(
                    pair.before.key(),
                    pair.metric,
                    OptionalDouble.of(Math.exp(mean(pair.left))),
                    OptionalDouble.of(Math.exp(mean(pair.right))),
                    OptionalDouble.of(ratio),
                    OptionalDouble.empty(),
                    OptionalDouble.empty(),
                    pair.left.length,
                    pair.right.length,
                    Optional.of(noise),
                    OptionalDouble.of(adjusted),
                    OptionalDouble.empty(),
                    false,
                    Outcome.NOT_COMPARABLE,
                    Broken.NONE,
                    "the errors are not known, and a gateway that refuses everything is fast; " + reason);
        }
        return new Cell(
                pair.before.key(),
                pair.metric,
                OptionalDouble.of(Math.exp(mean(pair.left))),
                OptionalDouble.of(Math.exp(mean(pair.right))),
                OptionalDouble.of(ratio),
                OptionalDouble.of(Math.exp(difference - reach)),
                OptionalDouble.of(Math.exp(difference + reach)),
                pair.left.length,
                pair.right.length,
                Optional.of(noise),
                OptionalDouble.of(adjusted),
                detectable,
                suspect,
                outcome,
                Broken.NONE,
                reason + pair.before.caveat() + pair.after.caveat());
    }

    /** The loss that is found in nine of ten comparisons if this cell alone has it. */
    private static double detectablePercent(Pair pair, Noise noise, double level) {
        double reach =
                standardError(pair, noise) * (distribution(noise).inverseSurvivalProbability(level) + POWER_QUANTILE);
        return 100 * Math.abs(Math.expm1(pair.metric.better() == Metric.Better.HIGHER ? -reach : reach));
    }

    private static Cell notComparable(Pair pair) {
        String before = pair.before.reason();
        String after = pair.after.reason();
        Broken broken = pair.before.broken()
                ? pair.after.broken() ? Broken.BOTH : Broken.BASELINE
                : pair.after.broken() && before.isEmpty() ? Broken.CANDIDATE : Broken.NONE;
        List<String> reasons = new ArrayList<>();
        if (!before.isEmpty()) {
            reasons.add(pair.before.run() + ": " + before);
        }
        if (!after.isEmpty()) {
            reasons.add(pair.after.run() + ": " + after);
        }
        if (reasons.isEmpty() && pair.ofTwoLoadModels()) {
            reasons.add("the load models differ: " + pair.before.run() + " was " + pair.before.loadModel() + ", "
                    + pair.after.run() + " was " + pair.after.loadModel());
        }
        if (reasons.isEmpty()) {
            reasons.add(pair.missing + " holds no usable figure for " + pair.metric.shortName());
        }
        OptionalDouble left = pair.before.anyMean(pair.metric);
        OptionalDouble right = pair.after.anyMean(pair.metric);
        OptionalDouble ratio = left.isPresent() && right.isPresent() && left.getAsDouble() > 0
                ? OptionalDouble.of(right.getAsDouble() / left.getAsDouble())
                : OptionalDouble.empty();
        return new Cell(
                pair.before.key(),
                pair.metric,
                left,
                right,
                ratio,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                pair.left.length,
                pair.right.length,
                Optional.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                false,
                Outcome.NOT_COMPARABLE,
                broken,
                String.join("; ", reasons));
    }

    private static Overall overall(Metric metric, List<Cell> cells) {
        List<Cell> comparable = cells.stream()
                .filter(cell -> cell.metric() == metric && cell.outcome() != Outcome.NOT_COMPARABLE)
                .toList();
        int better = 0;
        int worse = 0;
        double sum = 0;
        for (Cell cell : comparable) {
            double change = badness(cell);
            better += change > 0 ? 1 : 0;
            worse += change < 0 ? 1 : 0;
            sum += Math.log(cell.ratio().orElseThrow());
        }
        double[] detectable = comparable.stream()
                .flatMapToDouble(cell -> cell.detectablePercent().stream())
                .sorted()
                .toArray();
        return new Overall(
                metric,
                comparable.size(),
                better,
                worse,
                comparable.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Math.exp(sum / comparable.size())),
                detectable.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(detectable[detectable.length / 2]));
    }

    private static Outcome outcome(List<Cell> cells) {
        boolean slower =
                cells.stream().anyMatch(cell -> cell.outcome() == Outcome.SLOWER || cell.broken() == Broken.CANDIDATE);
        if (slower) {
            return Outcome.SLOWER;
        }
        if (cells.stream().allMatch(cell -> cell.outcome() == Outcome.NOT_COMPARABLE)) {
            return Outcome.NOT_COMPARABLE;
        }
        return cells.stream().anyMatch(cell -> cell.outcome() == Outcome.FASTER) ? Outcome.FASTER : Outcome.SAME;
    }

    private List<String> summary(
            Outcome outcome,
            List<Cell> cells,
            List<Unmatched> unmatched,
            List<Overall> overall,
            String baseline,
            String name) {
        List<String> sentences = new ArrayList<>(Words.summary(outcome, cells, unmatched, overall, baseline, name));
        for (Overall metric : overall) {
            int moved = metric.better() + metric.worse();
            if (moved < 8) {
                continue;
            }
            double p = BinomialTest.withDefaults()
                    .test(moved, Math.max(metric.better(), metric.worse()), 0.5)
                    .getPValue();
            boolean anyAlone = cells.stream()
                    .anyMatch(cell -> cell.metric() == metric.metric()
                            && (cell.outcome() == Outcome.SLOWER || cell.outcome() == Outcome.FASTER));
            if (p < COMMON_SHIFT && !anyAlone) {
                sentences.add(Words.commonShift(metric));
            }
        }
        sentences.addAll(Words.limits(cells, overall));
        return sentences;
    }

    /** Earlier runs tell the noise by the differences from one run to the next, which a change of level hardly enters. */
    private Map<CellKey, Estimate> historyOf(Metric metric) {
        Map<CellKey, List<Double>> logs = new TreeMap<>(CellKey.ORDER);
        for (PastResults run : options.history()) {
            Side.byCell(run.name(), run.rows(), options.largestErrorPercent()).forEach((key, side) -> {
                double[] values = side.logs(metric);
                if (side.reason().isEmpty() && values.length > 0) {
                    logs.computeIfAbsent(key, any -> new ArrayList<>()).add(mean(values));
                }
            });
        }
        Map<CellKey, Estimate> raw = new LinkedHashMap<>();
        logs.forEach((key, values) -> {
            if (values.size() > 1) {
                double sum = 0;
                for (int i = 1; i < values.size(); i++) {
                    double step = values.get(i) - values.get(i - 1);
                    sum += step * step;
                }
                raw.put(key, new Estimate(sum / (2 * (values.size() - 1)), values.size() - 1));
            }
        });
        ModeratedVariance common = ModeratedVariance.fit(List.copyOf(raw.values()));
        Map<CellKey, Estimate> moderated = new LinkedHashMap<>();
        raw.forEach((key, estimate) -> moderated.put(key, common.of(estimate)));
        return moderated;
    }

    private static List<String> names(List<PastResults> inputs) {
        List<String> names = new ArrayList<>();
        for (PastResults input : inputs) {
            String name = input.name();
            int count = 2;
            while (names.contains(name)) {
                name = input.name() + " (" + count++ + ")";
            }
            names.add(name);
        }
        return names;
    }

    /** A candidate whose answers have another size than the baseline's answers does other work. */
    private static Side sameAnswers(Side before, Side after) {
        OptionalDouble left = before.answerSize();
        OptionalDouble right = after.answerSize();
        if (left.isEmpty() || right.isEmpty()) {
            return after;
        }
        double factor = right.getAsDouble() / left.getAsDouble();
        if (factor <= ANSWER_SIZE_FACTOR && factor >= 1 / ANSWER_SIZE_FACTOR) {
            return after;
        }
        return after.without("its answers have " + Words.number(1024 * right.getAsDouble()) + " bytes, those of "
                + before.run() + " " + Words.number(1024 * left.getAsDouble()));
    }

    static double mean(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value;
        }
        return sum / values.length;
    }

    private static double squares(double[] values) {
        double mean = mean(values);
        double sum = 0;
        for (double value : values) {
            sum += (value - mean) * (value - mean);
        }
        return sum;
    }

    /** Returns whether a row can be used. */
    static boolean isPositive(PastRow row, Metric metric) {
        OptionalDouble value = row.number(metric);
        return value.isPresent() && value.getAsDouble() > 0;
    }
}
