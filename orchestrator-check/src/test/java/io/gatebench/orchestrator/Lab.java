/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Five hosts on this machine, each with an SSH server; see {@code src/test/lab/lab.sh}. */
final class Lab implements AutoCloseable {

    static final List<String> HOSTS = List.of("client", "jmeter1", "jmeter2", "backend", "product");

    private static final Path SCRIPT = Path.of("src/test/lab/lab.sh").toAbsolutePath();
    /** Several labs at once need a directory each. */
    private static final Path DIRECTORY =
            Path.of(System.getProperty("gatebench.lab", "target/lab")).toAbsolutePath();

    private final Path directory;
    /** The number of its network, or nothing if its directory decides on that. */
    private final String number;

    private final Turn turn;

    private Lab(Path directory, String number, Turn turn) {
        this.turn = turn;
        this.directory = directory;
        this.number = number;
    }

    /** How a command of the lab ended. */
    record Ended(int exitCode, String output, String errorOutput) {}

    /** Returns why this machine cannot make the lab, empty if it can. */
    static String hindrance() {
        Turn turn = Turn.take("lab");
        try {
            Ended check = run(DIRECTORY, "", "check");
            return check.exitCode() == 0 ? "" : check.errorOutput().trim();
        } finally {
            turn.close();
        }
    }

    /** Returns whether the clock of a host can be set off: by a library that stands between it and the system. */
    static boolean canSetClocks() {
        return fakeTime().isPresent();
    }

    /** Returns the library that sets the clock of a process, if it is installed. */
    static Optional<Path> fakeTime() {
        try (Stream<Path> libraries = Files.find(
                Path.of("/usr/lib"), 3, (file, attributes) -> file.endsWith("faketime/libfaketimeMT.so.1"))) {
            return libraries.findAny();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Lab start() {
        return new Lab(DIRECTORY, "", Turn.take("lab")).up();
    }

    /** Starts a second lab, whose network is the one after that of the first. */
    static Lab startBeside(Lab first) {
        int number = Integer.parseInt(first.gateway().split("\\.")[2]) + 1;
        return new Lab(
                        first.directory.resolveSibling(first.directory.getFileName() + "-2"),
                        String.valueOf(number),
                        Turn.take("lab"))
                .up();
    }

    private Lab up() {
        run(directory, number, "down");
        must("up");
        return this;
    }

    private static Ended run(Path directory, String number, String... arguments) {
        try {
            Path out = Files.createTempFile("lab", ".out");
            Path err = Files.createTempFile("lab", ".err");
            try {
                Process process = command(directory, number, arguments)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
                process.getOutputStream().close();
                if (!process.waitFor(2, TimeUnit.MINUTES)) {
                    process.destroyForcibly();
                    throw new AssertionError("the lab did not end " + Arrays.toString(arguments));
                }
                return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static ProcessBuilder command(Path directory, String number, String... arguments) {
        List<String> command = new ArrayList<>(List.of("bash", SCRIPT.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("LAB_DIR", directory.toAbsolutePath().toString());
        builder.environment().put("LAB_NUMBER", number);
        return builder;
    }

    /** Does something that must succeed and returns what it printed. */
    String must(String... arguments) {
        Ended ended = run(directory, number, arguments);
        if (ended.exitCode() != 0) {
            throw new AssertionError(
                    Arrays.toString(arguments) + " ended with " + ended.exitCode() + ": " + ended.errorOutput());
        }
        return ended.output();
    }

    /** Runs a shell script on a host as root. */
    Ended root(String host, String script) {
        return run(directory, number, "root", host, "sh", "-c", script);
    }

    /** Runs a shell script on a host as its login. */
    Ended login(String host, String script) {
        return run(directory, number, "exec", host, "sh", "-c", script);
    }

    /** Returns the address of this machine in the network of the hosts. */
    String gateway() {
        return address("client").replaceAll("[0-9]+$", "1");
    }

    String address(String host) {
        return must("address", host).trim();
    }

    Path directory() {
        return directory;
    }

    /** Returns the home directory of a host's login, seen from outside. */
    Path home(String host) {
        return directory.resolve(host).resolve("run/perf");
    }

    /** Returns the packaged program; hosts see the files of this machine. */
    static Path jar() {
        return Path.of("../orchestrator/target/orchestrator.jar").toAbsolutePath();
    }

    /** Starts the packaged program on the client, in the login's home directory. */
    LabProgram program(String... arguments) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command = new ArrayList<>(List.of(
                "exec",
                "client",
                "sh",
                "-c",
                "echo $$ >\"$0\" && exec \"$@\"",
                "program.pid",
                java,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-jar",
                jar().toString()));
        command.addAll(List.of(arguments));
        return LabProgram.start(this, command(directory, number, command.toArray(String[]::new)));
    }

    /** Returns the files below the run of a host that have this end of their path. */
    List<Path> filesOfRun(String host, String end) {
        Path runs = home(host).resolve(".gatebench/runs");
        if (!Files.isDirectory(runs)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(runs)) {
            return files.filter(file -> file.endsWith(end)).toList();
        } catch (UncheckedIOException | IOException e) {
            // It is being made or removed at this moment.
            return List.of();
        }
    }

    /** Returns the command lines of the processes of ours that run on each host, hosts without any left out. */
    Map<String, String> ours() {
        Map<String, String> found = new TreeMap<>();
        for (String host : HOSTS) {
            String processes = root(
                            host,
                            "for e in $(grep -lsz -e GATEBENCH_WORK -e GATEBENCH_RUN /proc/[0-9]*/environ); do"
                                    + " tr '\\0' ' ' <\"${e%environ}cmdline\"; echo; done;"
                                    + " for c in /proc/[0-9]*/comm; do"
                                    + " [ \"$(cat $c)\" != java ] || tr '\\0' ' ' <\"${c%comm}cmdline\"; done 2>/dev/null")
                    .output()
                    .trim();
            if (!processes.isEmpty()) {
                found.put(host, processes);
            }
        }
        return found;
    }

    void write(String host, String file, String text) {
        try {
            Files.write(home(host).resolve(file), text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        run(directory, number, "down");
        turn.close();
    }
}
