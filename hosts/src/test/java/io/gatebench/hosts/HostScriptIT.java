/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class HostScriptIT {

    private static final int TAKERS = 8;

    @TempDir
    private Path directory;

    @Test
    void oneOfThoseWhoTakeOverAStaleLockGetsIt() throws Exception {
        byte[] bytes;
        try (var in = LocalHost.class.getResourceAsStream("host.sh")) {
            bytes = in.readAllBytes();
        }
        Path script = Files.write(directory.resolve("host.sh"), bytes);
        for (int round = 0; round < 5; round++) {
            Path work = stale("work" + round);
            List<Process> takers = new ArrayList<>();
            try {
                for (int i = 0; i < TAKERS; i++) {
                    takers.add(new ProcessBuilder(
                                    "sh",
                                    script.toString(),
                                    "acquire",
                                    work.toString(),
                                    "run" + i,
                                    "taker" + i,
                                    "60",
                                    new String(bytes, StandardCharsets.UTF_8))
                            .redirectErrorStream(true)
                            .redirectOutput(directory.resolve("out" + i).toFile())
                            .start());
                }
                int taken = 0;
                for (Process taker : takers) {
                    assertThat(taker.waitFor(60, TimeUnit.SECONDS)).isTrue();
                    assertThat(taker.exitValue()).isIn(0, 75);
                    taken += taker.exitValue() == 0 ? 1 : 0;
                }
                assertThat(taken).isEqualTo(1);
            } finally {
                // The guard of the winner ends when it sees that the lock is not its own any more.
                Files.writeString(work.resolve("lock/run"), "nobody");
                takers.forEach(Process::destroyForcibly);
            }
        }
    }

    @Test
    void removesTheContainersWhoseKeepersWereEndedByForce() throws Exception {
        Path script;
        try (var in = LocalHost.class.getResourceAsStream("host.sh")) {
            script = Files.write(directory.resolve("host.sh"), in.readAllBytes());
        }
        Path work =
                Files.createDirectories(directory.resolve("work/containers")).getParent();
        Files.writeString(work.resolve(".gatebench"), "ours");
        Files.writeString(work.resolve("containers/gatebench-1"), "touch " + directory.resolve("removed") + "\n");
        // What a container can write to is never executed.
        Files.writeString(
                Files.createDirectories(work.resolve("runs/1/gateway/containers"))
                        .resolve("gatebench-2"),
                "touch " + directory.resolve("executed") + "\n");

        Process clean = new ProcessBuilder("sh", script.toString(), "clean", work.toString(), "no")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile())
                .start();

        assertThat(clean.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(clean.exitValue()).isZero();
        assertThat(directory.resolve("removed")).exists();
        assertThat(directory.resolve("executed")).doesNotExist();
        assertThat(work).doesNotExist();
    }

    private String receive(Path jars, Path content, String path) throws Exception {
        Path script;
        try (var in = LocalHost.class.getResourceAsStream("host.sh")) {
            script = Files.write(directory.resolve("host.sh"), in.readAllBytes());
        }
        ProcessBuilder receive = new ProcessBuilder(
                        "sh",
                        script.toString(),
                        "receive",
                        directory.resolve("work").toString(),
                        SshFiles.checksum(content),
                        path)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile());
        receive.environment().put("GATEBENCH_JARS", jars.toString());
        Process process = receive.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return Files.readString(directory.resolve("out")).strip();
    }

    @Test
    void aJarThatTheImageHasIsNotSent() throws Exception {
        Path image = Files.createDirectories(directory.resolve("image"));
        Path jar = Files.writeString(image.resolve("orchestrator.jar"), "a program");
        Path other = Files.writeString(directory.resolve("other"), "another program");
        Path there = directory.resolve("work/run/jars/0-orchestrator.jar");

        // Equal bytes are asked for, not equal names.
        assertThat(receive(image, other, there.toString())).isEqualTo("0");
        assertThat(there).doesNotExist();
        assertThat(receive(image, jar, there.toString())).startsWith("there 9 ");
        assertThat(there).hasSameBinaryContentAs(jar);
        // What is no jar of a role comes from here alone.
        assertThat(receive(image, jar, directory.resolve("work/run/start").toString()))
                .isEqualTo("0");
        assertThat(receive(directory.resolve("none"), jar, there + ".2")).isEqualTo("0");
    }

    @Test
    void everyProgramOfAHostsShellPassesShellcheck() throws Exception {
        Path shellcheck = Path.of("/usr/bin/shellcheck");
        assumeThat(shellcheck).as("shellcheck is not there; install shellcheck").exists();
        List<String> command = new ArrayList<>(List.of(shellcheck.toString()));
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path resources : modules.map(module -> module.resolve("src/main/resources"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.walk(resources)) {
                    files.filter(file -> file.toString().endsWith(".sh"))
                            .map(Path::toString)
                            .forEach(command::add);
                }
            }
        }
        Process check = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile())
                .start();
        assertThat(check.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(check.exitValue())
                .as(Files.readString(directory.resolve("out")))
                .isZero();
        assertThat(command).hasSizeGreaterThan(4);
    }

    private Path stale(String name) throws IOException {
        Path lock = Files.createDirectories(directory.resolve(name).resolve("lock"));
        Files.writeString(lock.resolve("owner"), "someone");
        Files.writeString(lock.resolve("run"), "gone");
        Files.writeString(lock.resolve("seconds"), "1");
        Files.writeString(lock.resolve("lease"), "");
        Files.setLastModifiedTime(
                lock.resolve("lease"), FileTime.from(Instant.now().minusSeconds(3600)));
        return lock.getParent();
    }
}
