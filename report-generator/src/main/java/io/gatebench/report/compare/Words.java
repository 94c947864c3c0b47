/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.gatebench.report.compare.Comparison.Broken;
import io.gatebench.report.compare.Comparison.Cell;
import io.gatebench.report.compare.Comparison.Noise;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.report.compare.Comparison.Overall;
import io.gatebench.report.compare.Comparison.Unmatched;
import io.gatebench.report.past.Metric;

/** The sentences of a comparison. */
final class Words {

    private Words() {}

    static String number(double value) {
        BigDecimal exact = BigDecimal.valueOf(value);
        BigDecimal rounded = Math.abs(value) >= 1000
                ? exact.setScale(0, RoundingMode.HALF_EVEN)
                : exact.round(new MathContext(4, RoundingMode.HALF_EVEN));
        return new DecimalFormat("#,##0.######", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(rounded);
    }

    static String ratio(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    static String unit(Metric metric) {
        return switch (metric) {
            case THROUGHPUT -> "requests/s";
            case GC_THROUGHPUT, ERROR_PERCENT -> "%";
            case FOOTPRINT -> "M";
            case SAMPLES, ERRORS -> "samples";
            case RECEIVED, SENT -> "KiB/s";
            default -> "ms";
        };
    }

    static String judged(
            Metric metric,
            double before,
            double after,
            double ratio,
            double low,
            double high,
            Noise noise,
            int repeatsBefore,
            int repeatsAfter,
            boolean identical,
            double adjusted,
            int comparisons) {
        String change = metric.shortName() + " " + number(before) + " to " + number(after) + " " + unit(metric);
        if (identical) {
            return change + ": the figures are equal";
        }
        String source = switch (noise.source()) {
            case REPEATS -> "from " + repeatsBefore + " and " + repeatsAfter + " repeats and those of the other cells";
            case HISTORY -> "from earlier runs";
            case DEFAULT -> "by default, as nothing tells the noise of these runs";
        };
        return change + ", ratio " + ratio(ratio) + " (95 % interval " + ratio(low) + " to " + ratio(high) + "); noise "
                + number(round(noise.percent())) + " % per run " + source + "; p " + probability(adjusted)
                + " after correction for " + comparisons + (comparisons == 1 ? " comparison" : " comparisons");
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
            String baseline,
            String name) {
        List<String> sentences = new ArrayList<>();
        long slower =
                cells.stream().filter(cell -> cell.outcome() == Outcome.SLOWER).count();
        long faster =
                cells.stream().filter(cell -> cell.outcome() == Outcome.FASTER).count();
        long same =
                cells.stream().filter(cell -> cell.outcome() == Outcome.SAME).count();
        long without = cells.size() - slower - faster - same;
        long broke = cells.stream()
                .filter(cell -> cell.broken() == Broken.CANDIDATE)
                .map(Cell::key)
                .distinct()
                .count();
        String verdict = switch (outcome) {
            case SLOWER ->
                slower == 0
                        ? name + " broke against " + baseline
                        : faster > 0
                                ? name + " is slower than " + baseline + " in some figures and faster in others"
                                : name + " is slower than " + baseline;
            case FASTER -> name + " is faster than " + baseline;
            case SAME -> "no difference between " + name + " and " + baseline + " within noise";
            case NOT_COMPARABLE -> name + " and " + baseline + " cannot be compared";
        };
        sentences.add(verdict + ": of " + cells.size() + " figures " + slower + " are slower, " + faster + " faster, "
                + same + " the same within noise, " + without + " not comparable.");
        if (broke > 0) {
            sentences.add(broke + (broke == 1 ? " cell was" : " cells were") + " sound in " + baseline
                    + " and fail or are invalid in " + name + ".");
        }
        if (!unmatched.isEmpty()) {
            sentences.add(
                    unmatched.size() + (unmatched.size() == 1 ? " cell has" : " cells have") + " no counterpart.");
        }
        for (Overall metric : overall) {
            metric.meanRatio()
                    .ifPresent(ratio -> sentences.add(metric.metric().shortName() + ": geometric mean of the ratios "
                            + ratio(ratio) + " over " + metric.cells() + " comparable cells, " + metric.better()
                            + " better and " + metric.worse() + " worse."));
        }
        return sentences;
    }

    /** What the comparison could not have seen, and where to look again. */
    static List<String> limits(List<Cell> cells, List<Overall> overall) {
        List<String> sentences = new ArrayList<>();
        overall.stream()
                .findFirst()
                .ifPresent(primary -> primary.detectablePercent()
                        .ifPresent(percent -> sentences.add("With this noise a "
                                + (primary.metric().better() == Metric.Better.HIGHER ? "loss" : "growth") + " of "
                                + primary.metric().shortName() + " by "
                                + String.format(Locale.ROOT, "%.0f", Math.ceil(percent))
                                + " % in a single cell is found in 9 of 10 comparisons; one that many cells share is found"
                                + " sooner.")));
        List<String> suspects = cells.stream()
                .filter(Cell::suspect)
                .map(cell -> cell.key().text())
                .toList();
        if (!suspects.isEmpty()) {
            sentences.add((suspects.size() == 1 ? "1 cell is" : suspects.size() + " cells are")
                    + " suspect: worse by what noise alone does in one case of twenty or less, which is too little to tell"
                    + " among all cells. Repeat " + (suspects.size() == 1 ? "it" : "them")
                    + " alone, ten times or more in each run, and compare only these new figures: "
                    + String.join(", ", suspects) + ".");
        }
        return sentences;
    }

    static String commonShift(Overall metric) {
        return metric.metric().shortName() + ": no cell differs by more than its noise, but "
                + Math.max(metric.better(), metric.worse()) + " of " + metric.cells()
                + " moved the same way; that is a common shift of the whole run, which another day or machine can cause as"
                + " well. Repeat the runs to tell.";
    }
}
