/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.gatebench.hosts.metrics.CpuTime;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.role.RoleProcess;

/** Holds all processes of a gateway still, and lets them go on at the end, whatever happens meanwhile. */
final class Standstill implements AutoCloseable {

    /** Holds nothing. */
    static final Standstill NONE = new Standstill(Optional.empty(), List.of());

    private static final Duration SIGNAL = Duration.ofSeconds(5);

    private final Optional<Host> host;
    private final List<String> pids;

    private Standstill(Optional<Host> host, List<String> pids) {
        this.host = host;
        this.pids = pids;
    }

    /** Holds a gateway still; where this cannot be done it goes on, and nothing is held. */
    static Standstill of(RunningGateway gateway) {
        if (gateway.process().isEmpty()) {
            return NONE;
        }
        Host host = gateway.process().get().host();
        List<Long> roots = Stream.concat(
                        gateway.process().map(RoleProcess::process).stream(), gateway.helpers().stream())
                .map(HostProcess::pid)
                .toList();
        List<String> pids =
                CpuTime.trees(host, roots).stream().map(String::valueOf).toList();
        Standstill held = new Standstill(Optional.of(host), pids);
        if (held.signal("-STOP")) {
            return held;
        }
        held.signal("-CONT");
        return NONE;
    }

    /** Returns whether it holds anything. */
    boolean holds() {
        return !pids.isEmpty();
    }

    private boolean signal(String name) {
        List<String> command = new ArrayList<>(List.of("kill", name));
        command.addAll(pids);
        try {
            return host.orElseThrow().run(command, SIGNAL).exitCode() == 0;
        } catch (HostException e) {
            return false;
        }
    }

    @Override
    public void close() {
        if (holds()) {
            signal("-CONT");
        }
    }
}
