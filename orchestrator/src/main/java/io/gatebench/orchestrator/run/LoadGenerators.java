/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.LoadGeneratorMain;
import io.gatebench.load.LoadRequest;
import io.gatebench.model.NodeRole;
import io.gatebench.orchestrator.host.Host;
import io.gatebench.orchestrator.host.HostException;
import io.gatebench.orchestrator.host.HostProcess;
import io.gatebench.orchestrator.role.JvmRole;
import io.gatebench.orchestrator.role.RoleProcess;

/**
 * Runs the load of one case, a JVM on each load generator's host, and watches them.
 *
 * <p>Each sends its share; several begin at one instant, by the clock of each host, which was measured.
 */
final class LoadGenerators {

    /** The exit code by which a load generator says that it ended the test early. */
    static final int ABORTED_EARLY = 3;

    private static final Duration POLL = Duration.ofMillis(200);
    /** The JVMs of all load generators must have come up before the common start. */
    private static final Duration LEAD = Duration.ofSeconds(5);

    private final RunContext run;
    private final JvmRole starter;
    private final Interruption interruption;

    LoadGenerators(RunContext run, JvmRole starter, Interruption interruption) {
        this.run = run;
        this.starter = starter;
        this.interruption = interruption;
    }

    /**
     * How a load ended.
     *
     * @param processes the load generators' processes, which have ended, in the order of their shares
     * @param abortedEarly whether one of them ended the test early
     * @param stoppedBecause why they were stopped before their time, empty if they were not
     */
    record Ending(List<RoleProcess> processes, boolean abortedEarly, String stoppedBecause) {}

    /**
     * Runs a load to its end.
     *
     * @param request the whole load
     * @param tokens a file with the tokens here, if the scenario needs tokens
     * @param directory the directory of the load below the work directory of each host; several get a number each
     * @param started is told of each process as soon as it runs
     * @param death says what else died while the load runs, or null while all is well
     */
    Ending run(
            LoadRequest request,
            Optional<Path> tokens,
            String directory,
            Consumer<RoleProcess> started,
            Supplier<@Nullable String> death) {
        List<Host> hosts = run.environment().hosts(NodeRole.LOAD_GENERATOR);
        // A load generator without a user would have nothing to do: the first ones then do it all.
        int count = Math.min(hosts.size(), request.testCase().users());
        if (count < hosts.size()) {
            run.listener()
                    .note(request.testCase().users() + " users need only " + count + " of " + hosts.size()
                            + " load generators");
        }
        List<Prepared> prepared = new ArrayList<>();
        List<LoadRequest> shares = request.shares(count);
        for (int i = 0; i < count; i++) {
            String own = part(directory, i, count);
            prepared.add(prepare(hosts.get(i), shares.get(i), tokens, own, name(i, count)));
        }
        Optional<Instant> start = count == 1
                ? Optional.empty()
                : Optional.of(run.clock().instant().plus(LEAD));
        List<RoleProcess> processes = new ArrayList<>();
        try {
            for (Prepared generator : prepared) {
                RoleProcess process = generator.start(start);
                processes.add(process);
                started.accept(process);
            }
            return watch(request, processes, death);
        } finally {
            processes.forEach(RoleProcess::stop);
        }
    }

    /** Returns the directory of one of several load generators, or of the only one. */
    static String part(String directory, int index, int count) {
        return count == 1 ? directory : directory + "-" + (index + 1);
    }

    /** Returns the name that the columns of the report carry. */
    private static String name(int index, int count) {
        return count == 1 ? "JMeter Client" : "JMeter Server " + (index + 1);
    }

    /** What is on a host before its load generator is started: all that takes time. */
    private record Prepared(
            LoadGenerators owner, Host host, String name, String directory, String classPath, String request) {

        RoleProcess start(Optional<Instant> at) {
            List<String> launch =
                    new ArrayList<>(List.of("-cp", classPath, LoadGeneratorMain.class.getName(), request, directory));
            at.map(instant -> instant.plus(owner.run.environment().clockOffset(host)))
                    .ifPresent(instant -> launch.add(instant.toString()));
            return owner.starter.start(
                    NodeRole.LOAD_GENERATOR,
                    name,
                    host,
                    directory,
                    owner.run.plan().loadGeneratorHeap(),
                    launch);
        }
    }

    private Prepared prepare(Host host, LoadRequest share, Optional<Path> tokens, String directory, String name) {
        String there = host.workDirectory() + "/" + directory;
        host.createDirectory(there);
        LoadRequest own = tokens.map(
                        file -> Path.of(host.upload(file, host.workDirectory() + "/secrets/" + file.getFileName())))
                .map(share::withTokenFile)
                .orElse(share);
        try {
            Path file = Files.createTempFile("gatebench-", "-request.json");
            try {
                own.write(file);
                String request = there + "/request.json";
                String found = host.upload(file, request);
                if (!found.equals(request)) {
                    Files.copy(file, Path.of(request));
                }
                return new Prepared(this, host, name, there, run.jars().classPathOn(host), request);
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the load request", e);
        }
    }

    private Ending watch(LoadRequest request, List<RoleProcess> processes, Supplier<@Nullable String> death) {
        // Users that wait for a last answer may take as long as the response time-out after the test's end.
        Instant deadline = run.clock()
                .instant()
                .plus(LEAD)
                .plus(request.timing().duration())
                .plus(request.connectTimeout())
                .plus(request.responseTimeout())
                .plusSeconds(60);
        LiveSeconds seconds = new LiveSeconds(processes.size(), run.listener());
        long[] offsets = new long[processes.size()];
        while (true) {
            int ended = 0;
            boolean aborted = false;
            for (int i = 0; i < processes.size(); i++) {
                HostProcess process = processes.get(i).process();
                boolean alive = process.isAlive();
                HostProcess.Output output = process.outputFrom(offsets[i]);
                offsets[i] = output.nextOffset();
                output.text().lines().forEach(seconds::line);
                if (!alive) {
                    ended++;
                    OptionalInt code = process.exitCode();
                    aborted |= code.isPresent() && code.getAsInt() == ABORTED_EARLY;
                    if (code.isEmpty() || code.getAsInt() != 0 && code.getAsInt() != ABORTED_EARLY) {
                        return new Ending(processes, false, dead(processes, i));
                    }
                }
            }
            if (ended == processes.size() || aborted) {
                return new Ending(processes, aborted, "");
            }
            String why = stop(deadline, death);
            if (why != null) {
                return new Ending(processes, false, why);
            }
            pause();
        }
    }

    private @Nullable String stop(Instant deadline, Supplier<@Nullable String> death) {
        if (interruption.isRequested()) {
            return "the run was interrupted";
        }
        String died = death.get();
        if (died != null) {
            return died;
        }
        return run.clock().instant().isAfter(deadline) ? "the load generator did not end in time" : null;
    }

    private static String dead(List<RoleProcess> processes, int index) {
        RoleProcess role = processes.get(index);
        OptionalInt code = role.process().exitCode();
        return "the load generator" + (processes.size() == 1 ? "" : " " + role.name()) + " on "
                + role.host().name() + " ended while the load ran ("
                + (code.isPresent() ? "exit code " + code.getAsInt() : "it left no exit code") + ")"
                + HostDisk.words(role.host())
                + (processes.size() == 1
                        ? ""
                        : "; what the others measured is kept, but is no measurement of all users")
                + "; its last lines:\n" + role.process().lastLines(15);
    }

    private static void pause() {
        try {
            Thread.sleep(POLL.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HostException("interrupted while the load ran", e);
        }
    }
}
