/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

import io.gatebench.report.ReportGenerator;
import io.gatebench.report.summary.SummaryTable;

class ChartsTest {

    @TempDir
    private Path temporary;

    @Test
    void hasTheEstablishedFileNamesAndTitles() throws IOException {
        List<Chart> charts = Charts.of(published("apim-3.2-276"), true);

        assertThat(charts)
                .extracting(Chart::fileName)
                .doesNotHaveDuplicates()
                .contains(
                        "thrpt_0ms",
                        "avgt_0ms",
                        "gc_0ms",
                        "loadavg_0ms",
                        "network_0ms",
                        "response_time_0ms",
                        "response_time_summary_50B_0ms",
                        "response_time_summary_1KiB_0ms",
                        "response_time_summary_100KiB_0ms",
                        "lineplot-throughput-2G-1KiB-0ms",
                        "lineplot-average-response-time-2G-1KiB-0ms",
                        "lineplot-999th-percentile-of-response-time-2G-50B-0ms",
                        "lineplot-wso2-api-manager-gc-throughput-2G-50B-0ms",
                        "lmplot-throughput-concurrent-users-2G",
                        "lmplot-throughput-message-size-2G",
                        "lmplot-average-response-time-message-size-2G",
                        "catplot-sent-2G-0ms");
        assertThat(charts)
                .extracting(Chart::title)
                .contains(
                        "Throughput vs Concurrent Users for 0ms backend delay",
                        "Average Response Time vs Concurrent Users for 0ms backend delay",
                        "GC Throughput vs Concurrent Users for 0ms backend delay",
                        "Load Average with 0ms backend delay",
                        "Network Throughput with 0ms backend delay",
                        "Response Time Percentiles with 0ms backend delay",
                        "Response Time Summary for 1KiB message size with 0ms backend delay",
                        "Throughput (Requests/sec) vs Concurrent Users",
                        "Throughput (Requests/sec) vs Message Size (Bytes)");
        assertThat(chart(charts, "lineplot-throughput-2G-1KiB-0ms").subtitle())
                .isEqualTo("Memory = 2G, Message Size = 1KiB, Back-end Service Delay = 0ms");
    }

    @Test
    void drawsByDefaultOnlyWhatSaysSomething() throws IOException {
        List<Chart> charts = Charts.of(published("apim-3.2-276"), false);

        assertThat(charts)
                .hasSizeLessThan(Charts.of(published("apim-3.2-276"), true).size() / 3);
        assertThat(charts)
                .extracting(Chart::fileName)
                .contains("thrpt_0ms", "gc_0ms", "response_time_0ms", "lmplot-throughput-message-size-2G")
                .noneMatch(name -> name.startsWith("loadavg") || name.startsWith("network"));
        assertThat(charts)
                .allMatch(chart -> chart.panels().stream()
                        .noneMatch(panel -> panel.series().stream()
                                .allMatch(series -> series.points().isEmpty())));
    }

    @Test
    void takesPointsAboveOneValueForNothingToSee() {
        assertThat(chart(Chart.Kind.LINES, 50).saysSomething()).isFalse();
        assertThat(chart(Chart.Kind.LINES, 50, 100).saysSomething()).isTrue();
        assertThat(chart(Chart.Kind.REGRESSION, 50, 100).saysSomething()).isFalse();
        assertThat(chart(Chart.Kind.REGRESSION, 50, 100, 200).saysSomething()).isTrue();
    }

    private static Chart chart(Chart.Kind kind, double... xs) {
        List<Chart.Point> points =
                DoubleStream.of(xs).mapToObj(x -> new Chart.Point(x, 1, false)).toList();
        Chart.Series series = new Chart.Series("s", points);
        return new Chart(
                "f",
                "t",
                "",
                "l",
                List.of(new Chart.Panel("", "x", "y", kind, Chart.Unit.NUMBER, false, List.of(series))),
                List.of());
    }

    @Test
    void drawsEachRowOrListsItBelowTheChart() throws IOException {
        SummaryTable table = published("apim-3.2-276");
        List<Chart> charts = Charts.of(table, true);

        Chart regression = chart(charts, "lmplot-throughput-concurrent-users-2G");

        int drawn = regression.panels().get(0).series().stream()
                .mapToInt(series -> series.points().size())
                .sum();
        assertThat(drawn + regression.leftOut().size()).isEqualTo(table.rows().size());
        assertThat(regression.leftOut())
                .hasSize(3)
                .allMatch(line -> line.contains("100KiB") && line.endsWith("errors)"));
        assertThat(Charts.svg(regression))
                .contains("Not drawn: ")
                .contains(regression.leftOut().get(2));
    }

    @Test
    void writesWellFormedSvgAndAnImageOfTwiceItsSizeInAnyLocale() throws Exception {
        Locale before = Locale.getDefault();
        try {
            List<Chart> charts = Charts.of(published("mi-1.2.0-24rows"), false);
            Locale.setDefault(Locale.ROOT);
            String root = Charts.svg(charts.get(0));
            Locale.setDefault(Locale.GERMANY);
            assertThat(Charts.svg(charts.get(0))).isEqualTo(root);
            for (Chart chart : charts) {
                String svg = Charts.svg(chart);
                int width = Integer.parseInt(DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(svg)))
                        .getDocumentElement()
                        .getAttribute("width"));
                byte[] png = Charts.png(chart);
                assertThat(ImageIO.read(new ByteArrayInputStream(png)).getWidth())
                        .isEqualTo(2 * width);
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void saysWhenPanelsHaveAxesOfTheirOwn() throws IOException {
        List<Chart> charts = Charts.of(published("apim-3.2-276"), false);

        assertThat(Charts.svg(chart(charts, "response_time_0ms"))).contains("The vertical axes of the panels differ.");
        assertThat(Charts.svg(chart(charts, "thrpt_0ms"))).doesNotContain("axes of the panels differ");
    }

    @Test
    void escapesNames() {
        assertThat(SvgCanvas.escape("<script>\"&\u0000")).isEqualTo("&lt;script&gt;&quot;&amp;\uFFFD");
    }

    private static Chart chart(List<Chart> charts, String name) {
        return charts.stream()
                .filter(chart -> chart.fileName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private SummaryTable published(String name) throws IOException {
        Path csv = temporary.resolve(name + ".csv");
        try (InputStream in = ChartsTest.class.getResourceAsStream("/past/" + name + ".csv")) {
            Files.write(csv, in.readAllBytes());
        }
        return ReportGenerator.table(csv).table();
    }
}
