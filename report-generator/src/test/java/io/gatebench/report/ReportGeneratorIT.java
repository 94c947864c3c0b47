/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import io.gatebench.model.DataSize;
import io.gatebench.model.FailureReason;
import io.gatebench.model.GcStatistics;
import io.gatebench.model.LoadResult;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.ResultsImporter;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.render.Checksums;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.summary.FailedRows;

class ReportGeneratorIT {

    @TempDir
    private Path temporary;

    private final Locale before = Locale.getDefault();

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(before);
    }

    @Test
    void writesEveryFormOfTheReport() throws Exception {
        Report report = generate(ReportOptions.defaults().withCharts(ReportOptions.Charts.STANDARD));

        assertThat(report.files().stream().map(Path::toString))
                .contains(
                        "summary.md",
                        "summary.csv",
                        "summary.jsonl",
                        "result.json",
                        "index.html",
                        "documentation.md",
                        "junit.xml",
                        "step-summary.md",
                        "charts.csv",
                        "checksums.json",
                        "charts/thrpt_0ms.png",
                        "charts/thrpt_0ms.svg");
        assertThat(report.measured()).isEqualTo(6);
        assertThat(report.failed()).isEqualTo(1);
        assertThat(report.skipped()).isEqualTo(1);
        assertThat(report.warnings()).isEmpty();
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.directory().resolve("junit.xml").toFile());
        assertThat(Files.readString(report.directory().resolve("charts.csv")))
                .startsWith(
                        "Filename,Title\navgt_0ms.png,Average Response Time vs Concurrent Users for 0ms backend delay\n");
        for (Path file : report.files()) {
            assertThat(report.directory().resolve(file)).isNotEmptyFile();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "en-US", "de-DE", "ru-RU", "ar-EG", "hi-IN-u-nu-deva"})
    void givesTheGoldenTextInEveryLocale(String locale) throws IOException {
        Locale.setDefault(locale.isEmpty() ? Locale.ROOT : Locale.forLanguageTag(locale));

        Report report = generate(ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));

        for (String name : List.of(
                "summary.md", "summary.csv", "summary.jsonl", "documentation.md", "junit.xml", "step-summary.md")) {
            assertGolden(report.directory().resolve(name), name);
        }
    }

    @Test
    void givesRowsToCellsThatFailedAsAWholeIfThatIsWanted() throws IOException {
        TestCase testCase = SampleRuns.testCase("passthrough", 1000, 50);
        LoadResult load = SampleRuns.load(1000, 100, 5000);
        TestCaseResult.Failed failed = new TestCaseResult.Failed(
                testCase,
                1,
                SampleRuns.START,
                SampleRuns.START.plusSeconds(60),
                FailureReason.LOAD,
                "all 5000 samples of the measurement window failed",
                Optional.of(load),
                List.of(),
                List.of(),
                List.of());
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        SampleRuns.results().forEach(results::write);
        results.write(failed);
        ReportOptions options = ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE);

        Report without = ReportGenerator.generate(results, temporary.resolve("without"), options);
        Report with = ReportGenerator.generate(results, temporary.resolve("with"), options.withFailedRows());

        String row = "| 2G | 1000 | 50 | 0 | 100 | 100 |";
        assertThat(Files.readString(without.directory().resolve("summary.md"))).doesNotContain(row);
        assertThat(Files.readString(with.directory().resolve("summary.md"))).contains(row);
        assertThat(ReportGenerator.table(results, options.withFailedRows())).contains(row);
        assertThat(Files.readAllLines(with.directory().resolve("summary.csv")))
                .anySatisfy(line -> assertThat(line).contains(",1000,50,").contains(",invalid,"));
        assertThat(with.failed()).isEqualTo(without.failed());
        assertThat(FailedRows.shown(List.of(failed, SampleRuns.completed(testCase, 2, 100, 0))))
                .as("a repeat that was measured has the row")
                .contains(failed);
    }

    @Test
    void isByteIdenticalForTheSameResults() throws IOException {
        ReportOptions options = ReportOptions.defaults().withCharts(ReportOptions.Charts.STANDARD);
        Report first = generate(options);
        Report second = ReportGenerator.generate(
                ResultsDirectory.open(temporary.resolve("results")), temporary.resolve("again"), options);

        assertThat(second.files()).isEqualTo(first.files());
        for (Path file : first.files()) {
            assertThat(second.directory().resolve(file))
                    .as(file.toString())
                    .hasSameBinaryContentAs(first.directory().resolve(file));
        }
    }

    @Test
    void leavesNothingOfAReportWhoseResultsCannotBeRead() throws IOException {
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        SampleRuns.results().forEach(results::write);
        TestCase last =
                SampleRuns.results().get(SampleRuns.results().size() - 1).testCase();
        Files.writeString(results.caseDirectory(last, 1).resolve("result.json"), "{");
        Path out = temporary.resolve("report");

        assertThatThrownBy(() -> ReportGenerator.generate(results, out, ReportOptions.defaults()))
                .isInstanceOf(ReportException.class)
                .hasMessageContaining("cannot be read as TestCaseResult");
        assertThat(out).isEmptyDirectory();
    }

    @Test
    void tiesTheFilesToTheMeasuredData() throws IOException {
        Report report = generate(ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));
        JsonNode checksums = new ObjectMapper()
                .readTree(report.directory().resolve("checksums.json").toFile());

        assertThat(checksums.path("files").path("summary.csv").asText())
                .isEqualTo(Checksums.digest(report.directory().resolve("summary.csv")));
        assertThat(checksums.path("data").asText())
                .isEqualTo(Checksums.dataDigest(Checksums.measured(temporary.resolve("results"))));
        Path result = temporary.resolve("results/passthrough/2G_heap/50_users/50B/0ms_sleep/result.json");
        Files.writeString(result, Files.readString(result) + " ");
        assertThat(checksums.path("data").asText())
                .isNotEqualTo(Checksums.dataDigest(Checksums.measured(temporary.resolve("results"))));
    }

    @Test
    void putsOurColumnsBehindThePublishedOnes() throws IOException {
        Report published = generate(ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));
        Report all = ReportGenerator.generate(
                ResultsDirectory.open(temporary.resolve("results")),
                temporary.resolve("all"),
                ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE).withColumns(ReportOptions.Columns.ALL));

        List<String> narrow = Files.readAllLines(published.directory().resolve("summary.csv"));
        List<String> wide = Files.readAllLines(all.directory().resolve("summary.csv"));
        String[] header = narrow.get(0).split(",");
        assertThat(header).hasSize(201);
        assertThat(header[199]).isEqualTo("verdict");
        assertThat(header[200]).isEqualTo("verdictReasons");
        for (int i = 0; i < narrow.size(); i++) {
            assertThat(wide.get(i)).startsWith(narrow.get(i) + ",");
        }
        assertThat(wide.get(0)).contains(",Exact GC Throughput of Netty Service (%),");
    }

    @Test
    void putsTheVerdictBesideEveryRow() throws IOException {
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        results.write(SampleRuns.completed(SampleRuns.testCase("passthrough", 50, 50), 2500, 0));
        results.write(SampleRuns.completed(SampleRuns.testCase("passthrough", 100, 50), 2450, 1000));
        Report report = ReportGenerator.generate(
                results, temporary.resolve("report"), ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));

        List<ResultRow> rows = new ResultsImporter()
                .read(report.directory().resolve("summary.csv"))
                .rows();
        assertThat(rows).extracting(row -> row.cells().get("verdict")).containsExactly("valid", "doubtful");
        assertThat(rows.get(1).cells().get("verdictReasons"))
                .isEqualTo("errors: 0.816 % of the samples failed, most often: status 500");
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(report.directory().resolve("summary.jsonl"))) {
            lines.add(new ObjectMapper().readTree(line));
        }
        assertThat(lines).extracting(line -> line.path("verdict").asText()).containsExactly("valid", "doubtful");
        assertThat(lines.get(0).path("verdictReasons")).isEmpty();
        assertThat(lines.get(1).path("verdictReasons").get(0).path("rule").asText())
                .isEqualTo("errors");
        assertThat(lines.get(1).path("verdictReasons").get(0).path("text").asText())
                .isEqualTo("0.816 % of the samples failed, most often: status 500");
        assertThat(Files.readString(report.directory().resolve("summary.md")))
                .contains("| passthrough/2G_heap/50_users/50B/0ms_sleep | valid |  |\n"
                        + "| passthrough/2G_heap/100_users/50B/0ms_sleep | doubtful | errors: 0.816 % of the samples"
                        + " failed, most often: status 500 |\n");
    }

    @Test
    void readsTheVerdictOfItsOwnTableBack() throws IOException {
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        results.write(SampleRuns.completed(SampleRuns.testCase("passthrough", 100, 50), 2450, 1000));
        ReportOptions options = ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE);
        Report first = ReportGenerator.generate(results, temporary.resolve("report"), options);

        Report again = ReportGenerator.generate(
                ReportGenerator.table(first.directory().resolve("summary.csv")), temporary.resolve("again"), options);

        for (String name : List.of("summary.csv", "summary.jsonl")) {
            assertThat(Files.readString(again.directory().resolve(name)))
                    .isEqualTo(Files.readString(first.directory().resolve(name)));
        }
    }

    @Test
    void namesMissedThresholdsInEveryForm() throws Exception {
        ResultsDirectory results = ResultsDirectory.create(
                temporary.resolve("results"),
                SampleRuns.local()
                        .withThresholds(
                                List.of("p99 < 100ms", "throughput > 1", "mean < 1ms for nothing-like-it"), List.of()));
        results.write(SampleRuns.completed(SampleRuns.testCase("passthrough", 50, 50), 2500, 0));
        results.write(SampleRuns.completed(SampleRuns.testCase("passthrough", 100, 50), 2450, 0));
        Report report = ReportGenerator.generate(
                results, temporary.resolve("report"), ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));

        Document junit = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.directory().resolve("junit.xml").toFile());
        NodeList failures = junit.getElementsByTagName("failure");
        assertThat(failures.getLength()).isEqualTo(2);
        assertThat(((Element) failures.item(0).getParentNode()).getAttribute("name"))
                .isEqualTo("passthrough/2G_heap/100_users/50B/0ms_sleep");
        assertThat(failures.item(0).getTextContent())
                .contains("p99 is 122.45 ms")
                .contains("required is < 100 ms");
        assertThat(failures.item(1).getTextContent())
                .isEqualTo("'mean < 1ms for nothing-like-it' holds for none of the 2 test cases");
        assertThat(((Element) junit.getElementsByTagName("testsuite").item(0)).getAttribute("failures"))
                .isEqualTo("1");
        for (String name : List.of("step-summary.md", "summary.md", "index.html")) {
            assertThat(Files.readString(report.directory().resolve(name)))
                    .as(name)
                    .contains("p99 is 122.45 ms, 22.449 ms")
                    .doesNotContain("required is > 1");
        }
    }

    @Test
    void printsTheHeapAsMeasuredAndSaysWhereThePublishedFormulaIsOff() throws IOException {
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        TestCaseResult.Completed run = SampleRuns.completed(SampleRuns.testCase("passthrough", 50, 50), 2500, 0);
        results.write(SampleRuns.withProcesses(
                run,
                List.of(
                        SampleRuns.process(
                                NodeRole.GATEWAY,
                                "WSO2 API Manager",
                                Optional.of(SampleRuns.gc(
                                        SampleRuns.figures(99.9986, 34.0 * (1 << 20)),
                                        GcStatistics.absent("the log holds no pause that the formula counts")))),
                        SampleRuns.process(
                                NodeRole.BACKEND,
                                "Netty Service",
                                Optional.of(SampleRuns.gc(
                                        SampleRuns.figures(99.94, 17.93 * (1 << 20)),
                                        SampleRuns.figures(87.68, 17.0 * (1 << 20))))))));
        ReportOptions options = ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE);
        Report report = ReportGenerator.generate(results, temporary.resolve("report"), options);

        ResultRow row = new ResultsImporter()
                .read(report.directory().resolve("summary.csv"))
                .rows()
                .get(0);
        assertThat(row.cells())
                .containsEntry("WSO2 API Manager GC Throughput (%)", "")
                .containsEntry("Average WSO2 API Manager Memory Footprint After Full GC (M)", "34")
                .containsEntry("Netty Service GC Throughput (%)", "87.68")
                .containsEntry("Average Netty Service Memory Footprint After Full GC (M)", "17.93")
                .containsEntry("verdict", "valid");
        String gateway = "the published formula gives no GC throughput of WSO2 API Manager; it is 99.9986 %";
        String backend = "the GC throughput of Netty Service is 99.9400 %; the published formula gives 87.68 %";
        for (String name : List.of("summary.csv", "summary.jsonl", "summary.md", "index.html")) {
            assertThat(Files.readString(report.directory().resolve(name)))
                    .as(name)
                    .contains(gateway)
                    .contains(backend);
        }
        assertThat(Files.readString(report.directory().resolve("summary.md")))
                .contains("| passthrough/2G_heap/50_users/50B/0ms_sleep | Netty Service | 99.94 | 2048 | 17.93 |");
        Report asPublished = ReportGenerator.generate(
                results, temporary.resolve("wso2"), options.withStatistics(ReportOptions.Statistics.WSO2));
        assertThat(new ResultsImporter()
                        .read(asPublished.directory().resolve("summary.csv"))
                        .rows()
                        .get(0)
                        .cells())
                .containsEntry("Average Netty Service Memory Footprint After Full GC (M)", "17");
    }

    @Test
    void drawsDoubtfulRowsAsHollowMarksAndNoPanelForWhatWasNotPlanned() throws IOException {
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        results.write(SampleRuns.completed(SampleRuns.testCase("passthrough", 50, 50), 2500, 0));
        results.write(SampleRuns.completed(SampleRuns.testCase("passthrough", 100, 50), 2450, 90));
        results.write(SampleRuns.completed(SampleRuns.testCase("transformation", 50, 1024), 1500, 0));
        Report report = ReportGenerator.generate(
                results,
                temporary.resolve("report"),
                ReportOptions.defaults().withCharts(ReportOptions.Charts.STANDARD));

        Path charts = report.directory().resolve("charts");
        String throughput = Files.readString(charts.resolve("lineplot-throughput-2G-50B-0ms.svg"));
        assertThat(throughput).contains("Hollow marks: rows that are doubtful or invalid by their verdict.");
        String background = "fill=\"#ffffff\"";
        assertThat(throughput.split(background, -1))
                .as("background and one mark")
                .hasSize(3);
        assertThat(Files.readString(charts.resolve("response_time_0ms.svg")))
                .contains("Passthrough, 50B")
                .contains("Transformation, 1KiB")
                .doesNotContain("Passthrough, 1KiB")
                .doesNotContain("no figures");
        assertThat(charts.resolve("lineplot-throughput-2G-50B-0ms.png")).isNotEmptyFile();
        assertThat(charts.resolve("lineplot-throughput-2G-1KiB-0ms.svg"))
                .as("one value says nothing")
                .doesNotExist();
    }

    @ParameterizedTest
    @EnumSource(ReportOptions.Charts.class)
    void linksTheChartsThatWereDrawnAndNoOther(ReportOptions.Charts charts) throws IOException {
        Report report = generate(ReportOptions.defaults().withCharts(charts));

        List<String> links = Pattern.compile("\\]\\((charts/[^)]*)\\)")
                .matcher(Files.readString(report.directory().resolve("documentation.md")))
                .results()
                .map(link -> link.group(1))
                .toList();
        assertThat(links)
                .allSatisfy(link -> assertThat(report.directory().resolve(link)).exists());
        assertThat(links.isEmpty()).isEqualTo(charts == ReportOptions.Charts.NONE);
    }

    @Test
    void saysWhatRanAndWithWhichClient() throws IOException {
        TestCaseResult.Completed jvms = SampleRuns.completed(SampleRuns.testCase("passthrough", 50, 50), 2500, 0);
        assertThat(summary("jvms", jvms))
                .contains("each in a JVM of its own")
                .contains("Our test client is [Apache JMeter]");
        List<ProcessReport> processes = new ArrayList<>(jvms.processes());
        processes.set(
                0,
                new ProcessReport(
                        NodeRole.GATEWAY,
                        "WSO2 API Manager",
                        "localhost",
                        List.of("/usr/sbin/nginx", "-c", "java.conf"),
                        DataSize.parse("2G"),
                        "gateway",
                        Optional.empty(),
                        Optional.empty(),
                        Map.of(),
                        List.of()));
        String nativeGateway = summary(
                "native",
                SampleRuns.withMethod(
                        SampleRuns.withProcesses(jvms, processes),
                        new LoadResult.Method("closed", true, false, false)));
        assertThat(nativeGateway)
                .contains("each in a process of its own")
                .contains(
                        "Our test client is an HTTP client of Gatebench's own, driven by the engine of [Apache JMeter]");
        assertThat(Files.readString(temporary.resolve("native-report/documentation.md")))
                .doesNotContain("## GC throughput")
                .doesNotContain("charts/gc_");
        assertThat(Files.readString(temporary.resolve("jvms-report/documentation.md")))
                .contains("## GC throughput");
    }

    private String summary(String name, TestCaseResult.Completed result) throws IOException {
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve(name), SampleRuns.local());
        results.write(result);
        Report report = ReportGenerator.generate(
                results,
                temporary.resolve(name + "-report"),
                ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));
        return Files.readString(report.directory().resolve("summary.md"));
    }

    @Test
    void leavesNoChartOfAnEarlierReport() throws IOException {
        Report first = generate(ReportOptions.defaults().withCharts(ReportOptions.Charts.PUBLISHED));
        Path own = Files.writeString(first.directory().resolve("charts/own.png"), "mine");
        ResultsDirectory results = ResultsDirectory.open(temporary.resolve("results"));

        ReportGenerator.generate(
                results, first.directory(), ReportOptions.defaults().withCharts(ReportOptions.Charts.STANDARD));
        assertThat(first.directory().resolve("charts/catplot-sent-2G-0ms.svg")).doesNotExist();
        assertThat(first.directory().resolve("charts/thrpt_0ms.svg")).exists();

        ReportGenerator.generate(
                results, first.directory(), ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));
        assertThat(first.directory().resolve("charts")).isDirectoryContaining(own::equals);
        assertThat(first.directory().resolve("charts/thrpt_0ms.svg")).doesNotExist();
        assertThat(first.directory().resolve("charts.csv")).doesNotExist();
    }

    @Test
    void readsItsOwnTableBack() {
        Report report = generate(ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));
        ResultsDirectory results = ResultsDirectory.open(temporary.resolve("results"));
        String table = ReportGenerator.table(results, ReportOptions.defaults());

        assertThat(ReportGenerator.table(report.directory().resolve("summary.csv"))
                        .markdown())
                .isEqualTo(table);
        assertThat(ReportGenerator.table(report.directory().resolve("summary.md"))
                        .markdown())
                .isEqualTo(table);
        assertThat(new ResultsImporter()
                        .read(report.directory().resolve("summary.csv"))
                        .problems())
                .isEmpty();
    }

    @Test
    void lettingATemplateOfTheUserReplaceABuiltInOne() throws IOException {
        Path templates = Files.createDirectories(temporary.resolve("templates"));
        Files.writeString(templates.resolve("summary.md.ftl"), "Ours: ${applicationName}\n${table}");

        Report report = generate(
                ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE).withTemplates(templates));

        assertThat(Files.readString(report.directory().resolve("summary.md")))
                .startsWith("Ours: WSO2 API Manager\n|  Scenario Name");
        Files.writeString(templates.resolve("summary.md.ftl"), "one\n${nothing}");
        assertThatThrownBy(() -> ReportGenerator.generate(
                        ResultsDirectory.open(temporary.resolve("results")),
                        temporary.resolve("broken"),
                        ReportOptions.defaults().withTemplates(templates)))
                .isInstanceOf(ReportException.class)
                .hasMessageContaining("template summary.md.ftl, line 2");
    }

    @Test
    void publishesAHeaderAndNoRowForARunWithoutResults() throws IOException {
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve("none"), SampleRuns.local());

        Report report = ReportGenerator.generate(results, temporary.resolve("none"), ReportOptions.defaults());

        assertThat(Files.readAllLines(report.directory().resolve("summary.csv")))
                .hasSize(1);
        assertThat(Files.readString(report.directory().resolve("summary.md")))
                .contains(
                        "|---:|\n\nThe following must be known about these results.\n\n- Quick profile: not a release figure.\n- All roles shared 2 processors.\n- Of the ")
                .contains(" are missing, because they were not measured or were deleted: passthrough/2G_heap/")
                .endsWith(".\n");
    }

    @Test
    void saysOnTheFirstScreenWhatAComparisonWithTheBaselineSays() throws IOException {
        Report before = generate(ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));
        Path baseline = Files.copy(before.directory().resolve("summary.csv"), temporary.resolve("baseline.csv"));

        Report report = ReportGenerator.generate(
                ResultsDirectory.open(temporary.resolve("results")),
                temporary.resolve("report"),
                ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE).withBaseline(baseline));

        assertThat(Files.readString(report.directory().resolve("index.html")))
                .doesNotContain("No baseline was given")
                .contains("undecided whether results is slower than baseline.csv: of 18 figures")
                .contains("throughput of the run as a whole: +0.0 %");
    }

    private Report generate(ReportOptions options) {
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        SampleRuns.results().forEach(results::write);
        return ReportGenerator.generate(results, temporary.resolve("report"), options);
    }

    private static void assertGolden(Path actual, String name) throws IOException {
        Path golden = Path.of("src/test/resources/golden/report").resolve(name);
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(golden.getParent());
            Files.copy(actual, golden, StandardCopyOption.REPLACE_EXISTING);
        }
        assertThat(Files.readString(actual, StandardCharsets.UTF_8))
                .as(name + " (refresh with -Dgatebench.test.jvm=-Dgolden.update=true)")
                .isEqualTo(Files.readString(golden, StandardCharsets.UTF_8));
    }
}
