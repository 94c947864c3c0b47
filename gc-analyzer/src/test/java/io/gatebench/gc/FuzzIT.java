/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.model.GcSummary;

/** Logs cut anywhere, shuffled, repeated, mixed with junk: a right partial result or none, and an end in any case. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FuzzIT {

    private static final GcLogOptions FAST = GcLogOptions.defaults().withoutCompat();

    @TempDir
    private Path directory;

    private static byte[] bytes(String name) throws IOException {
        Path handMade = Truth.directory().resolveSibling("hand-made").resolve(name + ".log");
        if (Files.exists(handMade)) {
            return Files.readAllBytes(handMade);
        }
        try (InputStream in = new GZIPInputStream(Files.newInputStream(Truth.log(name)))) {
            return in.readAllBytes();
        }
    }

    private static List<String> lines(String name) throws IOException {
        return new String(bytes(name), StandardCharsets.UTF_8).lines().toList();
    }

    private static GcSummary analyze(Path file) {
        return GcLogAnalyzer.analyze(List.of(file), FAST);
    }

    private GcSummary analyze(List<String> lines) throws IOException {
        return analyze(Files.writeString(directory.resolve("fuzz.log"), String.join("\n", lines) + "\n"));
    }

    private static void hasSoundFigures(GcSummary summary) {
        summary.exact()
                .gcThroughputPercent()
                .value()
                .ifPresent(percent -> assertThat(percent).isBetween(0.0, 100.0));
        summary.exact()
                .pauseTotalSeconds()
                .value()
                .ifPresent(seconds -> assertThat(seconds).isNotNegative());
        summary.coveragePercent()
                .value()
                .ifPresent(percent -> assertThat(percent).isBetween(0.0, 100.0));
    }

    static List<String> logsToCut() {
        return List.of(
                "jdk8-serial",
                "jdk11-cms",
                "jdk11-cms-nested",
                "jdk11-g1-trace",
                "jdk11-serial-nested",
                "jdk17-shenandoah-degenerated",
                "jdk21-zgc-generational");
    }

    @ParameterizedTest
    @MethodSource("logsToCut")
    void neverTellsMoreThanIsThereWhereverALogIsCut(String name) throws IOException {
        requireNoMoreThanIsThere(name, 7);
    }

    @ParameterizedTest
    @MethodSource("logsToCut")
    @Tag("full")
    void neverTellsMoreThanIsThereAtWhichByteALogIsCut(String name) throws IOException {
        requireNoMoreThanIsThere(name, 1);
    }

    private void requireNoMoreThanIsThere(String name, int step) throws IOException {
        byte[] whole = bytes(name);
        Path file = directory.resolve("cut.log");
        double pausesBefore = 0;
        double secondsBefore = 0;
        for (int length = whole.length % step; length <= whole.length; length += step) {
            Files.write(file, Arrays.copyOf(whole, length));

            GcSummary summary = analyze(file);

            hasSoundFigures(summary);
            double pauses = summary.exact().pauseCount().value().orElse(pausesBefore);
            double seconds = summary.exact().pauseTotalSeconds().value().orElse(secondsBefore);
            assertThat(pauses).as("pauses of the first %d bytes", length).isGreaterThanOrEqualTo(pausesBefore);
            assertThat(seconds).as("seconds of the first %d bytes", length).isGreaterThanOrEqualTo(secondsBefore);
            pausesBefore = pauses;
            secondsBefore = seconds;
        }
        assertThat(pausesBefore)
                .isEqualTo(analyze(Files.write(file, whole))
                        .exact()
                        .pauseCount()
                        .value()
                        .orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdk11-g1-trace",
                "jdk17-g1-utctime",
                "jdk17-serial",
                "jdk17-shenandoah",
                "jdk17-zgc",
                "jdk21-zgc-generational",
                "jdk25-g1-evacuation-failures",
                "jdk25-parallel",
                "jdk25-shenandoah-generational"
            })
    void neverAddsUpMoreThanTheWholeWhenLinesAreLostRepeatedOrShuffled(String name) throws IOException {
        List<String> whole = lines(name);
        double all = analyze(whole).exact().pauseTotalSeconds().value().orElseThrow();
        for (int seed = 0; seed < 12; seed++) {
            Random random = new Random(seed);
            List<String> lossy = new ArrayList<>();
            List<String> repeated = new ArrayList<>();
            for (String line : whole) {
                if (random.nextInt(50) > 0) {
                    lossy.add(line);
                }
                repeated.add(line);
                if (random.nextInt(10) == 0) {
                    repeated.add(line);
                }
            }
            List<String> shuffled = new ArrayList<>(whole);
            Collections.shuffle(shuffled, random);

            for (List<String> lines : List.of(lossy, repeated, shuffled)) {
                GcSummary summary = analyze(lines);
                hasSoundFigures(summary);
                assertThat(summary.exact().pauseTotalSeconds().value().orElse(0))
                        .as("seed %d", seed)
                        .isLessThanOrEqualTo(all + 1e-9);
            }
            analyze(repeated)
                    .exact()
                    .pauseTotalSeconds()
                    .value()
                    .ifPresent(seconds -> assertThat(seconds).isCloseTo(all, within(1e-9)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdk8-g1",
                "jdk8-cms",
                "jdk11-cms",
                "jdk17-g1-utctime",
                "jdk17-zgc",
                "jdk25-shenandoah-generational"
            })
    void survivesFlippedBytesAndJunkBetween(String name) throws IOException {
        byte[] whole = bytes(name);
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            byte[] flipped = whole.clone();
            for (int i = 0; i < 1 + whole.length / 500; i++) {
                flipped[random.nextInt(flipped.length)] = (byte) random.nextInt(256);
            }
            int junkAt = random.nextInt(flipped.length - 300);
            if (seed % 2 == 0) {
                byte[] junk = new byte[300];
                random.nextBytes(junk);
                System.arraycopy(junk, 0, flipped, junkAt, junk.length);
            }
            hasSoundFigures(analyze(Files.write(directory.resolve("flipped.log"), flipped)));
        }
    }

    @Test
    void passesOverALineThatIsFiveTimesAsLongAsTheHeap() throws IOException, InterruptedException {
        List<String> lines = lines("jdk17-g1-utctime");
        Path file = directory.resolve("endless.log");
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.write((String.join("\n", lines.subList(0, 100)) + "\n").getBytes(StandardCharsets.UTF_8));
            // A hole in the file: a line of zero bytes that takes no room on the disk.
            out.seek(out.length() + (120L << 20));
            out.write(("\n" + String.join("\n", lines.subList(100, lines.size())) + "\n")
                    .getBytes(StandardCharsets.UTF_8));
        }
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx24m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Summarize.class.getName(),
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String output;
        try (InputStream in = process.getInputStream()) {
            output = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }

        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        GcSummary straight = GcLogAnalyzer.analyze(List.of(Truth.log("jdk17-g1-utctime")), FAST);
        assertThat(output)
                .contains("pauses " + straight.exact().pauseCount().value().orElseThrow())
                .contains("1 lines were too long for a GC log");
    }

    /** Prints what the test above looks at. */
    static final class Summarize {
        private Summarize() {}

        /** Argument: the log. */
        public static void main(String[] arguments) {
            GcSummary summary = analyze(Path.of(arguments[0]));
            System.out.println("pauses " + summary.exact().pauseCount().value().orElse(-1) + " " + summary.notes());
        }
    }
}
