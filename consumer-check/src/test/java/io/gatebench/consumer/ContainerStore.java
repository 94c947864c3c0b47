/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Containers of images that lie in a store of the test's own, with the machine's loopback. */
final class ContainerStore implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 300;

    private final Path directory;
    private final List<String> engine;
    private final List<Running> running = new ArrayList<>();

    private ContainerStore(Path directory) {
        this.directory = directory;
        this.engine = List.of(
                "/usr/bin/podman",
                "--root=" + directory.resolve("store"),
                "--runroot=" + directory.resolve("state"),
                "--storage-driver=vfs",
                "--cgroup-manager=cgroupfs",
                "--runtime=runc");
    }

    /** Opens an empty one; the test is skipped where containers cannot be had. */
    static ContainerStore open(Path directory) {
        assumeThat(Path.of("/usr/bin/podman"))
                .as("podman is not there; install podman")
                .exists();
        // Debian's package and Docker's put it into different places.
        assumeThat(List.of(Path.of("/usr/sbin/runc"), Path.of("/usr/bin/runc")))
                .as("runc is not there; install runc")
                .anyMatch(Files::exists);
        return new ContainerStore(directory);
    }

    /** Takes an image; the engine checks every digest once more and says which one it has got. */
    void load(RoleImage image) throws Exception {
        command("load", "-q", "-i", image.archive().toString());
        assertThat(command("images", "--digests", "--format", "{{.Digest}}", name(image.role()))
                        .strip())
                .isEqualTo(image.digest());
    }

    private String name(String role) throws Exception {
        return command("images", "--format", "{{.Repository}}:{{.Tag}}")
                .lines()
                .filter(line -> line.contains("/" + role + ":"))
                .findFirst()
                .orElseThrow();
    }

    /** Starts a role as a pod would: by the user of the image, without privileges, with a root that nobody can write. */
    Running start(String role, String... arguments) throws Exception {
        Path log = Files.createTempFile(directory, role, ".log");
        Path temporary = Files.createTempDirectory(directory, "tmp-of-" + role);
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rwxrwxrwx"));
        List<String> all = new ArrayList<>(engine);
        all.addAll(List.of(
                "run",
                "--rm",
                "--name=" + role,
                "--network=host",
                "--read-only",
                "--cap-drop=ALL",
                "--ulimit=nofile=1024:1024",
                "--ulimit=nproc=1000:1000",
                "--volume=" + temporary + ":/tmp",
                "--volume=" + directory.resolve("load") + ":/gatebench",
                name(role)));
        all.addAll(List.of(arguments));
        Process process = new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process.getOutputStream().close();
        Running started = new Running(process, log);
        running.add(started);
        return started;
    }

    /**
     * Container that was started.
     *
     * @param process the command that waits for its end
     * @param log what it writes
     */
    record Running(Process process, Path log) {

        /** Waits for a line; returns its first group. */
        String await(String line) throws Exception {
            Pattern pattern = Pattern.compile(line);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (true) {
                Matcher found = pattern.matcher(Files.readString(log));
                if (found.find()) {
                    return found.group(1);
                }
                assertThat(process.waitFor(100, TimeUnit.MILLISECONDS))
                        .as(Files.readString(log))
                        .isFalse();
                assertThat(System.nanoTime()).as(Files.readString(log)).isLessThan(end);
            }
        }

        void awaitEnd() throws Exception {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(log)).isZero();
        }
    }

    private String command(String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Stream.concat(engine.stream(), Stream.of(words)).toList())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }

    /** Removes the containers, then the images. */
    @Override
    public void close() throws IOException {
        try {
            command("rm", "-fa", "-t", "0");
            for (Running each : running) {
                each.process().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
            command("rmi", "-fa");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
