/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.PayloadKind;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.RunInfo;
import io.gatebench.model.TestCase;
import io.gatebench.report.ReportGenerator;
import io.gatebench.report.ReportOptions;
import io.gatebench.report.SampleRuns;
import io.gatebench.report.results.ResultsDirectory;

/** The page in a real browser: what its scripts make of it, and that nothing is asked of the network. */
class HtmlReportIT {

    private static final String EVIL =
            "<img src=x onerror=document.title='owned'></script><script>document.title='owned'</script>";

    @TempDir
    private Path temporary;

    private String chromium = "";

    @BeforeEach
    void findBrowser() {
        Optional<String> found = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(directory -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
        assumeThat(found)
                .as("a Chromium on the PATH; install the package chromium to run the tests of the HTML report")
                .isPresent();
        chromium = found.orElseThrow();
    }

    @Test
    void drawsTheOverviewAndCountsTheRows() throws Exception {
        String page = open(report(), "");

        assertThat(page)
                .contains("data-ready=\"true\"")
                .contains("8 of 8 test cases")
                .contains("Throughput (Requests/sec) against concurrent users");
        assertThat(countOf(page, "class=\"pt\"")).isEqualTo(12);
    }

    @Test
    void opensTheCaseThatThePermalinkNames() throws Exception {
        String id = "passthrough/2G_heap/100_users/50B/0ms_sleep";
        String page = open(report(), "#cell=" + URLEncoder.encode(id, StandardCharsets.UTF_8));

        assertThat(page)
                .contains("<h2 id=\"h-detail\">" + id + "</h2>")
                .contains("Response time by percentile")
                .contains("measurement window")
                .contains("heap over time")
                .contains("-Xmx2g")
                .contains("status 500")
                .contains("&lt;script&gt;alert(");
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

        String page =
                open(results.root().resolve("index.html"), "#cell=passthrough%2F2G_heap%2F50_users%2F50B%2F0ms_sleep");

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

    /** Returns the page as the browser has it after its scripts ran; fails if they wrote to the console. */
    private String open(Path page, String fragment) throws Exception {
        Path out = temporary.resolve("dom.html");
        Path err = temporary.resolve("console.txt");
        Process process = new ProcessBuilder(
                        chromium,
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--user-data-dir=" + temporary.resolve("profile"),
                        "--enable-logging=stderr",
                        "--virtual-time-budget=3000",
                        "--dump-dom",
                        page.toUri() + fragment)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        if (!process.waitFor(90, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("the browser did not end within 90 s");
        }
        assertThat(Files.readAllLines(err))
                .filteredOn(line -> line.contains("CONSOLE"))
                .isEmpty();
        return Files.readString(out);
    }

    private static int countOf(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1;
    }
}
