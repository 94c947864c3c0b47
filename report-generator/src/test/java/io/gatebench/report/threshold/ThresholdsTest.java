/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.threshold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatebench.report.column.Unit;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.ResultsImporter;

class ThresholdsTest {

    @TempDir
    Path directory;

    private List<ResultRow> rows = List.of();

    @BeforeEach
    void read() throws Exception {
        Path file = directory.resolve("in.csv");
        Files.writeString(file, """
                Scenario Name,Heap Size,Concurrent Users,Message Size (Bytes),Back-end Service Delay (ms),# Samples,Error Count,Error %,Throughput (Requests/sec),Average Response Time (ms),99th Percentile of Response Time (ms),App GC Throughput (%)
                Passthrough,2G,100,50,0,100000,0,0,1000,100,61.2,95
                Passthrough,2G,200,50,0,100000,0,0,990,202,40,89.5
                Direct Proxy,2G,100,50,0,100000,99900,99.9,9000,11,3,99
                """);
        rows = new ResultsImporter().read(file).rows();
    }

    @Test
    void saysWhichCellMissesALimitAndByHowMuch() {
        assertThat(texts("p99 < 50ms for passthrough"))
                .containsExactly(
                        "Passthrough/2G_heap/100_users/50B/0ms_sleep: p99 is 61.2 ms, 11.2 ms (22.4 %) above; required is < 50 ms");
        assertThat(texts("passthrough: gc-throughput > 90"))
                .containsExactly(
                        "Passthrough/2G_heap/200_users/50B/0ms_sleep: gc-throughput is 89.5 %, 0.5 % (0.55556 %) below; required is > 90 %");
        assertThat(texts("throughput >= 1000 for 2G_heap/200_users"))
                .containsExactly(
                        "Passthrough/2G_heap/200_users/50B/0ms_sleep: throughput is 990/s, 10/s (1 %) below; required is >= 1000/s");
        assertThat(texts("errors == 0"))
                .containsExactly(
                        "Direct Proxy/2G_heap/100_users/50B/0ms_sleep: errors is 99900, 99900 above; required is == 0");
    }

    @Test
    void isNotMetByTheSpeedOfRefusals() {
        assertThat(texts("DirectProxy: p99 < 50ms"))
                .containsExactly(
                        "Direct Proxy/2G_heap/100_users/50B/0ms_sleep: p99 is 3 ms, which proves nothing: 99.9 % of the samples failed");
    }

    @Test
    void isNotMetWhereNothingShowsIt() {
        assertThat(texts("p999 < 1s for passthrough/100_users"))
                .containsExactly(
                        "Passthrough/2G_heap/100_users/50B/0ms_sleep: p999 is missing (the row holds no number for it)");
        assertThat(texts("nosuch: p99 < 1s")).containsExactly("'nosuch: p99 < 1s' holds for none of the 3 test cases");
    }

    @Test
    void readsSeveralAtOnceWithUnits() {
        Thresholds thresholds = Thresholds.parse("p99 < 0.05s, errors<=0.1%,footprint < 1G");

        assertThat(thresholds.all()).extracting(Threshold::limit).containsExactly(50.0, 0.1, 1024.0);
        assertThat(thresholds.all().get(1).figure().unit()).isEqualTo(Unit.PERCENT);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    p98x < 5         | 1  | 'p98x' is no figure
                    p99 5            | 5  | a comparison is expected, one of <= < >= > == !=
                    p99 < fast       | 7  | a number is expected
                    p99 < 50 kg      | 10 | 'kg' is no unit of a time; write us, ms or s
                    p99 < 50ms soon  | 12 | 'soon' is left over
                    errors > 200%    | 10 | a percentage is at most 100
                    : p99 < 5        | 1  | a scenario or test case is expected before the colon
                    """)
    void namesThePlaceOfAMistake(String text, int position, String problem) {
        assertThatThrownBy(() -> Thresholds.parse(text))
                .isInstanceOf(ThresholdSyntaxException.class)
                .hasMessageStartingWith("threshold '" + text.strip() + "', position " + position + ": ")
                .hasMessageContaining(problem);
    }

    @Property(tries = 2000)
    void anyTextIsReadOrRefusedWithItsPlace(@ForAll @StringLength(max = 60) String text) {
        try {
            Thresholds.parse(text);
        } catch (ThresholdSyntaxException e) {
            assertThat(e.position()).isBetween(0, 60);
        }
    }

    private List<String> texts(String threshold) {
        return Thresholds.parse(threshold).violations(rows).stream()
                .map(Thresholds.Outcome::text)
                .toList();
    }
}
