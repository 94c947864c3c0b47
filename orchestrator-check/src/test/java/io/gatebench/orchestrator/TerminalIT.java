/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ctrl-C as a user types it: in a terminal, whose line discipline sends the signal to every process of the group, roles
 * among them, at one moment.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "util-linux has the terminal of these tests")
class TerminalIT {

    private static final byte CTRL_C = 3;
    private static final int ROLES = 3;

    @TempDir
    private Path directory;

    private Process terminal;
    private Path screen;

    @BeforeEach
    void open() throws IOException {
        assumeThat(Stream.of("/usr/bin/script", "/usr/bin/env").map(Path::of))
                .as("script or env is not there; install bsdutils and coreutils")
                .allMatch(Files::isExecutable);
        String program = Stream.concat(
                        Stream.of(
                                // A test run in the background hands on that it ignores this signal.
                                "exec",
                                "env",
                                "--default-signal=INT",
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-jar",
                                Path.of("../orchestrator/target/orchestrator.jar")
                                        .toAbsolutePath()
                                        .toString()),
                        Program.withPortOfItsOwn(List.of(EchoAsGateway.options(
                                        directory, "--users=2,3", "--duration=4s", "--warm-up=1s", "--results=r")))
                                .stream())
                .map(word -> "'" + word + "'")
                .collect(Collectors.joining(" "))
                .replace("'exec'", "exec");
        screen = directory.resolve("screen");
        terminal = new ProcessBuilder("script", "--quiet", "--flush", "--return", "--command", program, "/dev/null")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(screen.toFile())
                .start();
    }

    @AfterEach
    void close() {
        if (terminal != null) {
            terminal.descendants().forEach(ProcessHandle::destroyForcibly);
            terminal.destroyForcibly();
        }
    }

    @Test
    void keepsWhatWasMeasuredAndSaysHowToGoOnWhenCtrlCReachesEveryProcessAtOnce() throws Exception {
        List<ProcessHandle> processes = awaitRoles("[2/2]");

        type(CTRL_C);

        assertThat(terminal.waitFor(2, TimeUnit.MINUTES)).as(screen()).isTrue();
        assertThat(terminal.exitValue()).as(screen()).isEqualTo(130);
        requireEnded(processes);
        assertThat(screen().replace("\r", ""))
                .contains("interrupted: 1 of 2 test cases are kept, the report has no charts; go on with:\n  ")
                .contains(" --resume r\n");
        assertThat(directory.resolve("r/index.html")).exists();
        assertThat(directory.resolve("r/charts.csv")).doesNotExist();
        assertThat(directory.resolve("r/.work")).doesNotExist();
    }

    @Test
    void endsAtOnceAtTheSecondCtrlCHoweverSoonItComes() throws Exception {
        List<ProcessHandle> processes = awaitRoles("[1/2]");

        // A kernel makes one signal of two that come before a busy process has seen the first: so the key is held down.
        do {
            type(CTRL_C);
        } while (!terminal.waitFor(50, TimeUnit.MILLISECONDS));

        assertThat(terminal.exitValue()).as(screen()).isEqualTo(130);
        requireEnded(processes);
        assertThat(screen()).doesNotContain("go on with").doesNotContain("Report:");
    }

    private void type(byte key) throws IOException {
        OutputStream keyboard = terminal.getOutputStream();
        try {
            keyboard.write(key);
            keyboard.flush();
        } catch (IOException e) {
            // Who types when all is over types in vain.
            assertThat(terminal.onExit()).as(screen()).succeedsWithin(Duration.ofMinutes(1));
        }
    }

    private List<ProcessHandle> awaitRoles(String cell) throws Exception {
        await(cell);
        while (roles().size() < ROLES) {
            pause();
        }
        return terminal.descendants().collect(Collectors.toCollection(ArrayList::new));
    }

    private List<ProcessHandle> roles() {
        return terminal.descendants()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains("echo-backend.jar")
                                || line.contains("synapse-gateway.jar")
                                || line.contains("LoadGeneratorMain"))
                        .isPresent())
                .toList();
    }

    private void await(String text) throws Exception {
        while (!screen().contains(text)) {
            pause();
        }
    }

    private void pause() throws Exception {
        assertThat(terminal.isAlive()).as(screen()).isTrue();
        Thread.sleep(20);
    }

    private String screen() throws IOException {
        return Files.readString(screen);
    }

    private static void requireEnded(List<ProcessHandle> processes) {
        for (ProcessHandle process : processes) {
            assertThat(process.onExit()).as(process.info().toString()).succeedsWithin(Duration.ofMinutes(1));
        }
    }
}
