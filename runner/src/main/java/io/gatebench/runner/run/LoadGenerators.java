/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.gatebench.hosts.metrics.CompilerTime;
import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.LoadGeneratorMain;
import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadProbes;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.PayloadOptions;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ScenarioSteps;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.settings.SecretHeaders;
import io.gatebench.spi.Distribution;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.Pause;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleProcess;

/**
 * Runs the load of one case, a JVM on each load generator's host, and watches them.
 *
 * <p>Each sends its share. Several begin at one instant: when all of them have said that their users wait, each is told
 * that instant by the clock of its host, whose offset was measured.
 */
final class LoadGenerators {

    /** The exit code by which a load generator says that it ended the test early. */
    static final int ABORTED_EARLY = 3;

    private static final String WHILE_LOAD_RAN = "while the load ran";
    private static final String REQUEST = "/request.json";
    static final Duration POLL = Duration.ofMillis(200);
    /** The start is so far ahead at least when hosts are told of it. */
    private static final Duration MIN_LEAD = Duration.ofSeconds(1);
    /** A file of a line takes a host no longer than the request did, but the way may lose packets just now. */
    private static final int LEAD_FACTOR = 3;
    /** A JVM comes up in seconds, and starts thousands of users in some more. */
    private static final Duration PREPARATION = Duration.ofMinutes(2);

    private final RunContext run;
    private final JvmRole starter;
    private final Interruption interruption;
    private final Function<Host, List<Integer>> processors;

    /**
     * Creates it.
     *
     * @param processors returns the processors of a load generator on a host
     */
    LoadGenerators(
            RunContext run, JvmRole starter, Interruption interruption, Function<Host, List<Integer>> processors) {
        this.processors = processors;
        this.run = run;
        this.starter = starter;
        this.interruption = interruption;
    }

    /**
     * Load for one of the replicas of a gateway, or for the only one.
     *
     * @param request the whole load, with the replica as its target
     * @param tokens a file with the replica's tokens here, if the scenario needs tokens
     * @param gateway the replica; empty for a load that goes straight to the back end
     */
    record Aim(LoadRequest request, Optional<Path> tokens, Optional<RunningGateway> gateway) {}

    /**
     * End of a load.
     *
     * @param processes the load generators' processes, which have ended, in the order of their shares
     * @param abortedEarly whether one of them ended the test early
     * @param stoppedBecause why they were stopped before their time, empty if they were not
     */
    record Ending(List<RoleProcess> processes, boolean abortedEarly, String stoppedBecause) {}

    /**
     * Starts the JVMs that a load needs before its request is known: they come up beside back end and gateway, and wait
     * for it.
     *
     * @param directory the directory of the load below the work directory of each host; several get a number each
     * @return the processes in the order of their shares, which the caller stops
     */
    List<RoleProcess> startEarly(TestScenario scenario, TestCase testCase, String directory) {
        if (distributed()) {
            // Their tunnels are made with the load.
            return List.of();
        }
        List<Host> hosts = run.environment().hosts(NodeRole.LOAD_GENERATOR);
        int count = Math.min(hosts.size(), testCase.users());
        List<RoleProcess> processes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Host host = hosts.get(i);
            String own = part(directory, i, count);
            String there = host.workDirectory() + "/" + own;
            processes.add(new Prepared(
                            this,
                            host,
                            name(i, count),
                            there,
                            run.jars().loadGeneratorOn(host),
                            requestFile(host, own, scenario),
                            Optional.empty(),
                            Duration.ZERO)
                    .start(count > 1, true));
        }
        return processes;
    }

    /**
     * Runs a load to its end.
     *
     * @param aims the whole load as each replica of the gateway would get it: load generators take them in turn, so that
     *     their number must be a multiple of that of the replicas
     * @param directory the directory of the load below the work directory of each host; several get a number each
     * @param early the processes that {@link #startEarly} has started for it, or none
     * @param started is told of each process as soon as it runs
     * @param death says what else died while the load runs, or null while all is well
     */
    Ending run(
            List<Aim> aims,
            String directory,
            List<RoleProcess> early,
            Consumer<RoleProcess> started,
            Supplier<@Nullable String> death) {
        LoadRequest request = aims.get(0).request();
        List<Host> hosts = run.environment().hosts(NodeRole.LOAD_GENERATOR);
        // A load generator without a user would have nothing to do: the first ones then do it all.
        int count = Math.min(hosts.size(), request.testCase().users());
        if (count < hosts.size()) {
            run.listener()
                    .note(request.testCase().users() + " users need only " + count + " of " + hosts.size()
                            + " load generators");
        }
        Optional<JMeterController> controller =
                distributed() ? Optional.of(new JMeterController(run)) : Optional.empty();
        try {
            return run(aims, directory, early, started, death, hosts.subList(0, count), controller);
        } finally {
            controller.ifPresent(JMeterController::close);
        }
    }

    private boolean distributed() {
        return run.environment().distribution() == Distribution.JMETER;
    }

    private Ending run(
            List<Aim> aims,
            String directory,
            List<RoleProcess> early,
            Consumer<RoleProcess> started,
            Supplier<@Nullable String> death,
            List<Host> hosts,
            Optional<JMeterController> controller) {
        LoadRequest request = aims.get(0).request();
        int count = hosts.size();
        boolean held = count > 1 || controller.isPresent();
        List<Prepared> prepared = new ArrayList<>();
        if (count % aims.size() != 0) {
            throw new LoadException(count + " load generators cannot be shared out over " + aims.size() + " replicas");
        }
        List<List<LoadRequest>> shares =
                aims.stream().map(aim -> aim.request().shares(count)).toList();
        for (int i = 0; i < count; i++) {
            String own = part(directory, i, count);
            Host host = hosts.get(i);
            Optional<String> remote = controller.map(one -> one.connect(host));
            int replica = i % aims.size();
            prepared.add(
                    prepare(host, shares.get(replica).get(i), aims.get(replica).tokens(), own, name(i, count), remote));
        }
        Duration lead = prepared.stream()
                .map(generator -> generator.sent().multipliedBy(LEAD_FACTOR))
                .reduce(MIN_LEAD, Duration::plus);
        List<RoleProcess> processes = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                RoleProcess process = early.isEmpty() ? prepared.get(i).start(held, false) : early.get(i);
                processes.add(process);
                started.accept(process);
            }
            controller.ifPresent(one -> started.accept(
                    one.start(request, directory.substring(directory.lastIndexOf('/') + 1) + "-client", starter)));
            Supplier<@Nullable String> beforeLoad = () -> {
                String died = death.get();
                return died != null
                        ? died
                        : controller.map(JMeterController::died).orElse(null);
            };
            Watch watch = new Watch(
                    processes,
                    death,
                    request.timing(),
                    compilers(aims, processes),
                    why -> tellWindow(prepared, lead, why));
            if (held) {
                Optional<Ending> ending = watch.untilReady(beforeLoad);
                if (ending.isPresent()) {
                    return ending.get();
                }
                tellStart(prepared, lead);
            }
            Ending ending = watch.untilEnd(request, lead);
            if (ending.stoppedBecause().isEmpty()) {
                controller.ifPresent(JMeterController::awaitEnd);
            }
            return ending;
        } finally {
            processes.forEach(RoleProcess::stop);
        }
    }

    /** Returns what tells the CPU time that the compilers of gateways and load generators have used. */
    private static Supplier<Map<String, Duration>> compilers(List<Aim> aims, List<RoleProcess> generators) {
        return () -> {
            Map<String, Duration> used = new HashMap<>();
            for (Aim aim : aims) {
                aim.gateway()
                        .ifPresent(gateway -> gateway.process()
                                .ifPresent(process -> compiler(process, WindowMeter.pids(gateway))
                                        .ifPresent(time -> used.merge(process.name(), time, Duration::plus))));
            }
            for (RoleProcess generator : generators) {
                compiler(generator, List.of(generator.process().pid()))
                        .ifPresent(time -> used.put(generator.name(), time));
            }
            return used;
        };
    }

    private static Optional<Duration> compiler(RoleProcess role, List<Long> pids) {
        try {
            return CompilerTime.ofTrees(role.host(), pids);
        } catch (HostException e) {
            // The load goes on, and the warm-up ends by what it shows.
            return Optional.empty();
        }
    }

    /** Ends the warm-up of several at one instant, and that of a single one with its next second. */
    private void tellWindow(List<Prepared> prepared, Duration lead, String why) {
        Instant start = prepared.size() == 1
                ? run.clock().instant()
                : run.clock().instant().plus(lead);
        for (Prepared generator : prepared) {
            generator.tell(JMeterLoadDriver.WINDOW_FILE, start, " " + why);
        }
    }

    private void tellStart(List<Prepared> prepared, Duration lead) {
        Instant start = run.clock().instant().plus(lead);
        for (Prepared generator : prepared) {
            generator.tell(LoadGeneratorMain.START_FILE, start, "");
        }
        if (run.clock().instant().isAfter(start)) {
            run.listener()
                    .note("it took longer than " + lead.toSeconds() + " s to tell all load generators when to begin:"
                            + " they did not begin together");
        }
    }

    /** Returns the directory of one of several load generators, or of the only one. */
    static String part(String directory, int index, int count) {
        return count == 1 ? directory : directory + "-" + (index + 1);
    }

    /** Returns the name that the columns of the report carry. */
    private String name(int index, int count) {
        return count == 1 && !distributed() ? JMeterController.NAME : "JMeter Server " + (index + 1);
    }

    /** State of a host before its load generator is started: all that takes time, and how long the request took. */
    private record Prepared(
            LoadGenerators owner,
            Host host,
            String name,
            String directory,
            String classPath,
            String request,
            Optional<String> remote,
            Duration sent) {

        RoleProcess start(boolean held, boolean early) {
            List<String> launch =
                    new ArrayList<>(List.of("-cp", classPath, LoadGeneratorMain.class.getName(), request, directory));
            if (held) {
                launch.add(LoadGeneratorMain.HELD);
            }
            if (early) {
                launch.add(LoadGeneratorMain.EARLY);
            }
            if (owner.run.plan().timing().untilSteady()) {
                launch.add(LoadGeneratorMain.TOLD);
            }
            remote.ifPresent(launch::add);
            return owner.starter.start(
                    NodeRole.LOAD_GENERATOR,
                    name,
                    host,
                    directory,
                    owner.run.plan().loadGeneratorHeap(),
                    launch,
                    owner.processors.apply(host));
        }

        void tell(String name, Instant start, String why) {
            Instant there = start.plus(owner.run.environment().clockOffset(host));
            owner.put(host, directory + "/" + name, file -> Files.writeString(file, there + why + "\n"));
        }
    }

    private Prepared prepare(
            Host host,
            LoadRequest share,
            Optional<Path> tokens,
            String directory,
            String name,
            Optional<String> remote) {
        String there = host.workDirectory() + "/" + directory;
        host.createDirectory(there);
        LoadRequest own = onHost(share, tokens, host);
        String request = requestFile(host, directory, own.scenario());
        Instant before = run.clock().instant();
        if (hasSecrets(own.scenario())) {
            put(host, there + REQUEST, own.withScenario(SecretHeaders.masked(own.scenario()))::write);
            host.createDirectory(request.substring(0, request.lastIndexOf('/')));
        }
        // Last: a load generator that was started early begins with it.
        put(host, request, own::write);
        Duration sent = Duration.between(before, run.clock().instant());
        return new Prepared(this, host, name, there, run.jars().loadGeneratorOn(host), request, remote, sent);
    }

    /** Names the file of a request: all in the directory of the case becomes part of the results, so that one with secrets lies elsewhere. */
    private static String requestFile(Host host, String directory, TestScenario scenario) {
        return host.workDirectory()
                + (hasSecrets(scenario) ? "/secrets/" + directory.replace('/', '-') : "/" + directory)
                + REQUEST;
    }

    private static boolean hasSecrets(TestScenario scenario) {
        return !SecretHeaders.masked(scenario).equals(scenario);
    }

    /** Puts the files that a request names on a host, and returns the request that names them there. */
    static LoadRequest onHost(LoadRequest request, Optional<Path> tokens, Host host) {
        LoadRequest withTokens = tokens.map(
                        file -> Path.of(host.upload(file, host.workDirectory() + "/secrets/" + file.getFileName())))
                .map(request::withTokenFile)
                .orElse(request);
        return withTokens
                .withScenario(onHost(withTokens.scenario(), host))
                .withPayload(onHost(withTokens.payload(), host))
                .withProbes(new LoadProbes(
                        request.probes().oneIn(),
                        request.probes()
                                .tokenFile()
                                .map(file -> Path.of(
                                        host.upload(file, host.workDirectory() + "/secrets/" + file.getFileName())))));
    }

    private static TestScenario onHost(TestScenario scenario, Host host) {
        return scenario.withSteps(scenario.steps()
                .map(steps -> new ScenarioSteps(
                        steps.routes(),
                        steps.data()
                                .map(data -> new ScenarioSteps.Data(
                                        Path.of(host.upload(
                                                data.file(),
                                                host.workDirectory() + "/data/" + scenario.name() + ".csv")),
                                        data.unique())))));
    }

    private static PayloadOptions onHost(PayloadOptions payload, Host host) {
        return new PayloadOptions(
                payload.wso2Sizes(),
                payload.file()
                        .map(file ->
                                Path.of(host.upload(file, host.workDirectory() + "/payload/" + file.getFileName()))),
                payload.variants());
    }

    /** Writes a file. */
    private interface Content {
        void writeTo(Path file) throws IOException;
    }

    /** Puts a file at a path on a host, where it appears whole. */
    private void put(Host host, String path, Content content) {
        try {
            Path file = Files.createTempFile(run.secrets(), "gatebench-", ".tmp");
            try {
                content.writeTo(file);
                if (!host.upload(file, path).equals(path)) {
                    // It is this machine, on which the file would be used where it is.
                    Path part = Path.of(path + ".part");
                    Files.move(file, part, StandardCopyOption.REPLACE_EXISTING);
                    Files.move(
                            part, Path.of(path), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                }
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + path, e);
        }
    }

    /** Looks at the load generators again and again, until all are ready, or all have ended, or there is a reason. */
    private final class Watch {

        private final List<RoleProcess> processes;
        private final Supplier<@Nullable String> death;
        private final LiveSeconds seconds;
        private final long[] offsets;
        private final boolean[] ready;
        private final Consumer<String> endWarmUp;
        private final Optional<UntilSteady> warmUp;
        private boolean loading;
        private boolean loaded;
        private boolean steady;
        private boolean window;

        private Watch(
                List<RoleProcess> processes,
                Supplier<@Nullable String> death,
                TestTiming timing,
                Supplier<Map<String, Duration>> compilers,
                Consumer<String> endWarmUp) {
            this.endWarmUp = endWarmUp;
            this.warmUp = timing.untilSteady()
                    ? Optional.of(new UntilSteady(
                            processes.size(),
                            (int) Math.ceil(timing.rampUp().toMillis() / 1000.0),
                            run.clock(),
                            compilers))
                    : Optional.empty();
            this.processes = processes;
            this.death = death;
            this.seconds = new LiveSeconds(processes.size(), run.listener());
            this.offsets = new long[processes.size()];
            this.ready = new boolean[processes.size()];
        }

        /** Returns empty when all users of all load generators wait for the start, or how it ended before that. */
        Optional<Ending> untilReady(Supplier<@Nullable String> beforeLoad) {
            Instant deadline = run.clock().instant().plus(PREPARATION);
            while (true) {
                Optional<Ending> ending = look();
                if (ending.isPresent()) {
                    return ending;
                }
                int missing = firstNotReady();
                if (missing < 0) {
                    return Optional.empty();
                }
                String why = stop(
                        deadline,
                        beforeLoad,
                        () -> "the load generator " + processes.get(missing).name() + " on "
                                + processes.get(missing).host().name() + " was not ready within "
                                + PREPARATION.toSeconds()
                                + " s" + processes.get(missing).process().lastWords(15));
                if (why != null) {
                    return Optional.of(new Ending(processes, false, why));
                }
                Pause.of(POLL, run.clock(), "while the load ran");
            }
        }

        Ending untilEnd(LoadRequest request, Duration lead) {
            loading = true;
            // Users that wait for a last answer may take as long as the response time-out after the test's end.
            Instant deadline = run.clock()
                    .instant()
                    .plus(lead)
                    .plus(request.timing().duration())
                    .plus(request.connectTimeout())
                    .plus(request.responseTimeout())
                    .plusSeconds(60);
            while (true) {
                Optional<Ending> ending = look();
                if (ending.isPresent()) {
                    return ending.get();
                }
                String why = stop(deadline, death, () -> "the load generator did not end in time");
                if (why != null) {
                    return new Ending(processes, false, why);
                }
                Pause.of(POLL, run.clock(), "while the load ran");
            }
        }

        private int firstNotReady() {
            for (int i = 0; i < ready.length; i++) {
                if (!ready[i]) {
                    return i;
                }
            }
            return -1;
        }

        /** Nothing tells of a single one when it begins, only what it has done in each second. */
        private String when() {
            if (processes.size() == 1) {
                return loaded ? WHILE_LOAD_RAN : "before the first second of the load was over";
            }
            return loading ? WHILE_LOAD_RAN : "before the load began";
        }

        /** Reads what they wrote; returns how it ended if all have ended, or one too early. */
        private Optional<Ending> look() {
            int ended = 0;
            boolean aborted = false;
            for (int i = 0; i < processes.size(); i++) {
                HostProcess process = processes.get(i).process();
                boolean alive = process.isAlive();
                HostProcess.Output output = process.outputFrom(offsets[i]);
                offsets[i] = output.nextOffset();
                for (String line : output.text().lines().toList()) {
                    ready[i] |= line.equals(LoadGeneratorMain.READY);
                    loaded |= seconds.line(line);
                    if (!window && line.equals(LoadGeneratorMain.WINDOW)) {
                        window = true;
                        run.listener().windowBegins();
                    }
                    if (!steady && warmUp.isPresent()) {
                        warmUp.get().reachedBy(line).ifPresent(why -> {
                            steady = true;
                            endWarmUp.accept(why);
                        });
                    }
                }
                if (!alive) {
                    ended++;
                    OptionalInt code = process.exitCode();
                    aborted |= code.isPresent() && code.getAsInt() == ABORTED_EARLY;
                    if (code.isEmpty() || code.getAsInt() != 0 && code.getAsInt() != ABORTED_EARLY) {
                        return Optional.of(new Ending(processes, false, dead(processes, i, when())));
                    }
                }
            }
            return ended == processes.size() || aborted
                    ? Optional.of(new Ending(processes, aborted, ""))
                    : Optional.empty();
        }
    }

    private @Nullable String stop(Instant deadline, Supplier<@Nullable String> death, Supplier<String> late) {
        if (interruption.isRequested()) {
            return "the run was interrupted";
        }
        String died = death.get();
        if (died != null) {
            return died;
        }
        return run.clock().instant().isAfter(deadline) ? late.get() : null;
    }

    private static String dead(List<RoleProcess> processes, int index, String when) {
        RoleProcess role = processes.get(index);
        OptionalInt code = role.process().exitCode();
        boolean alone = processes.size() == 1;
        return "the load generator" + (alone ? "" : " " + role.name()) + " on "
                + role.host().name() + " ended " + when
                + " (" + (code.isPresent() ? "exit code " + code.getAsInt() : "it left no exit code") + ")"
                + HostDisk.words(role.host())
                + (alone || !when.equals(WHILE_LOAD_RAN)
                        ? ""
                        : "; what the others measured is kept, but is no measurement of all users")
                + role.process().lastWords(15);
    }
}
