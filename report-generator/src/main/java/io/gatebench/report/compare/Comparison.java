/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.report.column.Metric;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.verdict.Verdict;

/**
 * The outcome of comparing one or more runs with a baseline.
 *
 * @param baseline name of the first input
 * @param candidates one entry per further input
 * @param falseAlarmRate the chance per candidate that a run without change shows one in any test case and figure, or as
 *     a whole
 * @param marginPercent the loss that {@code no-difference} rules out
 * @param problems what was not read, or is not in the files, each with file and line
 */
public record Comparison(
        String baseline,
        List<Candidate> candidates,
        double falseAlarmRate,
        double marginPercent,
        List<String> problems) {

    /** Meaning of a difference. */
    public enum Outcome {
        /** Better by more than the noise. */
        FASTER("faster"),
        /** Worse by more than the noise. */
        SLOWER("slower"),
        /** No loss above the margin: the interval of the ratio lies within it. */
        NO_DIFFERENCE("no-difference"),
        /** Neither: the interval is too wide, or a row is doubtful. */
        UNDECIDED("undecided"),
        /** The gateway did its work in the baseline and does not in the candidate. */
        BROKE("broke"),
        /** The gateway did not do its work in the baseline and does in the candidate. */
        REPAIRED("repaired"),
        /** A measurement failed, both sides are broken, or the figure is missing. */
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

    /** Side of a pair that is broken. */
    public enum Broken {
        /** Neither. */
        NONE,
        /** The baseline only. */
        BASELINE,
        /** The candidate only: the test case broke between the two runs. */
        CANDIDATE,
        /** Both. */
        BOTH
    }

    /** Source of the noise. */
    public enum NoiseSource {
        /** Repeats within the runs. */
        REPEATS,
        /** Earlier runs of the same test cases. */
        HISTORY,
        /** Noise between runs as stated, and the seconds of these runs for that within them. */
        SERIES,
        /** The same for two runs of one day on one machine whose gateway was steady and had processors for itself. */
        SAME_DAY,
        /** The stated default alone: nothing tells the noise of these runs. */
        DEFAULT
    }

    /**
     * The noise of one run of one test case.
     *
     * @param percent standard deviation of a single run in percent of its figure
     * @param degreesOfFreedom how much it is known by, infinite for a stated default
     * @param source where it came from
     */
    public record Noise(double percent, double degreesOfFreedom, NoiseSource source) {}

    /**
     * One figure of one test case on both sides.
     *
     * @param key the test case, named as in the baseline
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
     * @param detectablePercent the loss that would have been found in nine of ten comparisons if this test case alone
     *     had it
     * @param suspect whether the figure got worse by what noise alone does in one case of twenty or less, which is too little
     *     to tell among all test cases
     * @param doubtful whether a row of either side is doubtful, so that nothing is built on it
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
            boolean doubtful,
            Outcome outcome,
            Broken broken,
            String reason) {}

    /**
     * A test case that only one side has.
     *
     * @param key the test case
     * @param onlyIn name of the input that has it
     * @param where file and line
     */
    public record Unmatched(CellKey key, String onlyIn, String where) {}

    /**
     * The run as a whole in one metric: all test cases that can be compared and are not doubtful.
     *
     * @param metric the figure
     * @param cells the number of these test cases
     * @param better how many of them improved, by however little
     * @param worse how many of them got worse, by however little
     * @param meanRatio geometric mean of the ratios
     * @param detectablePercent median over the test cases of the loss that is found in nine of ten comparisons if one
     *     test case alone has it
     * @param whole what the run as a whole amounts to; empty if no test case can be compared
     */
    public record Overall(
            Metric metric,
            int cells,
            int better,
            int worse,
            OptionalDouble meanRatio,
            OptionalDouble detectablePercent,
            Optional<Whole> whole) {}

    /**
     * The test of a run as a whole in one metric.
     *
     * @param ratio candidate by reference, geometric mean over the test cases
     * @param low lower end of its 95 % interval
     * @param high upper end of its 95 % interval
     * @param earlierRuns earlier runs at the level of the baseline that are part of the reference, 0 if it is the baseline
     *     alone
     * @param noise of the geometric mean of one run
     * @param adjustedP the chance of such a difference by noise alone, corrected for all questions that the comparison asks
     * @param detectablePercent the loss in every test case that would have been found in nine of ten comparisons
     * @param outcome what it amounts to
     */
    public record Whole(
            double ratio,
            double low,
            double high,
            int earlierRuns,
            Noise noise,
            double adjustedP,
            double detectablePercent,
            Outcome outcome) {}

    /**
     * A row of either run that its verdict does not call valid.
     *
     * @param run name of the input
     * @param key the test case
     * @param where file and line
     * @param verdict the verdict
     */
    public record Judged(String run, CellKey key, String where, Verdict verdict) {}

    /**
     * One run against the baseline.
     *
     * @param name name of the input
     * @param cells one entry per matched test case and metric, worst first
     * @param unmatched test cases that only one side has
     * @param overall one entry per metric
     * @param judged the doubtful and invalid rows of both runs
     * @param outcome the overall verdict
     * @param summary the overall verdict in sentences
     */
    public record Candidate(
            String name,
            List<Cell> cells,
            List<Unmatched> unmatched,
            List<Overall> overall,
            List<Judged> judged,
            Outcome outcome,
            List<String> summary) {

        /** Copies the lists. */
        public Candidate {
            cells = List.copyOf(cells);
            unmatched = List.copyOf(unmatched);
            overall = List.copyOf(overall);
            judged = List.copyOf(judged);
            summary = List.copyOf(summary);
        }

        /** Returns the test cases worth repeating alone: those of which any figure is suspect. */
        public List<CellKey> suspects() {
            return cells.stream()
                    .filter(Cell::suspect)
                    .map(Cell::key)
                    .distinct()
                    .toList();
        }

        /**
         * Returns whether a test case is slower, the run as a whole is, or a test case broke between the baseline and
         * this run.
         */
        public boolean regressed() {
            return cells.stream().anyMatch(cell -> cell.outcome() == Outcome.SLOWER || cell.outcome() == Outcome.BROKE)
                    || overall.stream()
                            .flatMap(metric -> metric.whole().stream())
                            .anyMatch(whole -> whole.outcome() == Outcome.SLOWER);
        }

        /** Returns whether any figure of any test case, or of the run as a whole, is undecided. */
        public boolean undecided() {
            return cells.stream().anyMatch(cell -> cell.outcome() == Outcome.UNDECIDED)
                    || overall.stream()
                            .flatMap(metric -> metric.whole().stream())
                            .anyMatch(whole -> whole.outcome() == Outcome.UNDECIDED);
        }

        /**
         * Returns whether there was nothing to compare: no test case that both have, or none without failure or doubt.
         */
        public boolean nothingCompared() {
            return cells.stream()
                    .allMatch(cell -> cell.outcome() == Outcome.NOT_COMPARABLE
                            || cell.outcome() == Outcome.UNDECIDED && cell.doubtful());
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
