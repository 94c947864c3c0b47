/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.detached;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.hosts.SshHost;
import io.gatebench.hosts.SshSettings;
import io.gatebench.hosts.SshTarget;
import io.gatebench.spi.EnvironmentException;

/**
 * Place where a run goes on that was left to itself on one of its own machines, as it is written down where it was started.
 *
 * @param run its identifier
 * @param host the name of the machine
 * @param address where SSH reaches it
 * @param user the login
 * @param privateKey file of its key
 * @param knownHosts file of its host key
 * @param directory where everything of the run is there
 * @param results where its results go here, unless said otherwise
 * @param end when everything is removed at the latest
 * @param keepSeconds how long the machine stays after the run; 0 for until the end
 */
public record DetachedRun(
        String run,
        String host,
        String address,
        String user,
        String privateKey,
        String knownHosts,
        String directory,
        String results,
        String end,
        long keepSeconds) {

    private static final String FILE = "detached.json";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Progress of a run. */
    public enum Phase {
        /** The machines are looked at. */
        PREPARING,
        /** Test cases are measured. */
        MEASURING,
        /** The program there has ended. */
        ENDED,
        /** It is not there and left no exit code: the machine was restarted, or its memory or disk was full. */
        GONE
    }

    /**
     * State of a run.
     *
     * @param phase how far it is
     * @param exitCode what the program there ended with, if it has
     */
    public record State(Phase phase, OptionalInt exitCode) {

        /** Returns whether nothing goes on any more. */
        public boolean isOver() {
            return phase == Phase.ENDED || phase == Phase.GONE;
        }
    }

    /**
     * Reads what was written when the run was left.
     *
     * @param records the directory of the run's records
     * @throws EnvironmentException if the run was not left to itself
     */
    public static DetachedRun read(Path records) {
        Path file = records.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            throw new EnvironmentException(
                    List.of(
                            "the run " + records.getFileName()
                                    + " was not left to itself with --detach: nothing of it goes on without the program that began it"));
        }
        try {
            return JSON.readValue(file.toFile(), DetachedRun.class);
        } catch (IOException e) {
            throw new EnvironmentException(List.of(file + " cannot be read: " + e.getMessage()));
        }
    }

    void write(Path records) {
        try {
            Path fresh = records.resolve(FILE + ".new");
            Files.writeString(fresh, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n");
            Files.move(fresh, records.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + FILE + " in " + records, e);
        }
    }

    /** Returns in words until when the results can be fetched. */
    public String fetchable() {
        Instant latest = Instant.parse(end);
        return keepSeconds == 0
                ? "until " + latest
                : "for " + Duration.ofSeconds(keepSeconds).toMinutes() + " min after its end, until " + latest
                        + " at the latest";
    }

    /**
     * Connects to the machine.
     *
     * @param notes is told in words what happens to the connection
     * @throws io.gatebench.spi.host.HostException if it cannot be reached; it may have ended itself
     */
    public DetachedWatch connect(Consumer<String> notes) {
        SshTarget target = new SshTarget(
                host,
                address,
                Optional.of(user),
                OptionalInt.empty(),
                List.of(Path.of(privateKey)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        SshSettings settings = new SshSettings(
                Optional.empty(), Path.of(knownHosts), false, SshSettings.DEFAULT_LEASE, SshSettings.DEFAULT_PATIENCE);
        return new DetachedWatch(SshHost.connect(target, settings, run, notes), directory, notes);
    }
}
