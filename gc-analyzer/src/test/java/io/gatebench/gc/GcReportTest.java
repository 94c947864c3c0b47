/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

import io.gatebench.model.GcSummary;

class GcReportTest {

    @Test
    void writesNullWithAReasonWhereAValueIsAbsent() {
        GcSummary summary = GcLogAnalyzer.analyze(
                List.of(Truth.log("jdk25-zgc")), GcLogOptions.defaults().withCompat());

        String json = GcReport.json(List.of(summary));

        assertThat(json)
                .contains("\"collector\": \"ZGC generational\"", "\"pauseCount\": 82", "\"gcThroughputPercent\": null")
                .contains("\"gcThroughputPercent\": \"GCViewer found no collection in this log\"");
        assertThat(GcReport.csv(List.of(summary)).lines()).hasSize(3).anyMatch(line -> line.contains(",compat,N/A"));
        assertThat(GcReport.table(List.of(summary))).contains("GC throughput (%)");
    }

    @Test
    void leavesThePublishedFormulasOutWhereNobodyAskedForThem() {
        GcSummary bare = GcLogAnalyzer.analyze(Truth.log("jdk25-g1"));
        GcSummary full = GcLogAnalyzer.analyze(
                List.of(Truth.log("jdk25-g1")), GcLogOptions.defaults().withCompat());

        String reason = bare.compat().pauseCount().fold(value -> "", text -> text);

        assertThat(reason).contains("not asked for");
        assertThat(GcReport.table(List.of(bare))).doesNotContain("compat");
        assertThat(GcReport.table(List.of(full))).contains("compat");
        assertThat(bare.exact()).isEqualTo(full.exact());
        // What reads a JDK 8 log gives them with the rest.
        assertThat(GcLogAnalyzer.analyze(Truth.log("jdk8-parallel"))
                        .compat()
                        .pauseCount()
                        .value())
                .isPresent();
    }

    @Test
    void comparesTwoLogs() {
        GcComparison comparison = GcComparison.of(
                GcLogAnalyzer.analyze(Truth.log("jdk25-g1-evacuation-failures")),
                GcLogAnalyzer.analyze(Truth.log("jdk17-g1-utctime")));

        assertThat(comparison.rows())
                .anyMatch(row -> row.name().equals("gcThroughputPercent")
                        && row.verdict().equals("better"));
        assertThat(comparison.rows())
                .anyMatch(row ->
                        row.name().equals("safepointSeconds") && row.verdict().equals("not comparable"));
    }

    @Test
    void drawsWellFormedSvgWithEveryPause() throws Exception {
        List<GcEvent> events = GcLogAnalyzer.events(Truth.log("jdk25-g1-evacuation-failures"));

        for (String svg : List.of(
                GcChart.heap("a < b & \"c\"", events),
                GcChart.pauses("pauses", events),
                GcChart.histogram("histogram", events),
                GcChart.heap("empty", List.of()))) {
            Document document = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
            assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
        }
        assertThat(GcChart.pauses("pauses", events).split("<circle")).hasSize(129 + 1);
    }

    @Test
    void findsWhatIsWrongWithACrowdedHeap() {
        GcSummary summary = GcLogAnalyzer.analyze(Truth.log("jdk25-g1-evacuation-failures"));

        assertThat(summary.findings())
                .extracting("rule")
                .contains("evacuation-failures", "full-gc-unasked", "humongous-allocations");
        assertThat(summary.findings())
                .allSatisfy(finding -> assertThat(finding.source()).isNotBlank());
    }
}
