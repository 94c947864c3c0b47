/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Spread;
import io.gatebench.report.compare.Comparison.Broken;
import io.gatebench.report.compare.Comparison.Cell;
import io.gatebench.report.compare.Comparison.Judged;
import io.gatebench.report.compare.Comparison.Noise;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.report.compare.Comparison.Overall;
import io.gatebench.report.compare.Comparison.Unmatched;
import io.gatebench.report.compare.Comparison.Whole;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Text;

/** The sentences of a comparison. */
final class ComparisonText {

    private ComparisonText() {}

    static String number(double value) {
        return Text.number(value, 4);
    }

    static String ratio(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    static String judged(
            Pair pair, double ratio, double low, double high, Noise noise, double adjusted, int comparisons) {
        String change = pair.metric.shortName() + " " + number(Math.exp(Spread.mean(pair.left))) + " to "
                + number(Math.exp(Spread.mean(pair.right))) + " "
                + pair.metric.unit().inSentences();
        if (pair.identical()) {
            return change + ": the figures are equal";
        }
        String source = switch (noise.source()) {
            case REPEATS ->
                "from " + pair.left.length + " and " + pair.right.length + " repeats and those of the other test cases";
            case HISTORY -> "from earlier runs";
            case SERIES -> "by default between runs and from their seconds within them";
            case SAME_DAY -> "by default between runs of one day on one machine and from their seconds within them";
            case DEFAULT -> "by default, as nothing tells the noise of these runs";
        };
        return change + ", ratio " + ratio(ratio) + " (95 % interval " + ratio(low) + " to " + ratio(high) + "); noise "
                + number(round(noise.percent())) + " % per run " + source
                + (pair.doubtful
                        ? ""
                        : "; p " + probability(adjusted) + " after correction for " + comparisons
                                + (comparisons == 1 ? " comparison" : " comparisons"));
    }

    /** Says what a figure that did not change beyond noise amounts to. */
    static String because(Outcome outcome, boolean within, double marginPercent) {
        return switch (outcome) {
            case NO_DIFFERENCE -> "; no loss above " + number(marginPercent) + " %";
            case UNDECIDED ->
                within
                        ? "; undecided: a row is doubtful"
                        : "; undecided: a loss or gain above " + number(marginPercent) + " % is not ruled out";
            default -> "";
        };
    }

    private static double round(double percent) {
        return Math.rint(percent * 100) / 100;
    }

    private static String probability(double p) {
        return p < 0.0001 ? "< 0.0001" : String.format(Locale.ROOT, "= %.4f", p);
    }

    static List<String> summary(
            Outcome outcome,
            List<Cell> cells,
            List<Unmatched> unmatched,
            List<Overall> overall,
            List<Judged> judged,
            double marginPercent,
            String baseline,
            String name) {
        List<String> sentences = new ArrayList<>();
        long slower = count(cells, Outcome.SLOWER);
        long faster = count(cells, Outcome.FASTER);
        long broken = count(cells, Outcome.BROKE);
        boolean whole = overall.stream()
                .flatMap(metric -> metric.whole().stream())
                .anyMatch(run -> run.outcome() == Outcome.SLOWER);
        String verdict = switch (outcome) {
            case SLOWER ->
                slower == 0 && !whole
                        ? name + " broke against " + baseline
                        : faster > 0
                                ? name + " is slower than " + baseline + " in some figures and faster in others"
                                : name + " is slower than " + baseline;
            case FASTER -> name + " is faster than " + baseline;
            case NO_DIFFERENCE ->
                name + " as a whole shows no loss above " + number(marginPercent) + " % against " + baseline;
            case UNDECIDED -> "undecided whether " + name + " is slower than " + baseline;
            case REPAIRED -> name + " does its work where " + baseline + " did not";
            default -> name + " and " + baseline + " cannot be compared";
        };
        sentences.add(verdict + ": of " + cells.size() + " figures " + slower + " are slower, " + faster + " faster, "
                + count(cells, Outcome.NO_DIFFERENCE) + " without a loss above " + number(marginPercent) + " %, "
                + count(cells, Outcome.UNDECIDED) + " undecided, " + broken + " broke, "
                + count(cells, Outcome.REPAIRED) + " were repaired, " + count(cells, Outcome.NOT_COMPARABLE)
                + " not comparable.");
        for (Overall metric : overall) {
            metric.whole().ifPresent(run -> sentences.add(whole(metric, run, cells, marginPercent)));
        }
        long broke = cells.stream()
                .filter(cell -> cell.broken() == Broken.CANDIDATE)
                .map(Cell::key)
                .distinct()
                .count();
        if (broke > 0) {
            sentences.add(broke + (broke == 1 ? " test case was" : " test cases were") + " sound in " + baseline
                    + " and fail or are invalid in " + name + ".");
        }
        if (!unmatched.isEmpty()) {
            sentences.add(unmatched.size() + (unmatched.size() == 1 ? " test case has" : " test cases have")
                    + " no counterpart.");
        }
        if (!judged.isEmpty()) {
            long invalid = judged.stream()
                    .filter(row -> row.verdict().level() == Level.INVALID)
                    .count();
            sentences.add("Of the rows of both runs " + invalid + " are invalid and " + (judged.size() - invalid)
                    + " doubtful; nothing is built on them.");
        }
        return sentences;
    }

    private static long count(List<Cell> cells, Outcome outcome) {
        return cells.stream().filter(cell -> cell.outcome() == outcome).count();
    }

    /**
     * The headline of one figure: how far the run as a whole moved, what that amounts to, and which way the test cases
     * went.
     */
    private static String whole(Overall metric, Whole run, List<Cell> cells, double marginPercent) {
        List<Cell> own =
                cells.stream().filter(cell -> cell.metric() == metric.metric()).toList();
        String word = switch (run.outcome()) {
            case SLOWER -> "slower";
            case FASTER -> "faster";
            case NO_DIFFERENCE -> "no loss above " + number(marginPercent) + " %";
            default -> "undecided";
        };
        String source = switch (run.noise().source()) {
            case REPEATS -> "from the repeats, which share the day and the machine";
            case HISTORY -> "from earlier runs";
            case SERIES, DEFAULT -> "by default, as no earlier runs tell it";
            case SAME_DAY -> "by default for two runs of one day on one machine";
        };
        return metric.metric().shortName() + " of the run as a whole: " + percent(run.ratio()) + " (95 % interval "
                + percent(run.low()) + " to " + percent(run.high()) + ")"
                + (run.earlierRuns() == 0 ? "" : " against the baseline and " + run.earlierRuns() + " earlier runs")
                + ", " + word + "; " + metric.worse() + " of " + metric.cells() + " test cases worse, "
                + metric.better() + " better, of them " + count(own, Outcome.SLOWER) + " and "
                + count(own, Outcome.FASTER)
                + " beyond their noise; noise of the mean "
                + number(round(run.noise().percent())) + " % " + source + ".";
    }

    static String percent(double ratio) {
        return String.format(Locale.ROOT, "%+.1f %%", 100 * (ratio - 1));
    }

    /** Names what the comparison could not have seen, and where to look again. */
    static List<String> limits(List<Cell> cells, List<Overall> overall) {
        List<String> sentences = new ArrayList<>();
        overall.stream()
                .findFirst()
                .ifPresent(primary -> primary.detectablePercent()
                        .ifPresent(percent -> sentences.add("With this noise a "
                                + (primary.metric().better() == Metric.Better.HIGHER ? "loss" : "growth") + " of "
                                + primary.metric().shortName() + " by "
                                + String.format(Locale.ROOT, "%.0f", Math.ceil(percent))
                                + " % in a single test case is found in 9 of 10 comparisons"
                                + primary.whole()
                                        .filter(whole -> whole.detectablePercent() > 0)
                                        .map(whole -> ", one of "
                                                + String.format(
                                                        Locale.ROOT, "%.0f", Math.ceil(whole.detectablePercent()))
                                                + " % in every test case as well")
                                        .orElse("")
                                + ".")));
        List<String> suspects = cells.stream()
                .filter(Cell::suspect)
                .collect(Collectors.groupingBy(
                        cell -> cell.key().text(),
                        LinkedHashMap::new,
                        Collectors.mapping(cell -> cell.metric().shortName(), Collectors.joining(", "))))
                .entrySet()
                .stream()
                .map(cell -> cell.getKey() + " (" + cell.getValue() + ")")
                .toList();
        if (!suspects.isEmpty()) {
            sentences.add((suspects.size() == 1 ? "1 test case is" : suspects.size() + " test cases are")
                    + " suspect: worse by what noise alone does in one case of twenty or less, which is too little to tell"
                    + " among all test cases. Repeat " + (suspects.size() == 1 ? "it" : "them")
                    + " alone, ten times or more in each run, and compare only these new figures: "
                    + String.join(", ", suspects) + ".");
        }
        return sentences;
    }

    static String commonShift(Overall metric) {
        return metric.metric().shortName() + ": the run as a whole does not differ beyond its noise, but "
                + Math.max(metric.better(), metric.worse()) + " of " + metric.cells()
                + " test cases moved the same way; that is a common shift, which another day or machine can cause as well."
                + " Repeat the runs to tell.";
    }
}
