/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The packaged program on the client of the lab. */
final class LabProgram implements AutoCloseable {

    private final Lab lab;
    private final Process process;
    private final Path out;
    private final Path err;

    private LabProgram(Lab lab, Process process, Path out, Path err) {
        this.lab = lab;
        this.process = process;
        this.out = out;
        this.err = err;
    }

    static LabProgram start(Lab lab, ProcessBuilder builder) {
        try {
            Path out = Files.createTempFile("program", ".out");
            Path err = Files.createTempFile("program", ".err");
            Files.deleteIfExists(lab.home("client").resolve("program.pid"));
            Process process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            process.getOutputStream().close();
            return new LabProgram(lab, process, out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String output() {
        return read(out);
    }

    String errorOutput() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void signal(String name) {
        lab.must("root", "client", "sh", "-c", "kill -" + name + " $(cat /run/perf/program.pid)");
    }

    /** Returns the exit code, 128 and the number of the signal if it was ended by one. */
    int await() throws InterruptedException {
        return await(Duration.ofMinutes(5));
    }

    int await(Duration limit) throws InterruptedException {
        if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("the program did not end; standard error so far:\n" + errorOutput());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            lab.root("client", "kill -KILL $(cat /run/perf/program.pid)");
            process.destroyForcibly();
        }
        try {
            Files.deleteIfExists(out);
            Files.deleteIfExists(err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
