/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import com.sun.net.httpserver.HttpServer;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import io.gatebench.spi.host.FileTrees;

/**
 * Breaks runs on one machine. The echo server stands in for a gateway, which has come up in a second, as no gateway has.
 * Two short cases are part of every build; the others run with {@code -Pfull}, and with {@code -Dgolden.update} write
 * the table.
 */
@EnabledOnOs(OS.LINUX)
class LocalFailuresIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int PATIENCE_SECONDS = 120;
    private static final String FAILED = "(?m)^failed: .*?(?=; its last lines:$|$)";

    @TempDir
    private Path directory;

    private Optional<Path> disk = Optional.empty();

    /** When something breaks, in the order of a run. */
    private enum Moment {
        START("at its start", "1s", "2s"),
        PROBE("while the gateway is probed", "1s", "6s"),
        WARM_UP("in the warm-up", "5s", "6s"),
        WINDOW("in the window", "1s", "6s"),
        FULL_GC("while the gateway collects its garbage", "1s", "2s"),
        COLLECTING("while logs are collected", "1s", "2s"),
        REPORT("while the report is written", "1s", "2s");

        private final String text;
        private final String warmUp;
        private final String duration;

        Moment(String text, String warmUp, String duration) {
            this.text = text;
            this.warmUp = warmUp;
            this.duration = duration;
        }
    }

    /** Who is ended: the process that runs in the directory of that name, until that moment. */
    private enum Victim {
        GATEWAY("the gateway", "gateway", Moment.FULL_GC),
        BACKEND("the back end", "backend", Moment.FULL_GC),
        LOAD_GENERATOR("the load generator", "load", Moment.WINDOW),
        PROGRAM("the program", "", Moment.REPORT);

        private final String text;
        private final String directory;
        private final Moment last;

        Victim(String text, String directory, Moment last) {
            this.text = text;
            this.directory = directory;
            this.last = last;
        }
    }

    private void describeTheGateway(Moment moment) throws IOException {
        // A probe that nothing delays is over before it is seen.
        EchoAsGateway.describe(directory, moment == Moment.PROBE ? "2s" : "5ms");
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
        end(Victim.GATEWAY, "KILL", Moment.WINDOW);
    }

    @Test
    void theProgramIsKilled() throws Exception {
        end(Victim.PROGRAM, "KILL", Moment.WINDOW);
    }

    @ParameterizedTest
    @MethodSource("ends")
    @Tag("full")
    void someoneIsEnded(Victim victim, String signal, Moment moment) throws Exception {
        end(victim, signal, moment);
    }

    static Stream<Arguments> ends() {
        return Stream.of(Victim.values())
                .flatMap(victim -> Stream.of(Moment.values())
                        .filter(moment -> moment.compareTo(victim.last) <= 0)
                        .flatMap(moment -> Stream.of("TERM", "KILL").map(signal -> arguments(victim, signal, moment))));
    }

    private void end(Victim victim, String signal, Moment moment) throws Exception {
        Path results = directory.resolve("r");
        boolean killed = victim == Victim.PROGRAM && signal.equals("KILL");
        try (Program program = start(results, moment, Map.of())) {
            await(program, victim, moment);
            long pid = victim == Victim.PROGRAM
                    ? program.pid()
                    : role(program, victim.directory).pid();
            run("kill", "-" + signal, Long.toString(pid));
            Program.Result result = program.await();
            List<String> left = leftFiles();
            String when = victim == Victim.PROGRAM && moment == Moment.START ? "while the gateway starts" : moment.text;
            row(victim.text + " is sent SIG" + signal + " " + when, results, result, said(victim, signal), left);
            assertThat(result.exitCode())
                    .as(result.errorOutput())
                    .isEqualTo(victim != Victim.PROGRAM ? 3 : killed ? 137 : 130);
            if (killed) {
                assertThat(left).containsExactly("`.work`", "keys and tokens");
                requireThatItCanGoOn(results);
            }
            assertThat(leftFiles()).isEmpty();
        }
    }

    /** What a killed program has left the next one takes up, or removes. */
    private void requireThatItCanGoOn(Path results) throws Exception {
        try (Program next = start("--resume=" + results)) {
            Program.Result result = next.await();
            assertThat(result.exitCode()).as(result.errorOutput()).isZero();
            assertThat(kept(results)).startsWith("completed");
        }
    }

    /** Returns what is neither a result nor a file of this test. */
    private List<String> leftFiles() throws IOException {
        List<String> left = new ArrayList<>();
        if (Files.exists(directory.resolve("r/.work"))) {
            left.add("`.work`");
        }
        try (Stream<Path> files = Files.list(temporary())) {
            files.map(file -> file.getFileName().toString())
                    .map(name -> name.startsWith("gatebench-secrets-") ? "keys and tokens" : name)
                    .forEach(left::add);
        }
        return left;
    }

    private Path temporary() throws IOException {
        return Files.createDirectories(directory.resolve("tmp"));
    }

    private static String said(Victim victim, String signal) {
        if (victim != Victim.PROGRAM) {
            return FAILED;
        }
        return signal.equals("KILL") ? "" : "(?m)^interrupted: .*";
    }

    // ---- the disk ------------------------------------------------------------------------------------------------

    @Test
    @Tag("full")
    void theDiskIsFull() throws Exception {
        Path small = mount(800);
        try (Program program = start(small.resolve("r"), Moment.WINDOW, Map.of())) {
            await(program, Victim.PROGRAM, Moment.WINDOW);
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
            await(program, Victim.PROGRAM, Moment.WINDOW);
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
                    "the run of the first");
            assertThat(second.exitCode()).isIn(2, 5);
            assertThat(first.await().exitCode()).isZero();
        }
    }

    @Test
    @Tag("full")
    void twoProgramsMeasureAtOnce() throws Exception {
        try (Program first = start(directory.resolve("r"), Moment.WINDOW, Map.of())) {
            await(first, Victim.PROGRAM, Moment.WINDOW);
            Program.Result second =
                    start(directory.resolve("s"), Moment.START, Map.of()).await();
            row(
                    "a second program measures into another results directory",
                    directory.resolve("s"),
                    second,
                    "",
                    "the run of the first");
            assertThat(second.exitCode()).as(second.errorOutput()).isZero();
            Program.Result result = first.await();
            row("the first of two programs that measure at once", directory.resolve("r"), result, "");
            assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        }
    }

    // ---- ports ---------------------------------------------------------------------------------------------------

    /** Between the check of a port and the gateway's start lies the time that its JVM takes to come up. */
    @ParameterizedTest
    @EnumSource(
            value = Victim.class,
            names = {"GATEWAY", "BACKEND"})
    @Tag("full")
    void thePortIsTakenBetweenCheckAndStart(Victim victim) throws Exception {
        List<String> arguments = shortRun(directory.resolve("r"), Moment.START);
        // In this form no port is demanded for the back end: the program would not give such a one up.
        arguments.remove("--product=http");
        arguments.addAll(List.of("--product", "http"));
        for (int i = 0; !isTakenBetweenCheckAndStart(victim, arguments); i++) {
            assertThat(i).as("starts in which the role was sooner at its port").isLessThan(20);
            FileTrees.delete(directory.resolve("r"));
        }
    }

    /** Returns whether it came to that: not if the role listens before anybody else can. */
    private boolean isTakenBetweenCheckAndStart(Victim victim, List<String> arguments) throws Exception {
        try (Program program = start(Map.of(), arguments.toArray(String[]::new))) {
            Matcher port = Pattern.compile("--port=(\\d+)").matcher(commandLine(role(program, victim.directory)));
            assertThat(port.find()).isTrue();
            HttpServer other;
            try {
                other = HttpServer.create(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1))), 0);
            } catch (BindException e) {
                program.interrupt();
                program.await();
                return false;
            }
            // Whoever asks there is answered as the role would answer.
            other.createContext("/", exchange -> {
                byte[] body = exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            });
            other.start();
            try {
                Program.Result result = program.await();
                boolean again = victim == Victim.BACKEND;
                row(
                        "the port of " + victim.text + " is taken between check and start",
                        directory.resolve("r"),
                        result,
                        again ? "note: another program took a port .*" : "(?m)^.*cannot listen on .*");
                assertThat(result.exitCode()).as(result.errorOutput()).isEqualTo(again ? 0 : 3);
                return true;
            } finally {
                other.stop(0);
            }
        }
    }

    // ---- clocks --------------------------------------------------------------------------------------------------

    /** The clock of the machine is set, for the program and all that it starts; what measures time goes on. */
    @ParameterizedTest
    @CsvSource({"START, -3600", "START, 3600", "WARM_UP, -3600", "WARM_UP, 3600", "WINDOW, -3600", "WINDOW, 3600"})
    @Tag("full")
    void theClockIsSet(Moment moment, int seconds) throws Exception {
        Path library = Lab.fakeTime().orElse(null);
        assumeTrue(library != null, "libfaketime, which sets clocks, is not there; install libfaketime");
        Path clock = Files.writeString(directory.resolve("clock"), "+0s");
        Map<String, String> environment = Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAKETIME_TIMESTAMP_FILE",
                clock.toString(),
                "FAKETIME_NO_CACHE",
                "1",
                "DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "FAKETIME_FORCE_MONOTONIC_FIX",
                "0");
        try (Program program = start(directory.resolve("r"), moment, environment)) {
            await(program, Victim.GATEWAY, moment);
            Files.writeString(clock, String.format(Locale.ROOT, "%+ds", seconds));
            Program.Result result = program.await();
            row(
                    "the clock is set " + (seconds < 0 ? "back" : "forth") + " by an hour "
                            + (moment == Moment.START ? "while the gateway starts" : moment.text),
                    directory.resolve("r"),
                    result,
                    "note: the clock .*");
            assertThat(result.exitCode()).as(result.errorOutput()).isZero();
            // By it the rule of clocks that are off judges the row.
            JsonNode offsets =
                    JSON.readTree(cells(directory.resolve("r")).get(0).toFile()).path("clockOffsets");
            assertThat(Duration.parse(offsets.path("localhost").asText()).toMillis())
                    .isCloseTo(seconds * 1000L, Offset.offset(500L));
        }
    }

    // ---- the run -------------------------------------------------------------------------------------------------

    private Program start(Path results, Moment moment, Map<String, String> environment) throws IOException {
        return start(environment, shortRun(results, moment).toArray(String[]::new));
    }

    private List<String> shortRun(Path results, Moment moment) throws IOException {
        describeTheGateway(moment);
        return new ArrayList<>(List.of(
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
    }

    private Program start(String... arguments) throws IOException {
        return start(Map.of(), arguments);
    }

    private Program start(Map<String, String> environment, String... arguments) throws IOException {
        return Program.start(directory, environment, List.of("-Djava.io.tmpdir=" + temporary()), List.of(arguments));
    }

    private void await(Program program, Victim victim, Moment moment) throws Exception {
        Path results = disk.orElse(directory).resolve("r");
        switch (moment) {
            case START ->
                await(
                        () -> find(program, victim == Victim.PROGRAM ? "gateway" : victim.directory)
                                .isPresent(),
                        program);
            case PROBE -> await(() -> requests(results) > 0, program);
            case WARM_UP -> await(() -> seconds(results) >= 1, program);
            case WINDOW -> await(() -> seconds(results) >= 3, program);
            case FULL_GC ->
                await(
                        () -> program.children().stream()
                                .anyMatch(child -> commandLine(child).contains("GC.run")),
                        program);
            case COLLECTING ->
                await(() -> !files(results.resolve("echo"), "gateway").isEmpty(), program);
            case REPORT -> await(() -> !cells(results).isEmpty(), program);
        }
    }

    /** Returns how many requests have reached the gateway. */
    private static long requests(Path results) throws IOException {
        for (Path log : files(results, "gateway/out.log")) {
            Matcher ready = Pattern.compile("admin=(\\d+)").matcher(Files.readString(log));
            if (ready.find()) {
                URL metrics = URI.create("http://127.0.0.1:" + ready.group(1) + "/metrics")
                        .toURL();
                try (InputStream in = metrics.openStream()) {
                    Matcher requests = Pattern.compile("(?m)^echo_requests_total (\\d+)")
                            .matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
                    return requests.find() ? Long.parseLong(requests.group(1)) : 0;
                }
            }
        }
        return 0;
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

    /** Waits for it: while one program of a start replaces the other, the process has no command line. */
    private static ProcessHandle role(Program program, String role) throws Exception {
        await(() -> find(program, role).isPresent(), program);
        Optional<ProcessHandle> found = find(program, role);
        return found.isPresent() ? found.get() : role(program, role);
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
        row(what, results, result, said, leftFiles());
    }

    private void row(String what, Path results, Program.Result result, String said, List<String> left)
            throws Exception {
        assertThat(left()).as(result.errorOutput()).isEmpty();
        row(what, results, result, said, left.isEmpty() ? "nothing" : String.join(", ", left) + ", until the next run");
    }

    /** Notes what is on the disk, what was printed and what runs, not what was expected. */
    private void row(String what, Path results, Program.Result result, String said, String left) throws Exception {
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
        FailureTable.LOCAL.row(what, List.of(kept(results), line, String.valueOf(result.exitCode()), left));
    }

    /** Waits until no process of a run is left: a killed program's roles end by themselves, in a moment. */
    private List<String> left() throws Exception {
        Instant limit = Instant.now().plusSeconds(PATIENCE_SECONDS);
        List<String> left = running();
        while (!left.isEmpty() && Instant.now().isBefore(limit)) {
            TimeUnit.MILLISECONDS.sleep(100);
            left = running();
        }
        return left;
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
