/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.model.DatabaseServer;
import io.gatebench.model.NodeRole;
import io.gatebench.model.SystemInformation;
import io.gatebench.spi.host.Host;

/**
 * Hosts by the role that they play; closing it stops what runs and removes what was created for it.
 *
 * @since 0.1
 */
public interface Environment extends AutoCloseable {

    /** Returns {@code local}, {@code hosts}, {@code kubernetes} or {@code aws}. */
    String name();

    /** Returns the hosts of a role: one back end, one or more load generators, and one for each replica of the gateway. */
    List<Host> hosts(NodeRole role);

    /** Returns the only or first host of a role. */
    default Host host(NodeRole role) {
        return hosts(role).get(0);
    }

    /** Returns how the load generators come to their shares of a load. */
    default Distribution distribution() {
        return Distribution.PROCESSES;
    }

    /** Returns how far the clock of a host is ahead of the one of the orchestrator's machine. */
    default Duration clockOffset(Host host) {
        return Duration.ZERO;
    }

    /** Returns facts to be shown with each result measured here, e.g. {@code clock.uncertainty.<host>.millis}. */
    default Map<String, String> facts() {
        return Map.of();
    }

    /**
     * Is called before each case: takes back hosts that were away for so long that they were given up, and measures
     * clocks anew; hosts that are still away stay so.
     */
    default void recover() {}

    /**
     * Returns whether a number of processors of a plan is a limit of what the gateway runs in here, and may be a part of one;
     * else the gateway is given whole processors for itself.
     */
    default boolean takesLimits() {
        return false;
    }

    /**
     * Limits what the gateway, or each replica, runs in; is called before each start of the gateway where {@link #takesLimits} holds.
     *
     * @param cpus the processors; as it was made if absent
     * @throws io.gatebench.spi.host.HostException if that cannot be done
     */
    default void limitGateway(OptionalDouble cpus) {}

    /** Returns the rows of the published system information, which are those of the gateway's machine. */
    default SystemInformation systemInformation() {
        return host(NodeRole.GATEWAY).systemInformation();
    }

    /** Returns the rows of every machine, the gateway's first. */
    default List<SystemInformation> machines() {
        List<SystemInformation> machines = new ArrayList<>(List.of(systemInformation()));
        Arrays.stream(NodeRole.values())
                .flatMap(role -> hosts(role).stream())
                .distinct()
                .filter(host -> host != host(NodeRole.GATEWAY))
                .forEach(host -> machines.add(host.systemInformation()));
        return machines;
    }

    /** Returns the database server that was created for this run, if one was. */
    default Optional<DatabaseServer> database() {
        return Optional.empty();
    }

    /** Returns whether the machines exist for this start of the run alone; another one gets others. */
    default boolean isRented() {
        return false;
    }

    /**
     * Returns the sets of hosts that share the test cases out and measure side by side; itself if there is one only.
     */
    default List<Environment> parts() {
        return List.of(this);
    }

    /** Returns why nothing can be measured here, which the other sets need not suffer from; empty if all is well. */
    default Optional<String> problem() {
        return Optional.empty();
    }

    /** Returns what a reader of the figures must know about where they were measured. */
    List<String> notes();

    @Override
    void close();
}
