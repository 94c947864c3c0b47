/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.role;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import io.gatebench.gc.GcLogging;
import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.Pause;
import io.gatebench.spi.host.ProcessSpec;

/**
 * Starts roles as JVMs of their own, with the heap of the plan and a GC log each.
 *
 * @since 0.1
 */
public final class JvmRole {

    private static final Duration POLL = Duration.ofMillis(50);

    private final InstantSource clock;

    /** Creates a starter that measures its deadlines by that clock. */
    public JvmRole(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Starts a role and returns at once.
     *
     * @param role what it is there for
     * @param name the name that the columns of the report carry
     * @param host where it runs
     * @param directory its directory on the host, which is created
     * @param heap its heap, initial and largest
     * @param launch what follows the JVM's options: {@code -jar}, or {@code -cp} and a main class, and arguments
     */
    public RoleProcess start(
            NodeRole role, String name, Host host, String directory, DataSize heap, List<String> launch) {
        return start(role, name, host, directory, heap, launch, List.of());
    }

    /** Starts a role on some of the host's processors, without a limit on its memory, and returns at once. */
    public RoleProcess start(
            NodeRole role,
            String name,
            Host host,
            String directory,
            DataSize heap,
            List<String> launch,
            List<Integer> processors) {
        return start(role, name, host, directory, heap, launch, processors, Optional.empty());
    }

    /**
     * Starts a role on some of the host's processors, with no more than some memory, and returns at once.
     *
     * @param role what it is there for
     * @param name the name that the columns of the report carry
     * @param host where it runs
     * @param directory its directory on the host, which is created
     * @param heap its heap, initial and largest
     * @param launch what follows the JVM's options: {@code -jar}, or {@code -cp} and a main class, and arguments
     * @param processors the numbers of the processors; empty for all
     * @param memory the most memory that it may take; empty for no limit
     */
    public RoleProcess start(
            NodeRole role,
            String name,
            Host host,
            String directory,
            DataSize heap,
            List<String> launch,
            List<Integer> processors,
            Optional<DataSize> memory) {
        host.createDirectory(directory);
        List<String> command = command(host, heap, RoleProcess.GC_LOG, launch);
        HostProcess process = host.start(new ProcessSpec(name, command, Map.of(), directory, processors, memory));
        return new RoleProcess(role, name, host, process, command, heap, directory, Optional.empty());
    }

    /**
     * Returns the command of a role.
     *
     * @param heap its heap, initial and largest
     * @param gcLog where its GC log lies
     * @param launch what follows the JVM's options
     */
    public static List<String> command(Host host, DataSize heap, String gcLog, List<String> launch) {
        List<String> command = new ArrayList<>();
        command.add(host.java());
        // Initial and largest alike, as the published runs have it: a heap that still grows bends the first minutes.
        command.add("-Xms" + heap);
        command.add("-Xmx" + heap);
        command.addAll(GcLogging.flagsFor(host.javaFeatureVersion(), java.nio.file.Path.of(gcLog)));
        command.addAll(launch);
        return command;
    }

    /**
     * Waits for the line by which a role says that it is ready.
     *
     * @param prefix how the line begins, e.g. {@code echo-backend ready}
     * @return the {@code key=value} words of the line
     * @throws RoleStartException if the process ends, or the time is over
     */
    public Map<String, String> awaitReadyLine(HostProcess process, String prefix, Duration timeout) {
        Instant deadline = clock.instant().plus(timeout);
        long offset = 0;
        while (true) {
            boolean alive = process.isAlive();
            HostProcess.Output output = process.outputFrom(offset);
            offset = output.nextOffset();
            for (String line : output.text().lines().toList()) {
                if (line.startsWith(prefix)) {
                    return words(line);
                }
            }
            if (!alive && output.text().isEmpty()) {
                OptionalInt code = process.exitCode();
                throw new RoleStartException(process.name() + " ended before it was ready"
                        + (code.isPresent() ? " (exit code " + code.getAsInt() + ")" : "")
                        + process.whyEnded().map(why -> ": " + why).orElse("")
                        + process.lastWords(15));
            }
            if (clock.instant().isAfter(deadline)) {
                throw new RoleStartException(
                        process.name() + " was not ready within " + timeout.toSeconds() + " s" + process.lastWords(15));
            }
            Pause.of(POLL, clock, "while a role was starting");
        }
    }

    private static Map<String, String> words(String line) {
        Map<String, String> words = new HashMap<>();
        for (String word : line.split(" ")) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                words.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return words;
    }
}
