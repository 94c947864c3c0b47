/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.List;
import java.util.Optional;

/**
 * Figures of a GC log about the heap.
 *
 * @param initialBytes heap size at the start of the JVM
 * @param maximumBytes largest heap size the JVM may reach
 * @param allocationRateBytesPerSecond what the application allocated between collections, over the run time
 * @param promotionRateBytesPerSecond growth of the old generation in collections of the young one, over the run time
 * @param afterFullGcBytes heap used after each full GC, in order; at most the first 10,000
 * @param afterGcTrendBytesPerHour slope of a least-squares line through the heap used after collections
 * @param liveSetEstimateBytes heap used after the deepest collections when there was no full GC: an estimate of what a
 *     full GC would have left, not a replacement
 * @param liveSetEstimateBasis which collections the estimate rests on
 * @since 0.1
 */
public record GcHeap(
        MeasuredValue initialBytes,
        MeasuredValue maximumBytes,
        MeasuredValue allocationRateBytesPerSecond,
        MeasuredValue promotionRateBytesPerSecond,
        List<Double> afterFullGcBytes,
        MeasuredValue afterGcTrendBytesPerHour,
        MeasuredValue liveSetEstimateBytes,
        Optional<String> liveSetEstimateBasis) {

    /** Copies the list. */
    public GcHeap {
        afterFullGcBytes = List.copyOf(afterFullGcBytes);
    }

    /** Returns figures that are all absent for one reason. */
    public static GcHeap absent(String reason) {
        MeasuredValue none = MeasuredValue.absent(reason);
        return new GcHeap(none, none, none, none, List.of(), none, none, Optional.empty());
    }
}
