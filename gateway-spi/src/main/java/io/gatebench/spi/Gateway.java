/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.model.DataSize;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;

/**
 * The gateway of one run: prepared once, started anew for each case or kept for several.
 *
 * <p>The three hooks of a product's life in a run are {@link #initialize}, {@link #start} and {@link
 * RunningGateway#stop}. Not safe for use by several threads: a run measures one case at a time.
 *
 * @since 0.1
 */
public interface Gateway {

    /** Returns the name that title and columns of the report carry; never a product's when a stand-in is measured. */
    String applicationName();

    /** Returns a rough time that one case needs beside its load, for estimates. */
    Duration overheadPerCase();

    /** Returns the scenarios among those given that it cannot serve, with the reason of each. */
    default Map<String, String> unserved(List<TestScenario> scenarios) {
        return Map.of();
    }

    /**
     * Returns tokens that the user gave for those scenarios, which must live until the planned end of the run. Called
     * before anything is started; tokens that are minted or fetched for a run are not among them.
     *
     * @throws io.gatebench.load.engine.LoadException if they cannot be read
     */
    default Optional<TokenPool> givenTokens(List<TestScenario> scenarios) {
        return Optional.empty();
    }

    /** Returns whether it runs already: several loads at the same time would meet in it. */
    default boolean isShared() {
        return false;
    }

    /**
     * Returns whether a number of processors of a plan is a limit that it is started with, as a container is, and which may
     * be a part of one; else it is given whole processors for itself.
     */
    default boolean takesLimits() {
        return false;
    }

    /**
     * Returns whether it is started with the memory of the plan as its limit: by {@link
     * io.gatebench.spi.host.ProcessSpec#memory}, or as its container is.
     */
    default boolean takesMemoryLimit() {
        return takesLimits();
    }

    /** Returns the limit on processors that its container has where the plan names none. */
    default OptionalDouble containerCpus() {
        return OptionalDouble.empty();
    }

    /** Returns the limit on the memory of its container, if it has one. */
    default Optional<DataSize> containerMemory() {
        return Optional.empty();
    }

    /** Returns why several of it cannot share the load as replicas, each installed and started by itself; empty if they can. */
    default Optional<String> replicasHindrance() {
        return Optional.empty();
    }

    /** Returns whether its answers come from the back end of the run, whose counts are then held to the load. */
    default boolean usesBackend() {
        return true;
    }

    /** Returns the address of its machine at which it reaches a back end there, where that is not the machine's own. */
    default Optional<String> backendAddress() {
        return Optional.empty();
    }

    /** Does what is needed once before the first case: installs, mints tokens. */
    void initialize(RunContext run);

    /** Starts an instance for a case and returns when it is ready for its first request. */
    RunningGateway start(TestCase testCase, TestScenario scenario, CaseContext context);

    /**
     * Returns an instance that runs already as it serves another scenario, with the tokens of that one; empty if it must
     * be started anew for it.
     *
     * @param running the instance
     * @param before the scenario that it was started for, or has served last
     * @param scenario the scenario that it is to serve now
     */
    default Optional<RunningGateway> serving(RunningGateway running, TestScenario before, TestScenario scenario) {
        return before.name().equals(scenario.name()) ? Optional.of(running) : Optional.empty();
    }

    /**
     * Removes what was set up outside the directories of the run, e.g. APIs in a gateway that runs on. Called once
     * after the last case, unless the user keeps it.
     *
     * @throws io.gatebench.spi.role.RoleStartException with what is left and how to remove it
     */
    default void remove(RunContext run) {}

    /** Returns what a reader of the figures must know of it. */
    default List<String> notes() {
        return List.of();
    }

    /** Returns versions of what took part, e.g. {@code gateway} to {@code Spring Cloud Gateway 5.0}. */
    Map<String, String> versions();
}
