/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.report.column.Metric;
import io.gatebench.report.compare.Comparison;
import io.gatebench.report.compare.ComparisonOptions;
import io.gatebench.report.compare.RunComparator;
import io.gatebench.report.judge.Verdicts;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.trend.TrendAnalyzer;
import io.gatebench.report.verdict.Level;

/** Files of other load generators, see {@code past/SOURCES.md}; the expectations were read from the files by hand. */
class ToolResultsTest {

    private static final Path FILES = Path.of("src/test/resources/past/tools");

    @TempDir
    private Path directory;

    @Test
    void readsWrk() {
        ResultRow row = only("wrk-latency.txt");
        assertThat(row.key().text()).isEqualTo("/orders/10_users");
        assertThat(figures(row))
                .containsEntry("samples", 241777.0)
                .containsEntry("errors", 0.0)
                .containsEntry("throughput", 80249.59)
                .containsEntry("mean", 0.87)
                .containsEntry("max", 50.06)
                .containsEntry("p50", 0.072)
                .containsEntry("p90", 1.71)
                .containsEntry("p99", 18.51);
        assertThat(problems("wrk-plain.txt")).anyMatch(text -> text.contains("holds no percentiles; wrk prints them"));
    }

    @Test
    void readsWrk2() {
        ResultRow row = only("wrk2.txt");
        assertThat(figures(row))
                .containsEntry("errors", 6.0)
                .containsEntry("mean", 1.487)
                .containsEntry("p999", 5.88)
                .containsEntry("throughput", 1996.86);
        assertThat(row.cells()).containsEntry(RunResultRows.LOAD_MODEL, "that of wrk2");
    }

    @Test
    void readsBothSummariesOfK6() {
        ResultRow export = only("k6-export.json");
        assertThat(export.key().users()).isEqualTo(OptionalInt.of(5));
        assertThat(figures(export))
                .containsEntry("samples", 45821.0)
                .containsEntry("errors", 0.0)
                .containsEntry("throughput", 15271.832677)
                .containsEntry("mean", 0.296026)
                .containsEntry("p99", 3.623094);
        assertThat(figures(only("k6-handle.json")))
                .containsEntry("samples", 48185.0)
                .containsEntry("errors", 0.0)
                .containsEntry("p50", 0.125965);
    }

    @Test
    void readsVegetaOhaAndHyperfoil() {
        assertThat(figures(only("vegeta.json")))
                .containsEntry("samples", 600.0)
                .containsEntry("throughput", 200.32788)
                .containsEntry("mean", 0.252188)
                .containsEntry("p99", 2.634709);
        assertThat(figures(only("oha.json")))
                .containsEntry("throughput", 70690.439685)
                .containsEntry("errors", 0.0)
                .containsEntry("p999", 4.045591);
        ResultRow hyperfoil = only("hyperfoil.json");
        assertThat(hyperfoil.key().scenario()).isEqualTo("steady/orders");
        assertThat(figures(hyperfoil))
                .containsEntry("throughput", 499.8)
                .containsEntry("errors", 2.0)
                .containsEntry("mean", 1.25)
                .containsEntry("p99", 6.5);
    }

    @Test
    void readsGatlingAndDoubtsItsWholeMilliseconds() {
        ImportedRun results = read("gatling-stats.json");
        assertThat(results.rows()).extracting(row -> row.key().scenario()).containsExactly("orders", "prices");
        assertThat(figures(results.rows().get(0)))
                .containsKeys("throughput", "mean", "p99")
                .containsEntry("errors", 0.0);
        assertThat(Verdicts.ofRows(results.rows()).get(0).text()).contains("response times are whole milliseconds");
        assertThat(Verdicts.ofRows(results.rows()).get(0).level()).isEqualTo(Level.DOUBTFUL);
    }

    /** Coarse times doubt the times and leave the throughput alone. */
    @Test
    void comparesTheThroughputOfGatling() throws IOException {
        Path slower = Files.writeString(
                directory.resolve("stats.json"),
                Files.readString(FILES.resolve("gatling-stats.json"))
                        .replaceAll("(?s)(\"meanNumberOfRequestsPerSecond\": \\{\\s*\"total\": )[\\d.]+", "$1300.0"));
        assertThat(compare(read("gatling-stats.json"), new ResultsImporter().read(slower))
                        .candidates()
                        .get(0)
                        .cells())
                .allSatisfy(cell -> assertThat(cell.doubtful()).isEqualTo(cell.metric() != Metric.THROUGHPUT))
                .anyMatch(cell -> cell.metric() == Metric.THROUGHPUT && cell.outcome() == Comparison.Outcome.SLOWER);
    }

    @Test
    void readsSamplesOfJmeterPerLabel() {
        ImportedRun results = read("jmeter-300.jtl");
        assertThat(results.rows())
                .extracting(row -> row.key().scenario())
                .containsExactlyInAnyOrder("List orders", "Make order");
        assertThat(results.rows().stream()
                        .mapToDouble(row -> row.number(Metric.SAMPLES).orElseThrow())
                        .sum())
                .isEqualTo(300);
    }

    /** A directory of files is one run with repeats, in which a loss of a third is found; another tool is refused. */
    @Test
    void comparesRepeatsOfOneToolAndRefusesTwoTools() throws IOException {
        for (int i = 0; i < 4; i++) {
            write("before/wrk-" + i + ".txt", 80000 + 100 * i);
            write("after/wrk-" + i + ".txt", 52000 + 100 * i);
        }
        ResultsImporter reader = new ResultsImporter();
        ImportedRun before = reader.read(directory.resolve("before"));
        assertThat(before.rows()).extracting(ResultRow::repeat).containsExactly(1, 2, 3, 4);
        Comparison comparison = compare(before, reader.read(directory.resolve("after")));
        assertThat(comparison.candidates().get(0).cells())
                .filteredOn(cell -> cell.metric() == Metric.THROUGHPUT)
                .allMatch(cell -> cell.outcome() == Comparison.Outcome.SLOWER);

        Comparison ofTwo = compare(read("vegeta.json"), read("oha.json"));
        assertThat(ofTwo.candidates().get(0).cells())
                .allSatisfy(cell -> assertThat(cell.reason())
                        .contains("the load models differ: vegeta.json was that of vegeta, oha.json was that of oha"));
        assertThat(ofTwo.problems()).anyMatch(text -> text.contains("the whole run counts, its beginning included"));
    }

    /** Each file lacks the same, which a reader needs to be told once. */
    @Test
    void saysOnceWhatAllRunsOfATrendLack() throws IOException {
        for (int i = 0; i < 6; i++) {
            write("runs/run-" + i + "/wrk.txt", 80000 + i);
        }
        assertThat(new TrendAnalyzer()
                        .analyze(History.read(directory.resolve("runs"), new ResultsImporter()), "throughput")
                        .notes())
                .filteredOn(note -> note.contains("the whole run counts"))
                .singleElement()
                .asString()
                .endsWith("(6 times)");
    }

    @Test
    void refusesWhatNoToolWrote() throws IOException {
        Path other = Files.writeString(directory.resolve("other.json"), "{\"metrics\": [1, 2]}");
        assertThatThrownBy(() -> new ResultsImporter().read(other)).isInstanceOf(ReportException.class);
        Path cut = Files.writeString(
                directory.resolve("cut.json"),
                Files.readString(FILES.resolve("k6-export.json")).substring(0, 900));
        assertThatThrownBy(() -> new ResultsImporter().read(cut))
                .isInstanceOf(ReportException.class)
                .hasMessageContaining("is no JSON");
    }

    private void write(String name, int rate) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                Files.readString(FILES.resolve("wrk-latency.txt"))
                        .replace("80249.59", String.format(Locale.ROOT, "%d.00", rate)));
    }

    private static Comparison compare(ImportedRun before, ImportedRun after) {
        return new RunComparator(ComparisonOptions.defaults()).compare(List.of(before, after));
    }

    private static ImportedRun read(String name) {
        return new ResultsImporter().read(FILES.resolve(name));
    }

    private static ResultRow only(String name) {
        assertThat(read(name).rows()).hasSize(1);
        return read(name).rows().get(0);
    }

    private static List<String> problems(String name) {
        return read(name).problems().stream().map(Object::toString).toList();
    }

    private static Map<String, Double> figures(ResultRow row) {
        Map<String, Double> figures = new TreeMap<>();
        Arrays.stream(Metric.values())
                .filter(metric -> row.number(metric).isPresent())
                .forEach(metric ->
                        figures.put(metric.shortName(), row.number(metric).orElseThrow()));
        return figures;
    }

    @Test
    void leavesNumbersOfWrkOutThatAreNone() throws IOException {
        Path file = directory.resolve("damaged.txt");
        Files.writeString(
                file,
                Files.readString(FILES.resolve("wrk2.txt"))
                        .replace("20 connections", "99999999999 connections")
                        .replace(" 75.000%", " 75.0.00%")
                        .replaceAll("Mean    = +[0-9]", "Mean    =        1.2.3"));

        ImportedRun read = new ResultsImporter().read(file);

        assertThat(read.rows()).hasSize(1);
        assertThat(figures(read.rows().get(0)))
                .containsEntry("p90", 2.27)
                .as("that of the table")
                .containsEntry("mean", 1.49)
                .doesNotContainKey("p75");
    }
}
