/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * The packaged program as a process, as a user runs it, but it and its roles with the quicker one of the JVM's compilers:
 * they start in half the time.
 */
final class Program implements AutoCloseable {

    private static final String QUICK = "-XX:TieredStopAtLevel=1";
    private static final String HTTP = "--product=http";

    private final Process process;
    private final Path out;
    private final Path err;
    private final Runnable endOfTurn;
    private boolean closed;

    private Program(Process process, Path out, Path err, Runnable endOfTurn) {
        this.process = process;
        this.out = out;
        this.err = err;
        this.endOfTurn = endOfTurn;
    }

    /** What a finished program left. */
    record Result(int exitCode, String output, String errorOutput) {}

    static Program start(Path directory, String... arguments) {
        return start(directory, Map.of(), arguments);
    }

    static Program start(Path directory, Map<String, String> environment, String... arguments) {
        return start(directory, environment, List.of(), List.of(arguments));
    }

    static Program start(
            Path directory, Map<String, String> environment, List<String> jvmOptions, List<String> arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC"));
        command.addAll(jvmOptions);
        command.addAll(List.of(
                "-jar",
                Path.of("../orchestrator/target/orchestrator.jar")
                        .toAbsolutePath()
                        .toString()));
        command.addAll(withPortOfItsOwn(arguments));
        Runnable endOfTurn = looksForPortsOfProducts(arguments) ? Turn.take("ports")::close : () -> {};
        try {
            Path out = Files.createTempFile(directory, "program", ".out");
            Path err = Files.createTempFile(directory, "program", ".err");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().put("JAVA_TOOL_OPTIONS", QUICK);
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            return new Program(process, out, err, endOfTurn);
        } catch (IOException e) {
            endOfTurn.run();
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether two programs that are told this find the same port free if they look at the same moment. */
    private static boolean looksForPortsOfProducts(List<String> arguments) {
        return arguments.contains("ab")
                || arguments.contains("--product")
                || arguments.stream().anyMatch(argument -> argument.startsWith("--product=") && !argument.equals(HTTP));
    }

    /** Names the only port that a run with a gateway of HTTP would look for: so several may run at a time. */
    static List<String> withPortOfItsOwn(List<String> arguments) {
        if (!arguments.contains(HTTP)
                || arguments.stream().anyMatch(argument -> argument.startsWith("--backend-port="))) {
            return arguments;
        }
        List<String> all = new ArrayList<>(arguments);
        all.add("--backend-port=" + port());
        return all;
    }

    /** Returns a port that is free, and none of those that a kernel gives to clients, who could be faster. */
    private static int port() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException e) {
                // Another one has it.
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    static Result run(Path directory, String... arguments) {
        try (Program program = start(directory, arguments)) {
            return program.await();
        }
    }

    Result await() {
        try {
            if (!process.waitFor(5, TimeUnit.MINUTES)) {
                throw new AssertionError("the program did not end; standard error so far:\n" + errorOutput());
            }
            return new Result(process.exitValue(), Files.readString(out), errorOutput());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String errorOutput() {
        try {
            return Files.readString(err).replace("Picked up JAVA_TOOL_OPTIONS: " + QUICK + "\n", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the processes that it has started and that run now. */
    List<ProcessHandle> children() {
        return process.descendants().filter(ProcessHandle::isAlive).toList();
    }

    /**
     * Sends the signal that Ctrl-C sends, or SIGTERM, which takes the same way, where the tests were themselves started
     * in the background with SIGINT ignored: their children inherit that, and a JVM then never sees it.
     */
    void interrupt() throws IOException, InterruptedException {
        String signal = ignoresInterrupts() ? "-TERM" : "-INT";
        new ProcessBuilder("kill", signal, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** Ends it as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private boolean ignoresInterrupts() throws IOException {
        Path status = Path.of("/proc", String.valueOf(process.pid()), "status");
        if (!Files.exists(status)) {
            return false;
        }
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).trim(), 16) & 2) != 0);
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        if (!closed) {
            closed = true;
            endOfTurn.run();
        }
    }
}
