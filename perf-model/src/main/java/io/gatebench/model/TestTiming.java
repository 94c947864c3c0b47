/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.time.Duration;

/**
 * Length of one test case, and the part of it that counts.
 *
 * <p>A warm-up that lasts until the load is steady may end before its time; the test then ends as much sooner, and the
 * window has the same length.
 *
 * @param duration the whole test, warm-up included
 * @param warmUp the leading part that is not part of the measurement window; ramp-up included
 * @param rampUp the time in which all users are started
 * @param untilSteady whether the warm-up ends as soon as the load is steady
 * @since 0.1
 */
public record TestTiming(Duration duration, Duration warmUp, Duration rampUp, boolean untilSteady) {

    /**
     * Checks the order: ramp-up within warm-up within duration.
     *
     * @throws IllegalArgumentException if a time is negative or one outlasts the one that holds it
     */
    public TestTiming {
        if (rampUp.isNegative() || warmUp.isNegative()) {
            throw new IllegalArgumentException("ramp-up and warm-up must not be negative");
        }
        if (warmUp.compareTo(duration) >= 0) {
            throw new IllegalArgumentException("warm-up (" + seconds(warmUp) + ") must be shorter than the duration ("
                    + seconds(duration) + "); shorten --warm-up or lengthen --duration");
        }
        if (rampUp.compareTo(warmUp) > 0) {
            throw new IllegalArgumentException("ramp-up (" + seconds(rampUp) + ") must not outlast the warm-up ("
                    + seconds(warmUp) + "); shorten --ramp-up or lengthen --warm-up");
        }
    }

    /** Creates a timing whose warm-up has a given length. */
    public TestTiming(Duration duration, Duration warmUp, Duration rampUp) {
        this(duration, warmUp, rampUp, false);
    }

    /** Returns the length of the measurement window. */
    public Duration measurement() {
        return duration.minus(warmUp);
    }

    private static String seconds(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
    }
}
