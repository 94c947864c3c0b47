/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import java.util.List;
import java.util.Optional;

/**
 * Result of measuring two gateways in turns.
 *
 * @param a how the user called A
 * @param b how the user called B
 * @param seconds how long it took
 * @param judge by which it is judged
 * @param cases what was measured
 * @param notes what a reader must know
 * @param frames which methods took another part of the time, if that was recorded
 */
public record AbResult(
        String a,
        String b,
        long seconds,
        AbJudge judge,
        List<AbCase> cases,
        List<String> notes,
        Optional<FrameShares> frames) {

    /** Creates a result without recordings. */
    public AbResult(String a, String b, long seconds, AbJudge judge, List<AbCase> cases, List<String> notes) {
        this(a, b, seconds, judge, cases, notes, Optional.empty());
    }

    /** Copies the lists. */
    public AbResult {
        cases = List.copyOf(cases);
        notes = List.copyOf(notes);
    }

    /** Returns whether every case is decided. */
    public boolean decided() {
        return cases.stream().allMatch(measured -> AbJudge.isDecided(judge.judge(measured)));
    }

    /**
     * Returns whether a loss above the limit is ruled out in the figures that decide, of every case, and no other figure is
     * slower by what may be more.
     */
    public boolean lossRuledOut() {
        return cases.stream()
                .flatMap(measured -> judge.judge(measured).stream())
                .allMatch(verdict ->
                        judge.rulesOutLoss(verdict) || !verdict.figure().deciding() && !verdict.slower());
    }

    /** Returns whether B is slower in any figure. */
    public boolean slower() {
        return cases.stream()
                .flatMap(measured -> judge.judge(measured).stream())
                .anyMatch(AbVerdict::slower);
    }
}
