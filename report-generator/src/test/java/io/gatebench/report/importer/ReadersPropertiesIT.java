/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

import io.gatebench.report.results.ReportException;

/** Whatever a file holds, each of its rows is read or stands among the problems with its line, and nothing is thrown. */
class ReadersPropertiesIT {

    private static final List<String> HEADER = List.of(
            "Scenario Name",
            "Heap Size",
            "Concurrent Users",
            "Message Size (Bytes)",
            "Error %",
            "Throughput (Requests/sec)",
            "Label");

    @Property(tries = 300)
    void readsEveryRowOfASoundCsv(
            @ForAll("rows") @Size(min = 1, max = 30) List<List<String>> rows, @ForAll boolean carriageReturns)
            throws IOException {
        String end = carriageReturns ? "\r\n" : "\n";
        StringBuilder text = new StringBuilder(String.join(",", HEADER)).append(end);
        rows.forEach(row -> text.append(String.join(
                        ",", row.stream().map(ReadersPropertiesIT::quoted).toList()))
                .append(end));

        ImportedRun results = csv(text.toString());

        assertThat(results.problems()).hasSize(figuresThatAreNone(rows));
        assertThat(results.rows()).extracting(ResultRow::cells).containsExactlyElementsOf(expected(rows));
    }

    @Property(tries = 300)
    void readsEveryRowOfASoundMarkdownTable(@ForAll("rows") @Size(min = 1, max = 30) List<List<String>> rows)
            throws IOException {
        StringBuilder text = new StringBuilder("# Results\n\n| " + String.join(" | ", HEADER) + " |\n");
        text.append("|---".repeat(HEADER.size())).append("|\n");
        rows.forEach(row -> text.append("|  ")
                .append(String.join(
                        " | ",
                        row.stream()
                                .map(cell -> cell.replace("\\", "\\\\")
                                        .replace("|", "\\|")
                                        .replace("\n", " "))
                                .toList()))
                .append(" |\n"));

        ImportedRun results = markdown(text.toString());

        assertThat(results.problems()).hasSize(figuresThatAreNone(rows));
        assertThat(results.rows())
                .extracting(ResultRow::cells)
                .containsExactlyElementsOf(expected(rows.stream()
                        .map(row -> row.stream()
                                .map(cell -> cell.replace("\n", " "))
                                .toList())
                        .toList()));
    }

    @Property(tries = 500)
    void leavesNoLineOfADamagedCsvUnmentioned(@ForAll("lines") @Size(max = 40) List<String> lines) throws IOException {
        String text = String.join(",", HEADER) + "\n" + String.join("\n", lines) + "\n";

        ImportedRun results = csv(text);

        assertThat(mentioned(results)).containsAll(expectedLines(lines, ","));
    }

    @Property(tries = 500)
    void leavesNoLineOfADamagedMarkdownTableUnmentioned(@ForAll("lines") @Size(max = 40) List<String> lines)
            throws IOException {
        List<String> piped =
                lines.stream().map(line -> "| " + line.replace(',', '|') + " |").toList();
        String text = "| " + String.join(" | ", HEADER) + " |\n" + "|---".repeat(HEADER.size()) + "|\n"
                + String.join("\n", piped) + "\n";

        ImportedRun results = markdown(text);

        Set<Long> wanted = new TreeSet<>();
        for (int i = 0; i < lines.size(); i++) {
            if (!lines.get(i).equals(String.join(",", HEADER))) {
                wanted.add(i + 3L);
            }
        }
        assertThat(mentioned(results)).containsAll(wanted);
    }

    @Property(tries = 300)
    void throwsNothingButItsOwnException(
            @ForAll @Size(max = 400) byte[] bytes, @ForAll("endings") String ending, @ForAll boolean behindAHeader)
            throws IOException {
        Path file = Files.createTempFile("gatebench-fuzz-", ending);
        try {
            byte[] header = (String.join(",", HEADER) + "\n").getBytes(StandardCharsets.UTF_8);
            byte[] all = new byte[(behindAHeader ? header.length : 0) + bytes.length];
            System.arraycopy(header, 0, all, 0, behindAHeader ? header.length : 0);
            System.arraycopy(bytes, 0, all, all.length - bytes.length, bytes.length);
            Files.write(file, all);
            ImportedRun results = new ResultsImporter().read(file);
            assertThat(results.problems())
                    .allSatisfy(problem -> assertThat(problem.toString())
                            .startsWith(file.getFileName().toString()));
        } catch (ReportException e) {
            assertThat(e.getMessage()).contains(file.getFileName().toString());
        } finally {
            Files.delete(file);
        }
    }

    @Provide
    Arbitrary<String> endings() {
        return Arbitraries.of(".csv", ".md", ".zip", ".txt");
    }

    /** Rows with cells that need quotation marks; the first cell holds a letter, so that no row is blank. */
    @Provide
    Arbitrary<List<List<String>>> rows() {
        Arbitrary<String> name = Arbitraries.strings()
                .withChars("ab,|\"\\ \n<>")
                .ofMaxLength(8)
                .map(text -> ("s" + text + "e").replace("\" ", "\""));
        Arbitrary<String> figure =
                Arbitraries.of("0", "12.5", "N/A", "", "1,234.5", "99.9 %", "-1", "1e3", "NaN", "0.00%", "'7'");
        return name.flatMap(first -> figure.list().ofSize(HEADER.size() - 1).map(rest -> {
                    List<String> row = new ArrayList<>(List.of(first));
                    row.addAll(rest);
                    return List.copyOf(row);
                }))
                .list()
                .ofMinSize(1)
                .ofMaxSize(30);
    }

    @Provide
    Arbitrary<List<String>> lines() {
        Arbitrary<String> cell = Arbitraries.of("a", "2G", "50", "1024", "0", "N/A", "\"", "\"x", "x\"", "\"a\"b", "é");
        Arbitrary<String> line = cell.list()
                .ofMinSize(1)
                .ofMaxSize(10)
                .map(cells -> String.join(",", cells))
                .filter(text -> text.length() > 1);
        return Arbitraries.oneOf(line, Arbitraries.just(String.join(",", HEADER)))
                .list()
                .ofMaxSize(40);
    }

    private static int figuresThatAreNone(List<List<String>> rows) {
        return (int) rows.stream()
                .flatMap(row -> row.subList(HEADER.indexOf("Error %"), HEADER.indexOf("Label")).stream())
                .filter(List.of("NaN", "'7'")::contains)
                .count();
    }

    private static List<Map<String, String>> expected(List<List<String>> rows) {
        return rows.stream()
                .map(row -> {
                    Map<String, String> cells = new LinkedHashMap<>();
                    for (int i = 0; i < HEADER.size(); i++) {
                        cells.put(HEADER.get(i), row.get(i).strip());
                    }
                    return cells;
                })
                .toList();
    }

    /** A record may reach over several lines; then its first one stands for all of them. */
    private static Set<Long> expectedLines(List<String> lines, String delimiter) {
        Set<Long> wanted = new TreeSet<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            boolean quoted = line.contains("\"")
                    || i > 0 && String.join("", lines.subList(0, i)).contains("\"");
            if (!quoted && !line.equals(String.join(delimiter, HEADER))) {
                wanted.add(i + 2L);
            }
        }
        return wanted;
    }

    private static Set<Long> mentioned(ImportedRun results) {
        Set<Long> lines = new HashSet<>();
        results.rows().forEach(row -> lines.add(row.line()));
        results.problems().forEach(problem -> lines.add(problem.line()));
        return lines;
    }

    private static String quoted(String cell) {
        return cell.matches("[^,\"\n]*") ? cell : '"' + cell.replace("\"", "\"\"") + '"';
    }

    private static ImportedRun csv(String text) throws IOException {
        return new CsvResults("in.csv").read(new BufferedReader(new StringReader(text)));
    }

    private static ImportedRun markdown(String text) throws IOException {
        return new MarkdownResults("in.md").read(new BufferedReader(new StringReader(text)));
    }
}
