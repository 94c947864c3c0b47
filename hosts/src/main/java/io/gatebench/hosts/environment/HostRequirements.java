/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import java.util.List;
import java.util.Map;

import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;

/**
 * Demands of a plan on the hosts.
 *
 * @param heaps the heaps with which the JVM of each role will be started; none for a role whose process gets no heap
 * @param ports the ports at which roles must listen, if the user said
 * @param gatewayReplicas the numbers of gateways that test cases have
 */
public record HostRequirements(
        Map<NodeRole, List<DataSize>> heaps, Map<NodeRole, Integer> ports, List<Integer> gatewayReplicas) {

    /** Copies the collections. */
    public HostRequirements {
        heaps = Map.copyOf(heaps);
        ports = Map.copyOf(ports);
        gatewayReplicas = List.copyOf(gatewayReplicas);
    }

    /** Returns what is demanded when nothing is known of a plan: nothing. */
    public static HostRequirements none() {
        return new HostRequirements(Map.of(), Map.of(), List.of(1));
    }
}
