/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import io.gatebench.model.ProbeOutcome;

/**
 * Result of the probes that went along with a load.
 *
 * @param sent how many were answered
 * @param wrong how many of them wrongly
 * @param firstWrong the first wrong answer in words, empty if there was none
 */
public record SideProbeCount(long sent, long wrong, String firstWrong) {

    static final SideProbeCount NONE = new SideProbeCount(0, 0, "");

    SideProbeCount plus(ProbeOutcome outcome) {
        return plus(
                outcome.passed()
                        ? new SideProbeCount(1, 0, "")
                        : new SideProbeCount(1, 1, outcome.name() + ": " + outcome.detail()));
    }

    SideProbeCount plus(SideProbeCount other) {
        return new SideProbeCount(
                sent + other.sent, wrong + other.wrong, firstWrong.isEmpty() ? other.firstWrong : firstWrong);
    }
}
