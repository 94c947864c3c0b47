/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

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

    /** Copies the list. */
    public ProductDefaults {
        scenarios = List.copyOf(scenarios);
    }
}
