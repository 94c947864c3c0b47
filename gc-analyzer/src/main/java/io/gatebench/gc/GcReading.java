/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.List;
import java.util.Optional;

import io.gatebench.model.GcSummary;

/**
 * Result of one reading of a log.
 *
 * @param whole the summary that was asked for
 * @param inWindow the summary of the window, if one was given besides
 * @param events every pause and cycle of {@code whole}, oldest first; memory grows with their number
 * @since 0.1
 */
public record GcReading(GcSummary whole, Optional<GcSummary> inWindow, List<GcEvent> events) {

    /** Copies the list. */
    public GcReading {
        events = List.copyOf(events);
    }
}
