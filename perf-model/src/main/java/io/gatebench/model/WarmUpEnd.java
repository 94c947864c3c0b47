/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.time.Duration;

/**
 * End of the warm-up of a test.
 *
 * @param took how long it took, ramp-up included
 * @param reason why it ended
 * @param detail what was found, in words; empty for a warm-up of a given length
 * @since 0.1
 */
public record WarmUpEnd(Duration took, Reason reason, String detail) {

    /** Reason for which a warm-up ended. */
    public enum Reason {
        /** It had a given length. */
        PLANNED,
        /** The load had become steady. */
        STEADY,
        /** It was to last until the load is steady, and its limit came first. */
        LIMIT
    }
}
