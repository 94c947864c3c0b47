/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatebench.model.DataSize;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SystemInformation;
import io.gatebench.model.TestScenario;
import io.gatebench.report.SampleRuns;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.summary.SummaryTable;

/**
 * Regenerates whole published documents: only the facts are taken out of a document (names, values, rows), every
 * sentence, column name and space must come back from the template.
 */
class PublishedDocumentsTest {

    private final Locale before = Locale.getDefault();

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(before);
    }

    @ParameterizedTest
    @CsvSource({
        "/past/microgateway-512m.md, GATEWAY, de-DE",
        "/past/apim-3.2-276.md, GATEWAY, en-US",
        "/golden/published/mi-4.1.0.md, INTEGRATION, ru-RU",
        "/past/mi-1.2.0-24rows.md, INTEGRATION, ''",
        "/golden/published/apim-graphql.md, GATEWAY, tr-TR",
        "/golden/published/backend-h1c.md, BACKEND, de-DE"
    })
    void regeneratesByteForByte(String resource, RunManifest.Variant variant, String locale) throws IOException {
        Locale.setDefault(locale.isEmpty() ? Locale.ROOT : Locale.forLanguageTag(locale));
        String document = resource(resource);
        Facts facts = new Facts(document);
        RunManifest info = facts.info(variant);

        String text = MarkdownReport.text(
                info,
                List.of(),
                facts.table(),
                List.of(),
                List.of(),
                (result, label) -> Optional.empty(),
                ReportOptions.defaults());

        assertThat(text).isEqualTo(document);
    }

    static String resource(String name) throws IOException {
        try (InputStream in = PublishedDocumentsTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private record Facts(String document) {

        RunManifest info(RunManifest.Variant variant) {
            List<Integer> queries = integers(parameter("GraphQL Query"));
            PayloadKind payload = queries.isEmpty() ? PayloadKind.JSON_ARRAY : PayloadKind.GRAPHQL_QUERY;
            List<TestScenario> scenarios = new ArrayList<>();
            section("| Test Scenarios | Description |\n")
                    .forEach(cells -> scenarios.add(
                            SampleRuns.scenario("s" + scenarios.size(), cells.get(0), cells.get(1), payload)));
            PerfPlan plan = SampleRuns.plan(
                    scenarios,
                    new ParameterMatrix(
                            List.of(DataSize.parse(parameter("Heap Size"))),
                            integers(parameter("Concurrent Users")),
                            integers(parameter("Message Size (Bytes)")),
                            queries,
                            List.of(),
                            integers(parameter("Back-end Delay (ms)")).stream()
                                    .map(Duration::ofMillis)
                                    .toList()),
                    Integer.parseInt(first("The duration of each test is \\*\\*(\\d+) seconds")),
                    Integer.parseInt(first("The warm-up period is \\*\\*(\\d+) seconds")));
            return SampleRuns.info(application(), variant, plan, "aws", systems());
        }

        SummaryTable table() {
            List<SummaryTable.Row> rows = new ArrayList<>();
            List<String> columns = List.of();
            for (String line : document.split("\n")) {
                if (line.startsWith("|  ")) {
                    List<String> cells = cells(line);
                    if (columns.isEmpty()) {
                        columns = cells;
                    } else {
                        Map<String, String> row = new LinkedHashMap<>();
                        for (int i = 0; i < cells.size(); i++) {
                            row.put(columns.get(i), cells.get(i));
                        }
                        rows.add(new SummaryTable.Row("row" + rows.size(), Optional.empty(), row));
                    }
                }
            }
            String message =
                    columns.contains(SummaryColumns.QUERY) ? SummaryColumns.QUERY : SummaryColumns.MESSAGE_SIZE;
            return new SummaryTable(application(), message, columns, rows, List.of());
        }

        private String application() {
            return first("# (.*) Performance Test Results");
        }

        private SystemInformation[] systems() {
            List<SystemInformation> systems = new ArrayList<>();
            String[] parts = document.split("\nSystem information for ");
            for (int i = 1; i < parts.length; i++) {
                List<SystemInformation.Row> rows = new ArrayList<>();
                for (String line : parts[i].split("\n")) {
                    if (line.startsWith("| ") && !line.startsWith("| Class") && !line.startsWith("| ---")) {
                        List<String> cells = cells(line);
                        if (cells.size() != 4) {
                            break;
                        }
                        rows.add(new SystemInformation.Row(cells.get(0), cells.get(1), cells.get(2), cells.get(3)));
                    }
                }
                systems.add(new SystemInformation("host" + i, rows));
            }
            if (systems.isEmpty()) {
                String type = first("A \\[\\*\\*(.*)\\*\\* Amazon");
                systems.add(new SystemInformation(
                        "host", List.of(new SystemInformation.Row("AWS", "EC2", "Instance Type", type))));
            }
            return systems.toArray(new SystemInformation[0]);
        }

        private List<List<String>> section(String header) {
            List<List<String>> rows = new ArrayList<>();
            String rest = document.substring(document.indexOf(header) + header.length());
            for (String line : rest.split("\n")) {
                if (!line.startsWith("|")) {
                    break;
                }
                if (!line.startsWith("| ---")) {
                    rows.add(cells(line));
                }
            }
            return rows;
        }

        private String parameter(String name) {
            for (List<String> row : section("| Test Parameter | Description | Values |\n")) {
                if (row.get(0).equals(name)) {
                    return row.get(2);
                }
            }
            return "";
        }

        private static List<Integer> integers(String values) {
            List<Integer> numbers = new ArrayList<>();
            for (String value : values.split(", ")) {
                if (!value.isEmpty()) {
                    numbers.add(Integer.parseInt(value));
                }
            }
            return numbers;
        }

        private static List<String> cells(String line) {
            String[] parts = line.substring(1, line.length() - 1).split("\\|", -1);
            List<String> cells = new ArrayList<>();
            for (String part : parts) {
                cells.add(part.strip());
            }
            return cells;
        }

        private String first(String pattern) {
            Matcher matcher = Pattern.compile(pattern).matcher(document);
            if (!matcher.find()) {
                throw new IllegalStateException("the document has no " + pattern);
            }
            return matcher.group(1);
        }
    }
}
