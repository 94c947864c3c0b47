/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.load.LoadGeneratorMain;
import io.gatebench.load.LoadRequest;
import io.gatebench.model.NodeRole;
import io.gatebench.orchestrator.host.Host;
import io.gatebench.orchestrator.host.HostException;
import io.gatebench.orchestrator.host.HostProcess;
import io.gatebench.orchestrator.role.JvmRole;
import io.gatebench.orchestrator.role.RoleProcess;

/** Runs the load of one case in a JVM of its own and watches it. */
final class LoadGenerator {

    /** The exit code by which the load generator says that it ended the test early. */
    static final int ABORTED_EARLY = 3;

    private static final Duration POLL = Duration.ofMillis(200);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final RunContext run;
    private final JvmRole starter;
    private final Interruption interruption;

    LoadGenerator(RunContext run, JvmRole starter, Interruption interruption) {
        this.run = run;
        this.starter = starter;
        this.interruption = interruption;
    }

    /**
     * How a load ended.
     *
     * @param process the load generator's process, which has ended
     * @param exitCode its exit code, empty if it was ended by force
     * @param stoppedBecause why it was stopped before its time, empty if it was not
     */
    record Ending(RoleProcess process, OptionalInt exitCode, String stoppedBecause) {}

    /**
     * Runs a load to its end.
     *
     * @param directory the load generator's directory on its host
     * @param started is told of the process as soon as it runs
     * @param death says what died while the load runs, or null while all is well
     */
    Ending run(
            LoadRequest request,
            String directory,
            Consumer<RoleProcess> started,
            Supplier<@org.jspecify.annotations.Nullable String> death) {
        Host host = run.environment().host(NodeRole.LOAD_GENERATOR);
        host.createDirectory(directory);
        String requestOnHost = host.upload(requestFile(request, directory), directory + "/request.json");
        RoleProcess process = starter.start(
                NodeRole.LOAD_GENERATOR,
                "JMeter Client",
                host,
                directory,
                run.plan().loadGeneratorHeap(),
                List.of(
                        "-cp",
                        run.jars().classPathOn(host),
                        LoadGeneratorMain.class.getName(),
                        requestOnHost,
                        directory));
        started.accept(process);
        // Users that wait for a last answer may take as long as the response time-out after the test's end.
        Duration patience = request.timing()
                .duration()
                .plus(request.connectTimeout())
                .plus(request.responseTimeout())
                .plusSeconds(60);
        String stopped = watch(process.process(), run.clock().instant().plus(patience), death);
        process.stop();
        return new Ending(process, process.process().exitCode(), stopped);
    }

    private static Path requestFile(LoadRequest request, String directory) {
        try {
            Path directoryHere = Path.of(directory);
            Path file = Files.isDirectory(directoryHere)
                    ? directoryHere.resolve("request.json")
                    : Files.createTempFile("gatebench-", "-request.json");
            request.write(file);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the load request", e);
        }
    }

    private String watch(
            HostProcess process, Instant deadline, Supplier<@org.jspecify.annotations.Nullable String> death) {
        long offset = 0;
        while (true) {
            boolean alive = process.isAlive();
            HostProcess.Output output = process.outputFrom(offset);
            offset = output.nextOffset();
            output.text().lines().forEach(this::report);
            if (!alive) {
                return "";
            }
            if (interruption.isRequested()) {
                return "the run was interrupted";
            }
            String died = death.get();
            if (died != null) {
                return died;
            }
            if (run.clock().instant().isAfter(deadline)) {
                return "the load generator did not end in time";
            }
            try {
                Thread.sleep(POLL.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new HostException("interrupted while the load ran", e);
            }
        }
    }

    private void report(String line) {
        if (!line.startsWith("{\"second\"")) {
            return;
        }
        try {
            JsonNode node = JSON.readTree(line);
            run.listener()
                    .second(new RunListener.LiveSecond(
                            node.path("second").asInt(),
                            node.path("samples").asLong(),
                            node.path("errors").asLong(),
                            node.path("p99Millis").asDouble(),
                            node.path("users").asInt()));
        } catch (JsonProcessingException e) {
            run.listener().note("the load generator wrote a line that is no JSON: " + line);
        }
    }
}
