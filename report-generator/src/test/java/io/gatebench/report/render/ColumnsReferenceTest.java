/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import io.gatebench.report.column.Column;
import io.gatebench.report.column.GcColumn;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.SummaryColumns;

/** The reference pages name the columns and figures of the lists; {@code -Dgolden.update} writes them anew. */
class ColumnsReferenceTest {

    private static final Path REFERENCE = Path.of("../docs/reference");
    private static final boolean REWRITE = System.getProperty("golden.update") != null;
    private static final int WIDTH = 120;

    @Test
    void explainsTheColumnsOfTheLoad() throws IOException {
        assertTable("## Load", rows(SummaryColumns.LOAD));
    }

    @Test
    void explainsTheColumnsOfTheGcLogs() throws IOException {
        assertTable(
                "## GC",
                Arrays.stream(GcColumn.values())
                        .map(column -> row(column.header("<process>"), column.meaning()))
                        .toList());
    }

    @Test
    void explainsOurColumns() throws IOException {
        assertTable("## With `--columns all`", rows(ExtendedColumns.of(List.of("<process>"))));
    }

    @Test
    void namesEveryFigureOfThresholds() throws IOException {
        String figures = "- figure: "
                + Arrays.stream(Metric.values())
                        .map(metric -> metric.shortName()
                                + (metric.allNames().size() == 1
                                        ? ""
                                        : metric.allNames().stream()
                                                .skip(1)
                                                .collect(Collectors.joining(", ", " (", ")"))))
                        .collect(Collectors.joining(", "));
        Path page = REFERENCE.resolve("thresholds.md");
        List<String> lines = new ArrayList<>(Files.readAllLines(page));
        int from = lines.indexOf(lines.stream()
                .filter(line -> line.startsWith("- figure: "))
                .findFirst()
                .orElseThrow());
        int to = from + 1;
        while (!lines.get(to).startsWith("- ")) {
            to++;
        }
        assertLines(page, lines, from, to, wrapped(figures));
    }

    private static List<String> rows(List<Column<?>> columns) {
        return columns.stream()
                .map(column -> row(column.header(), column.meaning()))
                .toList();
    }

    private static String row(String header, String meaning) {
        return "| `" + header + "` | " + meaning + " |";
    }

    /** The first table below a heading. */
    private static void assertTable(String heading, List<String> rows) throws IOException {
        Path page = REFERENCE.resolve("columns.md");
        List<String> lines = new ArrayList<>(Files.readAllLines(page));
        int from = lines.indexOf(heading);
        while (!lines.get(from).equals("|---|---|")) {
            from++;
        }
        int to = ++from;
        while (lines.get(to).startsWith("|")) {
            to++;
        }
        assertLines(page, lines, from, to, rows);
    }

    private static void assertLines(Path page, List<String> lines, int from, int to, List<String> wanted)
            throws IOException {
        if (REWRITE) {
            Files.write(
                    page,
                    Stream.of(lines.subList(0, from), wanted, lines.subList(to, lines.size()))
                            .flatMap(List::stream)
                            .toList());
            return;
        }
        assertThat(lines.subList(from, to)).isEqualTo(wanted);
    }

    private static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
                line.append(' ');
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
