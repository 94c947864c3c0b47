/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.gatebench.hosts.metrics.CompilerTime;
import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.LoadGeneratorMain;
import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.spi.Distribution;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
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

    static final Duration POLL = Duration.ofMillis(200);
    /** The start is so far ahead at least when hosts are told of it. */
    private static final Duration MIN_LEAD = Duration.ofSeconds(1);
    /** A file of a line takes a host no longer than the request did, but the way may lose packets just now. */
    private static final int LEAD_FACTOR = 3;

    private final RunContext run;
    private final JvmRole starter;
    private final Interruption interruption;
    private final Function<Host, List<Integer>> processors;
    private final LoadFiles files;

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
        this.files = new LoadFiles(run);
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
                            LoadFiles.requestFile(host, own, scenario),
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
            LoadWatch watch = new LoadWatch(
                    run,
                    interruption,
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
            owner.files.put(host, directory + "/" + name, file -> Files.writeString(file, there + why + "\n"));
        }
    }

    private Prepared prepare(
            Host host,
            LoadRequest share,
            Optional<Path> tokens,
            String directory,
            String name,
            Optional<String> remote) {
        Duration sent = files.putRequest(share, tokens, host, directory);
        return new Prepared(
                this,
                host,
                name,
                host.workDirectory() + "/" + directory,
                run.jars().loadGeneratorOn(host),
                LoadFiles.requestFile(host, directory, share.scenario()),
                remote,
                sent);
    }
}
