/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.environment;

import java.util.List;
import java.util.Map;

import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;

/**
 * What a plan demands of the hosts.
 *
 * @param heaps the heaps with which the JVM of each role will be started; none for a role whose process gets no heap
 * @param ports the ports at which roles must listen, if the user said
 */
public record Demands(Map<NodeRole, List<DataSize>> heaps, Map<NodeRole, Integer> ports) {

    /** Copies the maps. */
    public Demands {
        heaps = Map.copyOf(heaps);
        ports = Map.copyOf(ports);
    }

    /** Returns what is demanded when nothing is known of a plan: nothing. */
    public static Demands none() {
        return new Demands(Map.of(), Map.of());
    }
}
