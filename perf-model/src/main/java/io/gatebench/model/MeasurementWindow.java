/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.time.Duration;
import java.time.Instant;

/**
 * The part of a test whose samples count: those that start in {@code [start, end)}.
 *
 * @param start the end of the warm-up
 * @param end the end of the test, after {@code start}
 * @since 0.1
 */
public record MeasurementWindow(Instant start, Instant end) {

    /**
     * Checks the order.
     *
     * @throws IllegalArgumentException if the window is empty
     */
    public MeasurementWindow {
        if (!start.isBefore(end)) {
            throw new IllegalArgumentException("the measurement window must not be empty: " + start + " to " + end);
        }
    }

    /** Returns the length. */
    public Duration length() {
        return Duration.between(start, end);
    }
}
