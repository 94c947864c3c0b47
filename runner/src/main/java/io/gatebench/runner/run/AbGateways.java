/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.stream.Stream;

import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.report.ab.AbFigure;
import io.gatebench.report.ab.AbWindow;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.Environment;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunListener;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.FileTrees;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.TemporaryDirectory;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleJars;
import io.gatebench.spi.role.RoleProcess;
import io.gatebench.spi.role.RoleStartException;

/** Two gateways that are measured in turns: where they are started, again and again, and what is told of them. */
final class AbGateways implements AutoCloseable {

    private static final Duration REMOVAL = Duration.ofMinutes(2);
    /** No process serves an HTTP request in less: what was started has only started what serves, which nobody finds. */
    private static final double MIN_MICROS_OF_A_SERVER = 5;

    private final AbRun.Settings settings;
    private final Clock clock;
    private final JvmRole starter;
    private final Path work;
    private final TemporaryDirectory secrets;
    private final AbPlaces places;
    private final List<Map<Side, RunContext>> contexts = new ArrayList<>();
    /** By the name of the gateway's host. */
    private final Map<String, CpuSets> cpus = new LinkedHashMap<>();

    /** By the number of the case. */
    private final Map<Integer, StartedBackend> backends = new HashMap<>();

    private final List<RoleProcess> backendProcesses = new ArrayList<>();
    private final Set<String> notes = Collections.synchronizedSet(new LinkedHashSet<>());
    private boolean notesTaken;
    private boolean served;

    /**
     * Makes the results directory, and nothing if the machines cannot do what is planned.
     *
     * @param directory the results directory
     * @param opened gives the hosts
     */
    AbGateways(AbRun.Settings settings, Path directory, Function<Path, AbPlaces> opened, Clock clock, JvmRole starter) {
        this.settings = settings;
        this.clock = clock;
        this.starter = starter;
        this.work = directory.toAbsolutePath().resolve(".work");
        this.places = opened.apply(work);
        try {
            look();
            Files.createDirectories(work);
            this.secrets = TemporaryDirectory.create("gatebench-secrets-");
            RoleJars jars = new RoleJars(work.resolve("jars"));
            for (int at = 0; at < places.arrangements().size(); at++) {
                Map<Side, RunContext> both = new EnumMap<>(Side.class);
                for (Side side : Side.values()) {
                    both.put(side, context(at, side, jars));
                }
                contexts.add(both);
            }
        } catch (IOException e) {
            places.close();
            throw new UncheckedIOException("cannot create the results directory " + directory, e);
        } catch (RuntimeException e) {
            places.close();
            throw e;
        }
    }

    /** Looks whether the machines can do what is planned, before anything is made. */
    private void look() {
        boolean runsAlready =
                Stream.of(Side.values()).anyMatch(side -> gateway(0, side).isShared());
        if (runsAlready && places.arrangements().size() > 1) {
            throw new PlanException(
                    List.of("A and B change places, but one of them runs already and is started nowhere"));
        }
        boolean limits =
                Stream.of(Side.values()).allMatch(side -> gateway(0, side).takesLimits());
        for (Map<Side, Environment> both : places.arrangements()) {
            for (Side side : Side.values()) {
                Environment environment = both.get(side);
                cpus.computeIfAbsent(
                        environment.host(NodeRole.GATEWAY).name(),
                        name -> CpuSets.of(environment, settings.a().plan().plan(), runsAlready, limits));
                notes.addAll(
                        MemoryLimits.of(environment, settings.of(side).plan().plan(), gateway(0, side)));
                notes.addAll(environment.notes());
            }
        }
    }

    private RunContext context(int at, Side side, RoleJars jars) throws IOException {
        RunPlan plan = settings.of(side).plans().get(at);
        return new RunContext(
                plan.plan(),
                places.arrangements().get(at).get(side),
                jars,
                Files.createDirectories(keys(at, side)),
                plan.gatewayPort(),
                plan.backendPort(),
                clock,
                new FirstNotes());
    }

    /** The same port is taken at each start: said once. */
    private final class FirstNotes implements RunListener {
        @Override
        public void note(String text) {
            if (!notesTaken) {
                notes.add(text);
            }
        }
    }

    /** Learns that all has been said that each start says, and whether the processes that it knows are those that serve. */
    void wereStarted(List<AbWindow> windows) {
        notesTaken = true;
        served |= !windows.isEmpty()
                && windows.stream()
                        .allMatch(window ->
                                window.figures().getOrDefault(AbFigure.CPU_PER_REQUEST, 0.0) >= MIN_MICROS_OF_A_SERVER);
    }

    void note(String text) {
        notes.add(text);
    }

    /** Returns what a reader of the figures must know of the gateways, their machines and their starts. */
    List<String> notes() {
        List<String> all = new ArrayList<>();
        for (Side side : Side.values()) {
            if (gateway(0, side).isShared()) {
                all.add(named(side)
                        + " ran already and was not started anew: how far its figures vary from start to start is"
                        + " not in the intervals.");
            }
        }
        all.addAll(notes);
        cpus.values().forEach(sets -> all.addAll(sets.notes()));
        return all;
    }

    /** Returns the name of a gateway for a message. */
    String named(Side side) {
        return side + " (" + settings.of(side).name() + ")";
    }

    /** Returns in how many arrangements of hosts each start is measured. */
    int arrangements() {
        return contexts.size();
    }

    /** Returns the run as the load generator and the back end see it, which both have. */
    RunContext run() {
        return contexts.get(0).get(Side.A);
    }

    /** Returns the directory of the keys that a gateway was given. */
    Path keys(int at, Side side) {
        return secrets.path().resolve(side.name().toLowerCase(Locale.ROOT) + at);
    }

    /** Returns the directory of requests, which may hold secrets. */
    Path loads() throws IOException {
        return Files.createDirectories(secrets.path().resolve("loads"));
    }

    /** Returns the gateway of an arrangement. */
    Gateway gateway(int at, Side side) {
        return settings.of(side).plans().get(at).gateway();
    }

    /** Returns the hosts of both. */
    Map<Side, Host> hosts(int at) {
        Map<Side, Host> hosts = new EnumMap<>(Side.class);
        contexts.get(at)
                .forEach((side, run) -> hosts.put(side, run.environment().host(NodeRole.GATEWAY)));
        return hosts;
    }

    /** Returns the processors of a role on a host; empty for all. */
    List<Integer> processors(TestCase testCase, NodeRole role, Host host) {
        return role == NodeRole.GATEWAY
                ? cpus.get(host.name()).of(testCase, role, host)
                : cpus.values().stream()
                        .map(sets -> sets.of(testCase, role, host))
                        .filter(numbers -> !numbers.isEmpty())
                        .findFirst()
                        .orElse(List.of());
    }

    /** Lends a gateway all processors of its host, which the caller gives back. */
    LentProcessors lendProcessors(int index, int at, Side side, RunningGateway running) {
        List<Integer> own = isMoved(at) ? processors(index, at, side) : List.of();
        return LentProcessors.to(
                running, own, cpus.get(hosts(at).get(side).name()).all());
    }

    /** Does what is needed once before the first start. */
    void initialize() {
        cpus.values().forEach(sets -> sets.moveProgram(settings.a().cases().get(0), RunListener.SILENT));
        for (int at = 0; at < contexts.size(); at++) {
            for (Side side : Side.values()) {
                gateway(at, side).initialize(contexts.get(at).get(side));
            }
        }
    }

    /** Removes what was set up outside of the run, unless the user keeps it. */
    void remove() {
        for (int at = 0; at < contexts.size(); at++) {
            for (Side side : Side.values()) {
                if (!settings.of(side).plan().keep()) {
                    try {
                        gateway(at, side).remove(contexts.get(at).get(side));
                    } catch (RoleStartException | HostException e) {
                        notes.add(e.getMessage());
                    }
                }
            }
        }
    }

    /** Returns the back end of both, which is started once for each case, so that it is warm after the first start. */
    StartedBackend backend(int index) {
        StartedBackend known = backends.get(index);
        if (known != null && known.process().process().isAlive()) {
            return known;
        }
        Host host = run().environment().host(NodeRole.BACKEND);
        TestCase testCase = settings.a().cases().get(index);
        String address = Stream.of(Side.values())
                .flatMap(side -> gateway(0, side).backendAddress().stream())
                .findFirst()
                .orElseGet(host::address);
        List<Integer> numbers = processors(testCase, NodeRole.BACKEND, host);
        String directory = host.workDirectory() + "/backend-" + (backendProcesses.size() + 1);
        StartedBackend started = PortRace.start(
                "back end",
                run().listener(),
                () -> {},
                () -> StartedBackend.start(
                        run(), starter, testCase, directory, address, numbers, backendProcesses::add));
        backends.put(index, started);
        return started;
    }

    /**
     * Starts both and probes them: at the same time where neither takes processors from the other one, else one after
     * the other.
     *
     * @param first which one is started on the processors of the gateways; the other one may begin on others
     * @throws RoleStartException if one of them cannot be measured; then neither runs
     */
    Map<Side, RunningGateway> start(int index, int at, Side first, String place, StartedBackend backend) {
        Side second = first.other();
        Map<Side, RunningGateway> running = new EnumMap<>(Side.class);
        List<Integer> own = processors(index, at, first);
        Optional<List<Integer>> beside = processorsBeside(index, at, first);
        Optional<CompletableFuture<RunningGateway>> starting = beside.map(processors -> CompletableFuture.supplyAsync(
                () -> start(index, at, second, place, backend, processors),
                task -> new Thread(task, "gatebench-start-" + second).start()));
        try {
            running.put(first, start(index, at, first, place, backend, own));
        } catch (RuntimeException e) {
            starting.ifPresent(other -> other.thenAccept(RunningGateway::stop)
                    .exceptionally(failed -> null)
                    .join());
            throw e;
        }
        try {
            running.put(
                    second,
                    starting.isPresent()
                            ? started(starting.get())
                            : start(index, at, second, place, backend, processors(index, at, second)));
        } catch (RuntimeException e) {
            running.get(first).stop();
            throw e;
        }
        return running;
    }

    private static RunningGateway started(CompletableFuture<RunningGateway> starting) {
        try {
            return starting.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private List<Integer> processors(int index, int at, Side side) {
        return processors(
                settings.of(side).cases().get(index),
                NodeRole.GATEWAY,
                hosts(at).get(side));
    }

    /**
     * Returns the processors on which a gateway can start beside another one that starts: its own on a machine of its own,
     * else as many others, which have nothing to do before there is load. From those it is moved to its own before it is
     * measured, if an earlier start has shown that all that serves can be found.
     */
    private Optional<List<Integer>> processorsBeside(int index, int at, Side first) {
        Side second = first.other();
        List<Integer> own = processors(index, at, second);
        Host host = hosts(at).get(second);
        if (!host.name().equals(hosts(at).get(first).name())) {
            return Optional.of(own);
        }
        if (!served || !isMoved(at) || own.isEmpty()) {
            return Optional.empty();
        }
        List<Integer> others =
                cpus.get(host.name()).of(settings.of(second).cases().get(index)).others();
        return others.size() < own.size() ? Optional.empty() : Optional.of(others.subList(0, own.size()));
    }

    /** A container's processors are its engine's matter, and both are treated alike. */
    private boolean isMoved(int at) {
        return Stream.of(Side.values()).noneMatch(any -> gateway(at, any).takesLimits());
    }

    /** Starts one of them and probes it. */
    private RunningGateway start(
            int index, int at, Side side, String place, StartedBackend backend, List<Integer> processors) {
        RunContext run = contexts.get(at).get(side);
        AbRun.Contestant contestant = settings.of(side);
        TestCase testCase = contestant.cases().get(index);
        TestScenario scenario = contestant.scenario(index);
        CaseContext context = new CaseContext(run, backend.url(), place, processors);
        RunningGateway running;
        try {
            running = PortRace.start(
                    "gateway", run.listener(), () -> {}, () -> gateway(at, side).start(testCase, scenario, context));
        } catch (RoleStartException e) {
            throw new RoleStartException(named(side) + " cannot be measured: " + e.getMessage());
        }
        GatewayProbes.wrong(GatewayProbes.send(
                        run, scenario, testCase, running, contestant.plan().payload()))
                .ifPresent(how -> {
                    running.stop();
                    throw new RoleStartException(named(side) + " " + how);
                });
        return running;
    }

    void requireAlive(Side side, RunningGateway gateway) {
        Stream.concat(gateway.process().map(RoleProcess::process).stream(), gateway.helpers().stream())
                .filter(process -> !process.isAlive())
                .findFirst()
                .ifPresent(process -> {
                    throw new RoleStartException(named(side) + " ended while it was measured" + process.lastWords(15));
                });
    }

    /** Removes the files of a start: an installed product takes hundreds of megabytes. */
    void removeFiles(int at, String place) {
        hosts(at).values().forEach(host -> removeFiles(host, place));
    }

    private static void removeFiles(Host host, String place) {
        String files = host.workDirectory() + "/" + place;
        if (!host.isLocal()) {
            host.run(List.of("rm", "-rf", files), REMOVAL);
            return;
        }
        try {
            FileTrees.delete(Path.of(files));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + files, e);
        }
    }

    /** Stops what still runs and removes keys, tokens and unpacked jars. */
    @Override
    public void close() {
        backendProcesses.forEach(RoleProcess::stop);
        places.close();
        cpus.values().forEach(CpuSets::close);
        try {
            secrets.close();
            FileTrees.delete(work);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + work, e);
        }
    }
}
