/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import io.gatebench.spi.RunListener;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.ForwardingProcess;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.Pause;

/** A gateway's process that is stopped as its configuration says. */
final class ConfiguredProcess implements ForwardingProcess {

    private static final Duration COPY = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(50);

    private final HostProcess process;
    private final Host host;
    private final String directory;
    private final List<String> stop;
    private final Optional<GcLogCopy> gcLog;
    private final RunListener listener;
    private final AtomicBoolean stopped = new AtomicBoolean();

    /**
     * A GC log that lies elsewhere than the suite looks for it.
     *
     * @param from its path on the host
     * @param to where it is looked for
     */
    record GcLogCopy(String from, String to) {}

    /** Creates the wrapper; an empty stop command leaves the signal TERM. */
    ConfiguredProcess(
            HostProcess process,
            Host host,
            String directory,
            List<String> stop,
            Optional<GcLogCopy> gcLog,
            RunListener listener) {
        this.process = process;
        this.host = host;
        this.directory = directory;
        this.stop = List.copyOf(stop);
        this.gcLog = gcLog;
        this.listener = listener;
    }

    /** Returns the command that runs another in a directory of a host. */
    static List<String> in(String directory, List<String> command) {
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", directory));
        words.addAll(command);
        return words;
    }

    @Override
    public HostProcess process() {
        return process;
    }

    @Override
    public void stop(Duration grace) {
        if (stopped.getAndSet(true)) {
            return;
        }
        if (!stop.isEmpty()) {
            runStopCommand(grace);
        }
        process.stop(grace);
        gcLog.ifPresent(this::copy);
    }

    private void runStopCommand(Duration grace) {
        try {
            CommandResult result = host.run(in(directory, stop), grace);
            if (result.exitCode() != 0) {
                listener.note("the stop command of " + name() + " ended with exit code " + result.exitCode() + ": "
                        + (result.output() + result.errorOutput()).strip());
                return;
            }
            Pause.untilEnded(process, grace, POLL);
        } catch (HostException e) {
            listener.note("the stop command of " + name() + " failed: " + e.getMessage());
        }
    }

    private void copy(GcLogCopy log) {
        try {
            CommandResult result = host.run(List.of("cp", log.from(), log.to()), COPY);
            if (result.exitCode() != 0) {
                listener.note(
                        "the GC log cannot be fetched: " + result.errorOutput().strip());
            }
        } catch (HostException e) {
            listener.note("the GC log cannot be fetched: " + e.getMessage());
        }
    }
}
