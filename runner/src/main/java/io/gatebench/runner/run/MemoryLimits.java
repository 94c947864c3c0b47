/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.util.List;
import java.util.stream.Collectors;

import io.gatebench.hosts.MemoryGroup;
import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.model.PerfPlan;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.Environment;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.host.Host;

/** Limits on the memory of a gateway that runs in no container. */
final class MemoryLimits {

    private MemoryLimits() {}

    /**
     * Looks whether the gateway's machine can limit what the plan limits, and returns what a reader of the figures must know.
     *
     * @throws PlanException if it cannot
     */
    static List<String> of(Environment environment, PerfPlan plan, Gateway gateway) {
        List<DataSize> limits = plan.matrix().gatewayMemory();
        if (limits.isEmpty() || gateway.takesLimits()) {
            return List.of();
        }
        Host host = environment.host(NodeRole.GATEWAY);
        String sizes = limits.stream().map(DataSize::toString).collect(Collectors.joining(", "));
        MemoryGroup.hindrance(host).ifPresent(why -> {
            throw new PlanException(List.of("--gateway-memory " + sizes + ": the memory of processes of " + host.name()
                    + " cannot be limited: " + why + "; give the gateway a container, or leave it out"));
        });
        return List.of("The memory of the gateway's processes was limited by a control group: " + sizes + ".");
    }
}
