/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import io.gatebench.report.compare.Comparison.Candidate;
import io.gatebench.report.verdict.Level;

/** Findings of a comparison that fail a command or a build. All but the first fail it on a regression too. */
public enum FailOn {
    /** Nothing that was compared. */
    NONE,
    /** A slower test case or run, or a test case that broke. */
    REGRESSION,
    /** A figure of a test case, or of the run as a whole, for which a loss is not ruled out. */
    UNDECIDED,
    /** An invalid row in either run. */
    INVALID,
    /** A doubtful or invalid row in either run. */
    DOUBTFUL,
    /** A test case that could not be compared or has no counterpart. */
    NOT_COMPARABLE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns why a comparison is a failure, in one sentence; empty if it is none. One that compared nothing always is.
     *
     * @param what what is a failure
     * @param marginPercent the loss that was to be ruled out
     */
    public static Optional<String> failure(Comparison comparison, Set<FailOn> what, double marginPercent) {
        List<Candidate> candidates = comparison.candidates();
        boolean any = what.stream().anyMatch(one -> one != NONE);
        if (any && comparison.regressed()) {
            return Optional.of("regression: a test case or the run as a whole is slower, or a test case fails that "
                    + "was sound");
        }
        Optional<Candidate> empty =
                candidates.stream().filter(Candidate::nothingCompared).findFirst();
        if (empty.isPresent()) {
            return Optional.of("nothing could be compared: "
                    + (empty.get().cells().isEmpty()
                            ? comparison.baseline() + " and " + empty.get().name() + " have no test case in common"
                            : "in no test case of " + comparison.baseline() + " and "
                                    + empty.get().name() + " are both rows free of failure and doubt"));
        }
        if (what.contains(NOT_COMPARABLE)
                && candidates.stream()
                        .anyMatch(candidate -> !candidate.unmatched().isEmpty()
                                || candidate.cells().stream().anyMatch(FailOn::isWithoutAnswer))) {
            return Optional.of(
                    "not comparable: a test case could not be compared, so that a regression is not ruled out there");
        }
        if (what.contains(UNDECIDED) && candidates.stream().anyMatch(Candidate::undecided)) {
            return Optional.of("undecided: a loss above " + marginPercent
                    + " % is not ruled out; measure with repeat, or give history or a larger no-loss-above");
        }
        return judged(candidates, what, INVALID, Level.INVALID)
                .or(() -> judged(candidates, what, DOUBTFUL, Level.DOUBTFUL));
    }

    /** A test case that was broken in the baseline tells nothing of a regression either. */
    private static boolean isWithoutAnswer(Comparison.Cell cell) {
        return cell.outcome() == Comparison.Outcome.NOT_COMPARABLE || cell.outcome() == Comparison.Outcome.REPAIRED;
    }

    private static Optional<String> judged(List<Candidate> candidates, Set<FailOn> what, FailOn asked, Level level) {
        return what.contains(asked)
                ? candidates.stream()
                        .flatMap(candidate -> candidate.judged().stream())
                        .filter(row -> row.verdict().level().compareTo(level) >= 0)
                        .findFirst()
                        .map(row -> row.verdict().level() + ": " + row.run() + ", "
                                + row.key().text() + ": " + row.verdict().reasons())
                : Optional.empty();
    }
}
