/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.DataSize;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.RunInfo;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.report.HeadlessBrowser;
import io.gatebench.report.ReportGenerator;
import io.gatebench.report.SampleRuns;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.results.ResultsDirectory;

/** The page in a real browser: what its scripts make of it, and that nothing is asked of the network. */
class HtmlReportIT {

    private static final String EVIL =
            "<img src=x onerror=document.title='owned'></script><script>document.title='owned'</script>";

    @TempDir
    private Path temporary;

    private HeadlessBrowser browser;

    @BeforeEach
    void findBrowser() {
        browser = HeadlessBrowser.found(temporary);
    }

    @Test
    void drawsTheOverviewAndCountsTheRows() throws Exception {
        String page = browser.open(report(), "");

        assertThat(page)
                .contains("data-ready=\"true\"")
                .contains("8 of 8 test cases")
                .contains("Passthrough: throughput", "99th percentile", "<canvas");
        assertThat(HeadlessBrowser.countOf(page, "class=\"chart\"")).isEqualTo(4);
    }

    @Test
    void opensTheCaseThatThePermalinkNames() throws Exception {
        String id = "passthrough/2G_heap/100_users/50B/0ms_sleep";
        String page = browser.open(report(), "#cell=" + URLEncoder.encode(id, StandardCharsets.UTF_8));

        assertThat(page)
                .contains("<h2 id=\"h-detail\">" + id + "</h2>")
                .contains("Response time by percentile")
                .contains("measurement window")
                .contains("GC of the WSO2 API Manager: heap and pauses")
                .contains("-Xmx2g")
                .contains("status 500")
                .contains("&lt;script&gt;alert(");
    }

    @Test
    void holdsTheLargestPublishedMatrix() throws Exception {
        RunInfo info = SampleRuns.local();
        List<Integer> users = List.of(50, 100, 200, 300, 500, 1000);
        PerfPlan plan = SampleRuns.plan(
                info.plan().scenarios(),
                new ParameterMatrix(
                        info.plan().matrix().heaps(),
                        users,
                        List.of(50, 1024, 10240),
                        List.of(),
                        List.of(),
                        Stream.of(0, 30, 500, 1000).map(Duration::ofMillis).toList()),
                60,
                10);
        ResultsDirectory results = ResultsDirectory.create(
                temporary.resolve("many"), SampleRuns.info("Many rows", RunInfo.Variant.GATEWAY, plan, "local"));
        for (TestScenario scenario : plan.scenarios()) {
            for (int count : users) {
                for (int size : plan.matrix().messageSizes()) {
                    for (Duration delay : plan.matrix().backendDelays()) {
                        TestCase testCase = new TestCase(
                                scenario.name(), DataSize.parse("2G"), count, MessageLevel.bytes(size), delay);
                        results.write(SampleRuns.completed(testCase, 1000 + count, 0));
                    }
                }
            }
        }
        ReportGenerator.generate(
                results, results.root(), ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));

        String page = browser.open(
                results.root().resolve("index.html"),
                "#cell=transformation%2F2G_heap%2F1000_users%2F10240B%2F1000ms_sleep");

        assertThat(page)
                .contains("data-ready=\"true\"")
                .contains("144 of 144 test cases")
                .contains("<h2 id=\"h-detail\">transformation/2G_heap/1000_users/10240B/1000ms_sleep</h2>");
        assertThat(HeadlessBrowser.countOf(page, "<tr id=\"row-")).isEqualTo(144);
    }

    @Test
    void runsNothingThatCameFromOutside() throws Exception {
        RunInfo info = SampleRuns.local();
        PerfPlan evil = SampleRuns.plan(
                List.of(SampleRuns.scenario("passthrough", EVIL, EVIL, PayloadKind.JSON_ARRAY)),
                info.plan().matrix(),
                60,
                10);
        ResultsDirectory results = ResultsDirectory.create(
                temporary.resolve("evil"), SampleRuns.info(EVIL, RunInfo.Variant.GATEWAY, evil, "local"));
        results.write(SampleRuns.completed(SampleRuns.testCase("passthrough", 50, 50), 1000, 500));
        ReportGenerator.generate(
                results, results.root(), ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));

        String page = browser.open(
                results.root().resolve("index.html"), "#cell=passthrough%2F2G_heap%2F50_users%2F50B%2F0ms_sleep");

        assertThat(page)
                .contains("data-ready=\"true\"")
                .doesNotContain("<title>owned")
                .doesNotContain("<img");
    }

    @Test
    void namesNoOtherHost() throws IOException {
        String page = Files.readString(report());

        Matcher urls = Pattern.compile("(?:src|href|url\\(|@import)\\s*=?\\s*[\"'(]?\\s*(https?:)?//")
                .matcher(page);
        assertThat(urls.find()).isFalse();
        assertThat(page).contains("default-src 'none'");
    }

    private Path report() throws IOException {
        ResultsDirectory results = ResultsDirectory.create(temporary.resolve("results"), SampleRuns.local());
        SampleRuns.results().forEach(results::write);
        TestCase testCase = SampleRuns.testCase("passthrough", 100, 50);
        Path directory = results.caseDirectory(testCase, 1);
        Files.createDirectories(directory.resolve("load"));
        Files.createDirectories(directory.resolve("gateway"));
        Histogram histogram = new Histogram(3);
        for (int micros = 1; micros <= 20_000; micros++) {
            histogram.recordValue(micros);
        }
        histogram.setTag("HTTP_Request/success/measurement");
        try (PrintStream out =
                new PrintStream(directory.resolve("load/load.hlog").toFile(), StandardCharsets.UTF_8)) {
            HistogramLogWriter log = new HistogramLogWriter(out);
            log.outputLogFormatVersion();
            log.outputLegend();
            log.outputIntervalHistogram(histogram);
        }
        long start = SampleRuns.START.toEpochMilli();
        Files.writeString(
                directory.resolve("gateway/gc-events.csv"),
                "epochMillis,uptimeSeconds,kind,pauseMillis,heapBeforeBytes,heapAfterBytes,heapCapacityBytes\n"
                        + (start + 5_000) + ",5,young,3.5,400000000,90000000,2147483648\n" + (start + 20_000)
                        + ",20,young,4.5,410000000,95000000,2147483648\n");
        ReportGenerator.generate(
                results, results.root(), ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));
        return results.root().resolve("index.html");
    }
}
