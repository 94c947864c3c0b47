/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One test case of the matrix.
 *
 * @param scenario the name of the test scenario
 * @param heap the heap size of the gateway
 * @param users the concurrent users, at least 1
 * @param message the message size, GraphQL query or number of elements
 * @param backendDelay the wait that the echo back end adds, in whole milliseconds
 * @param gatewayCpus the processors of the gateway
 * @param gatewayMemory the memory that the gateway is limited to, where the plan names it
 * @param gatewayReplicas the number of gateways that share the load, at least 1; the limits are those of each
 * @since 0.1
 */
public record TestCase(
        String scenario,
        DataSize heap,
        int users,
        MessageLevel message,
        Duration backendDelay,
        GatewayCpus gatewayCpus,
        Optional<DataSize> gatewayMemory,
        int gatewayReplicas) {

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if {@code users} is less than 1, or the delay or the number of replicas is negative
     */
    public TestCase {
        // Runs that were written before there was a choice let all roles share all processors.
        gatewayCpus = Objects.requireNonNullElse(gatewayCpus, GatewayCpus.ALL);
        gatewayMemory = Objects.requireNonNullElse(gatewayMemory, Optional.empty());
        // Files that were written before there were replicas lack the number, which reads as 0.
        gatewayReplicas = gatewayReplicas == 0 ? 1 : gatewayReplicas;
        if (gatewayReplicas < 1) {
            throw new IllegalArgumentException("replicas must be at least 1 but were " + gatewayReplicas);
        }
        if (users < 1) {
            throw new IllegalArgumentException("users must be at least 1 but was " + users);
        }
        if (backendDelay.isNegative()) {
            throw new IllegalArgumentException("the back-end delay must not be negative but was " + backendDelay);
        }
    }

    /** Creates a case whose gateway gets its share of the machine. */
    public TestCase(String scenario, DataSize heap, int users, MessageLevel message, Duration backendDelay) {
        this(scenario, heap, users, message, backendDelay, GatewayCpus.AUTO, Optional.empty(), 1);
    }

    /**
     * Returns the path of this case in the results tree, which is also its identifier: for instance {@code
     * passthrough/2G_heap/100_users/1024B/0ms_sleep}, and {@code /2_cpus}, {@code /1G_memory} or {@code /4_replicas} behind it
     * where the plan gives limits or more than one gateway.
     */
    public String id() {
        return scenario + "/" + heap + "_heap/" + users + "_users/" + message.directoryName() + "/"
                + backendDelay.toMillis() + "ms_sleep"
                + limits().map(limits -> "/" + limits).orElse("");
    }

    /**
     * Returns what the plan limits the gateway to, and how many there are, for instance {@code
     * 0.5_cpus/512M_memory/4_replicas}; empty for one gateway without a limit.
     */
    public Optional<String> limits() {
        return Stream.of(
                        gatewayCpus.number().isPresent()
                                ? Optional.of(gatewayCpus + "_cpus")
                                : Optional.<String>empty(),
                        gatewayMemory.map(memory -> memory + "_memory"),
                        gatewayReplicas > 1 ? Optional.of(gatewayReplicas + "_replicas") : Optional.<String>empty())
                .flatMap(Optional::stream)
                .reduce((before, last) -> before + "/" + last);
    }

    /** Returns the case that this one is with one gateway and without limits: cases that differ in these alone share it. */
    public TestCase unlimited() {
        return new TestCase(scenario, heap, users, message, backendDelay);
    }
}
