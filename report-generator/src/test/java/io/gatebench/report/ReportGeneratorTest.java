/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.report.past.PastReader;
import io.gatebench.report.render.Checksums;
import io.gatebench.report.results.ResultsDirectory;

class ReportGeneratorTest {

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
        assertThat(narrow.get(0).split(",")).hasSize(199);
        for (int i = 0; i < narrow.size(); i++) {
            assertThat(wide.get(i)).startsWith(narrow.get(i) + ",");
        }
        assertThat(wide.get(0)).contains(",Verdict,Verdict Reasons,");
    }

    @Test
    void leavesNoChartOfAnEarlierReport() throws IOException {
        Report first = generate(ReportOptions.defaults());
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
        assertThat(new PastReader()
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
                .endsWith(
                        "|---:|\n\nThe following must be known about these results.\n\n- Quick profile: not a release figure.\n- All roles shared 2 processors.\n");
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
