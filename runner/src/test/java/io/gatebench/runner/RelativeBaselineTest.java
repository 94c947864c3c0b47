/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.report.results.ReportException;
import io.gatebench.runner.RelativeBaseline.Measure;

class RelativeBaselineTest {

    @TempDir
    private Path directory;

    @Test
    void readsWhatItWrote() throws IOException {
        RelativeBaseline written = new RelativeBaseline(
                "Gatebench 0.1.0, 2 processors",
                Map.of("a/b", Map.of(Measure.THROUGHPUT, List.of(0.25, 0.26), Measure.CPU_PER_REQUEST, List.of(3.25))));
        Path file = directory.resolve("sub/baseline.csv");

        written.write(file);

        assertThat(RelativeBaseline.read(file)).isEqualTo(written);
        assertThat(file).hasContent("""
                # Gatebench 0.1.0, 2 processors
                cell,figure,value
                a/b,throughput,0.25
                a/b,throughput,0.26
                a/b,cpu-per-request,3.25
                """);
        try (var files = Files.list(file.getParent())) {
            assertThat(files).containsExactly(file);
        }
    }

    @ParameterizedTest
    @CsvSource({"0.5, the noise is not known", "0.3 0.7, the repeats differ so much"})
    void writesNothingThatCouldFindNothing(String throughputs, String why) {
        RelativeBaseline useless = new RelativeBaseline(
                "origin",
                Map.of(
                        "a/b",
                        Map.of(
                                Measure.THROUGHPUT,
                                Stream.of(throughputs.split(" "))
                                        .map(Double::valueOf)
                                        .toList())));
        Path file = directory.resolve("baseline.csv");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> useless.write(file))
                .withMessageContainingAll("the baseline " + file + " is not written: a/b: " + why, "more repeats");

        assertThat(file).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a/b",
                "a/b,0.5",
                "a/b,speed,0.5",
                "a/b,p99,",
                "a/b,p99,fast",
                "a/b,p99,0",
                "a/b,p99,-1",
                "a/b,p99,NaN",
                "a/b,p99,Infinity",
                ",p99,0.5"
            })
    void refusesALineThatIsNoCell(String line) throws IOException {
        Path file = Files.writeString(directory.resolve("baseline.csv"), "# origin\na/b,p99,0.5\n" + line + "\n");

        assertThatExceptionOfType(ReportException.class)
                .isThrownBy(() -> RelativeBaseline.read(file))
                .withMessageContainingAll("baseline.csv:3:", "'" + line + "'");
    }

    @Test
    void readsFilesThatHoldTheThroughputAlone() throws IOException {
        Path file = Files.writeString(
                directory.resolve("baseline.csv"),
                "# origin\ncell,throughput of the gateway / throughput of the control run\na/b,0.5\n");

        assertThat(RelativeBaseline.read(file).figures())
                .containsExactly(Map.entry("a/b", Map.of(Measure.THROUGHPUT, List.of(0.5))));
    }

    @Test
    void refusesAFileWithoutCells() throws IOException {
        Path file = Files.writeString(directory.resolve("baseline.csv"), "# origin\n");

        assertThatExceptionOfType(ReportException.class)
                .isThrownBy(() -> RelativeBaseline.read(file))
                .withMessageContaining("holds no test case");
    }
}
