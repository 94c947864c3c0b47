/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import java.util.HashMap;
import java.util.Map;

import io.gatebench.hosts.metrics.Processes.Reading;

/** The processor time of all processes of a host that are no part of the run, from reading to reading. */
final class OtherPrograms {

    /** Key of the ticks of all of them, from the first reading on. */
    static final String TICKS = "pid.0.cpuTicks";

    /** Before a name in the key of the ticks of all processes of that name. */
    static final String NAMED = "other.";

    private final ProcessTree all = new ProcessTree(0);
    private final Map<String, Double> byName = new HashMap<>();
    private Map<Long, Reading> before = Map.of();

    /**
     * Takes the next reading.
     *
     * @param values where the figures are put
     */
    void add(Map<Long, Reading> now, Map<String, Double> values) {
        all.add(now, values);
        now.values()
                .forEach(
                        reading -> byName.merge(NAMED + reading.name(), Math.max(0, ticksSince(reading)), Double::sum));
        values.putAll(byName);
        before = now;
    }

    private double ticksSince(Reading reading) {
        Reading earlier = before.get(reading.pid());
        double ticks = reading.all()[0];
        return earlier == null || earlier.start() != reading.start() ? ticks : ticks - earlier.all()[0];
    }
}
