/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.results.ReportException;

class PublishedFilesTest {

    @TempDir
    Path directory;

    private final ResultsImporter reader = new ResultsImporter();

    @ParameterizedTest
    @ValueSource(strings = {"apim-3.2-276", "mi-1.2.0-24rows"})
    void markdownAndCsvOfOnePublicationHoldTheSameRows(String name) throws Exception {
        ImportedRun csv = reader.read(resource(name + ".csv"));
        ImportedRun markdown = reader.read(resource(name + ".md"));

        assertThat(csv.problems()).isEmpty();
        assertThat(markdown.problems()).isEmpty();
        assertThat(csv.rows()).hasSameSizeAs(markdown.rows()).hasSizeBetween(24, 48);
        for (int i = 0; i < csv.rows().size(); i++) {
            ResultRow left = csv.rows().get(i);
            ResultRow right = markdown.rows().get(i);
            assertThat(left.key()).isEqualTo(right.key());
            right.cells().forEach((column, cell) -> assertThat(left.cells()).containsEntry(column, cell));
        }
    }

    @Test
    void findsKeyAndFiguresOfAPublishedRow() throws Exception {
        ImportedRun results = reader.read(resource("apim-3.2-276.csv"));
        ResultRow row = results.rows().get(46);

        assertThat(row.key().text()).isEqualTo("Transformation/2G_heap/1000_users/10240B/0ms_sleep");
        assertThat(row.where()).isEqualTo("apim-3.2-276.csv:48");
        assertThat(row.number(Metric.THROUGHPUT)).hasValue(609.3);
        assertThat(row.number(Metric.P99)).hasValue(2687);
        assertThat(row.number(Metric.GC_THROUGHPUT)).hasValue(91.43);
        assertThat(row.number(Metric.FOOTPRINT)).hasValue(455.333);
        assertThat(results.rows().get(0).number(Metric.FOOTPRINT)).isEmpty();
        assertThat(results.application()).contains("WSO2 API Manager");
    }

    @Test
    void readsRowsOfBothWidthsUnderOneHeader() throws Exception {
        List<String> lines = Files.readAllLines(resource("apim-3.2-276.csv"));
        String[] header = lines.get(0).split(",", -1);
        List<String> narrow = new ArrayList<>();
        String[] row = lines.get(1).split(",", -1);
        for (int i = 0; i < header.length; i++) {
            if (!header[i].contains("JMeter Server")) {
                narrow.add(row[i]);
            }
        }
        assertThat(narrow).hasSize(199);
        ImportedRun mixed = csv(lines.get(0) + "\r\n" + String.join(",", narrow) + "\r\n" + lines.get(2) + "\r\n");
        assertThat(mixed.problems()).isEmpty();
        assertThat(mixed.rows()).hasSize(2);
        assertThat(mixed.rows().get(0).number("JMeter Client - Network - Utilization (%)"))
                .isEqualTo(wideCell(header, row, "JMeter Client - Network - Utilization (%)"));

        List<String> narrowHeader = List.of(header).stream()
                .filter(name -> !name.contains("JMeter Server"))
                .toList();
        ImportedRun widened = csv(String.join(",", narrowHeader) + "\n" + lines.get(1) + "\n");
        assertThat(widened.problems()).isEmpty();
        assertThat(widened.rows().get(0).cells().keySet()).containsExactly(header);
    }

    @Test
    void reportsARowOfNoKnownWidthAndKeepsWhatAllWidthsShare() throws Exception {
        List<String> lines = Files.readAllLines(resource("apim-3.2-276.csv"));
        String cut = lines.get(1).substring(0, lines.get(1).lastIndexOf(','));
        ImportedRun results = csv(lines.get(0) + "\n" + cut + "\n");

        assertThat(results.rows()).hasSize(1);
        assertThat(results.rows().get(0).number(Metric.GC_THROUGHPUT)).hasValue(94.47);
        assertThat(results.problems()).hasSize(1);
        assertThat(results.problems().get(0).toString()).startsWith("in.csv:2: has 310 cells under a header of 311");
    }

    @Test
    void readsSeveralBlocksWithHeadersOfTheirOwn() throws Exception {
        ImportedRun results = csv("""
                Scenario Name,Heap Size,Concurrent Users,Throughput (Requests/sec),Error %
                Passthrough,2G,50,100.5,0

                Results of the second stack
                Scenario Name,Concurrent Users,Error %,Throughput (Requests/sec)
                Passthrough,100,0.5,90
                Scenario Name,Concurrent Users,Error %,Throughput (Requests/sec)
                Passthrough,200,0,80,
                Passthrough,300
                """);

        assertThat(results.rows())
                .extracting(row -> row.key().text())
                .containsExactly("Passthrough/2G_heap/50_users", "Passthrough/100_users", "Passthrough/200_users");
        assertThat(results.rows().get(1).errorPercent()).hasValue(0.5);
        assertThat(results.problems())
                .extracting(Object::toString)
                .containsExactly(
                        "in.csv:4: has 1 cells under a header of 5; it was not read: 'Results of the second stack'",
                        "in.csv:9: has 2 cells under a header of 4; it was not read: 'Passthrough,300'");
    }

    @Test
    void acceptsAHeaderAlone() throws Exception {
        ImportedRun results = csv("Scenario Name,Heap Size,Throughput (Requests/sec)\r\n");

        assertThat(results.rows()).isEmpty();
        assertThat(results.problems()).isEmpty();
        assertThat(results.notes()).containsExactly("in.csv holds a header and no row");
    }

    @Test
    void losesOneLineOnlyToAnOpenQuotationMark() throws Exception {
        ImportedRun results = csv("""
                Scenario Name,Concurrent Users,Throughput (Requests/sec)
                "Direct, Proxy",50,1
                "broken,100,2
                Direct,200,3
                """);

        assertThat(results.rows())
                .extracting(row -> row.key().text())
                .containsExactly("Direct, Proxy/50_users", "Direct/200_users");
        assertThat(results.problems())
                .extracting(Object::toString)
                .containsExactly("in.csv:3: a quotation mark is opened and not closed; the line was not read");
    }

    @Test
    void readsALongFileOfNightlyRuns() throws Exception {
        ImportedRun results = csv("""
                Label,# Samples,Average,Median,90% Line,95% Line,99% Line,Min,Max,Error %,Throughput,Received KB/sec,Std. Dev.,Date,Payload,Users,Version
                HTTP Request,3493219,18,8,61,66,78,0,184,0.00%,3234.7,556.0,21.85,1644354491,50,60,2201.0.0
                HTTP Request,3096000,69,74,116,124,142,0,234,1.25%,2866.6,492.7,36.48,1644355974,50,200,2201.0.0
                """);

        assertThat(results.rows().get(0).key().text()).isEqualTo("HTTP Request/60_users/50B");
        assertThat(results.rows().get(0).number(Metric.P99)).hasValue(78);
        assertThat(results.rows().get(1).errorPercent()).hasValue(1.25);
    }

    @Test
    void numbersRowsOfOneCellAsRepeatsAndTellsLabelsApart() throws Exception {
        ImportedRun results = csv("""
                Scenario Name,Concurrent Users,Label,Throughput (Requests/sec)
                Direct,50,HTTP Request,1
                Direct,50,HTTP Request,2
                Cart,50,Login,3
                Cart,50,Buy,4
                """);

        assertThat(results.rows())
                .extracting(row -> row.key().text() + " #" + row.repeat())
                .containsExactly(
                        "Direct/50_users #1", "Direct/50_users #2", "Cart/Login/50_users #1", "Cart/Buy/50_users #1");
    }

    @Test
    void readsMarkdownRowsWithEscapedAndMissingPipes() throws Exception {
        Path file = directory.resolve("in.md");
        Files.writeString(file, """
                | Test Parameter | Values |
                | --- | --- |
                | Concurrent Users | 50, 100 |

                |  Scenario Name | Concurrent Users | GraphQL Query Number | Error % | Throughput (Requests/sec) | App GC Throughput (%) |
                |---|---:|---:|---:|---:|---:|
                |  Plain | 50 | 1 | 0 | 10.5 | N/A |
                |  A \\| B | 50 | 2 | 0 | 11 |  |
                Plain | 100 | 1 | 0 | 12 | 99.1
                |  C | D | 100 | 2 | 0 | 13 | 98 |
                |  Short | 100 |
                |  Long | 100 | 2 | 0 | 13 | 98 | 1 | text that is no number at all, by far too long |
                """);
        ImportedRun results = reader.read(file);

        assertThat(results.rows())
                .extracting(row -> row.key().text())
                .containsExactly(
                        "Plain/50_users/1_query",
                        "A | B/50_users/2_query",
                        "Plain/100_users/1_query",
                        "C|D/100_users/2_query",
                        "Short/100_users");
        assertThat(results.rows().get(2).number(Metric.GC_THROUGHPUT)).hasValue(99.1);
        assertThat(results.rows().get(0).number(Metric.GC_THROUGHPUT)).isEqualTo(OptionalDouble.empty());
        assertThat(results.problems()).extracting(problem -> problem.line()).containsExactly(10L, 11L, 12L);
    }

    @Test
    void takesEveryParameterOfAPublishedTableForPartOfTheKey() throws Exception {
        Path file = directory.resolve("in.md");
        Files.writeString(file, """
                |  Scenario Name | Concurrent Users | Message Size (Bytes) | Response Size (Bytes) | Tenants | Error % | Throughput (Requests/sec) | App 1 GC Throughput (%) | App 2 GC Throughput (%) |
                |---|---:|---:|---:|---:|---:|---:|---:|---:|
                |  Direct | 100 | 1024 | 10240 | 1 | 0 | 9000.5 | 99 | 98 |
                |  Direct | 100 | 1024 | 102400 | 1 | 0 | 7000.25 | 99 | 98 |
                |  Direct | 100 | 1024 | 102400 | 2 | 0 | 6000 | 99 | 98 |
                """);

        assertThat(reader.read(file).rows())
                .extracting(row -> row.key().text() + " #" + row.repeat())
                .containsExactly(
                        "Direct/Response Size (Bytes) 10240, Tenants 1/100_users/1024B #1",
                        "Direct/Response Size (Bytes) 102400, Tenants 1/100_users/1024B #1",
                        "Direct/Response Size (Bytes) 102400, Tenants 2/100_users/1024B #1");
    }

    @Test
    void tellsRowsOfACsvApartByTheirResponseSizeAndNotByTheirDate() throws Exception {
        ImportedRun results = csv("""
                Date,Scenario Name,Concurrent Users,Response Size (Bytes),Label,Throughput (Requests/sec)
                2026-01-01,Direct,50,1024,Login,1
                2026-01-01,Direct,50,1024,Buy,2
                2026-01-01,Direct,50,2048,Login,3
                2026-01-02,Direct,50,2048,Login,4
                """);

        assertThat(results.rows())
                .extracting(row -> row.key().text() + " #" + row.repeat())
                .containsExactly(
                        "Direct/Response Size (Bytes) 1024, Login/50_users #1",
                        "Direct/Response Size (Bytes) 1024, Buy/50_users #1",
                        "Direct/Response Size (Bytes) 2048/50_users #1",
                        "Direct/Response Size (Bytes) 2048/50_users #2");
    }

    @Test
    void readsThePublishedMicrogatewayDocument() throws Exception {
        ImportedRun results = reader.read(resource("microgateway-512m.md"));

        assertThat(results.problems()).isEmpty();
        assertThat(results.rows()).hasSize(72);
        assertThat(results.rows().get(0).key().text())
                .isEqualTo("Microgateway-Passthrough-JWT (W/O APIM)/512M_heap/50_users/50B/0ms_sleep");
    }

    @Test
    void givesTheKindsOfMessagesOfOneTableTheKeysThatTheyHaveInTablesOfTheirOwn() throws IOException {
        Path mixed = Files.writeString(directory.resolve("mixed.csv"), """
                Scenario Name,Concurrent Users,Message Size (Bytes),Throughput (Requests/sec)
                Passthrough,50,1024,100
                Starwars,50,query 2,100
                Routing,50,100 elements,100
                """);

        assertThat(new ResultsImporter()
                        .read(mixed).rows().stream().map(row -> row.key().text()))
                .containsExactly(
                        "Passthrough/50_users/1024B", "Starwars/50_users/2_query", "Routing/50_users/100_elements");
    }

    @Test
    void refusesWhatHoldsNoResults() {
        assertThatThrownBy(() -> reader.read(directory.resolve("none.csv")))
                .isInstanceOf(ReportException.class)
                .hasMessageEndingWith("none.csv: does not exist");
        assertThatThrownBy(() -> reader.read(directory)).hasMessageContaining("holds no results");
    }

    private ImportedRun csv(String text) throws IOException {
        Path file = directory.resolve("in.csv");
        Files.write(file, text.getBytes(StandardCharsets.UTF_8));
        return reader.read(file);
    }

    private static OptionalDouble wideCell(String[] header, String[] row, String column) {
        return Numbers.parse(row[List.of(header).indexOf(column)]);
    }

    private static Path resource(String name) throws URISyntaxException {
        return Path.of(PublishedFilesTest.class.getResource("/past/" + name).toURI());
    }
}
