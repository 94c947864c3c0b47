/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.report.ReportGenerator;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.summary.SummaryTable;

/** The wide CSVs of past releases: their tables and their own bytes come back. */
class PublishedTablesTest {

    @TempDir
    private Path temporary;

    @ParameterizedTest
    @ValueSource(strings = {"apim-3.2-276", "mi-1.2.0-24rows"})
    void makesThePublishedTableOfAWideCsv(String name) throws IOException {
        Path csv = copy("/past/" + name + ".csv");
        String document = PublishedDocumentsTest.resource("/past/" + name + ".md");

        String table = ReportGenerator.table(csv).markdown();

        assertThat(table).isEqualTo(document.substring(document.indexOf("|  Scenario Name")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"apim-3.2-276", "mi-1.2.0-24rows"})
    void writesAWideCsvAsItWas(String name) throws IOException {
        Path csv = copy("/past/" + name + ".csv");

        SummaryTable table = ReportGenerator.table(csv).table();

        assertThat(table.columns())
                .isEqualTo(SummaryColumns.wide(table.applicationName(), SummaryColumns.MESSAGE_SIZE, 2));
        assertThat(CsvSummary.text(table, table.columns(), false).getBytes(StandardCharsets.UTF_8))
                .isEqualTo(Files.readAllBytes(csv));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // No heap size, names with brackets and an arrow.
                """
                |  Scenario Name | Concurrent Users | Message Size (Bytes) | Back-end Service Delay (ms) | Error % | Throughput (Requests/sec) | Average Response Time (ms) | Standard Deviation of Response Time (ms) | 99th Percentile of Response Time (ms) | Lang GC Throughput (%) | Average Lang Memory Footprint After Full GC (M) |
                |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
                |  Pass (h1c -> h1c) | 100 | 50 | 0 | 0 | 22000.9 | 4.5 | 2.9 | 13 | 99.15 | 11.27 |
                |  Pass (h1c -> h1c) | 100 | 1024 | 0 | 0 | 20000 | 4.9 | 3.1 | 14 |  |  |
                """,
                // A parameter more, and two gateways.
                """
                |  Scenario Name | Heap Size | Concurrent Users | Message Size (Bytes) | Response Size (Bytes) | Error % | Throughput (Requests/sec) | App 1 GC Throughput (%) | App 2 GC Throughput (%) |
                |---|---:|---:|---:|---:|---:|---:|---:|---:|
                |  Direct | 4G | 100 | 1024 | 10240 | 0 | 9000.5 | N/A | 98 |
                |  Direct | 4G | 100 | 1024 | 102400 | 100 | 2.5 | 99 | N/A |
                """
            })
    void makesTheTableOfAPublishedDocumentWithTheColumnsThatItHas(String published) throws IOException {
        Path document = Files.writeString(temporary.resolve("summary.md"), "# Results\n\n" + published);

        assertThat(ReportGenerator.table(document).markdown()).isEqualTo(published);
    }

    @Test
    void keepsTheResponseSizeOfACsv() throws IOException {
        Path csv = Files.writeString(temporary.resolve("summary.csv"), """
                Scenario Name,Concurrent Users,Message Size (Bytes),Response Size (Bytes),Throughput (Requests/sec)
                Direct,50,1024,10240,1.5
                """);

        assertThat(ReportGenerator.table(csv).markdown())
                .contains("| Message Size (Bytes) | Response Size (Bytes) |")
                .contains("|  Direct | N/A | 50 | 1024 | 10240 |");
    }

    @Test
    void has199ColumnsWithOneLoadGeneratorAnd311WithTwo() {
        List<String> one = SummaryColumns.wide("WSO2 API Manager", SummaryColumns.MESSAGE_SIZE, 1);
        List<String> two = SummaryColumns.wide("WSO2 API Manager", SummaryColumns.MESSAGE_SIZE, 2);

        assertThat(one).hasSize(199).doesNotHaveDuplicates();
        assertThat(two).hasSize(311).doesNotHaveDuplicates().containsAll(one);
        assertThat(one).contains("WSO2 API Manager - IO - Read TPS (requests/s");
    }

    private Path copy(String resource) throws IOException {
        return Files.writeString(temporary.resolve("summary.csv"), PublishedDocumentsTest.resource(resource));
    }
}
