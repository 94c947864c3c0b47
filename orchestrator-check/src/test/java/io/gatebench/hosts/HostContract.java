/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import io.gatebench.model.DataSize;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.ProcessSpec;

/** What everything above hosts relies on, the same for each way to reach one. */
interface HostContract {

    /** A JVM, which the test's SSH server is too, hands to a process what the charset of its environment has. */
    String BEYOND_ASCII = System.getProperty("sun.jnu.encoding").equals("UTF-8") ? "ünï" : "uni";

    Duration SOON = Duration.ofMinutes(1);

    /** A fresh, usable host on this machine, closed by the test. */
    Host open() throws IOException;

    /** A directory of the test. */
    Path scratch();

    private static String directory(Host host, String name) {
        String directory = host.workDirectory() + "/" + name;
        host.createDirectory(directory);
        return directory;
    }

    private static HostProcess shell(Host host, String name, String script) {
        return host.start(new ProcessSpec(name, List.of("sh", "-c", script), Map.of(), directory(host, name)));
    }

    private static void awaitLine(HostProcess process, String line) throws InterruptedException {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (!process.outputFrom(0).text().contains(line)) {
            assertThat(System.nanoTime())
                    .as("'%s' in the log of %s", line, process.name())
                    .isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    private static void awaitEnd(HostProcess process) throws InterruptedException {
        long deadline = System.nanoTime() + SOON.toNanos();
        while (process.isAlive()) {
            assertThat(System.nanoTime()).as("end of %s", process.name()).isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    private static boolean isRunning(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "processors are given by taskset")
    default void givesAProcessItsProcessors() throws IOException, InterruptedException {
        try (Host host = open()) {
            List<Integer> all = Processors.of(host).all();
            int last = all.get(all.size() - 1);
            HostProcess process = host.start(new ProcessSpec(
                    "confined",
                    List.of("sh", "-c", "grep Cpus_allowed_list /proc/self/status; sleep 300"),
                    Map.of(),
                    directory(host, "confined"),
                    List.of(last),
                    Optional.empty()));

            awaitLine(process, "Cpus_allowed_list:\t" + last + "\n");
            Processors.move(host, process.pid(), all);
            assertThat(host.run(List.of("taskset", "-c", "-p", "" + process.pid()), SOON)
                            .output())
                    .doesNotContain("list: " + last + "\n");
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "processors are given by taskset")
    default void movesAProcessWhoseThreadsComeAndGo() throws IOException, InterruptedException {
        try (Host host = open()) {
            List<Integer> all = Processors.of(host).all();
            int last = all.get(all.size() - 1);
            HostProcess process = host.start(new ProcessSpec(
                    "churn",
                    List.of(
                            ProcessHandle.current().info().command().orElseThrow(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            ThreadChurn.class.getName()),
                    Map.of(),
                    directory(host, "churn")));
            awaitLine(process, ThreadChurn.RUNNING);

            for (int turn = 0; turn < 10; turn++) {
                Processors.move(host, process.pid(), all);
                Processors.move(host, process.pid(), List.of(last));
                assertThat(host.run(
                                        List.of(
                                                "sh",
                                                "-c",
                                                "cat /proc/" + process.pid() + "/task/*/status 2>/dev/null"
                                                        + " | grep Cpus_allowed_list | sort -u"),
                                        SOON)
                                .output())
                        .isEqualTo("Cpus_allowed_list:\t" + last + "\n");
            }
        }
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "processors are given by taskset")
    default void saysThatAProcessToMoveHasEnded() throws IOException, InterruptedException {
        try (Host host = open()) {
            HostProcess process = shell(host, "ended", "exit 0");
            awaitEnd(process);

            assertThatThrownBy(() -> Processors.move(
                            host, process.pid(), Processors.of(host).all()))
                    .isInstanceOf(HostException.class)
                    .hasMessageMatching("process [0-9]+ cannot be moved to processors [0-9,-]+: it has ended");
        }
    }

    @Test
    default void keepsOutputErrorOutputAndExitCodeApart() throws IOException {
        try (Host host = open()) {
            assertThat(host.run(List.of("sh", "-c", "echo out; echo err >&2; exit 7"), SOON))
                    .isEqualTo(new CommandResult(7, "out\n", "err\n"));
        }
    }

    @Test
    default void handsArgumentsOverUnharmed() throws IOException {
        try (Host host = open()) {
            List<String> odd =
                    List.of("a b", "it's", "\"quoted\"", "$HOME", "`id`", "*", "back\\slash", "", BEYOND_ASCII);
            List<String> command = new java.util.ArrayList<>(List.of("printf", "[%s]"));
            command.addAll(odd);

            assertThat(host.run(command, SOON).output()).isEqualTo("[" + String.join("][", odd) + "]");
        }
    }

    @Test
    default void endsACommandThatOutlastsItsTime() throws IOException {
        try (Host host = open()) {
            assertThatThrownBy(() -> host.run(List.of("sleep", "60"), Duration.ofSeconds(1)))
                    .isInstanceOf(HostException.class)
                    .hasMessageStartingWith("sleep did not end within 1 s");
        }
    }

    @Test
    default void findsAnUploadedFileUnderTheAnsweredPath() throws IOException {
        Path file = scratch().resolve("upload.bin");
        byte[] content = new byte[300_000];
        new java.util.Random(7).nextBytes(content);
        Files.write(file, content);
        try (Host host = open()) {
            String path = host.upload(file, host.workDirectory() + "/jars/upload.bin");
            Files.write(scratch().resolve("other.bin"), content);
            String again = host.upload(scratch().resolve("other.bin"), host.workDirectory() + "/jars/second.bin");

            assertThat(host.run(List.of("cmp", path, file.toString()), SOON).exitCode())
                    .isZero();
            assertThat(host.run(List.of("cmp", again, file.toString()), SOON).exitCode())
                    .isZero();
        }
    }

    @Test
    default void bringsADirectoryWithEverythingInIt() throws IOException {
        try (Host host = open()) {
            String directory = directory(host, "tree");
            host.run(
                    List.of(
                            "sh",
                            "-c",
                            "cd \"$1\" && mkdir -p 'sub dir/deep' && echo one >a.log && : >empty && echo two >'sub"
                                    + " dir/deep/b c'",
                            "sh",
                            directory),
                    SOON);
            Path target = scratch().resolve("fetched");
            host.download(directory, target);
            host.run(List.of("sh", "-c", "echo more >>\"$1/a.log\"", "sh", directory), SOON);
            host.download(directory, target);
            host.download(host.workDirectory() + "/not-there", scratch().resolve("none"));

            assertThat(target.resolve("a.log")).hasContent("one\nmore");
            assertThat(target.resolve("empty")).isEmptyFile();
            assertThat(target.resolve("sub dir/deep/b c")).hasContent("two");
            try (var files = Files.walk(target)) {
                assertThat(files.filter(Files::isRegularFile)).hasSize(3);
            }
        }
    }

    @Test
    default void followsAProcessToItsEnd() throws IOException, InterruptedException {
        try (Host host = open()) {
            HostProcess process = host.start(new ProcessSpec(
                    "worker",
                    List.of(
                            "sh",
                            "-c",
                            "echo \"$GREETING $PWD\"; echo two; printf thr; until [ -e end ]; do sleep 0.05; done; exit 9"),
                    Map.of("GREETING", "it's me"),
                    directory(host, "worker")));
            awaitLine(process, "two");

            HostProcess.Output first = process.outputFrom(0);
            assertThat(first.text()).isEqualTo("it's me " + host.workDirectory() + "/worker\ntwo\n");
            assertThat(process.isAlive()).isTrue();
            assertThat(process.exitCode()).isEmpty();
            assertThat(process.outputFrom(first.nextOffset()).text()).isEmpty();
            assertThat(isRunning(process.pid())).isTrue();

            host.createDirectory(host.workDirectory() + "/worker/end");
            awaitEnd(process);
            assertThat(process.exitCode()).hasValue(9);
            assertThat(process.lastLines(2)).isEqualTo("two\nthr");
        }
    }

    @Test
    default void tellsWhenAProcessWasKilledByAnother() throws IOException, InterruptedException {
        try (Host host = open()) {
            HostProcess process = shell(host, "victim", "echo ready; exec sleep 60");
            awaitLine(process, "ready");
            ProcessHandle.of(process.pid()).orElseThrow().destroyForcibly();
            awaitEnd(process);

            assertThat(process.exitCode()).hasValue(137);
        }
    }

    @Test
    default void asksAProcessToEndBeforeItUsesForce() throws IOException, InterruptedException {
        try (Host host = open()) {
            HostProcess polite =
                    shell(host, "polite", "trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.05; done");
            awaitLine(polite, "ready");
            polite.stop(Duration.ofSeconds(10));

            assertThat(polite.isAlive()).isFalse();
            assertThat(polite.exitCode()).hasValue(3);
            assertThat(polite.lastLines(1)).isEqualTo("bye");
        }
    }

    @Test
    default void endsByForceWhatDoesNotEndItself() throws IOException, InterruptedException {
        try (Host host = open()) {
            HostProcess stubborn = shell(host, "stubborn", "trap '' TERM; echo ready; while :; do sleep 0.05; done");
            awaitLine(stubborn, "ready");
            stubborn.stop(Duration.ofSeconds(1));

            assertThat(stubborn.isAlive()).isFalse();
            assertThat(isRunning(stubborn.pid())).isFalse();
            stubborn.stop(Duration.ofSeconds(1));
        }
    }

    @Test
    default void stopsWhatItStartedWithItsChildrenWhenItIsClosed() throws IOException, InterruptedException {
        long child;
        HostProcess process;
        try (Host host = open()) {
            process = shell(host, "parent", "sleep 300 & echo child $!; wait");
            awaitLine(process, "child");
            child = Long.parseLong(process.outputFrom(0).text().trim().substring("child ".length()));
            assertThat(isRunning(child)).isTrue();
        }
        long deadline = System.nanoTime() + SOON.toNanos();
        while ((isRunning(process.pid()) || isRunning(child)) && System.nanoTime() < deadline) {
            Thread.sleep(20);
        }
        assertThat(isRunning(process.pid())).isFalse();
        assertThat(isRunning(child)).isFalse();
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "memory is limited by control groups")
    default void endsAProcessAtItsMemoryLimitAndSaysSo() throws IOException, InterruptedException {
        try (Host host = open()) {
            assumeThat(MemoryGroup.hindrance(host))
                    .as("control groups for memory")
                    .isEmpty();
            HostProcess hungry = host.start(new ProcessSpec(
                    "hungry",
                    List.of("sh", "-c", "exec dd if=/dev/zero of=/dev/null bs=200M count=5"),
                    Map.of(),
                    directory(host, "hungry"),
                    List.of(),
                    Optional.of(DataSize.ofMebibytes(32))));
            awaitEnd(hungry);
            assertThat(hungry.whyEnded()).contains("out of memory: the kernel ended it at its memory limit of 32M");
            hungry.stop(SOON);

            HostProcess parent = host.start(new ProcessSpec(
                    "parent",
                    List.of("sh", "-c", "dd if=/dev/zero of=/dev/null bs=200M count=5; echo survived; sleep 300"),
                    Map.of(),
                    directory(host, "parent"),
                    List.of(),
                    Optional.of(DataSize.ofMebibytes(32))));
            awaitLine(parent, "survived\n");
            assertThat(parent.losses())
                    .hasValueSatisfying(losses -> assertThat(losses)
                            .startsWith("out of memory: the kernel ended 1 process of it at its memory limit of 32M"));
            parent.stop(SOON);
            assertThat(host.run(List.of("find", "/sys/fs/cgroup", "-name", "gatebench-memory-*"), SOON)
                            .output())
                    .isEmpty();
        }
    }

    @Test
    default void knowsWhichPortsAreTaken() throws IOException {
        try (Host host = open();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(host.isPortFree(taken.getLocalPort())).isFalse();
            assertThat(host.isPortFree(host.freePort())).isTrue();
        }
    }

    @Test
    default void describesTheMachine() throws IOException {
        try (Host host = open()) {
            assertThat(host.systemInformation().rows())
                    .anySatisfy(row -> {
                        assertThat(row.description()).isEqualTo("CPU(s)");
                        assertThat(row.value())
                                .isEqualTo(String.valueOf(Runtime.getRuntime().availableProcessors()));
                    })
                    .allSatisfy(row -> assertThat(row.value()).isNotBlank());
            assertThat(host.javaFeatureVersion()).isGreaterThanOrEqualTo(17);
            assertThat(host.run(List.of(host.java(), "-version"), SOON).exitCode())
                    .isZero();
        }
    }
}
