/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.gatebench.gc.GcLogging;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;

/** A JVM of this user that runs already, spoken to by {@code jcmd}. */
final class RunningJvm {

    private static final Duration JCMD = Duration.ofSeconds(30);

    private final Host host;
    private final long pid;

    RunningJvm(Host host, long pid) {
        this.host = host;
        this.pid = pid;
    }

    /**
     * Returns why it cannot be spoken to, if so; a signal that a JVM answers ends other programs, so that only what is
     * known as one may be asked.
     */
    Optional<String> hindrance() {
        try {
            return run(List.of("-l")).output().lines().anyMatch(line -> line.startsWith(pid + " "))
                    ? Optional.empty()
                    : Optional.of("the process is no JVM that jcmd lists (let a start script exec java)");
        } catch (HostException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Lets it write a GC log from now on; returns why it does not, if so. */
    Optional<String> beginGcLog(Path file) {
        return ask(GcLogging.begin(file));
    }

    /** Ends the log that was begun. */
    void endGcLog(Path file) {
        ask(GcLogging.end(file));
    }

    private Optional<String> ask(List<String> command) {
        List<String> arguments = new ArrayList<>(List.of(String.valueOf(pid)));
        arguments.addAll(command);
        try {
            CommandResult answer = run(arguments);
            return answer.exitCode() == 0 && !answer.output().contains("Exception")
                    ? Optional.empty()
                    : Optional.of("jcmd " + command.get(0) + " ended with exit code " + answer.exitCode() + ": "
                            + (answer.output() + answer.errorOutput()).strip());
        } catch (HostException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private CommandResult run(List<String> arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(host.java()).resolveSibling("jcmd").toString()));
        command.addAll(arguments);
        return host.run(command, JCMD);
    }
}
