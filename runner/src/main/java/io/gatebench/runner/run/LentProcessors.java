/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.util.List;

import io.gatebench.hosts.Processors;
import io.gatebench.hosts.metrics.CpuTime;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;

/** Processors that a gateway with some for itself has besides while it warms up: its compiler is done sooner. */
final class LentProcessors {

    private final RunningGateway gateway;
    private final List<Integer> own;

    private LentProcessors(RunningGateway gateway, List<Integer> own) {
        this.gateway = gateway;
        this.own = own;
    }

    /**
     * Lets all processes of a gateway run on all processors; changes nothing where it was not started here or has none for itself.
     *
     * @param own the processors that it has; empty for all
     * @param all those of its host
     * @throws HostException if the host refuses
     */
    static LentProcessors to(RunningGateway gateway, List<Integer> own, List<Integer> all) {
        LentProcessors lent = new LentProcessors(gateway, own);
        lent.move(all);
        return lent;
    }

    /**
     * Leaves it its own ones.
     *
     * @throws HostException if the host refuses
     */
    void giveBack() {
        move(own);
        // Processes that were started by others that were not moved yet.
        move(own);
    }

    private void move(List<Integer> processors) {
        if (gateway.process().isEmpty() || own.isEmpty()) {
            return;
        }
        Host host = gateway.process().get().host();
        List<Long> roots = WindowMeter.pids(gateway);
        for (long pid : CpuTime.trees(host, roots)) {
            try {
                Processors.move(host, pid, processors);
            } catch (HostException e) {
                if (CpuTime.trees(host, roots).contains(pid)) {
                    throw e;
                }
            }
        }
    }
}
