/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The {@code gc} command as a user gives it, on logs of real JVMs. */
class GcCommandTest {

    private static final Path LOGS = Path.of("..", "gc-analyzer", "src", "test", "resources", "gc-logs");
    private static final Path CROWDED = LOGS.resolve("jdk25-g1-evacuation-failures.log.gz");
    private static final Path CALM = LOGS.resolve("jdk17-g1-utctime.log.gz");
    private static final Path ZGC = LOGS.resolve("jdk25-zgc.log.gz");

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(Object... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] words = new String[arguments.length + 1];
        words[0] = "gc";
        for (int i = 0; i < arguments.length; i++) {
            words[i + 1] = arguments[i].toString();
        }
        CommandLineProgram program = CommandLineProgram.forArguments(words);
        program.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err, true));
        return program.execute(words);
    }

    private JsonNode json() throws IOException {
        return new ObjectMapper().readTree(out.toString());
    }

    @Test
    void refusesWhatHoldsNoLineOfALog() throws IOException {
        Path empty = Files.createFile(directory.resolve("empty.log"));
        Path binary = Files.write(directory.resolve("binary"), new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 10, 0});
        for (Path file : List.of(empty, binary)) {
            assertThat(run(file)).isEqualTo(2);
            assertThat(err.toString()).startsWith("'" + file + "' holds no line of a GC log");
            assertThat(out.toString()).isEmpty();
        }
        assertThat(run(CALM, empty)).isEqualTo(2);
    }

    @Test
    void printsOneJsonObjectForEachLog() throws IOException {
        assertThat(run("--compat", "--format", "json", CROWDED, ZGC))
                .as(err::toString)
                .isZero();

        JsonNode g1 = json().path(0);
        JsonNode zgc = json().path(1);
        assertThat(json()).hasSize(2);
        assertThat(g1.path("collector").asText()).isEqualTo("G1");
        assertThat(g1.path("coverage").asDouble()).isEqualTo(100);
        assertThat(g1.path("exact").path("pauseCount").asInt()).isEqualTo(129);
        assertThat(g1.path("findings")).isNotEmpty();
        assertThat(zgc.path("compat").path("gcThroughputPercent").isNull()).isTrue();
        assertThat(zgc.path("compat")
                        .path("reasons")
                        .path("gcThroughputPercent")
                        .asText())
                .contains("GCViewer found no collection");
        assertThat(g1.path("compat").path("pauseCount").isNull()).isTrue();

        JsonNode exact = g1.path("exact");
        for (String[] words : List.of(new String[0], new String[] {"--no-compat"})) {
            assertThat(run(Stream.concat(
                                    Stream.of("--format", "json"), Stream.concat(Stream.of(words), Stream.of(CROWDED)))
                            .toArray()))
                    .isZero();
            assertThat(json().path(0).path("exact")).isEqualTo(exact);
            assertThat(json().path(0)
                            .path("compat")
                            .path("reasons")
                            .path("pauseCount")
                            .asText())
                    .contains("not asked for");
        }
    }

    @Test
    void cutsTheWindowThatIsGiven() throws IOException {
        assertThat(run("--format", "json", "--from", "2026-11-21T02:33:14Z", "--to", "2026-11-21T02:33:20Z", CALM))
                .as(err::toString)
                .isZero();
        JsonNode byClock = json().path(0);
        assertThat(run("--format", "json", "--from", "2.311s", "--to", "8.311s", CALM))
                .isZero();
        JsonNode byUptime = json().path(0);

        assertThat(byClock.path("exact").path("runTimeSeconds").asDouble()).isEqualTo(6);
        assertThat(byUptime.path("exact").path("pauseCount"))
                .isEqualTo(byClock.path("exact").path("pauseCount"));
        assertThat(byUptime.path("window").path("from").asText()).startsWith("2026-11-21T02:33:1");
    }

    @Test
    void takesStartAndStopWhereTheLogDoesNotTell() throws IOException {
        Path jdk8 = LOGS.resolve("jdk8-parallel.log.gz");
        assertThat(run("--format", "json", jdk8)).isZero();
        double short8 = json().path(0).path("exact").path("runTimeSeconds").asDouble();

        assertThat(run("--format", "json", "--stopped", "1795228393", jdk8))
                .as(err::toString)
                .isZero();

        assertThat(json().path(0).path("exact").path("runTimeSeconds").asDouble())
                .isGreaterThan(short8);
    }

    @Test
    void comparesTwoLogsAndOnlyTwo() throws IOException {
        assertThat(run("--compare", "--format", "json", CROWDED, CALM))
                .as(err::toString)
                .isZero();
        assertThat(json().path("rows").findValuesAsText("name")).contains("gcThroughputPercent", "pauseP99Millis");
        assertThat(run("--compare", CROWDED, CALM)).isZero();
        assertThat(out.toString()).contains("run times differ", "better");

        assertThat(run("--compare", CROWDED)).isEqualTo(2);
        assertThat(err.toString()).contains("--compare needs two logs but got 1");
    }

    @Test
    void drawsAndListsEveryPause() throws IOException {
        List<Path> files = List.of(
                directory.resolve("heap.svg"),
                directory.resolve("pauses.svg"),
                directory.resolve("histogram.svg"),
                directory.resolve("events.csv"));

        assertThat(run(
                        "--chart",
                        files.get(0),
                        "--pause-chart",
                        files.get(1),
                        "--histogram",
                        files.get(2),
                        "--events",
                        files.get(3),
                        CROWDED))
                .as(err::toString)
                .isZero();

        assertThat(Files.readString(files.get(0))).startsWith("<svg").contains("Heap before and after GC");
        assertThat(Files.readString(files.get(1)).split("<circle")).hasSize(129 + 1);
        assertThat(Files.readString(files.get(2))).contains("Number of pauses");
        try (var lines = Files.lines(files.get(3))) {
            assertThat(lines.filter(line -> !line.split(",", -1)[3].isEmpty())).hasSize(129 + 1);
        }
    }

    @Test
    void saysInOneLineWhatIsWrong() {
        assertThat(run(directory.resolve("none.log"))).isEqualTo(2);
        assertThat(err.toString()).contains("there is no GC log").doesNotContain("\tat ");
        assertThat(run("--from", "yesterday", CALM)).isEqualTo(2);
        assertThat(err.toString()).contains("--from 'yesterday' is no instant");
        assertThat(run("--chart", directory.resolve("no/such/heap.svg"), CALM)).isEqualTo(2);
        assertThat(err.toString()).contains("cannot write");
    }
}
