/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.JvmRole;

/**
 * Starts gateway and back end of each case, or lets those of the case before serve it, and says which processors roles get.
 *
 * <p>They stay for the next case where the plan says so.
 */
final class CaseRoles implements AutoCloseable {

    private final RunContext run;
    private final Replicas replicas;
    private final Interruption interruption;
    private final JvmRole starter;
    private @Nullable CpuSets cpus;
    private @Nullable KeptRoles kept;

    CaseRoles(RunContext run, Replicas replicas, Interruption interruption) {
        this.run = run;
        this.replicas = replicas;
        this.interruption = interruption;
        this.starter = run.jvms();
    }

    /** Returns the processors of roles. Hosts are looked at when there is something to measure on them. */
    CpuSets cpus() {
        CpuSets sets = cpus;
        if (sets == null) {
            sets = CpuSets.of(run.environment(), run.plan(), replicas.first());
            cpus = sets;
        }
        return sets;
    }

    /** Returns what starts the load generators of a case. */
    LoadGenerators generators(TestCase testCase) {
        return new LoadGenerators(
                run, starter, interruption, host -> cpus().of(testCase, NodeRole.LOAD_GENERATOR, host));
    }

    /** Returns gateway and back end of the case before if they can serve this one too, else new ones. */
    KeptRoles serve(TestScenario scenario, CaseState state) {
        KeptRoles before = kept;
        if (before != null) {
            Optional<List<RunningGateway>> same = before.isAlive() ? serving(before, scenario) : Optional.empty();
            if (same.isPresent()) {
                before.serve(scenario, same.get());
                state.runs(before.backend().process());
                same.get().forEach(state::serves);
                startEarly(scenario, state);
                return before;
            }
            if (!before.isAlive()) {
                run.listener()
                        .note("the gateway or the back end ended after "
                                + before.servedBefore().orElse("its start") + "; both are started anew");
            }
            close();
        }
        KeptRoles started = start(scenario, state);
        kept = started;
        return started;
    }

    private KeptRoles start(TestScenario scenario, CaseState state) {
        TestCase testCase = state.testCase();
        cpus().moveProgram(testCase, run.listener());
        run.listener().step("starting the back end");
        StartedBackend backend = wherePortsAreFree("back end", state, () -> startBackend(state));
        // Beside the gateway, which may have processors for itself; the back end would have to share its own with them.
        startEarly(scenario, state);
        run.listener().step("starting the gateway");
        if (run.environment().takesLimits()) {
            run.environment().limitGateway(testCase.gatewayCpus().number());
        }
        for (int i = 0; i < testCase.gatewayReplicas(); i++) {
            Gateway replica = replicas.gateway(i);
            CaseContext context = new CaseContext(
                    replicas.context(i),
                    backend.url(),
                    state.directory(),
                    cpus().of(testCase, NodeRole.GATEWAY, replicas.host(i)));
            state.serves(wherePortsAreFree("gateway", state, () -> replica.start(testCase, scenario, context)));
        }
        return new KeptRoles(state.running(), backend, scenario, testCase);
    }

    private StartedBackend startBackend(CaseState state) {
        Host host = run.environment().host(NodeRole.BACKEND);
        return StartedBackend.start(
                run,
                starter,
                state.testCase(),
                host.workDirectory() + "/" + state.directory() + "/backend",
                replicas.first().backendAddress().orElse(host.address()),
                cpus().of(state.testCase(), NodeRole.BACKEND, host),
                state::runs);
    }

    /** Nothing of a load generator's start needs the gateway, but only the request that it gets in the end. */
    private void startEarly(TestScenario scenario, CaseState state) {
        state.startedEarly(generators(state.testCase())
                .startEarly(scenario, state.testCase(), state.directory() + "/" + CaseLoad.DIRECTORY));
    }

    private <T> T wherePortsAreFree(String what, CaseState state, Supplier<T> start) {
        int before = state.roles().size();
        return PortRace.start(what, run.listener(), () -> state.stopSince(before), start);
    }

    private Optional<List<RunningGateway>> serving(KeptRoles roles, TestScenario scenario) {
        return replicas.serving(roles.gateways(), roles.scenario(), scenario);
    }

    /** Returns gateway and back end that run now, or have run until now; empty if none came up. */
    Optional<KeptRoles> standing() {
        return Optional.ofNullable(kept);
    }

    /** Returns whether gateway and back end that run now may stay for another case. */
    boolean mayServe(TestCase next) {
        return standing()
                .filter(roles -> roles.mayServe(next, run.plan().restart()))
                .filter(roles -> run.plan().scenarios().stream()
                        .filter(scenario -> scenario.name().equals(next.scenario()))
                        .findFirst()
                        .flatMap(scenario -> serving(roles, scenario))
                        .isPresent())
                .isPresent();
    }

    /** Keeps nothing for the next case; whoever has started the case stops them. */
    void forget() {
        kept = null;
    }

    /** Stops what was kept for a case that does not come. */
    @Override
    public void close() {
        standing().ifPresent(KeptRoles::stop);
        forget();
        if (cpus != null) {
            cpus.close();
        }
    }
}
