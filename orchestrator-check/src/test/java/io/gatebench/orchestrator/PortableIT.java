/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.hosts.LocalSystem;

/** A whole run on a system that is treated as one without {@code /proc}, {@code setsid} and a shell. */
class PortableIT {

    private static final int ROLES = 3;

    @TempDir
    private Path directory;

    @Test
    void measuresWithWhatEverySystemHas() throws Exception {
        List<String> started;
        Program.Result result;
        try (Program program = Program.start(
                directory,
                // Every JVM of the run reads it, the load generator's too.
                Map.of("JDK_JAVA_OPTIONS", "-D" + LocalSystem.PORTABLE + "=true"),
                EchoAsGateway.options(directory, "--users=2", "--duration=6s", "--warm-up=2s", "--results=r"))) {
            started = awaitRoles(program);
            result = program.await();
        }

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        assertThat(started).hasSize(ROLES).allMatch(command -> command.endsWith("/java"));
        JsonNode run =
                new ObjectMapper().readTree(directory.resolve("r/result.json").toFile());
        JsonNode gateway = run.path("cells").path(0).path("processes").path(1);
        assertThat(gateway.path("notes")).as(gateway.path("notes").toString()).isEmpty();
        assertThat(gateway.path("hostMetrics").path("Task clock").asDouble())
                .as("CPU time of the gateway")
                .isPositive();
        assertThat(gateway.path("hostMetrics").path("Memory - Available (kB)").asDouble())
                .isPositive();
        assertThat(run.findValues("systems").toString()).contains("System Memory");
        assertThat(Files.readString(directory.resolve("r/summary.md"))).contains("| 64M | 2 |");
    }

    /**
     * Returns the programs that run beside this one once all roles do: with a shell there would be more. A JVM that was just
     * told to start a process shows the helper with which the JDK does that, for a moment.
     */
    private static List<String> awaitRoles(Program program) throws InterruptedException {
        long deadline = System.nanoTime() + 120_000_000_000L;
        while (true) {
            List<String> running = program.children().stream()
                    .map(child -> child.info().command().orElse("/jspawnhelper"))
                    .toList();
            if (program.errorOutput().contains("[1/1]")
                    && running.size() >= ROLES
                    && running.stream().noneMatch(command -> command.endsWith("/jspawnhelper"))) {
                return running;
            }
            assertThat(System.nanoTime()).as(program.errorOutput()).isLessThan(deadline);
            Thread.sleep(50);
        }
    }
}
