/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One process of a run: how it was started and what its logs and its host say.
 *
 * @param role what it is there for
 * @param name the name that the columns of the report carry, e.g. {@code Netty Service}
 * @param host the name of the host it ran on
 * @param command the command line, secrets masked
 * @param heap its heap size
 * @param directory where its logs lie, relative to the directory of the case
 * @param gc the whole GC log, as the published documents have it
 * @param gcInWindow the measurement window of the same log
 * @param hostMetrics the host's metrics averaged over the window, keyed by the published column name without the
 *     process name, e.g. {@code System Load Average - Last 1 minute}
 * @param notes what a reader must know
 * @since 0.1
 */
public record ProcessReport(
        NodeRole role,
        String name,
        String host,
        List<String> command,
        DataSize heap,
        String directory,
        Optional<GcSummary> gc,
        Optional<GcSummary> gcInWindow,
        Map<String, MeasuredValue> hostMetrics,
        List<String> notes) {

    /** Copies the collections. */
    public ProcessReport {
        command = List.copyOf(command);
        hostMetrics = Map.copyOf(hostMetrics);
        notes = List.copyOf(notes);
    }

    /** Returns a metric of its host, if it is known. */
    public OptionalDouble metric(HostMetric metric) {
        return hostMetrics
                .getOrDefault(metric.header(), MeasuredValue.absent("not measured"))
                .value();
    }
}
