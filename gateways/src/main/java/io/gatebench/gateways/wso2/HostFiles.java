/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.RoleStartException;

/** Writes files on a host. */
final class HostFiles {

    private static final Duration COMMAND = Duration.ofMinutes(1);

    private HostFiles() {}

    /** Writes a text to a path on the host, whose directory exists; only the owner can read it. */
    static void write(Host host, String path, String text) {
        Path here = null;
        try {
            here = Files.createTempFile("gatebench-", "");
            if (here.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.setPosixFilePermissions(here, PosixFilePermissions.fromString("rw-------"));
            }
            Files.writeString(here, text);
            copy(host, here, path);
        } catch (IOException e) {
            throw new RoleStartException("cannot write " + path + ": " + e);
        } finally {
            delete(here);
        }
    }

    private static void delete(@org.jspecify.annotations.Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }

    /** Puts a file of this machine at a path on the host. */
    static void copy(Host host, Path file, String path) {
        String there = host.upload(file, path);
        if (!there.equals(path)) {
            run(host, "put " + path + " in its place", List.of("cp", there, path));
        }
    }

    /** Runs a command that must succeed. */
    static void run(Host host, String what, List<String> command) {
        run(host, what, command, COMMAND);
    }

    /** Runs a command on this machine that must succeed. */
    static void runHere(String what, List<String> command) {
        Path output = null;
        try {
            output = Files.createTempFile("gatebench-", "");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            boolean ended;
            try {
                ended = process.waitFor(COMMAND.toSeconds(), TimeUnit.SECONDS);
            } finally {
                process.destroyForcibly();
            }
            if (!ended || process.exitValue() != 0) {
                throw new RoleStartException("cannot " + what + " on this machine ("
                        + (ended ? "exit code " + process.exitValue() : "no end within " + COMMAND.toSeconds() + " s")
                        + "): " + Files.readString(output).strip());
            }
        } catch (IOException e) {
            throw new RoleStartException("cannot " + what + " on this machine: " + e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RoleStartException("cannot " + what + " on this machine: interrupted");
        } finally {
            delete(output);
        }
    }

    /** Runs a command that must succeed within a time. */
    static void run(Host host, String what, List<String> command, Duration timeout) {
        CommandResult result = host.run(command, timeout);
        if (result.exitCode() != 0) {
            throw new RoleStartException("cannot " + what + " on " + host.name() + " (exit code " + result.exitCode()
                    + "): " + (result.output() + result.errorOutput()).strip());
        }
    }
}
