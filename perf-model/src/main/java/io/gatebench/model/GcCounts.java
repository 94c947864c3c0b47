/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Number of times that things of a GC log happened.
 *
 * @param systemGc collections that the application or a tool asked for
 * @param evacuationFailures collections that found no room to copy to: G1 evacuation failure or to-space exhausted,
 *     promotion failure of the other collectors
 * @param humongousCollections collections that a humongous allocation caused
 * @param concurrentModeFailures concurrent cycles that lost the race: CMS concurrent mode failure, G1 aborted marking,
 *     Shenandoah degenerated cycles
 * @param allocationStalls times a thread had to wait for memory (ZGC)
 * @param fullGcCauses number of full collections by cause, in order of appearance
 * @since 0.1
 */
public record GcCounts(
        MeasuredValue systemGc,
        MeasuredValue evacuationFailures,
        MeasuredValue humongousCollections,
        MeasuredValue concurrentModeFailures,
        MeasuredValue allocationStalls,
        Map<String, Long> fullGcCauses) {

    /** Copies the map and keeps its order. */
    public GcCounts {
        fullGcCauses = Collections.unmodifiableMap(new LinkedHashMap<>(fullGcCauses));
    }

    /** Returns figures that are all absent for one reason. */
    public static GcCounts absent(String reason) {
        MeasuredValue none = MeasuredValue.absent(reason);
        return new GcCounts(none, none, none, none, none, Map.of());
    }
}
