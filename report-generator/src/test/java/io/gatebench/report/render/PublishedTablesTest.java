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
import io.gatebench.report.summary.SummaryColumns;
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
        assertThat(CsvSummary.text(table, table.columns()).getBytes(StandardCharsets.UTF_8))
                .isEqualTo(Files.readAllBytes(csv));
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
