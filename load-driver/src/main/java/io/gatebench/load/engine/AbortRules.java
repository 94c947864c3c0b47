/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.time.Duration;
import java.util.Optional;

/**
 * Rules by which a test that cannot succeed ends early.
 *
 * @param allFailingFor ends the test when every sample of so long a time failed, and there was at least one
 * @param errorPercentAbove ends the test when more than this part of all samples failed, in percent; checked from
 *     {@value #MINIMUM_SAMPLES} samples on
 * @param firstRefused ends the test when the very first sample fails
 * @since 0.1
 */
public record AbortRules(Optional<Duration> allFailingFor, Optional<Double> errorPercentAbove, boolean firstRefused) {

    /** Below this number of samples an error rate says nothing. */
    public static final int MINIMUM_SAMPLES = 100;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if the time is not positive or the percentage not in [0, 100)
     */
    public AbortRules {
        allFailingFor.filter(time -> time.isZero() || time.isNegative()).ifPresent(time -> {
            throw new IllegalArgumentException("the time of failing samples must be positive but was " + time);
        });
        errorPercentAbove.filter(percent -> !(percent >= 0 && percent < 100)).ifPresent(percent -> {
            throw new IllegalArgumentException(
                    "the error rate that aborts must be at least 0 and below 100 percent but was " + percent);
        });
    }

    /** Returns rules that never end a test early. */
    public static AbortRules never() {
        return new AbortRules(Optional.empty(), Optional.empty(), false);
    }

    /** Returns the default: ten seconds in which everything failed. */
    public static AbortRules defaults() {
        return new AbortRules(Optional.of(Duration.ofSeconds(10)), Optional.empty(), false);
    }
}
