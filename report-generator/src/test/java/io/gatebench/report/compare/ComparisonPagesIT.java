/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.report.HeadlessBrowser;
import io.gatebench.report.past.PastReader;
import io.gatebench.report.trend.TrendAnalyzer;
import io.gatebench.report.trend.TrendWriter;

/** The pages of a comparison and of a trend in a real browser. */
class ComparisonPagesIT {

    private static final String HEADER =
            "Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),Back-end Service Delay (ms),Error %,"
                    + "Throughput (Requests/sec),Average Response Time (ms),99th Percentile of Response Time (ms)\n";
    private static final String EVIL = "<img src=x onerror=document.title='owned'>";

    @TempDir
    private Path temporary;

    private HeadlessBrowser browser;

    @BeforeEach
    void findBrowser() {
        browser = HeadlessBrowser.found(temporary);
    }

    @Test
    void drawsFiltersAndMarksTheCellOfThePermalink() throws Exception {
        PastReader reader = new PastReader();
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
        assertThat(HeadlessBrowser.countOf(page, "<svg viewBox")).isEqualTo(3 + 6);
    }

    @Test
    void drawsTheLevelsOfATrend() throws Exception {
        StringBuilder csv = new StringBuilder("Date,Scenario Name,Throughput,Error %\n");
        for (int i = 0; i < 30; i++) {
            csv.append(String.format(Locale.ROOT, "2026-01-%02d,\"", i + 1))
                    .append(EVIL)
                    .append("\",");
            csv.append(i < 15 ? 1000 + i % 4 : 800 + i % 4).append(i == 3 ? ",100\n" : ",0\n");
        }
        Path file = Files.writeString(temporary.resolve("long.csv"), csv);
        new TrendWriter()
                .writeAll(
                        new TrendAnalyzer().analyze(new PastReader().read(file), "Throughput", Optional.of("Date")),
                        temporary.resolve("out"));

        String page = browser.open(temporary.resolve("out/trend.html"), "");

        assertThat(page)
                .contains("data-ready=\"true\"")
                .contains("1 of 1 rows")
                .contains("-20.0 %")
                .contains("all samples failed")
                .doesNotContain("<title>owned");
        assertThat(temporary.resolve("out/charts/trend-1.svg")).exists();
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
