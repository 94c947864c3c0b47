/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.commons.statistics.distribution.TDistribution;
import org.apache.commons.statistics.inference.BinomialTest;

import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Spread;
import io.gatebench.report.compare.Comparison.Broken;
import io.gatebench.report.compare.Comparison.Candidate;
import io.gatebench.report.compare.Comparison.Cell;
import io.gatebench.report.compare.Comparison.Judged;
import io.gatebench.report.compare.Comparison.Noise;
import io.gatebench.report.compare.Comparison.NoiseSource;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.report.compare.Comparison.Overall;
import io.gatebench.report.compare.Comparison.Unmatched;
import io.gatebench.report.compare.Comparison.Whole;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultRow;

/**
 * Compares runs with a baseline, test case by test case and as a whole.
 *
 * <p>Figures are compared as logarithms, so that a difference is a ratio. A difference counts if a t-test with moderated
 * variances rejects chance after correction for all test cases and metrics of the matrix and the run as a whole. The
 * noise is that of the repeats within the two runs, else that of earlier runs, else a stated default with what the
 * seconds of the runs add. A test case with errors, or with a doubtful or invalid verdict on either side, is never
 * faster or slower. The formulas stand in {@code docs/concepts/noise.md}.
 *
 * <p>A pure function: no clock and no random number.
 */
public final class RunComparator {

    private static final double INTERVAL = 0.95;
    private static final Shares OF_MEASURED_NOISE = new Shares(0.62, 0.02, 0.33, 0.4);
    /** A test case of two single runs must change so much that most is spent on the run as a whole. */
    private static final Shares OF_STATED_NOISE = new Shares(0.3, 0.02, 0.65, 0.65);
    /** The part of losses: a run as a whole is asked whether it may go on, and seldom whether it is better. */
    private static final double WHOLE_LOSS_SHARE = 0.9;
    /** The part that losses may cause: a loss that is missed is shipped, a gain that is missed costs nothing. */
    private static final double LOSS_SHARE = 0.8;
    /** A test case is suspect if noise alone makes it this much worse in one case of twenty or less. */
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
    private final EarlierRuns history;

    /**
     * Parts of the false alarms; what is left is kept in reserve, because the noise itself is estimated.
     *
     * @param primary what the test cases of the first metric may cause
     * @param others what those of all other metrics share
     * @param whole what the run as a whole may cause
     * @param wholePrimary the part of that which the first metric may cause
     */
    private record Shares(double primary, double others, double whole, double wholePrimary) {

        static Shares of(List<Pair> pairs, NoiseModel noises) {
            return pairs.stream()
                    .filter(Pair::comparable)
                    .findFirst()
                    .map(pair -> noises.of(pair).source())
                    .filter(source -> source == NoiseSource.REPEATS || source == NoiseSource.HISTORY)
                    .map(source -> OF_MEASURED_NOISE)
                    .orElse(OF_STATED_NOISE);
        }
    }

    /**
     * Probability of a difference by noise alone.
     *
     * @param adjusted in the direction that it went, corrected for all questions of the matrix
     * @param loss of being as much worse as it is, or more; not corrected
     * @param level what {@code loss} must fall below if this test case alone changed; empty if nothing was asked
     */
    private record Chances(double adjusted, double loss, OptionalDouble level) {}

    /** Makes a comparator. */
    public RunComparator(ComparisonOptions options) {
        this.options = options;
        this.history = EarlierRuns.of(options);
    }

    /**
     * Compares all further inputs with the first.
     *
     * @throws IllegalArgumentException if there are fewer than two inputs
     */
    public Comparison compare(List<ImportedRun> inputs) {
        if (inputs.size() < 2) {
            throw new IllegalArgumentException("a comparison needs two inputs or more but got " + inputs.size());
        }
        List<String> names = names(inputs);
        List<Map<CellKey, ComparedCase>> sides = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < inputs.size(); i++) {
            sides.add(ComparedCase.byCell(names.get(i), inputs.get(i).rows(), options.largestErrorPercent()));
            for (ImportedRun.Problem problem : inputs.get(i).problems()) {
                problems.add(names.get(i) + ": " + problem);
            }
        }
        List<Candidate> candidates = new ArrayList<>();
        for (int i = 1; i < inputs.size(); i++) {
            candidates.add(candidate(names.get(0), sides.get(0), names.get(i), sides.get(i)));
        }
        return new Comparison(names.get(0), candidates, options.falseAlarmRate(), options.marginPercent(), problems);
    }

    private Candidate candidate(
            String baseline, Map<CellKey, ComparedCase> before, String name, Map<CellKey, ComparedCase> after) {
        List<Pair> pairs = new ArrayList<>();
        List<Unmatched> unmatched = new ArrayList<>();
        for (Map.Entry<CellKey, ComparedCase> entry : before.entrySet()) {
            ComparedCase other = after.get(entry.getKey());
            if (other == null) {
                unmatched.add(new Unmatched(
                        entry.getValue().key(), baseline, entry.getValue().where()));
                continue;
            }
            ComparedCase counterpart = sameAnswers(entry.getValue(), other);
            for (Metric metric : options.metrics()) {
                pairs.add(new Pair(entry.getValue(), counterpart, metric, options.anySetUp()));
            }
        }
        after.forEach((key, side) -> {
            if (!before.containsKey(key)) {
                unmatched.add(new Unmatched(side.key(), name, side.where()));
            }
        });
        EarlierRuns earlier = history.without(after, options.metrics());
        NoiseModel noises = new NoiseModel(options.metrics(), earlier, pairs);
        List<Cell> cells = new ArrayList<>(judge(pairs, noises));
        cells.sort(WORST_FIRST);
        List<Overall> overall = options.metrics().stream()
                .map(metric -> overall(metric, pairs, cells, noises, earlier))
                .toList();
        List<Judged> judged = Stream.of(before, after)
                .flatMap(run -> run.values().stream())
                .flatMap(side -> side.judged().stream())
                .toList();
        Outcome outcome = outcome(cells, overall);
        return new Candidate(
                name,
                cells,
                unmatched,
                overall,
                judged,
                outcome,
                summary(outcome, cells, unmatched, overall, judged, baseline, name));
    }

    private static final Comparator<Cell> WORST_FIRST = Comparator.comparingInt(RunComparator::severity)
            .thenComparingDouble(RunComparator::badness)
            .thenComparing(Cell::key, CellKey.ORDER)
            .thenComparing(Cell::metric);

    private static int severity(Cell cell) {
        return switch (cell.outcome()) {
            case BROKE -> 0;
            case SLOWER -> 1;
            case UNDECIDED -> 2;
            case NOT_COMPARABLE -> 3;
            case NO_DIFFERENCE -> 4;
            case FASTER -> 5;
            case REPAIRED -> 6;
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

    private List<Cell> judge(List<Pair> pairs, NoiseModel noises) {
        List<Pair> tested = pairs.stream()
                .filter(pair -> pair.testable() && !pair.identical())
                .toList();
        double[] p = new double[2 * tested.size()];
        double[] weights = new double[p.length];
        Map<Pair, Integer> index = new HashMap<>();
        for (int i = 0; i < tested.size(); i++) {
            Pair pair = tested.get(i);
            Noise noise = noises.of(pair);
            double t = pair.gain() / standardError(pair, noise);
            p[2 * i + LOSS] = distribution(noise).survivalProbability(-t);
            p[2 * i + GAIN] = distribution(noise).survivalProbability(t);
            index.put(pair, i);
        }
        weigh(tested, Shares.of(pairs, noises), weights);
        double[] adjusted = FalseDiscoveries.adjust(p, weights);
        List<Cell> cells = new ArrayList<>();
        for (Pair pair : pairs) {
            Integer at = index.get(pair);
            if (!pair.comparable()) {
                cells.add(notComparable(pair));
            } else if (at == null) {
                cells.add(judged(pair, noises.of(pair), new Chances(1, 1, OptionalDouble.empty()), tested.size()));
            } else {
                int loss = 2 * at + LOSS;
                double level = options.falseAlarmRate() * weights[loss] / p.length;
                Chances chances = new Chances(
                        adjusted[2 * at + (pair.gain() < 0 ? LOSS : GAIN)], p[loss], OptionalDouble.of(level));
                cells.add(judged(pair, noises.of(pair), chances, tested.size()));
            }
        }
        return cells;
    }

    /** Shares the false alarms out over metrics and directions; the mean weight is 1 less the reserve. */
    private void weigh(List<Pair> tested, Shares shares, double[] weights) {
        Metric primary = options.metrics().get(0);
        long primaries = tested.stream().filter(pair -> pair.metric == primary).count();
        long others = tested.size() - primaries;
        for (int i = 0; i < tested.size(); i++) {
            double weight = shares.primary() + shares.others();
            if (others > 0 && primaries > 0) {
                weight = tested.get(i).metric == primary
                        ? shares.primary() * tested.size() / primaries
                        : shares.others() * tested.size() / others;
            }
            weights[2 * i + LOSS] = 2 * LOSS_SHARE * weight;
            weights[2 * i + GAIN] = 2 * (1 - LOSS_SHARE) * weight;
        }
    }

    private static double standardError(Pair pair, Noise noise) {
        return noise.percent() / 100 * pair.spread();
    }

    private static TDistribution distribution(Noise noise) {
        return TDistribution.of(noise.degreesOfFreedom());
    }

    private Cell judged(Pair pair, Noise noise, Chances chances, int comparisons) {
        double difference = pair.difference();
        double ratio = Math.exp(difference);
        double adjusted = chances.adjusted();
        double reach = standardError(pair, noise) * distribution(noise).inverseSurvivalProbability((1 - INTERVAL) / 2);
        boolean moved = Math.abs(ratio - 1) * 100 >= options.smallestChangePercent();
        boolean significant = pair.testable() && moved && adjusted <= options.falseAlarmRate();
        boolean within = pair.identical() || within(pair.metric, difference - reach, difference + reach);
        Outcome outcome = significant
                ? pair.gain() > 0 ? Outcome.FASTER : Outcome.SLOWER
                : within && !pair.doubtful ? Outcome.NO_DIFFERENCE : Outcome.UNDECIDED;
        boolean suspect = pair.testable() && !significant && moved && chances.loss() <= SUSPECT;
        OptionalDouble detectable = chances.level().isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(
                        detectablePercent(pair, noise, chances.level().getAsDouble()));
        String reason = ComparisonText.judged(
                pair, ratio, Math.exp(difference - reach), Math.exp(difference + reach), noise, adjusted, comparisons);
        boolean errorsUnknown = outcome == Outcome.FASTER && !(pair.before.errorsKnown() && pair.after.errorsKnown());
        if (errorsUnknown) {
            outcome = Outcome.NOT_COMPARABLE;
            reason = "the errors are not known, and a gateway that refuses everything is fast; " + reason;
        } else {
            reason += ComparisonText.because(outcome, within, options.marginPercent())
                    + pair.before.doubt(pair.metric)
                    + pair.after.doubt(pair.metric)
                    + pair.before.caveat()
                    + pair.after.caveat();
        }
        return new Cell(
                pair.before.key(),
                pair.metric,
                OptionalDouble.of(Math.exp(Spread.mean(pair.left))),
                OptionalDouble.of(Math.exp(Spread.mean(pair.right))),
                OptionalDouble.of(ratio),
                errorsUnknown ? OptionalDouble.empty() : OptionalDouble.of(Math.exp(difference - reach)),
                errorsUnknown ? OptionalDouble.empty() : OptionalDouble.of(Math.exp(difference + reach)),
                pair.left.length,
                pair.right.length,
                Optional.of(noise),
                pair.testable() ? OptionalDouble.of(adjusted) : OptionalDouble.empty(),
                errorsUnknown ? OptionalDouble.empty() : detectable,
                suspect,
                pair.doubtful,
                outcome,
                Broken.NONE,
                reason);
    }

    /** Returns whether an interval of logarithms rules out a loss above the margin, and a gain of that kind. */
    private boolean within(Metric metric, double low, double high) {
        double margin = metric.better() == Metric.Better.HIGHER
                ? -Math.log1p(-options.marginPercent() / 100)
                : Math.log1p(options.marginPercent() / 100);
        return low >= -margin && high <= margin;
    }

    /** The loss that is found in nine of ten comparisons if this test case alone has it. */
    private double detectablePercent(Pair pair, Noise noise, double level) {
        return detectablePercent(pair.metric, standardError(pair, noise), distribution(noise), level);
    }

    /** A loss must be beyond noise and not below the smallest change, and is seen with noise. */
    private double detectablePercent(Metric metric, double standardError, TDistribution noise, double level) {
        boolean more = metric.better() == Metric.Better.HIGHER;
        double smallest = options.smallestChangePercent() / 100;
        // More than everything cannot be lost, so that nothing is found.
        double bound = more ? -Math.log1p(-Math.min(smallest, 1)) : Math.log1p(smallest);
        double reach = Math.max(standardError * noise.inverseSurvivalProbability(level), bound)
                + standardError * POWER_QUANTILE;
        return 100 * Math.abs(Math.expm1(more ? -reach : reach));
    }

    /** Returns the parts of a set-up that the other one does not have. */
    private static String other(String setUp, String known) {
        List<String> there = List.of(known.split("; "));
        return Arrays.stream(setUp.split("; "))
                .filter(part -> !there.contains(part))
                .collect(Collectors.joining("; "));
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
        if (reasons.isEmpty() && pair.ofTwoSetUps()) {
            reasons.add("they were set up in different ways: " + pair.before.run() + " had "
                    + other(pair.before.setUp(), pair.after.setUp()) + ", " + pair.after.run() + " had "
                    + other(pair.after.setUp(), pair.before.setUp())
                    + "; measure one of them anew, or say --any-set-up");
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
                pair.doubtful,
                switch (broken) {
                    case CANDIDATE -> Outcome.BROKE;
                    case BASELINE -> pair.after.reason().isEmpty() ? Outcome.REPAIRED : Outcome.NOT_COMPARABLE;
                    case NONE, BOTH -> Outcome.NOT_COMPARABLE;
                },
                broken,
                String.join("; ", reasons));
    }

    private Overall overall(Metric metric, List<Pair> pairs, List<Cell> cells, NoiseModel noises, EarlierRuns earlier) {
        List<Pair> tested = pairs.stream()
                .filter(pair -> pair.metric == metric && pair.testable())
                .toList();
        int better = 0;
        int worse = 0;
        for (Pair pair : tested) {
            better += pair.gain() > 0 ? 1 : 0;
            worse += pair.gain() < 0 ? 1 : 0;
        }
        double[] detectable = cells.stream()
                .filter(cell -> cell.metric() == metric)
                .flatMapToDouble(cell -> cell.detectablePercent().stream())
                .sorted()
                .toArray();
        return new Overall(
                metric,
                tested.size(),
                better,
                worse,
                tested.isEmpty()
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(Math.exp(tested.stream()
                                .mapToDouble(Pair::difference)
                                .average()
                                .orElseThrow())),
                detectable.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(detectable[detectable.length / 2]),
                tested.isEmpty() ? Optional.empty() : Optional.of(whole(metric, tested, noises, earlier)));
    }

    private Whole whole(Metric metric, List<Pair> tested, NoiseModel noises, EarlierRuns earlier) {
        WholeRun run = WholeRun.of(metric, tested, noises, earlier);
        if (tested.stream().allMatch(Pair::identical)) {
            return new Whole(1, 1, 1, 0, run.noise(), 1, 0, Outcome.NO_DIFFERENCE);
        }
        boolean gained = (metric.better() == Metric.Better.HIGHER) == run.difference() > 0;
        int others = options.metrics().size() - 1;
        Shares shares = Shares.of(tested, noises);
        double share = shares.whole()
                * (others == 0
                        ? 1
                        : metric == options.metrics().get(0)
                                ? shares.wholePrimary()
                                : (1 - shares.wholePrimary()) / others);
        double direction = gained ? 1 - WHOLE_LOSS_SHARE : WHOLE_LOSS_SHARE;
        double adjusted = Math.min(1, run.p(!gained) / (share * direction));
        double reach = run.standardError() * run.distribution().inverseSurvivalProbability((1 - INTERVAL) / 2);
        double level = options.falseAlarmRate() * share * WHOLE_LOSS_SHARE;
        boolean significant = adjusted <= options.falseAlarmRate()
                && Math.abs(Math.expm1(run.difference())) * 100 >= options.smallestChangePercent();
        Outcome outcome = significant
                ? gained ? Outcome.FASTER : Outcome.SLOWER
                : within(metric, run.difference() - reach, run.difference() + reach)
                        ? Outcome.NO_DIFFERENCE
                        : Outcome.UNDECIDED;
        return new Whole(
                Math.exp(run.difference()),
                Math.exp(run.difference() - reach),
                Math.exp(run.difference() + reach),
                run.earlierRuns(),
                run.noise(),
                adjusted,
                detectablePercent(metric, run.standardError(), run.distribution(), level),
                outcome);
    }

    /**
     * Returns what was found in a test case or in the run as a whole; without that, what the run as a whole rules out.
     */
    private static Outcome outcome(List<Cell> cells, List<Overall> overall) {
        List<Outcome> ofWhole = overall.stream()
                .flatMap(metric -> metric.whole().stream())
                .map(Whole::outcome)
                .toList();
        Set<Outcome> all = EnumSet.noneOf(Outcome.class);
        cells.forEach(cell -> all.add(cell.outcome()));
        all.addAll(ofWhole);
        for (Outcome outcome : List.of(Outcome.SLOWER, Outcome.BROKE)) {
            if (all.contains(outcome)) {
                return Outcome.SLOWER;
            }
        }
        if (all.contains(Outcome.FASTER)) {
            return Outcome.FASTER;
        }
        if (ofWhole.isEmpty()) {
            return all.contains(Outcome.REPAIRED)
                    ? Outcome.REPAIRED
                    : all.contains(Outcome.UNDECIDED) ? Outcome.UNDECIDED : Outcome.NOT_COMPARABLE;
        }
        return ofWhole.stream().allMatch(outcome -> outcome == Outcome.NO_DIFFERENCE)
                ? Outcome.NO_DIFFERENCE
                : Outcome.UNDECIDED;
    }

    private List<String> summary(
            Outcome outcome,
            List<Cell> cells,
            List<Unmatched> unmatched,
            List<Overall> overall,
            List<Judged> judged,
            String baseline,
            String name) {
        List<String> sentences = new ArrayList<>(ComparisonText.summary(
                outcome, cells, unmatched, overall, judged, options.marginPercent(), baseline, name));
        for (Overall metric : overall) {
            int moved = metric.better() + metric.worse();
            boolean told = metric.whole()
                    .map(whole -> whole.outcome() == Outcome.SLOWER || whole.outcome() == Outcome.FASTER)
                    .orElse(true);
            if (moved < 8 || told) {
                continue;
            }
            double p = BinomialTest.withDefaults()
                    .test(moved, Math.max(metric.better(), metric.worse()), 0.5)
                    .getPValue();
            if (p < COMMON_SHIFT) {
                sentences.add(ComparisonText.commonShift(metric));
            }
        }
        sentences.addAll(ComparisonText.limits(cells, overall));
        return sentences;
    }

    private static List<String> names(List<ImportedRun> inputs) {
        List<String> names = new ArrayList<>();
        for (ImportedRun input : inputs) {
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
    private static ComparedCase sameAnswers(ComparedCase before, ComparedCase after) {
        OptionalDouble left = before.answerSize();
        OptionalDouble right = after.answerSize();
        if (left.isEmpty() || right.isEmpty()) {
            return after;
        }
        double factor = right.getAsDouble() / left.getAsDouble();
        if (factor <= ANSWER_SIZE_FACTOR && factor >= 1 / ANSWER_SIZE_FACTOR) {
            return after;
        }
        return after.without("its responses have " + ComparisonText.number(1024 * right.getAsDouble())
                + " bytes, those of " + before.run() + " " + ComparisonText.number(1024 * left.getAsDouble()));
    }

    /** Returns whether a row can be used. */
    static boolean isPositive(ResultRow row, Metric metric) {
        OptionalDouble value = row.number(metric);
        return value.isPresent() && value.getAsDouble() > 0;
    }
}
