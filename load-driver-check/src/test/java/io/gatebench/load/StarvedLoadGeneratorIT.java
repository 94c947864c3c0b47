/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.model.LoadResult;

/** A load generator that shares one processor with two busy loops, as on a machine where something else runs. */
class StarvedLoadGeneratorIT {

    private static final long PATIENCE_SECONDS = 180;
    private static final long SILENCE_MILLIS = 2_000;

    @TempDir
    Path directory;

    /** Answers so quickly that what is measured is the load generator, if that is what is slow. */
    private static final class QuickEcho implements AutoCloseable {
        private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        private static final String NAME = "quick-echo";

        private final ExecutorService threads = Executors.newCachedThreadPool(task -> new Thread(task, NAME));
        private final long delayMillis;
        private volatile long answeredNanos = System.nanoTime() - TimeUnit.HOURS.toNanos(1);

        QuickEcho(long delayMillis) throws IOException {
            this.delayMillis = delayMillis;
            threads.execute(this::accept);
        }

        URI uri() {
            return URI.create("http://127.0.0.1:" + listener.getLocalPort());
        }

        long silentMillis() {
            return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - answeredNanos);
        }

        boolean isNameOf(Path thread) {
            try {
                return Files.readString(thread.resolve("comm")).strip().equals(NAME);
            } catch (IOException e) {
                // It has ended.
                return false;
            }
        }

        private void accept() {
            try {
                while (true) {
                    Socket connection = listener.accept();
                    threads.execute(() -> answer(connection));
                }
            } catch (IOException e) {
                // The test is over.
                return;
            }
        }

        private void answer(Socket connection) {
            byte[] bytes = new byte[16_384];
            try (connection) {
                connection.setTcpNoDelay(true);
                int read = connection.getInputStream().read(bytes);
                while (read > 0) {
                    String text = new String(bytes, 0, read, StandardCharsets.ISO_8859_1);
                    int body = text.indexOf("\r\n\r\n") + 4;
                    Matcher length =
                            Pattern.compile("(?i)content-length: *(\\d+)").matcher(text);
                    if (body < 4 || !length.find()) {
                        throw new IOException("the head of a request came in pieces");
                    }
                    int end = body + Integer.parseInt(length.group(1));
                    while (read < end) {
                        read += connection.getInputStream().read(bytes, read, end - read);
                    }
                    if (delayMillis > 0) {
                        Thread.sleep(delayMillis);
                    }
                    byte[] head = ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" + length.group()
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1);
                    byte[] answer = Arrays.copyOf(head, head.length + end - body);
                    System.arraycopy(bytes, body, answer, head.length, end - body);
                    connection.getOutputStream().write(answer);
                    answeredNanos = System.nanoTime();
                    read = connection.getInputStream().read(bytes);
                }
            } catch (IOException | InterruptedException e) {
                // The load generator counts it as failed.
                return;
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
            threads.shutdownNow();
        }
    }

    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void taskset() {
        assumeThat(Path.of("/usr/bin/taskset"))
                .as("taskset is not there; install util-linux")
                .exists();
        assumeThat(Path.of("/proc/self/schedstat"))
                .as("a kernel that counts waiting")
                .exists();
    }

    @AfterEach
    void endTheProcesses() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly();
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    private Process start(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
        started.add(process);
        return process;
    }

    private String oneProcessor() throws IOException {
        String allowed = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .findFirst()
                .orElseThrow();
        String[] last = allowed.substring(allowed.indexOf(':') + 1).strip().split("[,-]");
        return last[last.length - 1];
    }

    /** Has others use its processor while it sends: so many that its waiting stands out though the server waits too. */
    private void starve(Process generator, QuickEcho server) throws Exception {
        while (server.silentMillis() > SILENCE_MILLIS && generator.isAlive()) {
            Thread.sleep(10);
        }
        List<Process> others = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            // Bounded, as nobody ends them where this JVM is killed.
            others.add(
                    start(List.of("taskset", "-c", oneProcessor(), "sh", "-c", "ulimit -t 20; while :; do :; done")));
        }
        while (server.silentMillis() <= SILENCE_MILLIS && generator.isAlive()) {
            Thread.sleep(10);
        }
        others.forEach(Process::destroyForcibly);
    }

    /** Gives it its processors also where the machine has other work, as far as this user may. */
    private List<String> beforeOthers() throws Exception {
        List<String> first = List.of("chrt", "-f", "1");
        Process tried = start(Stream.concat(first.stream(), Stream.of("true")).toList());
        return tried.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && tried.exitValue() == 0 ? first : List.of();
    }

    /** Gives the server its processors as well; the threads of the connections inherit it from the one that accepts them. */
    private void putBeforeOthers(QuickEcho server) throws Exception {
        if (beforeOthers().isEmpty()) {
            return;
        }
        try (Stream<Path> threads = Files.list(Path.of("/proc/self/task"))) {
            for (Path thread : threads.toList()) {
                if (server.isNameOf(thread)) {
                    Process set = start(List.of(
                            "chrt", "-f", "-p", "1", thread.getFileName().toString()));
                    assertThat(set.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
                    assertThat(set.exitValue()).isZero();
                }
            }
        }
    }

    private LoadResult measure(int users, long delayMillis, OptionalInt niceBesideOthers) throws Exception {
        List<String> command = new ArrayList<>();
        if (niceBesideOthers.isPresent()) {
            command.addAll(List.of("nice", "-n", "" + niceBesideOthers.getAsInt(), "taskset", "-c", oneProcessor()));
        } else {
            command.addAll(beforeOthers());
        }
        try (QuickEcho server = new QuickEcho(delayMillis)) {
            putBeforeOthers(server);
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(users), Scenarios.timing(5, 2, 0));
            Path file = directory.resolve("request.json");
            request.write(file);
            command.addAll(List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx256m",
                    "-cp",
                    System.getProperty("java.class.path"),
                    LoadGeneratorMain.class.getName(),
                    file.toString(),
                    directory.toString()));
            Process generator = start(command);
            if (niceBesideOthers.isPresent()) {
                starve(generator, server);
            }
            assertThat(generator.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(generator.exitValue())
                    .as(Files.readString(directory.resolve("err")))
                    .isZero();
        }
        return LoadRunFile.read(directory.resolve(JMeterLoadDriver.LOAD_FILE));
    }

    @Test
    void isCalledSaturatedWhenItsOwnWaitingIsWhatItReports() throws Exception {
        LoadResult run = measure(10, 0, OptionalInt.of(15));

        // Beside much other work it gets no request done in the window, and the run has no figures.
        if (!run.measurement().isEmpty()) {
            assertThat(run.measurement().get(0).errors()).isZero();
            assertThat(run.health().saturated())
                    .as("%s, %s", run.health(), run.measurement())
                    .isTrue();
            assertThat(run.health().reasons().toString())
                    .containsPattern("its threads waited for a processor for [0-9.]+ ms per request,"
                            + " [0-9]+ % of the mean response time \\(limit 50 %\\)"
                            + "|99th percentile of its scheduling delay is [0-9.]+ ms \\(limit");
        }
    }

    @Test
    @Tag("full")
    void isNotCalledSaturatedWhenWhatItWaitsIsSmallBesideWhatItReports() throws Exception {
        LoadResult run = measure(4, 300, OptionalInt.of(0));

        assertThat(run.health().saturated())
                .as("%s, %s", run.health(), run.measurement())
                .isFalse();
    }

    @Test
    void isNotCalledSaturatedWhenItHasItsProcessors() throws Exception {
        LoadResult run = measure(4, 100, OptionalInt.empty());

        assertThat(run.health().saturated())
                .as("%s, %s", run.health(), run.measurement())
                .isFalse();
    }
}
