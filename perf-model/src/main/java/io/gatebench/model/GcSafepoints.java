/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Optional;

/**
 * Every stop of the application threads that the log tells of, collections included.
 *
 * @param count number of safepoints
 * @param totalSeconds time from the request to the end, summed
 * @param timeToSafepointSeconds the part of it that was spent waiting for threads to stop
 * @param stops distribution of the whole stops in milliseconds, if there were any
 * @param timeToSafepoint distribution of the waits in milliseconds, if there were any
 * @since 0.1
 */
public record GcSafepoints(
        MeasuredValue count,
        MeasuredValue totalSeconds,
        MeasuredValue timeToSafepointSeconds,
        Optional<ResponseTimes> stops,
        Optional<ResponseTimes> timeToSafepoint) {

    /** Returns figures that are all absent for one reason. */
    public static GcSafepoints absent(String reason) {
        MeasuredValue none = MeasuredValue.absent(reason);
        return new GcSafepoints(none, none, none, Optional.empty(), Optional.empty());
    }
}
