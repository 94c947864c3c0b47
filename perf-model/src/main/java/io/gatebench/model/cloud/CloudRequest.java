/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model.cloud;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Needs of a run in a cloud.
 *
 * @param settings the file with the settings of the provider
 * @param estimate how long the stack with the largest share of the plan is expected to measure
 * @param stacks the number of equal sets of machines, at least 1
 * @param maxCost the most that the run may cost, in US dollars; that of the settings if absent
 * @param maxTime the longest that anything may live; that of the settings if absent
 * @param keep how long the machines stay after the run; zero to remove them at once
 * @param detached whether the run is to be left to one of the machines
 */
public record CloudRequest(
        Path settings,
        Duration estimate,
        int stacks,
        Optional<Double> maxCost,
        Optional<Duration> maxTime,
        Duration keep,
        boolean detached) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a number is not positive or a time is negative
     */
    public CloudRequest {
        if (stacks < 1) {
            throw new IllegalArgumentException("there must be at least 1 stack but was " + stacks);
        }
        if (estimate.isNegative() || keep.isNegative()) {
            throw new IllegalArgumentException("times must not be negative but were " + estimate + " and " + keep);
        }
        if (maxCost.isPresent() && !(maxCost.get() > 0)) {
            throw new IllegalArgumentException("the largest cost must be above 0 but was " + maxCost.get());
        }
        if (maxTime.isPresent() && (maxTime.get().isNegative() || maxTime.get().isZero())) {
            throw new IllegalArgumentException("the longest time must be above 0 but was " + maxTime.get());
        }
    }
}
