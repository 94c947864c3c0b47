/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.time.Duration;

/**
 * Distance by which the clock of a host is ahead of the one of the orchestrator's machine.
 *
 * @param offset the difference, negative if the host is behind
 * @param uncertainty half of the time that the quickest question and answer took
 */
public record ClockOffset(Duration offset, Duration uncertainty) {

    /** The offset of a host that shares the orchestrator's clock. */
    public static final ClockOffset NONE = new ClockOffset(Duration.ZERO, Duration.ZERO);
}
