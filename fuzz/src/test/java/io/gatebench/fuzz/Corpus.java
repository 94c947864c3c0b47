/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The seeds of one target, and broken copies of them, the same ones in every build. They lie in {@code
 * src/test/corpus/<target>}, or are the files that the parser's own tests read.
 */
final class Corpus {

    private static final Path ROOT = Path.of("src/test/corpus");
    private static final Map<String, Path> OF_OTHER_TESTS = Map.of(
            "import", Path.of("../runner/src/test/resources/import"),
            "tool", Path.of("../report-generator/src/test/resources/past/tools"));

    /** What breaks readers of text and of lengths more often than a random byte does. */
    private static final List<byte[]> PIECES = Stream.of(
                    "0",
                    "-1",
                    "9223372036854775808",
                    "99999999999999999999999",
                    "1e400",
                    "NaN",
                    "Infinity",
                    "0x7f",
                    "null",
                    "true",
                    "{",
                    "}",
                    "[",
                    "]",
                    "\"",
                    "'",
                    ",",
                    ";",
                    ":",
                    "|",
                    "#",
                    "&a",
                    "*a",
                    "!!",
                    "..",
                    "/",
                    "\n",
                    "\r\n",
                    "\n\n",
                    "\t",
                    " ",
                    "\0",
                    "\u001b[31m",
                    "\u202e",
                    "\ufeff",
                    "\ud83d\ude00",
                    "=",
                    "%")
            .map(text -> text.getBytes(StandardCharsets.UTF_8))
            .toList();

    private final List<byte[]> seeds;

    private Corpus(List<byte[]> seeds) {
        this.seeds = seeds;
    }

    static Path directory(String target) {
        return OF_OTHER_TESTS.getOrDefault(target, ROOT.resolve(target));
    }

    static Corpus of(String target) throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory(target))) {
            for (Path file : files.sorted().toList()) {
                seeds.add(Files.readAllBytes(file));
            }
        }
        return new Corpus(seeds);
    }

    List<byte[]> seeds() {
        return seeds;
    }

    /** Returns a seed with one to four changes. */
    byte[] broken(Random random) {
        byte[] bytes = seeds.get(random.nextInt(seeds.size()));
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
            bytes = changed(bytes, random);
        }
        return bytes;
    }

    private byte[] changed(byte[] bytes, Random random) {
        int at = random.nextInt(bytes.length + 1);
        int length = Math.min(bytes.length - at, 1 + random.nextInt(1 + random.nextInt(64)));
        return switch (random.nextInt(7)) {
            case 0 -> spliced(bytes, at, length, new byte[0]);
            case 1 -> spliced(bytes, at, bytes.length - at, new byte[0]);
            case 2 -> spliced(bytes, at, 0, part(bytes, at, length));
            case 3 -> spliced(bytes, at, Math.min(1, length), new byte[] {(byte) random.nextInt(256)});
            case 4 -> spliced(bytes, at, 0, PIECES.get(random.nextInt(PIECES.size())));
            case 5 -> spliced(bytes, at, length, PIECES.get(random.nextInt(PIECES.size())));
            default -> {
                byte[] other = seeds.get(random.nextInt(seeds.size()));
                int from = random.nextInt(other.length + 1);
                yield spliced(bytes, at, length, part(other, from, Math.min(200, other.length - from)));
            }
        };
    }

    private static byte[] part(byte[] bytes, int from, int length) {
        byte[] part = new byte[length];
        System.arraycopy(bytes, from, part, 0, length);
        return part;
    }

    private static byte[] spliced(byte[] bytes, int at, int removed, byte[] inserted) {
        byte[] result = new byte[bytes.length - removed + inserted.length];
        System.arraycopy(bytes, 0, result, 0, at);
        System.arraycopy(inserted, 0, result, at, inserted.length);
        System.arraycopy(bytes, at + removed, result, at + inserted.length, bytes.length - at - removed);
        return result;
    }

    static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
