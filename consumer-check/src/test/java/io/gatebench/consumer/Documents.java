/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.consumer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The Markdown documents of this repository. */
final class Documents {

    /** The root of the sources. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private Documents() {}

    /** Returns them in a fixed order: those in the root, of docs and of bench. */
    static List<Path> all() throws IOException {
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> bench = Files.walk(ROOT.resolve("bench"))) {
            return Stream.of(top, docs, bench)
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

    static String name(Path document) {
        return ROOT.relativize(document).toString();
    }
}
