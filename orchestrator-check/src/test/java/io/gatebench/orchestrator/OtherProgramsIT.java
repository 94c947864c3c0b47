/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run beside loops that take processor time from it. Whatever else the machine does must not decide the test: that a run
 * without them has other programs, too, is possible, that one of its own processes is taken for one is not.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the counters are those of Linux")
class OtherProgramsIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path KERNEL = Path.of("/proc/2/comm");

    @TempDir
    private Path directory;

    private final List<Process> loops = new ArrayList<>();

    @AfterEach
    void endTheLoops() {
        loops.forEach(Process::destroyForcibly);
    }

    @Test
    void processorTimeOfOtherProgramsMakesARowDoubtful() throws IOException {
        assumeThat(Files.isReadable(KERNEL) && Files.readString(KERNEL).strip().equals("kthreadd"))
                .as("a container sees its own processes alone")
                .isTrue();
        for (int i = 0; i < Math.max(1, Runtime.getRuntime().availableProcessors() / 4); i++) {
            loops.add(new ProcessBuilder("sh", "-c", "ulimit -t 300; while :; do :; done").start());
        }
        long program;
        Program.Result result;
        try (Program running = Program.start(
                directory,
                EchoAsGateway.options(directory, "--users=2", "--duration=9s", "--warm-up=1s", "--results=r"))) {
            program = running.pid();
            result = running.await();
        }

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        JsonNode row = JSON.readTree(directory.resolve("r/summary.jsonl").toFile());
        assertThat(row.path("verdict").asText()).isIn("doubtful", "invalid");
        assertThat(row.path("verdictReasons"))
                .filteredOn(reason -> reason.path("rule").asText().equals("other-programs"))
                .singleElement()
                .satisfies(reason -> assertThat(reason.path("text").asText())
                        .matches("programs that are no part of the run took [0-9.]+ % of the processors of .+ on"
                                + " localhost, most of it \\S+"));
        requireThatOthersAre(program);
    }

    private void requireThatOthersAre(long program) throws IOException {
        Set<Long> members = new HashSet<>(Set.of(program));
        Set<Long> others = new HashSet<>();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(snapshots())), StandardCharsets.ISO_8859_1))) {
            String section = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("==> ") || line.startsWith("@")) {
                    section = line;
                } else if (section.equals("==> trees <==") && !line.isEmpty()) {
                    members.add(Long.parseLong(line.split(" ")[0]));
                } else if (section.equals("==> others <==")) {
                    others.add(Long.parseLong(line.split(" ")[0]));
                }
            }
        }
        assertThat(members)
                .as("gateway, back end, load generator and the program")
                .hasSizeGreaterThanOrEqualTo(4);
        assertThat(others)
                .containsAll(loops.stream().map(Process::pid).toList())
                .doesNotContainAnyElementsOf(members);
    }

    private Path snapshots() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("r"))) {
            return files.filter(file -> file.endsWith("snapshots.gz"))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
