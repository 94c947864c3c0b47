/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Breaks runs on one machine. The echo server stands in for a gateway, which has come up in a second, as no gateway has.
 * Two short cases are part of every build; the others run with {@code -Pfull}, and with {@code -Dgolden.update} write
 * the table.
 */
@EnabledOnOs(OS.LINUX)
class LocalFailuresIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PATIENCE_SECONDS = 120;

    @TempDir
    private Path directory;

    private Optional<Path> disk = Optional.empty();

    /** When something breaks. */
    private enum Moment {
        START("while the gateway starts", "1s", "4s"),
        WINDOW("in the window", "1s", "30s");

        private final String text;
        private final String warmUp;
        private final String duration;

        Moment(String text, String warmUp, String duration) {
            this.text = text;
            this.warmUp = warmUp;
            this.duration = duration;
        }
    }

    /** Who is ended, by the last part of the directory in which the process runs. */
    private enum Victim {
        GATEWAY("the gateway", "gateway"),
        PROGRAM("the program", "");

        private final String text;
        private final String directory;

        Victim(String text, String directory) {
            this.text = text;
            this.directory = directory;
        }
    }

    @BeforeEach
    void describeTheGateway() throws IOException {
        Files.writeString(
                directory.resolve("gateway.yaml"), """
                name: Echo
                url: http://{gateway-address}:{gateway-port}
                start:
                  - "{java}"
                  - -Xmx{heap}
                  - "{gc-options}"
                  - -jar
                  - %s
                  - --host={gateway-address}
                  - --port={gateway-port}
                gc-log: gc.log
                uses-backend: false
                scenarios:
                  - name: echo
                    url: /
                    check: {same-length: true}
                """.formatted(Path.of("../echo-backend/target/echo-backend.jar")
                        .toAbsolutePath()
                        .normalize()));
    }

    @AfterEach
    void unmount() throws Exception {
        if (disk.isPresent()) {
            run("umount", "-l", disk.get().toString());
        }
    }

    // ---- signals -------------------------------------------------------------------------------------------------

    @Test
    void theGatewayIsKilled() throws Exception {
        requireEnd(Victim.GATEWAY, "KILL", Moment.WINDOW, 3, "failed: .*");
    }

    @Test
    void theProgramIsKilled() throws Exception {
        requireEnd(Victim.PROGRAM, "KILL", Moment.WINDOW, 137, "");
    }

    private void requireEnd(Victim victim, String signal, Moment moment, int code, String said) throws Exception {
        assertThat(end(victim, signal, moment, said)).isEqualTo(code);
    }

    private int end(Victim victim, String signal, Moment moment, String said) throws Exception {
        try (Program program = start(directory.resolve("r"), moment, Map.of())) {
            await(program, moment);
            long pid = victim == Victim.PROGRAM ? program.pid() : role(program, victim.directory);
            run("kill", "-" + signal, Long.toString(pid));
            Program.Result result = program.await();
            row(victim.text + " is sent SIG" + signal + " " + moment.text, directory.resolve("r"), result, said);
            if (victim == Victim.PROGRAM && signal.equals("KILL")) {
                requireThatItCanGoOn(result);
            }
            return result.exitCode();
        }
    }

    /** What a killed program has left must be taken up by the next one, or refused with a reason. */
    private void requireThatItCanGoOn(Program.Result killed) {
        if (!Files.exists(directory.resolve("r/run.json"))) {
            return;
        }
        Program.Result again = Program.run(directory, "run", "--resume=r", "--estimate");
        assertThat(again.exitCode())
                .as(killed.errorOutput() + again.errorOutput())
                .isZero();
    }

    // ---- the disk ------------------------------------------------------------------------------------------------

    @Test
    @Tag("full")
    void theDiskIsFull() throws Exception {
        Path small = mount(800);
        try (Program program = start(small.resolve("r"), Moment.WINDOW, Map.of())) {
            await(program, Moment.WINDOW);
            fill(small);
            Program.Result result = program.await();
            row("the disk of the results is full in the window", small.resolve("r"), result, ".*No space left.*");
            assertThat(result.exitCode()).isEqualTo(5);
        }
    }

    @Test
    @Tag("full")
    void theResultsDirectoryBecomesReadOnly() throws Exception {
        Path small = mount(800);
        try (Program program = start(small.resolve("r"), Moment.WINDOW, Map.of())) {
            await(program, Moment.WINDOW);
            // Processes that write there keep an ordinary remount from succeeding.
            run("mount", "--bind", small.toString(), small.toString());
            run("mount", "-o", "remount,ro,bind", small.toString());
            try {
                Program.Result result = program.await();
                row("the results directory becomes read-only in the window", small.resolve("r"), result, "cannot .*");
                assertThat(result.exitCode()).isEqualTo(5);
            } finally {
                run("umount", "-l", small.toString());
            }
        }
    }

    private Path mount(int mebibytes) throws Exception {
        Path place = Files.createDirectories(directory.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "none", place.toString()) == 0,
                "a small disk needs the rights of root");
        disk = Optional.of(place);
        return place;
    }

    private static void fill(Path place) throws IOException {
        byte[] zeros = new byte[1 << 20];
        try (var out = Files.newOutputStream(place.resolve("full"))) {
            while (true) {
                out.write(zeros);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    // ---- neighbours ----------------------------------------------------------------------------------------------

    @Test
    @Tag("full")
    void twoProgramsWantOneResultsDirectory() throws Exception {
        try (Program first = start(directory.resolve("r"), Moment.START, Map.of())) {
            await(() -> Files.exists(directory.resolve("r/run.json")), first);
            Program.Result second =
                    start(directory.resolve("r"), Moment.START, Map.of()).await();
            row(
                    "a second program wants the same results directory",
                    directory.resolve("r"),
                    second,
                    ".*" + directory + "/r.*",
                    false);
            assertThat(second.exitCode()).isIn(2, 5);
            assertThat(first.await().exitCode()).isZero();
        }
    }

    // ---- the run -------------------------------------------------------------------------------------------------

    private Program start(Path results, Moment moment, Map<String, String> environment, String... more)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--product=http",
                "--gateway-config=gateway.yaml",
                "--heap=64M",
                "--backend-heap=64M",
                "--load-generator-heap=128M",
                "--users=3",
                "--message-size=500",
                "--duration=" + moment.duration,
                "--warm-up=" + moment.warmUp,
                "--results=" + results));
        arguments.addAll(List.of(more));
        return Program.start(directory, environment, arguments.toArray(String[]::new));
    }

    private void await(Program program, Moment moment) throws Exception {
        Path results = Stream.of("r", "disk/r")
                .map(directory::resolve)
                .filter(path -> !path.startsWith(directory.resolve("disk")) || disk.isPresent())
                .reduce((first, second) -> second)
                .orElseThrow();
        switch (moment) {
            case START -> await(() -> find(program, "gateway").isPresent(), program);
            case WINDOW -> await(() -> seconds(results) >= 3, program);
        }
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private static void await(Condition condition, Program program) throws Exception {
        Instant limit = Instant.now().plusSeconds(PATIENCE_SECONDS);
        while (!condition.holds()) {
            assertThat(program.isAlive()).as(program.errorOutput()).isTrue();
            assertThat(Instant.now()).as(program.errorOutput()).isBefore(limit);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                    .replace('\0', ' ');
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the JVM that runs in a directory of that name. */
    private static Optional<ProcessHandle> find(Program program, String role) {
        return program.children().stream()
                .filter(process -> runsIn(process, role))
                .filter(process -> commandLine(process).contains("-Xmx"))
                .findFirst();
    }

    private static long role(Program program, String role) {
        return find(program, role).orElseThrow().pid();
    }

    private static boolean runsIn(ProcessHandle process, String role) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"))
                    .endsWith(role);
        } catch (IOException e) {
            return false;
        }
    }

    private static long seconds(Path results) throws IOException {
        for (Path log : files(results, "load/out.log")) {
            return Files.readAllLines(log).stream()
                    .filter(line -> line.startsWith("{\"second\""))
                    .count();
        }
        return 0;
    }

    private static List<Path> cells(Path results) throws IOException {
        return files(results, "0ms_sleep/result.json");
    }

    private static List<Path> files(Path results, String name) throws IOException {
        if (!Files.isDirectory(results)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(results)) {
            return files.filter(file -> file.endsWith(name)).toList();
        } catch (java.io.UncheckedIOException e) {
            // A directory went while it was looked through.
            return List.of();
        }
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    // ---- the table -----------------------------------------------------------------------------------------------

    private void row(String what, Path results, Program.Result result, String said) throws Exception {
        row(what, results, result, said, true);
    }

    /** Notes what is on the disk, what was printed and what runs, not what was expected. */
    private void row(String what, Path results, Program.Result result, String said, boolean alone) throws Exception {
        String all = result.errorOutput() + result.output();
        String line = "(nothing)";
        if (!said.isEmpty()) {
            Matcher matcher = Pattern.compile(said).matcher(all);
            assertThat(matcher.find()).as("'%s' in:%n%s", said, all).isTrue();
            line = "`"
                    + matcher.group()
                            .replace("|", "\\|")
                            .replace(directory.toString(), "~")
                            .strip() + "`";
        }
        String left = alone ? left() : "the run of the first";
        FailureTable.LOCAL.row(what, List.of(kept(results), line, String.valueOf(result.exitCode()), left));
        if (alone) {
            assertThat(left).as(all).isEqualTo("nothing");
        }
    }

    /** Waits until no process of a run is left: a killed program's roles end by themselves, in a moment. */
    private String left() throws Exception {
        Instant limit = Instant.now().plusSeconds(PATIENCE_SECONDS);
        List<String> left = running();
        while (!left.isEmpty() && Instant.now().isBefore(limit)) {
            TimeUnit.MILLISECONDS.sleep(100);
            left = running();
        }
        return left.isEmpty() ? "nothing" : String.join("; ", left);
    }

    private List<String> running() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .map(LocalFailuresIT::commandLine)
                .filter(command -> command.contains(directory.toString()))
                .toList();
    }

    private static String kept(Path results) throws IOException {
        List<String> parts = new ArrayList<>();
        for (Path file : cells(results)) {
            JsonNode cell = JSON.readTree(file.toFile());
            String reason = cell.path("reason").asText();
            parts.add(cell.path("outcome").asText() + (reason.isEmpty() ? "" : " (" + reason + ")") + ", "
                    + String.format(Locale.ROOT, "%,d", samples(cell.path("load"))) + " samples");
        }
        if (parts.isEmpty()) {
            return Files.isDirectory(results) ? "no case was finished" : "nothing was begun";
        }
        return String.join("; ", parts);
    }

    private static long samples(JsonNode load) {
        return Stream.of("warmUp", "measurement")
                .flatMap(phase -> StreamSupport.stream(load.path(phase).spliterator(), false))
                .mapToLong(label -> label.path("samples").asLong())
                .sum();
    }
}
