/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;
import io.gatebench.report.HeadlessBrowser;
import io.gatebench.report.ReportGenerator;
import io.gatebench.report.SampleRuns;
import io.gatebench.report.importer.ResultsImporter;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.render.GcPage;
import io.gatebench.report.trend.TrendAnalyzer;
import io.gatebench.report.trend.TrendWriter;

/** The pages of a comparison, of a trend, of a table alone and of GC logs in a real browser. */
class ComparisonPagesIT {

    private static final String HEADER =
            "Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),Back-end Service Delay (ms),Error %,"
                    + "Throughput (Requests/sec),Average Response Time (ms),99th Percentile of Response Time (ms)\n";
    private static final String EVIL = "<img src=x onerror=document.title='owned'>";

    private static HeadlessBrowser browser;

    @TempDir
    private Path temporary;

    @BeforeAll
    static void startTheBrowser(@TempDir Path work) throws Exception {
        browser = HeadlessBrowser.start(work);
    }

    @AfterAll
    static void endTheBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @Test
    void drawsFiltersAndMarksTheCellOfThePermalink() throws Exception {
        ResultsImporter reader = new ResultsImporter();
        Comparison comparison = new RunComparator(ComparisonOptions.defaults())
                .compare(List.of(reader.read(csv("a.csv", 1000)), reader.read(csv("b.csv", 400))));
        new ComparisonWriter().writeAll(comparison, temporary.resolve("out"));

        String page = browser.open(temporary.resolve("out/comparison.html"), "#run-1-2");

        assertThat(page)
                .contains("data-ready=\"true\"")
                .contains("12 of 12 rows")
                .contains("class=\"current\"")
                .contains("aria-label=\"b.csv, 200 users: 800 requests/s\"")
                .doesNotContain("<title>owned");
        assertThat(HeadlessBrowser.countOf(page, "<svg viewBox")).isEqualTo(1 + 3 + 6);
    }

    @Test
    void drawsTheLevelsOfATrend() throws Exception {
        StringBuilder csv = new StringBuilder("Date,Version,Commit,Scenario Name,Throughput,Error %\n");
        for (int i = 0; i < 30; i++) {
            csv.append(String.format(Locale.ROOT, "%d,v%d,c0ffee%02d,\"", 1767225600L + 86400 * i, i / 10, i))
                    .append(EVIL)
                    .append("\",");
            csv.append(i < 15 ? 1000 + i % 4 : 800 + i % 4).append(i == 3 || i == 4 ? ",100\n" : ",0\n");
        }
        Path file = Files.writeString(temporary.resolve("long.csv"), csv);
        new TrendWriter(Optional.of("https://example.org/commit/{commit}"))
                .writeAll(
                        new TrendAnalyzer()
                                .analyze(new ResultsImporter().read(file), "Throughput", Optional.of("Date")),
                        temporary.resolve("out"));

        String page = browser.open(temporary.resolve("out/trend.html"), "");

        assertThat(page)
                .contains("data-ready=\"true\"")
                .contains("1 of 1 rows")
                .contains("-20.0 % at 2026-01-16, v1")
                .contains("href=\"https://example.org/commit/c0ffee15\"")
                .contains("<td>4-5</td><td>2026-01-04 to 2026-01-05</td>")
                .contains("all samples failed")
                .doesNotContain("<title>owned");
        assertThat(temporary.resolve("out/charts/trend-1.svg")).exists();
    }

    @Test
    void drawsTheRowsOfATableAndTheirVerdicts() throws Exception {
        ReportGenerator.generate(
                ReportGenerator.table(csv("a.csv", 1000)),
                temporary.resolve("out"),
                ReportOptions.defaults().withCharts(ReportOptions.Charts.NONE));

        String page = browser.open(temporary.resolve("out/index.html"), "#row-1");

        assertThat(page)
                .contains("data-ready=\"true\"")
                .contains("4 of 4 rows")
                .contains("class=\"current\"")
                .contains("aria-label=\"Passthrough: throughput; arrow keys read the figures\"")
                .doesNotContain("<title>owned");
        assertThat(HeadlessBrowser.countOf(page, "class=\"chart\"")).isEqualTo(4);
    }

    @Test
    void drawsTheHeapOfEachLog() throws Exception {
        GcSummary summary = SampleRuns.gc(98, MeasuredValue.of(1 << 20));
        List<GcPage.Event> events = List.of(
                event(1, "young", OptionalDouble.of(3), 100, 20),
                event(2, "cycle", OptionalDouble.empty(), 80, 30),
                event(3, "full", OptionalDouble.of(40), 90, 10));
        Path file = Files.writeString(
                temporary.resolve("gc.html"),
                GcPage.text(
                        List.of(new GcPage.Log(EVIL, summary, events), new GcPage.Log("b.log", summary, List.of()))));

        String page = browser.open(file, "");

        assertThat(page)
                .contains("data-ready=\"true\"")
                .contains("Side by side")
                .contains("GC throughput is 98.0")
                .doesNotContain("<title>owned");
        assertThat(HeadlessBrowser.countOf(page, "class=\"chart\"")).isEqualTo(3);
    }

    private static GcPage.Event event(double second, String kind, OptionalDouble pause, int before, int after) {
        return new GcPage.Event(
                second,
                kind,
                pause,
                OptionalLong.of((long) before << 20),
                OptionalLong.of((long) after << 20),
                OptionalLong.of(128L << 20));
    }

    private Path csv(String name, double throughput) throws IOException {
        StringBuilder text = new StringBuilder(HEADER);
        for (String scenario : List.of("Passthrough", EVIL)) {
            for (int users : new int[] {100, 200}) {
                double all = throughput * users / 100;
                text.append('"')
                        .append(scenario)
                        .append("\",2G,")
                        .append(users)
                        .append(",50,0,0,")
                        .append(all);
                text.append(',').append(1000 * users / all).append(",900\n");
            }
        }
        return Files.writeString(temporary.resolve(name), text);
    }
}
