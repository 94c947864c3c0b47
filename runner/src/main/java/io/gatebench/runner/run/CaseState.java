/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.gatebench.hosts.SteadyClock;
import io.gatebench.model.BackendTraffic;
import io.gatebench.model.LoadResult;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.RoleProcess;

/** State of a case while it runs; the one place from which its result is made, however it ends. */
final class CaseState {

    /** Largest step that time services make without a word. */
    private static final Duration MIN_STEP = Duration.ofMillis(500);

    private final RunContext run;
    private final TestCase testCase;
    private final int repeat;
    private final String directory;
    private final Path results;
    private final Instant started;
    private final Duration stepBefore;
    private final Map<String, String> facts;
    private final Map<String, Duration> clockOffsets;
    private final CaseMetrics metrics = new CaseMetrics();
    private final List<RoleProcess> roles = new ArrayList<>();
    /** The load generators while they wait for their request; they are roles once the load runs. */
    private final List<RoleProcess> early = new ArrayList<>();
    /** The replicas of the gateway; empty before they run, and when they have been stopped. */
    private final List<RunningGateway> running = new ArrayList<>();

    private final List<ProbeOutcome> probes = new ArrayList<>();
    private Optional<LoadResult> load = Optional.empty();
    private Optional<LoadResult> control = Optional.empty();
    private Optional<BackendTraffic> backend = Optional.empty();
    private boolean backendIdle;

    /**
     * Begins a case.
     *
     * @param directory its directory below the work directory of each host
     * @param results its directory in the results
     */
    CaseState(RunContext run, TestCase testCase, int repeat, String directory, Path results) {
        this.run = run;
        this.testCase = testCase;
        this.repeat = repeat;
        this.directory = directory;
        this.results = results;
        this.started = run.clock().instant();
        this.stepBefore = step();
        this.facts = new LinkedHashMap<>(run.environment().facts());
        this.clockOffsets = offsets();
    }

    TestCase testCase() {
        return testCase;
    }

    /** Returns the directory below the work directory of each host. */
    String directory() {
        return directory;
    }

    /** Returns the directory in the results. */
    Path results() {
        return results;
    }

    /** Returns what is shown of the case, which grows while it runs. */
    Map<String, String> facts() {
        return facts;
    }

    CaseMetrics metrics() {
        return metrics;
    }

    /** Returns the processes that have been started for the case, or serve it. */
    List<RoleProcess> roles() {
        return List.copyOf(roles);
    }

    /** Notes a process that runs. */
    void runs(RoleProcess role) {
        roles.add(role);
    }

    /** Notes a gateway, or a replica, that is ready. */
    void serves(RunningGateway replica) {
        running.add(replica);
        replica.process().ifPresent(roles::add);
    }

    /** Notes load generators that wait for their request. */
    void startedEarly(List<RoleProcess> generators) {
        early.addAll(generators);
    }

    /** Returns the load generators that wait for their request. */
    List<RoleProcess> early() {
        return early;
    }

    /** Returns the gateway, or its replicas, as long as they serve the case. */
    List<RunningGateway> running() {
        return running;
    }

    /** Returns whether a process is one of several gateways. */
    boolean isReplica(RoleProcess role) {
        return role.role() == NodeRole.GATEWAY && testCase.gatewayReplicas() > 1;
    }

    void probed(List<ProbeOutcome> outcomes) {
        probes.addAll(outcomes);
    }

    /** Returns what the load generators have measured, if anything. */
    Optional<LoadResult> load() {
        return load;
    }

    void loaded(Optional<LoadResult> measured) {
        load = measured;
    }

    void controlled(LoadResult measured) {
        control = Optional.of(measured);
    }

    void passedThrough(BackendTraffic traffic) {
        backend = Optional.of(traffic);
    }

    /** Returns whether the back end got next to nothing of the load. */
    boolean isBackendIdle() {
        return backendIdle;
    }

    void backendIdle(boolean idle) {
        backendIdle = idle;
    }

    /** Returns the name of a process's directory, which it has in the results, too. */
    static String directoryOf(RoleProcess role) {
        return role.directory().substring(role.directory().lastIndexOf('/') + 1);
    }

    /** Returns how far the clock of a host is ahead of the one that stamps the measurement window. */
    Duration aheadOfLoad(Host host) {
        return run.environment()
                .clockOffset(host)
                .minus(run.environment().clockOffset(run.environment().host(NodeRole.LOAD_GENERATOR)));
    }

    /** Returns the name of a process for a message. */
    String named(RoleProcess role) {
        return role.process().name() + (isReplica(role) ? " on " + role.host().name() : "");
    }

    /** Returns which process of gateway and back end has ended, and how; null while they run. */
    @Nullable
    String dead(String when) {
        for (RoleProcess role : roles) {
            if (role.role() != NodeRole.LOAD_GENERATOR
                    && !role.process().isAlive()
                    && !(role.role() == NodeRole.GATEWAY && running.isEmpty())) {
                return named(role) + " ended " + when
                        + (role.process().exitCode().isPresent()
                                ? " (exit code " + role.process().exitCode().getAsInt() + ")"
                                : "")
                        + role.process().whyEnded().map(why -> ": " + why).orElse("")
                        + HostDisk.words(role.host())
                        + role.process().lastWords(10);
            }
        }
        return null;
    }

    /** Stops and forgets the processes that were started since there were so many. */
    void stopSince(int count) {
        List<RoleProcess> failed = roles.subList(count, roles.size());
        failed.forEach(RoleProcess::stop);
        failed.clear();
    }

    void stopGateway() {
        running.forEach(RunningGateway::stop);
        running.clear();
    }

    /** Stops all processes. */
    void stop() {
        stopGateway();
        metrics.stop();
        early.forEach(RoleProcess::stop);
        roles.forEach(RoleProcess::stop);
    }

    /** Ends what belongs to this case alone, and leaves gateway and back end. */
    void leave() {
        running.clear();
        metrics.stop();
        roles.stream().filter(role -> role.role() == NodeRole.LOAD_GENERATOR).forEach(RoleProcess::stop);
    }

    TestCaseResult completed(Instant ended, CaseLogs.Collected logs, Map<NodeRole, List<Integer>> processors) {
        return new TestCaseResult.Completed(
                testCase,
                repeat,
                started,
                ended,
                load.orElseThrow(),
                control,
                logs.processes(),
                probes,
                facts,
                backend,
                clockOffsets,
                processors,
                logs.jvm());
    }

    TestCaseResult failed(Instant ended, CaseLogs.Collected logs, CaseFailure failure) {
        return new TestCaseResult.Failed(
                testCase,
                repeat,
                started,
                ended,
                failure.reason(),
                failure.getMessage(),
                load,
                logs.processes(),
                probes,
                load.map(LoadResult::firstFailures).orElse(List.of()));
    }

    /** Metrics carry the machine's time, the window that of its beginning: if the clock was set they do not meet. */
    void noteStep() {
        Host host = run.environment().host(NodeRole.GATEWAY);
        Duration step = step().minus(stepBefore);
        if (host.isLocal() && step.abs().compareTo(MIN_STEP) > 0) {
            clockOffsets.put(host.name(), step);
            run.listener()
                    .note("the clock of " + host.name() + " was set " + (step.isNegative() ? "back" : "forth") + " by "
                            + step.abs().plusMillis(500).toSeconds() + " s while " + testCase.id()
                            + " was measured; figures of the host may be of a part of the window alone");
        }
    }

    private Duration step() {
        return run.clock() instanceof SteadyClock clock ? clock.step() : Duration.ZERO;
    }

    private Map<String, Duration> offsets() {
        Map<String, Duration> offsets = new TreeMap<>();
        Arrays.stream(NodeRole.values())
                .flatMap(role -> run.environment().hosts(role).stream())
                .filter(host -> !host.isLocal())
                .forEach(host -> offsets.put(host.name(), run.environment().clockOffset(host)));
        return offsets;
    }
}
