/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import java.util.OptionalDouble;

import io.gatebench.report.compare.Comparison.Outcome;

/**
 * Verdict on one figure of one case.
 *
 * @param figure the figure
 * @param a its geometric mean over the starts of A
 * @param b its geometric mean over the starts of B
 * @param ratio B by A; empty without a sound start
 * @param low the lower limit of the ratio; empty while too few starts tell it
 * @param high the upper limit
 * @param starts how many sound starts it is known from
 * @param outcome slower, faster, no-difference or undecided
 */
public record AbVerdict(
        AbFigure figure,
        OptionalDouble a,
        OptionalDouble b,
        OptionalDouble ratio,
        OptionalDouble low,
        OptionalDouble high,
        int starts,
        Outcome outcome) {

    /** Returns the outcome in a word: of a figure that makes nobody slower that it is more, or less. */
    public String word() {
        if (!figure.gates() && outcome == Outcome.SLOWER) {
            return "more";
        }
        return !figure.gates() && outcome == Outcome.FASTER ? "less" : outcome.word();
    }

    /** Returns whether B is slower for this figure. */
    boolean slower() {
        return figure.gates() && outcome == Outcome.SLOWER;
    }
}
