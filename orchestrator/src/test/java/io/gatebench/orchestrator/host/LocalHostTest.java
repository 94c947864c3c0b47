/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalHostTest {

    @TempDir
    private Path directory;

    @Test
    void keepsOutputAndExitCodeOfACommandApart() {
        try (LocalHost host = new LocalHost(directory)) {
            CommandResult result =
                    host.run(List.of("sh", "-c", "echo out; echo err >&2; exit 7"), Duration.ofSeconds(10));

            assertThat(result).isEqualTo(new CommandResult(7, "out\n", "err\n"));
        }
    }

    @Test
    void endsACommandThatOutlastsItsTime() {
        try (LocalHost host = new LocalHost(directory)) {
            assertThatThrownBy(() -> host.run(List.of("sleep", "60"), Duration.ofMillis(200)))
                    .isInstanceOf(HostException.class)
                    .hasMessageStartingWith("sleep did not end within");
        }
    }

    @Test
    void stopsWhatItStartedWhenItIsClosed() {
        HostProcess process;
        try (LocalHost host = new LocalHost(directory)) {
            process = host.start(new ProcessSpec("sleeper", List.of("sleep", "60"), Map.of(), directory.toString()));
            assertThat(process.isAlive()).isTrue();
            assertThat(process.exitCode()).isEmpty();
        }
        assertThat(process.isAlive()).isFalse();
        assertThat(ProcessHandle.of(process.pid()).filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    @Test
    void endsByForceWhatDoesNotEndItself() throws InterruptedException {
        try (LocalHost host = new LocalHost(directory)) {
            HostProcess stubborn = host.start(new ProcessSpec(
                    "stubborn",
                    List.of("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done"),
                    Map.of(),
                    directory.toString()));
            while (!stubborn.outputFrom(0).text().contains("ready")) {
                Thread.sleep(10);
            }
            stubborn.stop(Duration.ofMillis(300));

            assertThat(stubborn.isAlive()).isFalse();
        }
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

    @Test
    void knowsWhichPortsAreTaken() throws IOException {
        try (LocalHost host = new LocalHost(directory);
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(host.address()))) {
            assertThat(host.isPortFree(taken.getLocalPort())).isFalse();
            assertThat(host.isPortFree(host.freePort())).isTrue();
        }
    }

    @Test
    void describesThisMachine() {
        try (LocalHost host = new LocalHost(directory)) {
            assertThat(host.systemInformation().rows())
                    .anySatisfy(row -> {
                        assertThat(row.description()).isEqualTo("CPU(s)");
                        assertThat(row.value())
                                .isEqualTo(String.valueOf(Runtime.getRuntime().availableProcessors()));
                    })
                    .allSatisfy(row -> assertThat(row.value()).isNotBlank());
        }
    }
}
