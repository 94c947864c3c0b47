/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Markdown documents of this repository. */
final class Documents {

    /** The root of the sources. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** The reference, where names are looked up. */
    static final Path REFERENCE = ROOT.resolve("docs/reference");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private Documents() {}

    /** Returns them in a fixed order: those in the root, of docs, of bench and of the load driver. */
    static List<Path> all() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> bench = Files.walk(ROOT.resolve("bench"));
                Stream<Path> load = Files.list(ROOT.resolve("load-driver"))) {
            return Stream.of(top, docs, bench, load)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !ROOT.relativize(file).toString().contains("target"))
                    .sorted()
                    .toList();
        }
    }

    static List<Fence> fences(Path document) {
        try {
            return Fence.of(Files.readAllLines(document));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Returns what stands in backticks in the first cell of each row of the tables of a document. */
    static List<String> firstCells(Path document) throws IOException {
        List<String> names = new ArrayList<>();
        for (String line : Files.readAllLines(document)) {
            if (line.startsWith("| `")) {
                Matcher code = CODE.matcher(line.substring(0, line.indexOf(" |", 2)));
                while (code.find()) {
                    names.add(code.group(1));
                }
            }
        }
        return names;
    }

    static String name(Path document) {
        return ROOT.relativize(document).toString();
    }
}
