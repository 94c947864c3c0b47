/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatebench.hosts.SteadyClock;
import io.gatebench.hosts.metrics.HostMetrics;
import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.SharedLoad;
import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadProbes;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.load.engine.PayloadOptions;
import io.gatebench.load.engine.ProbeRunner;
import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.model.BackendTraffic;
import io.gatebench.model.FailureReason;
import io.gatebench.model.GatewayRestart;
import io.gatebench.model.JvmResources;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MeasurementWindow;
import io.gatebench.model.NodeRole;
import io.gatebench.model.Probe;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ResponseExcerpt;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;
import io.gatebench.report.column.WholeGateway;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.Distribution;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.Pause;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleProcess;
import io.gatebench.spi.role.RoleStartException;

/**
 * Measures one case: starts the roles, probes the gateway, loads it, collects, stops.
 *
 * <p>Gateway and back end stay for the next case where the plan says so. Nothing is kept after a case that failed.
 */
final class CaseRunner implements AutoCloseable {

    private static final Duration FULL_GC = Duration.ofSeconds(60);
    /** Forms in which Linux, the JDK, Netty, Go and nginx say it. */
    private static final Pattern PORT_TAKEN =
            Pattern.compile("address already in use|port \\d+ (is|was) already in use", Pattern.CASE_INSENSITIVE);

    private static final int LOOKS_AT_A_SILENT_GATEWAY = 10;
    private static final String WHILE_PROBED = "while the gateway was probed";
    /** Largest step that time services make without a word. */
    private static final Duration MIN_STEP = Duration.ofMillis(500);
    /** A back end that got less than this part of the load was as good as idle. */
    private static final int IDLE_PART = 100;

    private final RunContext run;
    private final Replicas replicas;
    /** The first of them, for what holds for all. */
    private final Gateway gateway;

    private final ResultsDirectory results;
    private final Interruption interruption;
    private final LoadSettings settings;
    private final JvmRole starter;
    private @Nullable CpuSets cpus;
    /** Address at which the back end that was started last says what it has counted. */
    private @Nullable URI backendMetrics;

    private final String place;
    private final Optional<Instant> plannedEnd;
    private @Nullable KeptRoles kept;

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
        this.place = place;
        this.plannedEnd = plannedEnd;
        this.run = run;
        this.replicas = replicas;
        this.gateway = replicas.first();
        this.results = results;
        this.interruption = interruption;
        this.settings = settings;
        this.starter = new JvmRole(run.clock());
    }

    /** State of a case while it runs; the one place from which its result is made, however it ends. */
    private final class State {
        private final TestCase testCase;
        private final int repeat;
        private final Instant started = run.clock().instant();
        private final Duration stepBefore = step();
        private final List<RoleProcess> roles = new ArrayList<>();
        /** The load generators while they wait for their request; they are roles once the load runs. */
        private final List<RoleProcess> early = new ArrayList<>();

        private final Map<String, String> facts =
                new LinkedHashMap<>(run.environment().facts());
        private final Map<String, Duration> clockOffsets = clockOffsets();
        private final CaseMetrics metrics = new CaseMetrics();
        private Optional<BackendTraffic> backend = Optional.empty();
        private Optional<JvmResources> jvm = Optional.empty();
        private List<ProbeOutcome> probes = List.of();
        private Optional<LoadResult> load = Optional.empty();
        private Optional<LoadResult> control = Optional.empty();
        /** The replicas of the gateway; empty before they run, and when they have been stopped. */
        private final List<RunningGateway> running = new ArrayList<>();

        private boolean backendIdle;

        private State(TestCase testCase, int repeat) {
            this.testCase = testCase;
            this.repeat = repeat;
        }
    }

    /** A case cannot go on; the message says why. */
    private static final class CaseFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient FailureReason reason;

        private CaseFailure(FailureReason reason, String message) {
            super(message);
            this.reason = reason;
        }
    }

    /**
     * Measures the case once; every way in which it can end becomes a result.
     *
     * @param next the case that is measured after it, for which gateway and back end may stay
     */
    TestCaseResult run(TestScenario scenario, TestCase testCase, int repeat, Optional<TestCase> next) {
        State state = new State(testCase, repeat);
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
            // What goes wrong here need not go wrong in the next cell.
            failure = new CaseFailure(FailureReason.OTHER, e.getMessage());
        }
        KeptRoles roles = kept;
        if (failure == null
                && roles != null
                && next.filter(other -> roles.mayServe(other, run.plan().restart()))
                        .flatMap(this::scenarioOf)
                        .flatMap(other -> replicas.serving(roles.gateways(), roles.scenario(), other))
                        .isPresent()) {
            leave(state);
        } else {
            kept = null;
            stopAll(state);
        }
        run.listener().step("collecting logs");
        List<ProcessReport> processes = collect(state, roles);
        Instant ended = run.clock().instant();
        noteStep(state);
        if (failure == null) {
            return new TestCaseResult.Completed(
                    testCase,
                    repeat,
                    state.started,
                    ended,
                    state.load.orElseThrow(),
                    state.control,
                    processes,
                    state.probes,
                    state.facts,
                    state.backend,
                    state.clockOffsets,
                    cpus().ofRoles(testCase),
                    state.jvm);
        }
        List<ResponseExcerpt> answers =
                state.load.map(LoadResult::firstFailures).orElse(List.of());
        return new TestCaseResult.Failed(
                testCase,
                repeat,
                state.started,
                ended,
                failure.reason,
                failure.getMessage(),
                state.load,
                processes,
                state.probes,
                answers);
    }

    private void measure(TestScenario scenario, State state) {
        KeptRoles roles = rolesFor(scenario, state);
        List<RunningGateway> running = roles.gateways();
        state.facts.put(
                "gateway.url",
                running.stream()
                        .map(replica -> replica.target() + scenario.path())
                        .collect(Collectors.joining(", ")));
        state.facts.put("backend.url", roles.backendUrl().toString());
        roles.servedBefore().ifPresent(cells -> state.facts.put("gateway.served.before", cells));
        checkInterruption();
        running.forEach(this::requireTokens);

        run.listener().step("probing the gateway");
        probe(scenario, state, running);

        startMetrics(state);
        run.listener().step("load");
        List<LoadGenerators.Aim> aims = new ArrayList<>();
        for (int i = 0; i < running.size(); i++) {
            aims.add(aim(scenario, state, running.get(i), replicas.secrets(i)));
        }
        Optional<BackendCount> before = backendCount();
        state.load = Optional.of(load(aims, "load", state));
        before.flatMap(earlier -> backendCount().map(now -> now.since(earlier)))
                .ifPresent(count -> passedThrough(count, scenario, state));
        state.metrics.stop();
        askForFullGc(state, running);
        String died = dead(state, "after the load");
        if (died != null) {
            throw new CaseFailure(FailureReason.PROCESS_DIED, died);
        }
        running.stream()
                .flatMap(replica -> replica.process().stream())
                .flatMap(role -> role.process().losses().map(losses -> named(state, role) + ": " + losses).stream())
                .findFirst()
                .ifPresent(losses -> {
                    throw new CaseFailure(FailureReason.PROCESS_DIED, losses);
                });
        roles.servedBefore()
                .ifPresent(cells -> state.facts.merge(
                        "footprint.kind",
                        "the same gateway had served before: " + cells,
                        (kind, of) -> kind + "; " + of));
        roles.served(state.testCase.id());
        if (run.plan().restart() == GatewayRestart.CASE) {
            stopGateway(state);
        }

        if (run.plan().controlRun() && scenario.steps().isPresent()) {
            run.listener()
                    .note("scenario " + scenario.name()
                            + " has steps, and so no control run: straight at the back end they"
                            + " would be other requests");
        } else if (run.plan().controlRun()) {
            run.listener().step("control run");
            LoadRequest direct = settings.apply(LoadRequest.of(
                    withoutGateway(scenario),
                    roles.backendUrl(),
                    state.testCase,
                    run.plan().timing()));
            state.control =
                    Optional.of(load(List.of(new LoadGenerators.Aim(direct, Optional.empty())), "control", state));
        }
    }

    private LoadGenerators.Aim aim(TestScenario scenario, State state, RunningGateway running, Path secrets) {
        LoadRequest request = settings.apply(LoadRequest.of(
                        scenario, running.target(), state.testCase, run.plan().timing(), running.tokens()))
                .withTrust(trust(running))
                .withProbes(alongside(running, secrets));
        return new LoadGenerators.Aim(request, running.tokens());
    }

    /** Hosts are looked at when there is something to measure on them. */
    private CpuSets cpus() {
        CpuSets sets = cpus;
        if (sets == null) {
            sets = CpuSets.of(run.environment(), run.plan(), gateway);
            cpus = sets;
        }
        return sets;
    }

    private Optional<TestScenario> scenarioOf(TestCase testCase) {
        return run.plan().scenarios().stream()
                .filter(scenario -> scenario.name().equals(testCase.scenario()))
                .findFirst();
    }

    /** Returns gateway and back end of the case before if they can serve this one too, else new ones. */
    private KeptRoles rolesFor(TestScenario scenario, State state) {
        KeptRoles before = kept;
        if (before != null) {
            Optional<List<RunningGateway>> same = before.isAlive()
                    ? replicas.serving(before.gateways(), before.scenario(), scenario)
                    : Optional.empty();
            if (same.isPresent()) {
                before.serve(scenario, same.get());
                state.roles.add(before.backend());
                same.get().forEach(replica -> started(state, replica));
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
        cpus().moveProgram(state.testCase, run.listener());
        run.listener().step("starting the back end");
        URI backend = wherePortsAreFree("back end", state, () -> startBackend(state));
        // Beside the gateway, which may have processors for itself; the back end would have to share its own with them.
        startEarly(scenario, state);
        run.listener().step("starting the gateway");
        if (run.environment().takesLimits()) {
            run.environment().limitGateway(state.testCase.gatewayCpus().number());
        }
        for (int i = 0; i < state.testCase.gatewayReplicas(); i++) {
            Gateway replica = replicas.gateway(i);
            CaseContext context = new CaseContext(
                    replicas.context(i),
                    backend,
                    directory(state),
                    cpus().of(
                                    state.testCase,
                                    NodeRole.GATEWAY,
                                    replicas.context(i).environment().host(NodeRole.GATEWAY)));
            started(state, wherePortsAreFree("gateway", state, () -> replica.start(state.testCase, scenario, context)));
        }
        KeptRoles started = new KeptRoles(state.running, state.roles.get(0), backend, scenario, state.testCase);
        kept = started;
        return started;
    }

    private static void started(State state, RunningGateway replica) {
        state.running.add(replica);
        replica.process().ifPresent(state.roles::add);
    }

    /** Another program may take a port between the look at it and its use; a second look finds another port. */
    private <T> T wherePortsAreFree(String what, State state, Supplier<T> start) {
        int before = state.roles.size();
        try {
            return start.get();
        } catch (RoleStartException e) {
            if (!PORT_TAKEN.matcher(String.valueOf(e.getMessage())).find()) {
                throw e;
            }
            List<RoleProcess> failed = state.roles.subList(before, state.roles.size());
            failed.forEach(RoleProcess::stop);
            failed.clear();
            run.listener().note("another program took a port while the " + what + " started; it is started once more");
            return start.get();
        }
    }

    /** Ends what belongs to this case alone. */
    private static void leave(State state) {
        state.running.clear();
        state.metrics.stop();
        state.roles.stream()
                .filter(role -> role.role() == NodeRole.LOAD_GENERATOR)
                .forEach(RoleProcess::stop);
    }

    /** Stops what was kept for a case that does not come. */
    @Override
    public void close() {
        KeptRoles roles = kept;
        kept = null;
        if (roles != null) {
            roles.stop();
        }
        if (cpus != null) {
            cpus.close();
        }
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

    private Optional<BackendCount> backendCount() {
        return Optional.ofNullable(backendMetrics)
                .flatMap(metrics -> BackendCount.read(run.environment().host(NodeRole.BACKEND), metrics));
    }

    private void passedThrough(BackendCount count, TestScenario scenario, State state) {
        LoadResult load = state.load.orElseThrow();
        long samples = Stream.concat(load.warmUp().stream(), load.measurement().stream())
                .mapToLong(SampleStatistics::samples)
                .sum();
        state.backendIdle = count.requests() * IDLE_PART < samples;
        if (!gateway.usesBackend()) {
            return;
        }
        state.backend = Optional.of(count.traffic(
                scenario.check().body(),
                () -> settings.payload()
                        .payloads(scenario.payload(), state.testCase.message())
                        .get(0)
                        .length));
    }

    private void startMetrics(State state) {
        for (NodeRole role : NodeRole.values()) {
            List<Host> hosts = run.environment().hosts(role);
            // Those of further replicas stand still in this case.
            for (Host host : role == NodeRole.GATEWAY ? hosts.subList(0, state.testCase.gatewayReplicas()) : hosts) {
                state.metrics.start(host, host.workDirectory() + "/" + directory(state) + "/metrics");
            }
        }
        state.roles.forEach(state.metrics::watch);
    }

    private URI startBackend(State state) {
        Host host = run.environment().host(NodeRole.BACKEND);
        StartedBackend started = StartedBackend.start(
                run,
                starter,
                state.testCase,
                host.workDirectory() + "/" + directory(state) + "/backend",
                gateway.backendAddress().orElse(host.address()),
                cpus().of(state.testCase, NodeRole.BACKEND, host),
                state.roles::add);
        backendMetrics = started.metrics().orElse(backendMetrics);
        return started.url();
    }

    private void probe(TestScenario scenario, State state, List<RunningGateway> running) {
        List<Probe> possible = possible(scenario, running.get(0));
        if (possible.size() < scenario.probes().size()) {
            state.facts.put(
                    "probes.left.out",
                    scenario.probes().stream()
                            .filter(probe -> !possible.contains(probe))
                            .map(Probe::name)
                            .collect(Collectors.joining(", ", "", ": such a token cannot be had")));
        }
        state.probes = new ArrayList<>();
        for (int i = 0; i < running.size(); i++) {
            String of = running.size() == 1 ? "" : " of " + replicas.host(i).name();
            probe(run, scenario, state.testCase, running.get(i), settings.payload()).stream()
                    .map(outcome ->
                            new ProbeOutcome(outcome.name() + of, outcome.status(), outcome.passed(), outcome.detail()))
                    .forEach(state.probes::add);
        }
        List<String> wrong = state.probes.stream()
                .filter(outcome -> !outcome.passed())
                .map(outcome -> outcome.name() + ": " + outcome.detail())
                .toList();
        // A right answer may be that of another process, which has taken the port of a gateway that has ended.
        String died = state.probes.stream().anyMatch(outcome -> outcome.status().isEmpty())
                ? deathOfASilentGateway(state)
                : dead(state, WHILE_PROBED);
        if (died != null) {
            throw new CaseFailure(FailureReason.PROCESS_DIED, died);
        }
        if (!wrong.isEmpty()) {
            throw new CaseFailure(
                    FailureReason.PROBE, "the gateway answered wrongly before the load: " + String.join("; ", wrong));
        }
    }

    /** Sends the requests that come before a load, as far as the tokens that they need can be had. */
    static List<ProbeOutcome> probe(
            RunContext run, TestScenario scenario, TestCase testCase, RunningGateway running, PayloadOptions payload) {
        return new ProbeRunner()
                .run(
                        scenario.withProbes(possible(scenario, running)),
                        running.target(),
                        run.environment().host(NodeRole.LOAD_GENERATOR).reach(running.target()),
                        testCase.message(),
                        running.probeTokens(),
                        trust(running),
                        payload);
    }

    private static List<Probe> possible(TestScenario scenario, RunningGateway running) {
        return scenario.probes().stream()
                .filter(probe -> probe.token() == Probe.Token.NONE
                        || scenario.token() == TokenKind.NONE
                        || running.probeTokens().containsKey(probe.token()))
                .toList();
    }

    private void requireTokens(RunningGateway running) {
        Instant needed = plannedEnd.orElseGet(
                () -> run.clock().instant().plus(run.plan().timing().duration()));
        running.tokens().map(TokenPool::readCsv).ifPresent(tokens -> tokens.checkValidUntil(needed));
    }

    private LoadGenerators generators(State state) {
        return new LoadGenerators(
                run, starter, interruption, host -> cpus().of(state.testCase, NodeRole.LOAD_GENERATOR, host));
    }

    /** Nothing of a load generator's start needs the gateway, but only the request that it gets in the end. */
    private void startEarly(TestScenario scenario, State state) {
        state.early.addAll(generators(state).startEarly(scenario, state.testCase, directory(state) + "/load"));
    }

    private LoadResult load(List<LoadGenerators.Aim> aims, String name, State state) {
        LoadRequest request = aims.get(0).request();
        boolean main = name.equals("load");
        List<RoleProcess> started = new ArrayList<>();
        LoadGenerators.Ending ending;
        try {
            ending = generators(state)
                    .run(
                            aims,
                            directory(state) + "/" + name,
                            main ? state.early : List.of(),
                            role -> {
                                if (!role.name().equals(JMeterController.NAME) || !distributed()) {
                                    started.add(role);
                                }
                                if (main) {
                                    state.roles.add(role);
                                    state.metrics.watch(role);
                                }
                            },
                            () -> dead(state, "while the load ran"));
        } catch (HostException e) {
            keepWhatThereIs(request, name, started, state, e);
            throw e;
        }
        Optional<LoadResult> measured = merged(request, name, ending.processes(), state);
        if (main) {
            state.load = measured;
        }
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
                            + measured.map(LoadResult::failures).orElse(Map.of()));
        }
        if (measured.isEmpty()) {
            throw new CaseFailure(
                    FailureReason.LOAD,
                    "the load generator left no result"
                            + ending.processes().get(0).process().lastWords(15));
        }
        requireSamples(measured.get());
        return measured.get();
    }

    private boolean distributed() {
        return run.environment().distribution() == Distribution.JMETER;
    }

    private void keepWhatThereIs(
            LoadRequest request, String name, List<RoleProcess> started, State state, HostException cause) {
        try {
            Optional<LoadResult> measured = merged(request, name, started, state);
            if (name.equals("load")) {
                state.load = measured;
            }
        } catch (HostException | LoadException e) {
            cause.addSuppressed(e);
        }
    }

    /** Fetches what the load generators measured and makes one of it. */
    private Optional<LoadResult> merged(LoadRequest request, String name, List<RoleProcess> processes, State state) {
        Path caseDirectory = results.caseDirectory(state.testCase, state.repeat);
        Host clockOf = run.environment().host(NodeRole.LOAD_GENERATOR);
        List<Path> outcomes = new ArrayList<>();
        List<Duration> ahead = new ArrayList<>();
        HostException unreachable = null;
        for (RoleProcess process : processes) {
            Path here = caseDirectory.resolve(lastPart(process.directory()));
            try {
                process.host().download(process.directory(), here);
            } catch (HostException e) {
                // What the others have measured must not be lost with it.
                unreachable = e;
                continue;
            }
            Path outcome = here.resolve(JMeterLoadDriver.OUTCOME_FILE);
            if (Files.exists(outcome)) {
                outcomes.add(outcome);
                ahead.add(run.environment()
                        .clockOffset(process.host())
                        .minus(run.environment().clockOffset(clockOf)));
            }
        }
        Path together = caseDirectory.resolve(name);
        Optional<LoadResult> result;
        if (outcomes.isEmpty()) {
            result = Optional.empty();
        } else if (processes.size() == 1) {
            result = Optional.of(LoadRunFile.read(together.resolve(JMeterLoadDriver.LOAD_FILE)));
        } else {
            try {
                Files.createDirectories(together);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot create " + together + ": " + e.getMessage(), e);
            }
            result = Optional.of(SharedLoad.merge(request, outcomes, ahead, together));
        }
        if (unreachable != null) {
            if (name.equals("load")) {
                state.load = result;
            }
            throw unreachable;
        }
        return result;
    }

    private static String lastPart(String directory) {
        return directory.substring(directory.lastIndexOf('/') + 1);
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
                    "all " + samples + " samples of the measurement window failed: " + load.failures());
        }
    }

    private void askForFullGc(State state, List<RunningGateway> running) {
        Set<String> kinds =
                running.stream().map(this::askForFullGc).collect(Collectors.toCollection(LinkedHashSet::new));
        state.facts.put("footprint.kind", String.join("; or ", kinds));
    }

    /** Returns of which collections the footprint of the gateway is, in words. */
    private String askForFullGc(RunningGateway running) {
        if (running.process().isEmpty()) {
            return "only full GCs of the gateway's own: its process is not one that this run started";
        }
        RoleProcess process = running.process().get();
        if (process.notJvm().isPresent()) {
            // jcmd begins with a signal that ends programs which are no JVM.
            return "no full GC was asked for: " + process.notJvm().get();
        }
        run.listener().step("asking the gateway for a full GC");
        Path java = Path.of(process.host().java());
        try {
            CommandResult answer = process.host()
                    .run(
                            List.of(
                                    java.resolveSibling("jcmd").toString(),
                                    String.valueOf(process.process().pid()),
                                    "GC.run"),
                            FULL_GC);
            return answer.exitCode() == 0
                    ? "full GC that was asked for after the measurement window"
                    : "only full GCs of the gateway's own: jcmd ended with " + answer.exitCode();
        } catch (HostException e) {
            return "only full GCs of the gateway's own: " + e.getMessage();
        }
    }

    /** No answer is what one sees first of a gateway that dies: its connections are closed before it is gone. */
    private @Nullable String deathOfASilentGateway(State state) {
        String died = dead(state, WHILE_PROBED);
        for (int look = 0; look < LOOKS_AT_A_SILENT_GATEWAY && died == null; look++) {
            Pause.of(LoadGenerators.POLL, run.clock(), "while the gateway was probed");
            died = dead(state, WHILE_PROBED);
        }
        return died;
    }

    /** Metrics carry the machine's time, the window that of its beginning: if the clock was set they do not meet. */
    private void noteStep(State state) {
        Host host = run.environment().host(NodeRole.GATEWAY);
        Duration step = step().minus(state.stepBefore);
        if (host.isLocal() && step.abs().compareTo(MIN_STEP) > 0) {
            state.clockOffsets.put(host.name(), step);
            run.listener()
                    .note("the clock of " + host.name() + " was set " + (step.isNegative() ? "back" : "forth") + " by "
                            + step.abs().plusMillis(500).toSeconds() + " s while " + state.testCase.id()
                            + " was measured; figures of the host may be of a part of the window alone");
        }
    }

    private Map<String, Duration> clockOffsets() {
        Map<String, Duration> offsets = new TreeMap<>();
        Arrays.stream(NodeRole.values())
                .flatMap(role -> run.environment().hosts(role).stream())
                .filter(host -> !host.isLocal())
                .forEach(host -> offsets.put(host.name(), run.environment().clockOffset(host)));
        return offsets;
    }

    private Duration step() {
        return run.clock() instanceof SteadyClock clock ? clock.step() : Duration.ZERO;
    }

    private static String named(State state, RoleProcess role) {
        return role.process().name()
                + (role.role() == NodeRole.GATEWAY && state.testCase.gatewayReplicas() > 1
                        ? " on " + role.host().name()
                        : "");
    }

    private @Nullable String dead(State state, String when) {
        for (RoleProcess role : state.roles) {
            if (role.role() != NodeRole.LOAD_GENERATOR
                    && !role.process().isAlive()
                    && !(role.role() == NodeRole.GATEWAY && state.running.isEmpty())) {
                return named(state, role) + " ended " + when
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

    private static void stopGateway(State state) {
        state.running.forEach(RunningGateway::stop);
        state.running.clear();
    }

    private void stopAll(State state) {
        // An interrupt that ended the case must not end the waiting for its processes.
        boolean interrupted = Thread.interrupted();
        stopGateway(state);
        state.metrics.stop();
        state.early.forEach(RoleProcess::stop);
        state.roles.forEach(RoleProcess::stop);
        if (interrupted && !interruption.isRequested()) {
            Thread.currentThread().interrupt();
        }
    }

    private List<ProcessReport> collect(State state, @Nullable KeptRoles roles) {
        List<ProcessReport> reports = new ArrayList<>();
        Path caseDirectory = results.caseDirectory(state.testCase, state.repeat);
        ProcessReports maker = new ProcessReports(caseDirectory);
        state.metrics.fetch(caseDirectory.resolve("hosts"), sets(state));
        Optional<MeasurementWindow> window = state.load.map(LoadResult::window);
        int replica = 0;
        for (RoleProcess role : state.roles) {
            boolean several = role.role() == NodeRole.GATEWAY && state.testCase.gatewayReplicas() > 1;
            replica += several ? 1 : 0;
            String name = lastPart(role.directory()) + (several ? "-" + replica : "");
            try {
                role.host().download(role.directory(), caseDirectory.resolve(name));
            } catch (HostException e) {
                run.listener().note(e.getMessage());
            }
            if (roles != null) {
                roles.cutLogs(role, caseDirectory.resolve(name));
            }
            Duration offset = offsetFromLoad(role.host());
            CaseMetrics.OfProcess metrics = state.metrics.of(
                    role,
                    caseDirectory.resolve(name),
                    window,
                    offset,
                    cpus().of(state.testCase, role.role(), role.host()));
            if (role.role() == NodeRole.GATEWAY && roles != null) {
                state.jvm = Stream.concat(
                                state.jvm.stream(),
                                roles
                                        .jvm(role, caseDirectory.resolve(name).resolve(RoleProcess.GC_LOG))
                                        .map(jvm -> resources(jvm, state, role, metrics))
                                        .stream())
                        .max(furthestFrom(state.testCase));
            }
            ProcessReport report = maker.report(
                    role,
                    several ? WholeGateway.replica(role.name(), replica) : role.name(),
                    name,
                    window.map(w -> shifted(w, offset)));
            reports.add(
                    role.role() == NodeRole.BACKEND && state.backendIdle
                            ? withoutFigures(report)
                            : withMetrics(report, metrics));
        }
        return reports;
    }

    /** Of several replicas, the JVM that fits the plan least is the one to tell of. */
    private static Comparator<JvmResources> furthestFrom(TestCase testCase) {
        return Comparator.comparingInt((JvmResources jvm) -> Math.abs(jvm.processors() - jvm.plannedProcessors()))
                .thenComparingLong(
                        jvm -> Math.abs(jvm.heap().bytes() - testCase.heap().bytes()));
    }

    private JvmResources resources(JvmView jvm, State state, RoleProcess role, CaseMetrics.OfProcess metrics) {
        boolean limits = gateway.takesLimits();
        OptionalDouble planned = limits
                ? state.testCase.gatewayCpus().number().isPresent()
                        ? state.testCase.gatewayCpus().number()
                        : gateway.containerCpus()
                : OptionalDouble.empty();
        // Packs have a limit of their own, and this whole program may run within one.
        MeasuredValue measured = metrics.figures().get(HostMetrics.CPU_LIMIT);
        return jvm.beside(
                cpus().of(state.testCase, NodeRole.GATEWAY, role.host()).size(),
                List.of(planned, measured == null ? OptionalDouble.empty() : measured.value()),
                state.testCase.gatewayMemory().or(gateway::containerMemory));
    }

    private Set<List<Integer>> sets(State state) {
        return state.roles.stream()
                .map(role -> cpus().of(state.testCase, role.role(), role.host()))
                .filter(processors -> !processors.isEmpty())
                .collect(Collectors.toSet());
    }

    /** Returns how far the clock of a host is ahead of the one that stamps the measurement window. */
    private Duration offsetFromLoad(Host host) {
        return run.environment()
                .clockOffset(host)
                .minus(run.environment().clockOffset(run.environment().host(NodeRole.LOAD_GENERATOR)));
    }

    private static MeasurementWindow shifted(MeasurementWindow window, Duration offset) {
        return new MeasurementWindow(window.start().plus(offset), window.end().plus(offset));
    }

    /** Figures of a process that served nothing of the load would pass for those of one that did. */
    private static ProcessReport withoutFigures(ProcessReport report) {
        List<String> notes = new ArrayList<>(report.notes());
        notes.add("it got next to nothing of the load: its figures would be those of an idle process");
        return new ProcessReport(
                report.role(),
                report.name(),
                report.host(),
                report.command(),
                report.heap(),
                report.directory(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                notes);
    }

    private static ProcessReport withMetrics(ProcessReport report, CaseMetrics.OfProcess metrics) {
        List<String> notes = new ArrayList<>(report.notes());
        notes.addAll(metrics.notes());
        return new ProcessReport(
                report.role(),
                report.name(),
                report.host(),
                report.command(),
                report.heap(),
                report.directory(),
                report.gc(),
                report.gcInWindow(),
                metrics.figures(),
                notes);
    }

    private void checkInterruption() {
        if (interruption.isRequested()) {
            throw new CaseFailure(FailureReason.INTERRUPTED, "the run was interrupted");
        }
    }

    private String directory(State state) {
        return place + "/" + state.testCase.id() + (run.plan().repeats() > 1 ? "/repeat_" + state.repeat : "");
    }

    /** The built-in gateways present a certificate of their own making; what they serve is checked by the probes. */
    static Trust trust(RunningGateway running) {
        return running.target().getScheme().equals("https") ? Trust.everything() : Trust.system();
    }

    private static TestScenario withoutGateway(TestScenario scenario) {
        boolean graphQl = scenario.messageKind() == io.gatebench.model.MessageLevel.Kind.GRAPHQL_QUERY;
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
}
