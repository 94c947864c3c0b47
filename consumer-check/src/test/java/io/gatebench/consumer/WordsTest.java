/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

/** Holds the code to one word for one thing, as CONTRIBUTING.md lists them. */
class WordsTest {

    private static final Pattern BOUND =
            Pattern.compile("\\b(LEAST|MOST|LARGEST|LONGEST|SMALLEST|SHORTEST)_[A-Z0-9_]+\\s*=");
    /** Documentation names the thing or says what is done: it begins with a noun or a verb. */
    private static final Pattern QUESTION =
            Pattern.compile("/\\*\\*\\s*(?:\\*\\s*)?(What|How|Where|Who|Whether|Which|When|Why)\\b");

    private static final Pattern OLD_TYPE =
            Pattern.compile("(?m)^(?:public |final |abstract |sealed |non-sealed )*(?:class|interface|record|enum) ("
                    + String.join(
                            "|",
                            List.of(
                                    "PartOfRun",
                                    "OneAtATime",
                                    "EarlierCells",
                                    "RealProduct",
                                    "StandingGateway",
                                    "Demands",
                                    "CellResult",
                                    "CellSeal",
                                    "LoadRun",
                                    "RunResult",
                                    "RunInfo",
                                    "Figure",
                                    "PastReader",
                                    "PastRow",
                                    "PastResults",
                                    "OwnRows",
                                    "OwnColumns",
                                    "PredecessorResults"))
                    + ")\\b");

    /** The word for a test case that was given up; a cell is that of a table. */
    private static final Pattern CELL = Pattern.compile("(?i)(?<![#.\"\\w])cells?\\b(?![\"(=.]\\w*)");

    /** Cells of a CSV or of a Markdown table, in which a test case is a row. */
    private static final Pattern CELL_OF_TABLE =
            Pattern.compile("(?i)cells of (the|a) (wide )?(CSV|row)|cells under a header"
                    + "|cells, more than|the first cell was read|empty cells|such cells read|end a cell|before a cell"
                    + "|cells are +or empty|^cell,");

    private static final Pattern LITERAL = Pattern.compile("\"((?:\\\\.|[^\"\\\\\n])*)\"");
    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)^\\s*//.*$");

    @Test
    void callsTheSameThingByTheSameWord() throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Documents.ROOT, 14)) {
            for (Path file : files.filter(path -> path.toString().contains("/src/main/java/"))
                    .filter(path -> path.toString().endsWith(".java"))
                    .toList()) {
                String source = Files.readString(file);
                for (Pattern pattern : List.of(BOUND, OLD_TYPE, QUESTION)) {
                    Matcher matcher = pattern.matcher(source);
                    if (matcher.find()) {
                        found.put(file.getFileName().toString(), matcher.group());
                    }
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void callsATestCaseSo() throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (Path document : Documents.all()) {
            if (!document.startsWith(Documents.ROOT.resolve("docs/decisions"))) {
                boolean java = false;
                for (String line : Files.readAllLines(document)) {
                    java = line.strip().startsWith("```java")
                            || java && !line.strip().equals("```");
                    String text = java ? "" : line.replaceAll("`[^`]*`", "");
                    cell(text).ifPresent(word -> found.put(Documents.name(document), text));
                }
            }
        }
        try (Stream<Path> files = Files.walk(Documents.ROOT, 14)) {
            for (Path file : files.filter(path -> path.toString().contains("/src/main/java/"))
                    .filter(path -> path.toString().endsWith(".java"))
                    .toList()) {
                Matcher literal =
                        LITERAL.matcher(COMMENT.matcher(Files.readString(file)).replaceAll(""));
                while (literal.find()) {
                    String text = literal.group(1);
                    cell(text)
                            .filter(word -> !text.equals(word))
                            .ifPresent(word -> found.put(Documents.name(file), text));
                }
            }
        }
        assertThat(found).isEmpty();
    }

    private static Optional<String> cell(String text) {
        Matcher cell = CELL.matcher(CELL_OF_TABLE.matcher(text).replaceAll(""));
        return cell.find() ? Optional.of(cell.group()) : Optional.empty();
    }
}
