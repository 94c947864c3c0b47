/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.container;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.gatebench.model.DataSize;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.ForwardingProcess;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.Pause;
import io.gatebench.spi.role.RoleStartException;

/** A container: its process identifier is that of its first process, everything else goes through its keeper. */
public final class ContainerProcess implements ForwardingProcess {

    private static final Duration QUICK = Duration.ofSeconds(30);
    private static final String WHY = "gatebench: ";

    /** Of each version of control groups the file that counts kills, by the group of the first process. */
    private static final String KILLS = """
            while IFS=: read -r _ controllers group; do
              case ,$controllers, in
              *,memory,*) file=/sys/fs/cgroup/memory$group/memory.oom_control ;;
              ,,) file=/sys/fs/cgroup$group/memory.events ;;
              *) continue ;;
              esac
              sed -n 's/^oom_kill //p' "$file" 2>/dev/null
            done </proc/"$0"/cgroup
            """;

    private final HostProcess keeper;
    private final Host host;
    private final List<String> engine;
    private final String container;
    private final List<String> command;
    private final Optional<DataSize> memory;
    private volatile long pid;

    ContainerProcess(
            HostProcess keeper,
            Host host,
            List<String> engine,
            String container,
            List<String> command,
            Optional<DataSize> memory) {
        this.memory = memory;
        this.keeper = keeper;
        this.host = host;
        this.engine = List.copyOf(engine);
        this.container = container;
        this.command = List.copyOf(command);
        this.pid = keeper.pid();
    }

    /** Waits until the container has a process; one that has ended before keeps the keeper's number. */
    void awaitPid(Duration timeout, Duration poll) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (keeper.isAlive()) {
            CommandResult answer = engine("inspect", "--type", "container", "--format", "{{.State.Pid}}", container);
            String text = answer.output().strip();
            if (answer.exitCode() == 0 && text.matches("[1-9][0-9]*")) {
                pid = Long.parseLong(text);
                return;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new RoleStartException(
                        "the container engine " + engine.get(0) + " has not started the container of " + name()
                                + " within " + timeout.toSeconds() + " s; its last lines:\n" + keeper.lastLines(15));
            }
            Pause.of(poll, "while a container was starting");
        }
    }

    private CommandResult engine(String... arguments) {
        List<String> words = new ArrayList<>(engine);
        words.addAll(List.of(arguments));
        return host.run(words, QUICK);
    }

    /** Returns the command line of the engine. */
    public List<String> command() {
        return command;
    }

    @Override
    public HostProcess process() {
        return keeper;
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public Optional<String> whyEnded() {
        return keeper.lastLines(1)
                .lines()
                .filter(line -> line.startsWith(WHY))
                .map(line -> line.substring(WHY.length()))
                .findFirst();
    }

    @Override
    public Optional<String> losses() {
        long kills = host.run(List.of("/bin/sh", "-c", KILLS, String.valueOf(pid)), QUICK)
                .output()
                .lines()
                .filter(line -> line.matches("[0-9]{1,18}"))
                .mapToLong(Long::parseLong)
                .max()
                .orElse(0);
        return kills == 0
                ? Optional.empty()
                : Optional.of("out of memory: the kernel ended " + kills + (kills == 1 ? " process" : " processes")
                        + " in its container at the memory limit"
                        + memory.map(limit -> " of " + limit).orElse("")
                        + "; give it more, or the gateway fewer workers");
    }

    /** {@inheritDoc} A keeper that was ended by force, or an engine that hung, must leave nothing either. */
    @Override
    public void stop(Duration grace) {
        keeper.stop(grace);
        try {
            if (engine("inspect", "--type", "container", "--format", "{{.Id}}", container)
                            .exitCode()
                    != 0) {
                return;
            }
            engine("kill", "-s", "KILL", container);
            engine("rm", "-f", container);
        } catch (HostException e) {
            // It can still be ended; what the engine remembers of it is removed by the next run.
            if (pid != keeper.pid()) {
                host.run(List.of("kill", "-KILL", String.valueOf(pid)), QUICK);
            }
        }
    }
}
