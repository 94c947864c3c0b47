/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.report.past.CellKey;
import io.gatebench.report.past.Metric;

/**
 * The outcome of comparing one or more runs with a baseline.
 *
 * @param baseline name of the first input
 * @param candidates one entry per further input
 * @param falseAlarmRate the chance per candidate that a matrix without change shows one
 * @param problems what could not be read, each with file and line
 */
public record Comparison(String baseline, List<Candidate> candidates, double falseAlarmRate, List<String> problems) {

    /** What a difference amounts to. */
    public enum Outcome {
        /** Better by more than the noise. */
        FASTER("faster"),
        /** Worse by more than the noise. */
        SLOWER("slower"),
        /** No difference within noise. */
        SAME("same"),
        /** One side is broken, or the figure is missing. */
        NOT_COMPARABLE("not-comparable");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }

        /** Returns the word in reports and JSON. */
        public String word() {
            return word;
        }
    }

    /** Which side of a pair is broken. */
    public enum Broken {
        /** Neither. */
        NONE,
        /** The baseline only. */
        BASELINE,
        /** The candidate only: the cell broke between the two runs. */
        CANDIDATE,
        /** Both. */
        BOTH
    }

    /** Where the noise came from. */
    public enum NoiseSource {
        /** Repeats within the runs. */
        REPEATS,
        /** Earlier runs of the same cells. */
        HISTORY,
        /** The stated default. */
        DEFAULT
    }

    /**
     * The noise of one run of one cell.
     *
     * @param percent standard deviation of a single run in percent of its figure
     * @param degreesOfFreedom how much it is known by, infinite for a stated default
     * @param source where it came from
     */
    public record Noise(double percent, double degreesOfFreedom, NoiseSource source) {}

    /**
     * One figure of one cell on both sides.
     *
     * @param key the cell, named as in the baseline
     * @param metric the figure
     * @param before the baseline's figure, geometric mean over its repeats
     * @param after the candidate's figure, geometric mean over its repeats
     * @param ratio candidate / baseline
     * @param low lower end of the 95 % interval of the ratio
     * @param high upper end of the 95 % interval of the ratio
     * @param repeatsBefore repeats of the baseline that count
     * @param repeatsAfter repeats of the candidate that count
     * @param noise what the difference was judged by
     * @param adjustedP the chance of such a difference by noise alone, corrected for all comparisons of the matrix
     * @param detectablePercent the loss that would have been found in nine of ten comparisons if this cell alone had it
     * @param suspect whether the primary figure got worse by what noise alone does in one case of twenty or less, which is
     *     too little to tell among all cells
     * @param outcome what it amounts to
     * @param broken which side is broken
     * @param reason why, in a sentence with its figures
     */
    public record Cell(
            CellKey key,
            Metric metric,
            OptionalDouble before,
            OptionalDouble after,
            OptionalDouble ratio,
            OptionalDouble low,
            OptionalDouble high,
            int repeatsBefore,
            int repeatsAfter,
            Optional<Noise> noise,
            OptionalDouble adjustedP,
            OptionalDouble detectablePercent,
            boolean suspect,
            Outcome outcome,
            Broken broken,
            String reason) {}

    /**
     * A cell that only one side has.
     *
     * @param key the cell
     * @param onlyIn name of the input that has it
     * @param where file and line
     */
    public record Unmatched(CellKey key, String onlyIn, String where) {}

    /**
     * All comparable cells of one metric together.
     *
     * @param metric the figure
     * @param cells the number of comparable cells
     * @param better how many of them improved, by however little
     * @param worse how many of them got worse, by however little
     * @param meanRatio geometric mean of the ratios
     * @param detectablePercent median over the cells of the loss that is found in nine of ten comparisons if one cell alone
     *     has it
     */
    public record Overall(
            Metric metric,
            int cells,
            int better,
            int worse,
            OptionalDouble meanRatio,
            OptionalDouble detectablePercent) {}

    /**
     * One run against the baseline.
     *
     * @param name name of the input
     * @param cells one entry per matched cell and metric, worst first
     * @param unmatched cells that only one side has
     * @param overall one entry per metric
     * @param outcome the overall verdict
     * @param summary the overall verdict in sentences
     */
    public record Candidate(
            String name,
            List<Cell> cells,
            List<Unmatched> unmatched,
            List<Overall> overall,
            Outcome outcome,
            List<String> summary) {

        /** Copies the lists. */
        public Candidate {
            cells = List.copyOf(cells);
            unmatched = List.copyOf(unmatched);
            overall = List.copyOf(overall);
            summary = List.copyOf(summary);
        }

        /** Returns the cells worth repeating alone: those whose primary figure is suspect. */
        public List<CellKey> suspects() {
            return cells.stream().filter(Cell::suspect).map(Cell::key).toList();
        }

        /** Returns whether a cell is slower, or broke between the baseline and this run. */
        public boolean regressed() {
            return cells.stream()
                    .anyMatch(cell -> cell.outcome() == Outcome.SLOWER || cell.broken() == Broken.CANDIDATE);
        }
    }

    /** Copies the lists. */
    public Comparison {
        candidates = List.copyOf(candidates);
        problems = List.copyOf(problems);
    }

    /** Returns whether any candidate regressed. */
    public boolean regressed() {
        return candidates.stream().anyMatch(Candidate::regressed);
    }
}
