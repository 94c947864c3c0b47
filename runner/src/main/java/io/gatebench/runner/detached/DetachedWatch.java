/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.detached;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.gatebench.hosts.SshHost;
import io.gatebench.hosts.SteadyClock;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostUnreachableException;
import io.gatebench.spi.host.Pause;

/** A connection to the machine on which a run goes on by itself; looking changes nothing there. */
public final class DetachedWatch implements AutoCloseable {

    /** The script that runs the program there. */
    static final String SCRIPT = "detached.sh";

    /** The results, beside the script. */
    static final String RESULTS = "results";

    private static final Duration QUICK = Duration.ofSeconds(30);
    private static final Duration TURN = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final SshHost host;
    private final String directory;
    private final Consumer<String> notes;
    private final SteadyClock clock = new SteadyClock();

    DetachedWatch(SshHost host, String directory, Consumer<String> notes) {
        this.host = host;
        this.directory = directory;
        this.notes = notes;
    }

    private String verb(String... words) {
        List<String> command = new ArrayList<>(List.of("sh", directory + "/" + SCRIPT));
        command.addAll(List.of(words));
        CommandResult result = host.run(command, QUICK);
        if (result.exitCode() != 0) {
            throw new HostException(host.name() + " does not say how the run is: "
                    + result.errorOutput().trim());
        }
        return result.output();
    }

    /** Returns how the run is at this moment. */
    public DetachedRun.State state() {
        String answer = verb("status").trim();
        if (answer.matches("ended \\d{1,3}")) {
            return new DetachedRun.State(
                    DetachedRun.Phase.ENDED, OptionalInt.of(Integer.parseInt(answer.substring("ended ".length()))));
        }
        return new DetachedRun.State(
                switch (answer) {
                    case "measuring" -> DetachedRun.Phase.MEASURING;
                    case "preparing" -> DetachedRun.Phase.PREPARING;
                    case "gone" -> DetachedRun.Phase.GONE;
                    default -> throw new HostException(host.name() + " does not say how the run is: '" + answer + "'");
                },
                OptionalInt.empty());
    }

    /** Returns the last lines that the program there said. */
    public List<String> lastLines(int count) {
        return host.run(List.of("tail", "-n", String.valueOf(count), directory + "/log"), QUICK)
                .output()
                .lines()
                .toList();
    }

    /** Returns the table that the program there printed at its end. */
    public String output() {
        return eventually(
                () -> host.run(List.of("cat", directory + "/out"), QUICK).output());
    }

    /**
     * Tells what the program there says, from its beginning to its end.
     *
     * @param lines is told each line
     * @throws HostException if the machine cannot be reached for some minutes
     */
    public DetachedRun.State follow(Consumer<String> lines) {
        long offset = 0;
        while (true) {
            // Asked before the log is read: what was said before the end is not missed then.
            DetachedRun.State state = eventually(this::state);
            long from = offset;
            String text = eventually(() -> verb("log", String.valueOf(from)));
            int end = state.isOver() ? text.length() : text.lastIndexOf('\n') + 1;
            String whole = text.substring(0, end);
            whole.lines().forEach(lines);
            offset += whole.getBytes(StandardCharsets.UTF_8).length;
            if (state.isOver() && whole.isEmpty()) {
                return state;
            }
            if (whole.isEmpty()) {
                Pause.of(TURN, "while a run was watched");
            }
        }
    }

    /** Waits until test cases are measured or the program there has ended, but no longer than that. */
    DetachedRun.State awaitBeginning(Duration limit) {
        Instant began = clock.instant();
        while (true) {
            DetachedRun.State state = eventually(this::state);
            if (state.phase() != DetachedRun.Phase.PREPARING
                    || Duration.between(began, clock.instant()).compareTo(limit) > 0) {
                return state;
            }
            Pause.of(TURN, "while a run was watched");
        }
    }

    /**
     * Brings the results here and compares every file with what is there.
     *
     * @param target where they go; what an earlier attempt has left there is not sent again
     * @return the number of files
     * @throws HostException if a file did not come as it is there
     */
    public int fetch(Path target) {
        return host.downloadAndCompare(directory + "/" + RESULTS, target);
    }

    private <T> T eventually(Supplier<T> operation) {
        Instant since = null;
        while (true) {
            try {
                T result = operation.get();
                if (since != null) {
                    notes.accept(host.name() + " is reached again");
                }
                return result;
            } catch (HostUnreachableException e) {
                if (since == null) {
                    since = clock.instant();
                    notes.accept(e.getMessage());
                } else if (Duration.between(since, clock.instant()).compareTo(PATIENCE) > 0) {
                    throw e;
                }
                Pause.of(TURN, "while a run was watched");
            }
        }
    }

    @Override
    public void close() {
        host.close();
    }
}
