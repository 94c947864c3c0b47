/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.List;

/**
 * Observations of the load generator on itself during the measurement window.
 *
 * @param cpuOfMachinePercent its CPU time, as a percentage of all processors of its machine
 * @param gcPauseMillis its own GC pauses, summed
 * @param schedulingDelayP99Millis 99th percentile of how late a sleeping probe thread woke up
 * @param schedulingDelayMaxMillis the largest such delay
 * @param connectionsOpened connections opened in the whole test
 * @param saturated whether the load generator was itself a bottleneck
 * @param reasons the figures behind {@code saturated}, in words
 * @since 0.1
 */
public record LoadGeneratorHealth(
        MeasuredValue cpuOfMachinePercent,
        MeasuredValue gcPauseMillis,
        MeasuredValue schedulingDelayP99Millis,
        MeasuredValue schedulingDelayMaxMillis,
        MeasuredValue connectionsOpened,
        boolean saturated,
        List<String> reasons) {

    /** Copies the list. */
    public LoadGeneratorHealth {
        reasons = List.copyOf(reasons);
    }
}
