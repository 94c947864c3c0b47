/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.environment;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.orchestrator.plan.RunPlan;

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

    /** Returns what a plan demands. */
    public static Demands of(RunPlan plan) {
        Map<NodeRole, Integer> ports = new EnumMap<>(NodeRole.class);
        port(plan.gatewayPort(), NodeRole.GATEWAY, ports);
        port(plan.backendPort(), NodeRole.BACKEND, ports);
        return new Demands(
                Map.of(
                        NodeRole.GATEWAY,
                        plan.product().usesHeap() ? plan.plan().matrix().heaps() : List.of(),
                        NodeRole.BACKEND,
                        List.of(plan.plan().backendHeap()),
                        NodeRole.LOAD_GENERATOR,
                        List.of(plan.plan().loadGeneratorHeap())),
                ports);
    }

    private static void port(OptionalInt port, NodeRole role, Map<NodeRole, Integer> ports) {
        if (port.isPresent()) {
            ports.put(role, port.getAsInt());
        }
    }
}
