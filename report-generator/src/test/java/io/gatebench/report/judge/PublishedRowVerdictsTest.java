/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultsImporter;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.Verdict;

class PublishedRowVerdictsTest {

    @TempDir
    Path directory;

    @Test
    void judgesAWholePublishedMatrix() throws Exception {
        ImportedRun results = new ResultsImporter()
                .read(Path.of(getClass().getResource("/past/apim-3.2-276.csv").toURI()));
        List<Verdict> verdicts = Verdicts.ofRows(results.rows());

        Map<Level, Long> levels =
                verdicts.stream().collect(Collectors.groupingBy(Verdict::level, Collectors.counting()));
        assertThat(levels).containsEntry(Level.INVALID, 3L);
        assertThat(verdicts.get(47).text())
                .isEqualTo("invalid (all samples failed; throughput x mean response time is 905 users in the system for"
                        + " 1000 users (-9.48 %); the p999 of 182,271 ms is above the maximum of 181,510 ms by the rounding"
                        + " of a histogram with two significant digits)");
        assertThat(verdicts.get(0)).isEqualTo(Verdict.VALID);
    }

    @Test
    void findsRampUpInsideTheWindowAndWrongUnits() throws Exception {
        ImportedRun results = new ResultsImporter()
                .read(Path.of(
                        getClass().getResource("/past/mi-1.2.0-24rows.csv").toURI()));
        List<Verdict> verdicts = Verdicts.ofRows(results.rows());

        assertThat(verdicts).allMatch(verdict -> rules(verdict).contains(Rule.LITTLES_LAW));
        assertThat(verdicts.get(0).text())
                .isEqualTo(
                        "doubtful (throughput x mean response time is 74.9 users in the system for 100 users (-25.1 %);"
                                + " the footprint of JMeter Client after full GC, 5,949 M, exceeds its largest heap of 2,048 M: it"
                                + " is KiB)");
    }

    @Test
    void countsAProcessorThatWaitsForInputAndOutputAsIdle() throws Exception {
        String header = "Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),Back-end Service Delay (ms),"
                + "# Samples,Error Count,Error %,Throughput (Requests/sec),Average Response Time (ms),"
                + "JMeter Client - CPU - Idle (%),JMeter Client - CPU - I/O Wait (%)\n";
        assertThat(only(header, "A,2G,100,50,0,9000,0,0,1000,100,0,82.5")).isEmpty();
        assertThat(only(header, "A,2G,100,50,0,9000,0,0,1000,100,4,5")).containsExactly(Rule.LOAD_GENERATOR);
    }

    @Test
    void judgesEveryDefectOfARowByItself() throws Exception {
        String header = "Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),Back-end Service Delay (ms),"
                + "# Samples,Error Count,Error %,Throughput (Requests/sec),Average Response Time (ms),"
                + "Minimum Response Time (ms),Maximum Response Time (ms),99th Percentile of Response Time (ms),"
                + "App GC Throughput (%),App Memory Footprint (M),Average App Memory Footprint After Full GC (M),"
                + "App - CPU - Steal (%),JMeter Client - CPU - Idle (%),"
                + "Average JMeter Client Memory Footprint After Full GC (M),JMeter Client Memory Footprint (M)\n";
        assertThat(only(header, "A,2G,100,50,0,9000,0,0,1000,100,1,300,250,99,512,20,0,50,5,1000"))
                .isEmpty();
        assertThat(only(header, "A,2G,100,50,0,9000,9,0.1,1000,100,1,300,250,99,512,20,0,50,5,1000"))
                .containsExactly(Rule.ERRORS);
        assertThat(only(header, "A,2G,100,50,0,9000,900,0,1000,100,1,300,250,99,512,20,0,50,5,1000"))
                .containsExactly(Rule.ERRORS, Rule.ERROR_COUNT);
        assertThat(only(header, "A,2G,100,50,500,9000,0,0,1000,100,1,300,250,99,512,20,0,50,5,1000"))
                .containsExactly(Rule.BELOW_DELAY);
        assertThat(only(header, "A,2G,100,50,0,9000,0,0,1000,100,1,300,310,0,512,20,0,50,5,1000"))
                .containsExactly(Rule.PERCENTILES, Rule.GC_THROUGHPUT);
        assertThat(only(header, "A,2G,100,50,0,9000,0,0,1000,100,1,300,250,99,512,10102.5,3,5,5894,1000"))
                .containsExactly(Rule.FOOTPRINT_UNIT, Rule.LOAD_GENERATOR, Rule.HOST_NOISE);
        assertThat(only(header, "A,2G,100,50,0,9,0,0,N/A,,1,300,250,99,512,20,0,50,5,1000"))
                .containsExactly(Rule.NOT_MEASURED, Rule.FEW_SAMPLES);
    }

    @Test
    void findsTheLimiterThatAFlatMatrixHides() throws Exception {
        StringBuilder flat = new StringBuilder(
                "Scenario Name,Heap Size,Concurrent Users,GraphQL Query Number,Error %,Throughput (Requests/sec)\n");
        StringBuilder sound = new StringBuilder(flat);
        for (int users : new int[] {50, 100, 200}) {
            for (int query = 1; query <= 3; query++) {
                flat.append("StarwarsGraphqlApi,2G,")
                        .append(users)
                        .append(',')
                        .append(query)
                        .append(",0,");
                flat.append(93 + query * 0.5).append('\n');
                sound.append("StarwarsGraphqlApi,2G,")
                        .append(users)
                        .append(',')
                        .append(query)
                        .append(",0,");
                sound.append(2100.0 / query).append('\n');
            }
        }
        assertThat(verdicts(flat.toString())).allMatch(verdict -> rules(verdict).contains(Rule.PLATEAU));
        assertThat(verdicts(sound.toString()))
                .noneMatch(verdict -> rules(verdict).contains(Rule.PLATEAU));
    }

    private Set<Rule> only(String header, String row) throws Exception {
        return rules(verdicts(header + row + "\n").get(0));
    }

    private List<Verdict> verdicts(String csv) throws Exception {
        Path file = directory.resolve("in.csv");
        Files.writeString(file, csv);
        return Verdicts.ofRows(new ResultsImporter().read(file).rows());
    }

    private static Set<Rule> rules(Verdict verdict) {
        return verdict.findings().stream()
                .map(Finding::rule)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Rule.class)));
    }
}
