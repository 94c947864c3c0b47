/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.model.DataSize;
import io.gatebench.model.FailureReason;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;
import io.gatebench.report.results.CaseChecksums;
import io.gatebench.report.results.ResultsDirectory;

/** What scripts rely on of {@code report} and {@code verify}. */
class ReportCommandTest {

    private static final String TABLE_HEADER =
            "|  Scenario Name | Heap Size | Concurrent Users | Message Size (Bytes) | Back-end Service Delay (ms) |";

    private static final String CELL = "passthrough/2G_heap/50_users/50B/0ms_sleep";

    private final Locale before = Locale.getDefault();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path directory;

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(before);
    }

    @Test
    void writesEveryFormAndSaysWhereThePageIs() throws IOException {
        Path results = results();
        Path report = directory.resolve("report");

        assertThat(run("report", results, "--out", report)).as(err::toString).isZero();

        assertThat(out.toString()).isEqualTo(report.resolve("index.html") + "\n");
        for (String name : List.of(
                "summary.md",
                "summary.csv",
                "summary.jsonl",
                "result.json",
                "index.html",
                "documentation.md",
                "junit.xml",
                "step-summary.md",
                "charts.csv",
                "checksums.json")) {
            assertThat(report.resolve(name)).isRegularFile();
        }
        assertThat(run("verify", report, "--results", results))
                .as(out::toString)
                .isZero();
    }

    @Test
    void detectsEachKindOfTampering() throws IOException {
        Path results = results();
        Path report = directory.resolve("report");
        assertThat(run("report", results, "--out", report)).isZero();
        List<String> files;
        try (Stream<Path> all = Files.list(report)) {
            files = all.filter(Files::isRegularFile)
                    .map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals("checksums.json"))
                    .sorted()
                    .toList();
        }
        assertThat(files).hasSizeGreaterThanOrEqualTo(8);
        for (String name : files) {
            Path file = report.resolve(name);
            byte[] good = Files.readAllBytes(file);
            Files.write(file, "x".getBytes(StandardCharsets.UTF_8));
            assertThat(run("verify", report, "--results", results))
                    .as(name + " changed")
                    .isEqualTo(4);
            assertThat(out.toString()).contains(name);
            Files.delete(file);
            assertThat(run("verify", report, "--results", results))
                    .as(name + " removed")
                    .isEqualTo(4);
            Files.write(file, good);
        }
        assertThat(run("verify", report, "--results", results)).isZero();
        Path cell = results.resolve(CELL).resolve("result.json");
        Files.writeString(cell, Files.readString(cell) + " ");
        assertThat(run("verify", report, "--results", results)).isEqualTo(4);
        assertThat(out.toString()).contains("result.json was changed after the report was made");
    }

    @Test
    void doesNotHealWhatWasChanged() throws IOException {
        Path results = results();
        assertThat(run("report", results)).isZero();
        assertThat(err.toString()).doesNotContain("changed");
        assertThat(run("verify", results)).isZero();
        Path cell = results.resolve(CELL).resolve("result.json");
        Files.writeString(cell, Files.readString(cell).replace("an expired token", "a token"));

        assertThat(run("report", results)).isZero();

        assertThat(err.toString())
                .contains(CELL + ": changed after the measurement: result.json is not what was written");
        assertThat(results.resolve("index.html")).content().contains("changed after the measurement");
        assertThat(run("report", results, "--table")).isZero();
        assertThat(err.toString())
                .contains(CELL + ": ", "changed after the measurement: result.json is not what was written");
        assertThat(run("verify", results)).isEqualTo(4);
        // What was changed is compared with nothing, and a comparison of nothing is no success.
        assertThat(run("compare", results, results, "--format", "json")).isEqualTo(4);
        assertThat(out.toString()).contains("changed after the measurement");
    }

    @Test
    void namesACaseThatWasDeleted() throws IOException {
        Path results = results();
        Files.delete(results.resolve(CELL).resolve("result.json"));

        assertThat(run("report", results)).isZero();

        String missing =
                "Of the 1 cases of the plan 1 are missing, because they were not measured or were deleted: " + CELL;
        assertThat(err.toString()).contains(missing);
        assertThat(results.resolve("summary.md")).content().contains(missing);
        assertThat(run("report", results, "--table")).isZero();
        assertThat(err.toString()).contains(missing);
        assertThat(run("verify", results)).isEqualTo(4);
        assertThat(out.toString()).contains(CELL + " was measured, and has no result now");
        run("compare", results, results);
        assertThat(out.toString()).contains("the case " + CELL + " of the plan is missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"en-US", "de-DE", "tr-TR", "ar-EG"})
    void printsThePublishedTableAloneInEveryLocale(String locale) throws IOException {
        Locale.setDefault(Locale.forLanguageTag(locale));
        Path csv = directory.resolve("in.csv");
        String row = "Passthrough,2G,50,1024,0,0,1234.5,40.5,16.2,121,97.8,27.451";
        Files.writeString(csv, """
                Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),Back-end Service Delay (ms),Error %,\
                Throughput (Requests/sec),Average Response Time (ms),Standard Deviation of Response Time (ms),\
                99th Percentile of Response Time (ms),App GC Throughput (%),\
                Average App Memory Footprint After Full GC (M)
                """ + row + "\n");

        assertThat(run("report", csv, "--table")).as(err::toString).isZero();

        assertThat(out.toString().lines())
                .hasSize(3)
                .first()
                .asString()
                .startsWith(TABLE_HEADER)
                .endsWith("| App GC Throughput (%) | Average App Memory Footprint After Full GC (M) |");
        assertThat(out.toString()).endsWith("\n|  " + row.replace(",", " | ") + " |\n");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void saysWhatSpeaksAgainstTheRowsOfAPastTable() throws IOException {
        StringBuilder text = new StringBuilder("Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),"
                + "Back-end Service Delay (ms),Error %,Throughput (Requests/sec),Average Response Time (ms)\n");
        int row = 0;
        for (int users : new int[] {50, 100, 200, 500}) {
            for (int size : new int[] {50, 1024, 102400}) {
                double throughput = 93 + row % 3;
                text.append("Flat,2G," + users + "," + size + ",0,0," + throughput + "," + 1000 * users / throughput)
                        .append('\n');
                row++;
            }
        }
        text.append("Failing,2G,50,50,0,12.5,900,55.5\n");
        Path csv = Files.writeString(directory.resolve("past.csv"), text);

        assertThat(run("report", csv)).isZero();
        assertThat(out.toString())
                .contains("|\n\nVerdicts of 13 rows: 0 valid, 12 doubtful, 1 invalid.\n")
                .contains("- Failing/2G_heap/50_users/50B/0ms_sleep: invalid (12.5 % of the samples failed)")
                .contains(" and 9 more: doubtful (throughput is between 93 and 95 per second in all 12 test cases");

        assertThat(run("report", csv, "--table")).isZero();
        assertThat(out.toString()).endsWith("|\n").doesNotContain("Verdicts of");
        assertThat(err.toString()).contains("Verdicts of 13 rows: 0 valid, 12 doubtful, 1 invalid.");

        assertThat(run("report", csv, "--out", directory.resolve("past"), "--charts", "none"))
                .isZero();
        assertThat(directory.resolve("past/table.md")).content().contains("12 doubtful, 1 invalid.");
    }

    @Test
    void readsTheSamplesAndTheGcLogOfThePredecessor() throws IOException {
        Path cell = Files.createDirectories(directory.resolve("results/passthrough/2G_heap/100_users/1024B/0ms_sleep"));
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(cell.resolve("jtls.zip")))) {
            zip.putNextEntry(new ZipEntry("results-measurement.jtl"));
            zip.write(
                    ("timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,"
                                    + "bytes,sentBytes,grpThreads,allThreads,Latency,IdleTime,Connect\n"
                                    + "1000,100,HTTP Request,200,OK,t,text,true,,1024,512,1,1,9,0,1\n".repeat(9)
                                    + "1900,100,HTTP Request,500,\"no, thanks\",t,text,false,,1024,512,1,1,9,0,1\n")
                            .getBytes(StandardCharsets.UTF_8));
        }
        Files.writeString(cell.resolve("apim_gc.log"), """
                [0.010s][info][gc] Using G1
                [1.000s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 100M->20M(512M) 10.000ms
                [9.000s][info][gc] GC(1) Pause Full (System.gc()) 60M->24M(512M) 40.000ms
                """);

        assertThat(run("report", directory.resolve("results"), "--table", "--application", "WSO2 API Manager"))
                .as(err::toString)
                .isZero();

        assertThat(out.toString()).contains("| WSO2 API Manager GC Throughput (%) |");
        assertThat(out.toString()).contains("|  passthrough | 2G | 100 | 1024 | 0 | 10 | 10 | 100 |");
        assertThat(out.toString().lines().skip(2).findFirst().orElseThrow()).contains("| 24 |");
    }

    @Test
    void endsAsWrongUsageWithOneLineWhereThereIsNothing() throws IOException {
        assertThat(run("report", directory.resolve("none"))).isEqualTo(2);
        assertThat(err.toString()).startsWith("there is no file or directory " + directory.resolve("none"));
        Path empty = Files.createDirectories(directory.resolve("empty"));
        assertThat(run("report", empty, "--table")).isEqualTo(2);
        assertThat(run("report", results(), "--templates", directory.resolve("no-templates")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("there is no template directory");
    }

    @Test
    void refusesWhatHoldsNoTableOfResults() throws IOException {
        Path junk = Files.writeString(directory.resolve("junk.csv"), "a,b,c\n1,2,3\n4,5,6\n");
        Path prose = Files.writeString(
                directory.resolve("prose.md"), "# Results\n\n| Name | Memory |\n|---|---|\n| x | 1 |\n");
        for (Path file : List.of(junk, prose)) {
            assertThat(run("report", file, "--table")).isEqualTo(2);
            assertThat(err.toString()).contains(file + " holds no table of results");
            assertThat(out.toString()).isEmpty();
        }
    }

    @Test
    void keepsTheApplicationOfAHeaderWithoutRows() throws IOException {
        String header = "Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),Back-end Service Delay (ms),"
                + "Error %,Throughput (Requests/sec),WSO2 API Manager GC Throughput (%)\n";
        Path csv = Files.writeString(directory.resolve("header.csv"), header);
        Path document = Files.writeString(
                directory.resolve("header.md"),
                "| " + header.strip().replace(",", " | ") + " |\n|---|---|---|---|---|---|---|---|\n");

        for (Path file : List.of(csv, document)) {
            assertThat(run("report", file, "--table")).as(err::toString).isZero();
            assertThat(out.toString())
                    .contains("| WSO2 API Manager GC Throughput (%) |")
                    .hasLineCount(2);
            assertThat(run("report", file, "--table", "--application", "Another"))
                    .isZero();
            assertThat(out.toString()).contains("| Another GC Throughput (%) |");
        }
    }

    @Test
    void saysThatThereIsNothingToGoOnWith() {
        assertThat(run("run", "--resume", directory.resolve("none"))).isEqualTo(2);
        assertThat(err.toString())
                .startsWith("there is no results directory " + directory.resolve("none") + " to go on with");
    }

    @Test
    void estimatesOnlyWhatCouldRun() throws IOException {
        Path full = Files.createDirectories(directory.resolve("full"));
        Files.writeString(full.resolve("file"), "x");
        String[] plan = {"run", "--product", "apim", "--estimate"};
        assertThat(run(with(plan))).as(err::toString).isZero();
        assertThat(run(with(plan, "--results", full))).isEqualTo(2);
        assertThat(err.toString()).contains("exists and is not empty");
        assertThat(run(with(plan, "--results", full.resolve("file/below")))).isEqualTo(2);
        assertThat(err.toString()).contains("file is no directory");
        assertThat(run(with(plan, "--heap", "1000G"))).isEqualTo(2);
        assertThat(err.toString()).contains("a heap of 1000G is more than the ");
        assertThat(run(with(plan, "--gateway-cpus", "4096"))).isEqualTo(2);
        assertThat(err.toString()).contains("--gateway-cpus 4096: ").contains("give at most as many");
        Path hosts = Files.writeString(directory.resolve("hosts.yaml"), """
                hosts:
                  far: { address: 192.0.2.1, user: nobody }
                roles: { gateway: far, backend: far, load-generator: [far] }
                """);
        assertThat(run(with(plan, "--gateway-cpus", "4096", "--hosts", hosts)))
                .as(err::toString)
                .isZero();
        assertThat(run(with(plan, "--environment", "aws"))).isEqualTo(2);
        assertThat(err.toString()).contains("--environment aws needs its settings");
    }

    private static Object[] with(String[] words, Object... further) {
        return Stream.concat(Stream.of(words), Stream.of(further)).toArray();
    }

    private Path results() {
        Path root = directory.resolve("run");
        TestScenario scenario = new TestScenario(
                "passthrough",
                "Passthrough",
                "A secured API, which directly invokes the back-end service.",
                true,
                "POST",
                "/echo/1.0.0",
                Map.of(),
                PayloadKind.JSON_ARRAY,
                TokenKind.JWT,
                ResponseCheck.okContaining("{size}B"),
                List.of());
        PerfPlan plan = new PerfPlan(
                "apim",
                "quick",
                List.of(scenario),
                new ParameterMatrix(
                        List.of(DataSize.parse("2G")),
                        List.of(50),
                        List.of(50),
                        List.of(),
                        List.of(),
                        List.of(Duration.ZERO)),
                new TestTiming(Duration.ofSeconds(20), Duration.ofSeconds(5), Duration.ofSeconds(2)),
                1,
                false,
                DataSize.ofMebibytes(256),
                DataSize.ofMebibytes(256));
        Instant start = Instant.parse("2026-05-04T10:00:00Z");
        RunManifest info = new RunManifest(
                RunManifest.SCHEMA_VERSION,
                "run",
                "0.1.0",
                "App",
                RunManifest.Variant.GATEWAY,
                plan,
                "local",
                1,
                1,
                start,
                Optional.empty(),
                Map.of(),
                List.of(),
                List.of());
        ResultsDirectory results = ResultsDirectory.create(root, info);
        results.write(new TestCaseResult.Failed(
                new TestCase("passthrough", DataSize.parse("2G"), 50, MessageLevel.bytes(50), Duration.ZERO),
                1,
                start,
                start.plusSeconds(3),
                FailureReason.PROBE,
                "the gateway let an expired token in",
                Optional.empty(),
                List.of(),
                List.of(),
                List.of()));
        CaseChecksums.write(root.resolve(CELL));
        results.seal();
        return root;
    }

    private int run(Object... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLineProgram program = new CommandLineProgram();
        program.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return program.execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    }
}
