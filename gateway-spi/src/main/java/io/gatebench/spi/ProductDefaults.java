/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.time.Duration;
import java.util.List;

import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.TestTiming;

/**
 * Plan that a profile of a product measures when nothing else is asked for.
 *
 * @param scenarios names of the scenarios that run, in order
 * @param matrix the axes
 * @param timing duration, warm-up and ramp-up of each case
 * @param controlRun whether each case is also measured straight at the back end
 * @since 0.1
 */
public record ProductDefaults(List<String> scenarios, ParameterMatrix matrix, TestTiming timing, boolean controlRun) {

    /**
     * Timing of the profile {@link Profile#QUICK}: a window of 15 s as soon as the load is steady, which a JVM gateway needs
     * the better part of a minute for, and at the latest after 120 s. A run of four test cases takes four minutes.
     */
    public static final TestTiming QUICK_TIMING =
            new TestTiming(Duration.ofSeconds(135), Duration.ofSeconds(120), Duration.ofSeconds(2), true);

    /** Copies the list. */
    public ProductDefaults {
        scenarios = List.copyOf(scenarios);
    }
}
