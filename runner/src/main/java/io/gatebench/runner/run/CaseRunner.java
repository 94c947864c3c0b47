/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import io.gatebench.load.engine.LoadException;
import io.gatebench.model.FailureReason;
import io.gatebench.model.GatewayRestart;
import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestScenario;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.role.RoleStartException;

/**
 * Measures one case: starts the roles, probes the gateway, loads it, collects, stops.
 *
 * <p>Gateway and back end stay for the next case where the plan says so. Nothing is kept after a case that failed.
 */
final class CaseRunner implements AutoCloseable {

    private final RunContext run;
    private final ResultsDirectory results;
    private final Interruption interruption;
    private final String place;
    private final CaseRoles roles;
    private final GatewayProbes probes;
    private final CaseLoad load;
    private final CaseLogs logs;

    CaseRunner(
            RunContext run,
            Replicas replicas,
            ResultsDirectory results,
            Interruption interruption,
            LoadSettings settings) {
        this(run, replicas, results, interruption, settings, "cases", Optional.empty());
    }

    /**
     * Creates a runner.
     *
     * @param place the directory below the work directory of each host that holds the directories of cases
     * @param plannedEnd until when tokens must be valid, if not only until the end of a case
     */
    CaseRunner(
            RunContext run,
            Replicas replicas,
            ResultsDirectory results,
            Interruption interruption,
            LoadSettings settings,
            String place,
            Optional<Instant> plannedEnd) {
        this.run = run;
        this.results = results;
        this.interruption = interruption;
        this.place = place;
        this.roles = new CaseRoles(run, replicas, interruption);
        this.probes = new GatewayProbes(run, replicas, settings.payload(), plannedEnd);
        this.load = new CaseLoad(run, replicas, interruption, settings, roles);
        this.logs = new CaseLogs(run, replicas.first(), roles);
    }

    /**
     * Measures the case once; every way in which it can end becomes a result.
     *
     * @param next the case that is measured after it, for which gateway and back end may stay
     */
    TestCaseResult run(TestScenario scenario, TestCase testCase, int repeat, Optional<TestCase> next) {
        CaseState state = new CaseState(
                run, testCase, repeat, directory(testCase, repeat), results.caseDirectory(testCase, repeat));
        CaseFailure failure = null;
        try {
            measure(scenario, state);
        } catch (CaseFailure e) {
            failure = e;
        } catch (RoleStartException e) {
            failure = new CaseFailure(FailureReason.START, e.getMessage());
        } catch (HostException e) {
            failure = new CaseFailure(
                    interruption.isRequested() ? FailureReason.INTERRUPTED : FailureReason.HOST, e.getMessage());
        } catch (LoadException | UncheckedIOException e) {
            // What goes wrong here need not go wrong in the next test case.
            failure = new CaseFailure(FailureReason.OTHER, e.getMessage());
        }
        Optional<KeptRoles> standing = roles.standing();
        if (failure == null && next.filter(roles::mayServe).isPresent()) {
            state.leave();
        } else {
            roles.forget();
            stop(state);
        }
        run.listener().step("collecting logs");
        CaseLogs.Collected collected = logs.collect(state, standing);
        Instant ended = run.clock().instant();
        state.noteStep();
        return failure == null
                ? state.completed(ended, collected, roles.cpus().ofRoles(testCase))
                : state.failed(ended, collected, failure);
    }

    private void measure(TestScenario scenario, CaseState state) {
        KeptRoles standing = roles.serve(scenario, state);
        List<RunningGateway> running = standing.gateways();
        noteWhatServes(scenario, standing, state);
        if (interruption.isRequested()) {
            throw new CaseFailure(FailureReason.INTERRUPTED, "the run was interrupted");
        }
        probes.check(scenario, state, running);
        startMetrics(state);
        load.send(scenario, standing, state);
        state.metrics().stop();
        String footprint = FullGc.ask(running, run.listener());
        requireAlive(running, state);
        state.facts()
                .put(
                        "footprint.kind",
                        standing.servedBefore()
                                .map(cells -> footprint + "; the same gateway had served before: " + cells)
                                .orElse(footprint));
        standing.served(state.testCase().id());
        if (run.plan().restart() == GatewayRestart.CASE) {
            state.stopGateway();
        }
        if (run.plan().controlRun() && scenario.steps().isPresent()) {
            run.listener()
                    .note("scenario " + scenario.name()
                            + " has steps, and so no control run: straight at the back end they"
                            + " would be other requests");
        } else if (run.plan().controlRun()) {
            load.sendWithoutGateway(scenario, standing, state);
        }
    }

    private static void noteWhatServes(TestScenario scenario, KeptRoles standing, CaseState state) {
        state.facts()
                .put(
                        "gateway.url",
                        standing.gateways().stream()
                                .map(replica -> replica.target() + scenario.path())
                                .collect(Collectors.joining(", ")));
        state.facts().put("backend.url", standing.backend().url().toString());
        standing.servedBefore().ifPresent(cells -> state.facts().put("gateway.served.before", cells));
    }

    private void startMetrics(CaseState state) {
        for (NodeRole role : NodeRole.values()) {
            List<Host> hosts = run.environment().hosts(role);
            // Those of further replicas stand still in this case.
            for (Host host :
                    role == NodeRole.GATEWAY ? hosts.subList(0, state.testCase().gatewayReplicas()) : hosts) {
                state.metrics().start(host, host.workDirectory() + "/" + state.directory() + "/metrics");
            }
        }
        state.roles().forEach(state.metrics()::watch);
    }

    /** A gateway that ended with the load, or lost a process of its own, has not served all of it. */
    private static void requireAlive(List<RunningGateway> running, CaseState state) {
        String died = state.dead("after the load");
        if (died != null) {
            throw new CaseFailure(FailureReason.PROCESS_DIED, died);
        }
        running.stream()
                .flatMap(replica -> replica.process().stream())
                .flatMap(role -> role.process().losses().map(losses -> state.named(role) + ": " + losses).stream())
                .findFirst()
                .ifPresent(losses -> {
                    throw new CaseFailure(FailureReason.PROCESS_DIED, losses);
                });
    }

    private void stop(CaseState state) {
        // An interrupt that ended the case must not end the waiting for its processes.
        boolean interrupted = Thread.interrupted();
        state.stop();
        if (interrupted && !interruption.isRequested()) {
            Thread.currentThread().interrupt();
        }
    }

    private String directory(TestCase testCase, int repeat) {
        return place + "/" + testCase.id() + (run.plan().repeats() > 1 ? "/repeat_" + repeat : "");
    }

    /** Stops what was kept for a case that does not come. */
    @Override
    public void close() {
        roles.close();
    }
}
