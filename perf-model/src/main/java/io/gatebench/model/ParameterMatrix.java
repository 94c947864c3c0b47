/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.time.Duration;
import java.util.List;

/**
 * The axes whose product is the list of test cases.
 *
 * @param heaps heap sizes of the gateway
 * @param users concurrent users
 * @param messageSizes request payloads in bytes
 * @param queries GraphQL query numbers
 * @param elements numbers of XML elements
 * @param backendDelays waits added by the back end
 * @param gatewayCpus processors of the gateway
 * @param gatewayMemory memory that the gateway is limited to; empty where the plan does not say it
 * @param gatewayReplicas numbers of gateways that share the load
 * @since 0.1
 */
public record ParameterMatrix(
        List<DataSize> heaps,
        List<Integer> users,
        List<Integer> messageSizes,
        List<Integer> queries,
        List<Integer> elements,
        List<Duration> backendDelays,
        List<GatewayCpus> gatewayCpus,
        List<DataSize> gatewayMemory,
        List<Integer> gatewayReplicas) {

    /**
     * Copies the lists. Runs that were written before there was a choice let all roles share all processors, and had one
     * gateway.
     */
    public ParameterMatrix {
        heaps = List.copyOf(heaps);
        users = List.copyOf(users);
        messageSizes = List.copyOf(messageSizes);
        queries = List.copyOf(queries);
        elements = List.copyOf(elements);
        backendDelays = List.copyOf(backendDelays);
        gatewayCpus =
                gatewayCpus == null || gatewayCpus.isEmpty() ? List.of(GatewayCpus.ALL) : List.copyOf(gatewayCpus);
        gatewayMemory = gatewayMemory == null ? List.of() : List.copyOf(gatewayMemory);
        gatewayReplicas =
                gatewayReplicas == null || gatewayReplicas.isEmpty() ? List.of(1) : List.copyOf(gatewayReplicas);
    }

    /** Creates a matrix whose gateway gets its share of the machine. */
    public ParameterMatrix(
            List<DataSize> heaps,
            List<Integer> users,
            List<Integer> messageSizes,
            List<Integer> queries,
            List<Integer> elements,
            List<Duration> backendDelays) {
        this(
                heaps,
                users,
                messageSizes,
                queries,
                elements,
                backendDelays,
                List.of(GatewayCpus.AUTO),
                List.of(),
                List.of(1));
    }
}
