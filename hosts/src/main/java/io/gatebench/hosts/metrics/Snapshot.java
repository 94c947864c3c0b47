/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The counters and gauges of one host at one moment.
 *
 * @param time the host's own clock
 * @param uptimeSeconds seconds since the host started, which no setting of its clock moves
 * @param values the numbers by key, e.g. {@code cpu.user}, {@code mem.MemFree}, {@code pid.4711.utime}
 */
record Snapshot(Instant time, double uptimeSeconds, Map<String, Double> values) {

    Snapshot {
        values = Map.copyOf(values);
    }

    OptionalDouble value(String key) {
        Double value = values.get(key);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
