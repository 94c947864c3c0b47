/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.SharedLoad;
import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadProbes;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.load.engine.Trust;
import io.gatebench.model.FailureReason;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;
import io.gatebench.spi.Distribution;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.role.RoleProcess;

/** Sends the loads of a case, fetches what was measured, and fails the case if that is no measurement. */
final class CaseLoad {

    /** The directory of the load through the gateway, in that of the case. */
    static final String DIRECTORY = "load";

    private static final String CONTROL_DIRECTORY = "control";
    /** A back end that got less than this part of the load was as good as idle. */
    private static final int IDLE_PART = 100;

    private final RunContext run;
    private final Replicas replicas;
    private final Interruption interruption;
    private final LoadSettings settings;
    private final CaseRoles roles;

    CaseLoad(RunContext run, Replicas replicas, Interruption interruption, LoadSettings settings, CaseRoles roles) {
        this.run = run;
        this.replicas = replicas;
        this.interruption = interruption;
        this.settings = settings;
        this.roles = roles;
    }

    /**
     * Sends the load through the gateway.
     *
     * @throws CaseFailure if its result cannot be published; the state has what there is of it
     */
    void send(TestScenario scenario, KeptRoles standing, CaseState state) {
        run.listener().step("load");
        List<LoadGenerators.Aim> aims = new ArrayList<>();
        for (int i = 0; i < standing.gateways().size(); i++) {
            aims.add(aim(scenario, state, standing.gateways().get(i), replicas.secrets(i)));
        }
        Optional<BackendCount> before = count(standing.backend());
        Consumer<RoleProcess> started = role -> {
            state.runs(role);
            state.metrics().watch(role);
        };
        LoadResult load = send(aims, DIRECTORY, state.early(), started, state::loaded, state);
        before.flatMap(earlier -> count(standing.backend()).map(now -> now.since(earlier)))
                .ifPresent(count -> passedThrough(count, load, scenario, state));
    }

    /** Sends the same load straight at the back end. */
    void sendWithoutGateway(TestScenario scenario, KeptRoles standing, CaseState state) {
        run.listener().step("control run");
        LoadRequest direct = settings.apply(LoadRequest.of(
                withoutGateway(scenario),
                standing.backend().url(),
                state.testCase(),
                run.plan().timing()));
        List<LoadGenerators.Aim> aims = List.of(new LoadGenerators.Aim(direct, Optional.empty(), Optional.empty()));
        state.controlled(send(aims, CONTROL_DIRECTORY, List.of(), role -> {}, measured -> {}, state));
    }

    private LoadGenerators.Aim aim(TestScenario scenario, CaseState state, RunningGateway running, Path secrets) {
        LoadRequest request = settings.apply(LoadRequest.of(
                        scenario, running.target(), state.testCase(), run.plan().timing(), running.tokens()))
                .withTrust(Trust.ofGateway(running.target()))
                .withProbes(alongside(running, secrets));
        return new LoadGenerators.Aim(request, running.tokens(), Optional.of(running));
    }

    /** A gateway that stops checking when it is loaded must be found, too. */
    private LoadProbes alongside(RunningGateway running, Path secrets) {
        if (running.probeTokens().isEmpty()) {
            return new LoadProbes(settings.probeEvery(), Optional.empty());
        }
        Path file = secrets.resolve("probe-tokens.csv");
        LoadProbes.writeTokens(file, running.probeTokens());
        return new LoadProbes(settings.probeEvery(), Optional.of(file));
    }

    private static TestScenario withoutGateway(TestScenario scenario) {
        boolean graphQl = scenario.messageKind() == MessageLevel.Kind.GRAPHQL_QUERY;
        return new TestScenario(
                scenario.name(),
                scenario.displayName(),
                scenario.description(),
                false,
                scenario.method(),
                graphQl ? "/graphql" : "/",
                scenario.headers(),
                scenario.payload(),
                TokenKind.NONE,
                graphQl ? scenario.check() : new ResponseCheck(200, Optional.empty(), true, false),
                List.of());
    }

    private Optional<BackendCount> count(StartedBackend backend) {
        return backend.metrics()
                .flatMap(metrics -> BackendCount.read(run.environment().host(NodeRole.BACKEND), metrics));
    }

    private void passedThrough(BackendCount count, LoadResult load, TestScenario scenario, CaseState state) {
        long samples = Stream.concat(load.warmUp().stream(), load.measurement().stream())
                .mapToLong(SampleStatistics::samples)
                .sum();
        state.backendIdle(count.requests() * IDLE_PART < samples);
        if (replicas.first().usesBackend()) {
            state.passedThrough(count.traffic(
                    scenario.check().body(),
                    () -> settings.payload()
                            .payloads(scenario.payload(), state.testCase().message())
                            .get(0)
                            .length));
        }
    }

    /**
     * Sends a load to its end.
     *
     * @param directory its directory in that of the case
     * @param early load generators that were started for it, or none
     * @param started is told of each process that runs
     * @param measured is told what was measured as soon as it is here, also if it does not count
     */
    private LoadResult send(
            List<LoadGenerators.Aim> aims,
            String directory,
            List<RoleProcess> early,
            Consumer<RoleProcess> started,
            Consumer<Optional<LoadResult>> measured,
            CaseState state) {
        LoadRequest request = aims.get(0).request();
        List<RoleProcess> generators = new ArrayList<>();
        LoadGenerators.Ending ending;
        try {
            ending = roles.generators(state.testCase())
                    .run(
                            aims,
                            state.directory() + "/" + directory,
                            early,
                            role -> {
                                if (!role.name().equals(JMeterController.NAME) || !distributed()) {
                                    generators.add(role);
                                }
                                started.accept(role);
                            },
                            () -> state.dead("while the load ran"));
        } catch (HostException e) {
            try {
                fetch(request, directory, generators, measured, state);
            } catch (HostException | LoadException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
        Optional<LoadResult> result = fetch(request, directory, ending.processes(), measured, state);
        requireEnd(ending, result);
        requireSamples(result.orElseThrow());
        return result.get();
    }

    private boolean distributed() {
        return run.environment().distribution() == Distribution.JMETER;
    }

    /** Fetches what the load generators measured and makes one of it. */
    private Optional<LoadResult> fetch(
            LoadRequest request,
            String directory,
            List<RoleProcess> generators,
            Consumer<Optional<LoadResult>> measured,
            CaseState state) {
        List<Path> outcomes = new ArrayList<>();
        List<Duration> ahead = new ArrayList<>();
        HostException unreachable = null;
        for (RoleProcess generator : generators) {
            Path here = state.results().resolve(CaseState.directoryOf(generator));
            try {
                generator.host().download(generator.directory(), here);
            } catch (HostException e) {
                // What the others have measured must not be lost with it.
                unreachable = e;
                continue;
            }
            Path outcome = here.resolve(JMeterLoadDriver.OUTCOME_FILE);
            if (Files.exists(outcome)) {
                outcomes.add(outcome);
                ahead.add(state.aheadOfLoad(generator.host()));
            }
        }
        Optional<LoadResult> result = outcomes.isEmpty()
                ? Optional.empty()
                : Optional.of(together(
                        request,
                        generators.size(),
                        outcomes,
                        ahead,
                        state.results().resolve(directory)));
        measured.accept(result);
        if (unreachable != null) {
            throw unreachable;
        }
        return result;
    }

    private static LoadResult together(
            LoadRequest request, int generators, List<Path> outcomes, List<Duration> ahead, Path directory) {
        if (generators == 1) {
            return LoadRunFile.read(directory.resolve(JMeterLoadDriver.LOAD_FILE));
        }
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create " + directory + ": " + e.getMessage(), e);
        }
        return SharedLoad.merge(request, outcomes, ahead, directory);
    }

    private void requireEnd(LoadGenerators.Ending ending, Optional<LoadResult> measured) {
        if (interruption.isRequested()) {
            throw new CaseFailure(FailureReason.INTERRUPTED, "the run was interrupted while the load ran");
        }
        if (!ending.stoppedBecause().isEmpty()) {
            throw new CaseFailure(FailureReason.PROCESS_DIED, ending.stoppedBecause());
        }
        if (ending.abortedEarly()) {
            throw new CaseFailure(
                    FailureReason.LOAD,
                    "the load was ended early: "
                            + measured.flatMap(LoadResult::aborted).orElse("it left no result") + "; failures: "
                            + FailureList.text(
                                    measured.map(LoadResult::failures).orElse(Map.of())));
        }
        if (measured.isEmpty()) {
            throw new CaseFailure(
                    FailureReason.LOAD,
                    "the load generator left no result"
                            + ending.processes().get(0).process().lastWords(15));
        }
    }

    private static void requireSamples(LoadResult load) {
        long samples =
                load.measurement().stream().mapToLong(SampleStatistics::samples).sum();
        long errors =
                load.measurement().stream().mapToLong(SampleStatistics::errors).sum();
        if (samples == 0) {
            throw new CaseFailure(FailureReason.NO_SAMPLES, "no sample fell into the measurement window");
        }
        if (errors == samples) {
            throw new CaseFailure(
                    FailureReason.LOAD,
                    "all " + samples + " samples of the measurement window failed: "
                            + FailureList.text(load.failures()));
        }
    }
}
