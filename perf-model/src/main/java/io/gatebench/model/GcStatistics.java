/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

/**
 * GC figures by one set of rules.
 *
 * @param gcThroughputPercent part of the run time that was not spent in GC pauses, 0 to 100
 * @param runTimeSeconds the run time that the throughput refers to
 * @param pauseTotalSeconds accumulated pause
 * @param pauseCount number of pauses
 * @param fullGcCount number of full collections
 * @param footprintAfterFullGcMeanBytes mean of the heap used after full GC
 * @param footprintAfterFullGcDeviationBytes sample standard deviation (n-1) of the same, 0 for one full GC
 * @param footprintBytes largest allocated heap
 * @since 0.1
 */
public record GcStatistics(
        MeasuredValue gcThroughputPercent,
        MeasuredValue runTimeSeconds,
        MeasuredValue pauseTotalSeconds,
        MeasuredValue pauseCount,
        MeasuredValue fullGcCount,
        MeasuredValue footprintAfterFullGcMeanBytes,
        MeasuredValue footprintAfterFullGcDeviationBytes,
        MeasuredValue footprintBytes) {

    /** Returns figures that are all absent for one reason. */
    public static GcStatistics absent(String reason) {
        MeasuredValue none = MeasuredValue.absent(reason);
        return new GcStatistics(none, none, none, none, none, none, none, none);
    }
}
