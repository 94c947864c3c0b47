/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.ProcessSpec;

@EnabledOnOs(
        value = {OS.LINUX, OS.MAC},
        disabledReason = "the tests start shells")
class LocalHostIT implements HostContract {

    /** There once the guard has been told of the role: it reads that even if who told it is killed. */
    private static final String GUARDED = "guarded";

    @TempDir
    private Path directory;

    @Override
    public Host open() {
        return new LocalHost(directory.resolve("work"));
    }

    @Override
    public Path scratch() {
        return directory;
    }

    @Test
    void handsOutOnlyCompleteLinesOfAGrowingLog() throws IOException {
        Path log = Files.writeString(directory.resolve("log"), "one\ntwo\nthr");

        HostProcess.Output first = LocalHost.readLines(log, 0);
        Files.writeString(log, "one\ntwo\nthree\n");
        HostProcess.Output second = LocalHost.readLines(log, first.nextOffset());

        assertThat(first.text()).isEqualTo("one\ntwo\n");
        assertThat(second.text()).isEqualTo("three\n");
    }

    /** A started process holds for a moment what was open here, and would be taken for a server at the port that was looked at. */
    @Test
    void looksAtPortsWithoutListeningThereForProcessesThatAreStartedMeanwhile() throws Exception {
        try (Host host = open()) {
            AtomicBoolean enough = new AtomicBoolean();
            CompletableFuture<Void> starting = CompletableFuture.runAsync(() -> {
                while (!enough.get()) {
                    host.run(List.of("true"), SOON);
                }
            });
            try {
                for (int i = 0; i < 500; i++) {
                    int port = host.freePort();
                    assertThat(host.isPortFree(port)).isTrue();
                    assertThat(host.accepts(URI.create("http://127.0.0.1:" + port)))
                            .as("something listens at port %s, at the %sth look", port, i)
                            .isFalse();
                }
            } finally {
                enough.set(true);
                starting.get();
            }
        }
    }

    /** Starts what an orchestrator starts, says so, and waits to be killed. */
    static final class Orchestrator {

        private Orchestrator() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            LocalHost host = new LocalHost(Path.of(arguments[0]));
            host.createDirectory(arguments[0]);
            String script = "trap '' HUP; sleep 300 & echo \"$$ $!\"; wait";
            HostProcess process = host.start(new ProcessSpec(
                    "role",
                    List.of("sh", "-c", script),
                    Map.of(),
                    Path.of(arguments[0]).toString()));
            while (process.outputFrom(0).text().isEmpty()) {
                Thread.sleep(10);
            }
            Files.createFile(Path.of(arguments[0], GUARDED));
            Thread.sleep(300_000);
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "the guard finds processes in /proc")
    void leavesNothingRunningWhenTheOrchestratorIsKilled() throws IOException, InterruptedException {
        Path work = directory.resolve("killed");
        Process orchestrator = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Orchestrator.class.getName(),
                        work.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            List<Long> pids = awaitPids(work);
            assertThat(pids).allMatch(LocalHostIT::isRunning);

            orchestrator.destroyForcibly().waitFor();

            long deadline = System.nanoTime() + SOON.toNanos();
            while (pids.stream().anyMatch(LocalHostIT::isRunning) && System.nanoTime() < deadline) {
                Thread.sleep(20);
            }
            assertThat(pids).noneMatch(LocalHostIT::isRunning);
        } finally {
            orchestrator.destroyForcibly();
        }
    }

    private static List<Long> awaitPids(Path work) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (System.nanoTime() < deadline) {
            if (Files.exists(work.resolve(GUARDED))) {
                return Arrays.stream(Files.readString(work.resolve(ProcessSpec.LOG))
                                .trim()
                                .split(" "))
                        .map(Long::valueOf)
                        .toList();
            }
            Thread.sleep(20);
        }
        throw new AssertionError("the orchestrator's process did not start its role");
    }

    private static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
}
