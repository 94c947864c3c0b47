/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;

/**
 * Shares the time that two gateways may be measured out to their starts: what a start takes until its gateways are warm is
 * as it is, and its windows may take the rest of its share.
 *
 * <p>It looks at times alone, so that what is measured does not decide how often.
 */
final class AllowedTime {

    /** With fewer the spread from start to start is hardly known, so that the interval is wide whatever the windows tell. */
    private static final int STARTS = 8;
    /** Windows of a start that takes long to be warm, by that time: fewer would make little of it. */
    private static final double MIN_SHARE_OF_WINDOWS = 1.0 / 2;
    /** So many starts, or else so many as there have to be, come before more windows: the interval of three reaches nearly twice as far. */
    private static final int[] FEWEST_STARTS = {4, 3};

    private final Instant began;
    private final Duration longest;
    private final Duration share;
    private final int cases;
    private final int arrangements;
    private final Duration leastWindows;
    private Duration longestBesideWindows = Duration.ZERO;
    private int made;

    /**
     * Creates one for a measurement that begins.
     *
     * @param longest how long it may take
     * @param cases how many cases share it
     * @param arrangements how often the gateways are started for each start that counts
     * @param leastWindows what the fewest windows take of each of them
     */
    AllowedTime(Instant began, Duration longest, int cases, int arrangements, Duration leastWindows) {
        this.began = began;
        this.longest = longest;
        this.share = longest.dividedBy((long) STARTS * cases * arrangements);
        this.cases = cases;
        this.arrangements = arrangements;
        this.leastWindows = leastWindows;
    }

    /** Learns what one start of the gateways took without its windows. */
    void tookBesideWindows(Duration time) {
        made++;
        longestBesideWindows = time.compareTo(longestBesideWindows) > 0 ? time : longestBesideWindows;
    }

    /** Returns whether one more start fits, with the fewest windows. */
    boolean fitsAnother(Instant now) {
        return fitsAnother(now, longestBesideWindows);
    }

    private boolean fitsAnother(Instant now, Duration besideWindows) {
        return !now.plus(besideWindows.plus(leastWindows).multipliedBy(arrangements))
                .isAfter(deadline());
    }

    /** Returns the part of the time that has passed; 1 if no further start fits, so that the last look may spend what is left. */
    double fraction(Instant now) {
        return fitsAnother(now)
                ? Math.min(1, (double) Duration.between(began, now).toMillis() / longest.toMillis())
                : 1;
    }

    /**
     * Returns when the windows of a start have to end, except for the fewest.
     *
     * @param warm when its gateways were warm
     * @param untilWarm how long that took
     * @param arrangementsLeft how often the gateways are started anew for the same start, with as many windows
     */
    Instant endOfWindows(Instant warm, Duration untilWarm, int arrangementsLeft) {
        Duration left = Duration.between(warm, deadline())
                .minus(untilWarm.multipliedBy(arrangementsLeft))
                .dividedBy(arrangementsLeft + 1L);
        Duration least = Duration.ofMillis(Math.round(untilWarm.toMillis() * MIN_SHARE_OF_WINDOWS));
        Duration ofShare = share.minus(untilWarm);
        Instant end = warm.plus(
                shorter(least.compareTo(ofShare) > 0 ? least : ofShare, whatLeavesTheFewestStarts(warm, untilWarm)));
        Instant last = warm.plus(left);
        // What is too short for one more start is used by this one.
        return end.isAfter(last) || arrangementsLeft == 0 && !fitsAnother(end, untilWarm) ? last : end;
    }

    /** Returns what the windows of each start may take for the fewest starts to fit; the whole time if they fit in no way. */
    private Duration whatLeavesTheFewestStarts(Instant warm, Duration untilWarm) {
        Duration beside = untilWarm.compareTo(longestBesideWindows) > 0 ? untilWarm : longestBesideWindows;
        return Arrays.stream(FEWEST_STARTS)
                .map(starts -> Math.max(0, starts * cases * arrangements - made - 1))
                .mapToObj(more -> Duration.between(warm, deadline())
                        .minus(beside.multipliedBy(more))
                        .dividedBy(more + 1L))
                .filter(windows -> windows.compareTo(leastWindows) >= 0)
                .findFirst()
                .orElse(longest);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private Instant deadline() {
        return began.plus(longest);
    }
}
