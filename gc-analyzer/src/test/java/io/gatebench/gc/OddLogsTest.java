/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.model.GcFinding;
import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;

/** What happens to logs on their way: other decorations, foreign lines, cuts, rotation, damage. */
class OddLogsTest {

    private static final Pattern LINE =
            Pattern.compile("\\[([^\\]]*)\\]\\[([^\\]]*)s\\]\\[([^\\]]*)\\]\\[([^\\]]*)\\] ?(.*)");
    private static final GcLogOptions FAST = GcLogOptions.defaults().withoutCompat();

    private static List<String> lines;
    private static GcSummary straight;

    @TempDir
    private Path directory;

    @BeforeAll
    static void read() throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(Truth.log("jdk17-g1-utctime")))) {
            lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        straight = GcLogAnalyzer.analyze(Truth.log("jdk17-g1-utctime"));
    }

    private Path write(String name, List<String> content) throws IOException {
        Path file = directory.resolve(name);
        Files.writeString(file, String.join("\n", content) + "\n");
        return file;
    }

    private GcSummary analyze(Path... files) {
        return GcLogAnalyzer.analyze(Arrays.asList(files), FAST);
    }

    private static void sameAsStraight(GcSummary summary) {
        assertThat(summary.exact().pauseCount()).isEqualTo(straight.exact().pauseCount());
        assertThat(summary.exact().pauseTotalSeconds())
                .isEqualTo(straight.exact().pauseTotalSeconds());
        assertThat(summary.exact().fullGcCount()).isEqualTo(straight.exact().fullGcCount());
        assertThat(summary.exact().footprintAfterFullGcMeanBytes())
                .isEqualTo(straight.exact().footprintAfterFullGcMeanBytes());
        if (summary.exact().gcThroughputPercent().value().isPresent()) {
            assertThat(summary.exact().gcThroughputPercent().value().getAsDouble())
                    .isCloseTo(
                            straight.exact().gcThroughputPercent().value().orElseThrow(),
                            org.assertj.core.api.Assertions.within(0.01));
        }
    }

    /** Each form names the decorations: a utctime, b uptime, c level, d tags. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[%1$s][%4$s] %5$s",
                "[%1$s] %5$s",
                "%5$s",
                "[%2$ss] %5$s",
                "[%2$ss][gateway] %5$s",
                "[%6$dms][gcp-3][4711] %5$s",
                "[%3$s][%4$s] %5$s",
                "[%1$s][%2$ss][host-7.example][%3$s][%4$s] %5$s",
                "[%6$dms][%3$s][%4$s] %5$s",
                "[%7$dns][%3$s][%4$s] %5$s",
                "[%7$dns][4711][4712][%3$s][%4$s] %5$s",
                "2026-11-21T02:33:11.694Z stdout F [%1$s][%2$ss][%3$s][%4$s] %5$s",
                "text without its own line end[%1$s][%2$ss][%3$s][%4$s] %5$s",
                "[%1$s][%2$ss][%3$s][%4$s] %5$s\r"
            })
    void understandsAnyDecorations(String form) throws IOException {
        List<String> other = new ArrayList<>();
        for (String line : lines) {
            Matcher m = LINE.matcher(line);
            assertThat(m.matches()).isTrue();
            double uptime = Double.parseDouble(m.group(2));
            other.add(String.format(
                    java.util.Locale.ROOT,
                    form,
                    m.group(1),
                    m.group(2),
                    m.group(3),
                    m.group(4),
                    m.group(5),
                    Math.round(uptime * 1e3),
                    Math.round(uptime * 1e9)));
        }

        sameAsStraight(analyze(write("gc.log", other)));
    }

    @Test
    void putsARotatedSetInOrder() throws IOException {
        int third = lines.size() / 3;
        Path first = write("gc.log.0", lines.subList(0, third));
        Path second = write("gc.log.1", lines.subList(third, 2 * third));
        Path last = write("gc.log", lines.subList(2 * third, lines.size()));

        assertThat(GcLogSet.group(List.of(last, second, first))).hasSize(1);
        sameAsStraight(analyze(last, second, first));
    }

    @Test
    void ignoresForeignLinesAndRepeatedOnes() throws IOException {
        List<String> mixed = new ArrayList<>();
        for (String line : lines) {
            mixed.add(line);
            mixed.add(line);
            mixed.add("12:00:01 INFO [main] a.b.C - Pause the music 12.5ms");
            mixed.add("\u0000\u0001\uffff binary");
        }

        sameAsStraight(analyze(write("gc.log", mixed)));
    }

    @Test
    void takesTheLastOfSeveralJvmsUnlessToldOtherwise() throws IOException {
        List<String> two = new ArrayList<>(lines.subList(0, lines.size() / 2));
        two.addAll(lines);
        Path log = write("gc.log", two);

        GcSummary last = analyze(log);
        GcSummary first = GcLogAnalyzer.analyze(List.of(log), FAST.withRun(1));
        GcSummary third = GcLogAnalyzer.analyze(List.of(log), FAST.withRun(3));

        sameAsStraight(last);
        assertThat(last.notes()).anyMatch(note -> note.contains("2 JVM starts"));
        assertThat(last.findings()).extracting(GcFinding::rule).contains(GcFinding.JVM_RESTARTED);
        assertThat(first.exact().pauseCount().value().orElseThrow())
                .isLessThan(straight.exact().pauseCount().value().orElseThrow());
        assertThat(third.exact().pauseCount())
                .isEqualTo(MeasuredValue.absent("JVM start 3 was asked for but the log holds 2"));
    }

    @Test
    void takesTheJvmThatIsInTheWindowLongest() throws IOException {
        List<String> moved = new ArrayList<>();
        for (String line : lines) {
            moved.add(line.replace("T02:33:", "T05:33:"));
        }
        List<String> two = new ArrayList<>(lines);
        two.addAll(moved);
        Path log = write("gc.log", two);
        Truth truth = Truth.all()
                .filter(t -> t.toString().equals("jdk17-g1-utctime"))
                .findFirst()
                .orElseThrow();

        GcSummary first = GcLogAnalyzer.analyze(List.of(log), FAST.withWindow(truth.window()));
        GcSummary one = GcLogAnalyzer.analyze(List.of(log), FAST.withRun(1).withWindow(truth.window()));

        assertThat(first.exact().pauseCount()).isEqualTo(MeasuredValue.of(truth.number("windowPauseCount")));
        assertThat(first.notes())
                .contains(
                        "The log holds 2 JVM starts; these figures are those of start 1, which is in the window longest.");
        assertThat(one.exact()).isEqualTo(first.exact());
    }

    @Test
    void saysWhereAWindowByUptimeLiesByTheWallClock() throws IOException {
        GcLogOptions options =
                GcWindowArguments.options("2s", "8s", null, null, null).withoutCompat();
        GcSummary summary = GcLogAnalyzer.analyze(List.of(write("gc.log", lines)), options);
        GcSummary byClock = GcLogAnalyzer.analyze(
                List.of(write("gc.log", lines)),
                FAST.withWindow(summary.window().orElseThrow()));

        assertThat(summary.window().orElseThrow().length()).isEqualTo(java.time.Duration.ofSeconds(6));
        assertThat(byClock.exact()).isEqualTo(summary.exact());
        assertThat(summary.notes()).contains("The window begins 2.000 s after the JVM's start and ends at 8.000 s.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
    void readsWhatAWindowsConsoleWrote(String charset) throws IOException {
        Path file = directory.resolve("gc.log");
        Files.write(
                file,
                ("\ufeff" + String.join("\r\n", lines) + "\r\n").getBytes(java.nio.charset.Charset.forName(charset)));

        sameAsStraight(analyze(file));
    }

    @Test
    void endsWhereALineIsNothingButBrackets() throws IOException {
        List<String> mixed = new ArrayList<>(lines);
        for (String bracket : List.of("[", "[a ", "]", "[] ")) {
            mixed.add(50, "[a] " + bracket.repeat(300_000) + "]");
            mixed.add(60, "x" + bracket.repeat(300_000));
        }

        sameAsStraight(analyze(write("gc.log", mixed)));
    }

    @Test
    void readsBehindAPrefixInBrackets() throws IOException {
        sameAsStraight(analyze(write(
                "gc.log", lines.stream().map(line -> "[gateway-1] " + line).toList())));
    }

    @Test
    void countsTheEventsOfAWindowOfAJdk8Log() {
        Path log = Truth.directory().resolveSibling("hand-made").resolve("jdk8-g1.log");

        GcSummary whole = GcLogAnalyzer.analyze(log);
        GcSummary window =
                GcLogAnalyzer.analyze(List.of(log), GcWindowArguments.options("1.5s", "2.5s", null, null, null));
        GcSummary before =
                GcLogAnalyzer.analyze(List.of(log), GcWindowArguments.options("0.5s", "1.5s", null, null, null));

        assertThat(whole.counts().evacuationFailures()).isEqualTo(MeasuredValue.of(1));
        assertThat(window.counts().evacuationFailures()).isEqualTo(MeasuredValue.of(1));
        assertThat(window.counts().humongousCollections()).isEqualTo(MeasuredValue.of(1));
        assertThat(window.concurrentSeconds().value().orElseThrow()).isPositive();
        assertThat(before.counts().evacuationFailures()).isEqualTo(MeasuredValue.of(0));
        assertThat(before.exact().pauseCount()).isEqualTo(MeasuredValue.of(1));
    }

    @Test
    void addsNothingUpWhenAPartIsLost() throws IOException {
        List<String> gap = new ArrayList<>(lines.subList(0, lines.size() / 3));
        gap.addAll(lines.subList(2 * lines.size() / 3, lines.size()));

        GcSummary summary = analyze(write("gc.log", gap));

        assertThat(summary.exact().gcThroughputPercent().value()).isEmpty();
        assertThat(summary.notes()).anyMatch(note -> note.contains("collections are missing"));
    }

    @Test
    void keepsWhatDoesNotDependOnTheOrderOfLines() throws IOException {
        List<String> shuffled = new ArrayList<>(lines);
        Collections.shuffle(shuffled, new Random(1));

        GcSummary summary = analyze(write("gc.log", shuffled));

        assertThat(summary.exact().pauseTotalSeconds())
                .isEqualTo(straight.exact().pauseTotalSeconds());
        assertThat(summary.heap().allocationRateBytesPerSecond().value()).isEmpty();
        assertThat(summary.notes()).anyMatch(note -> note.contains("out of order"));
    }

    @Test
    void readsAPackedFileAsFarAsItGoes() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
        }
        Path file = directory.resolve("gc.log.gz");
        for (int length : new int[] {0, 1, 2, 9, 11, 500, 4000, packed.size() - 1}) {
            Files.write(file, Arrays.copyOf(packed.toByteArray(), length));
            GcSummary summary = analyze(file);
            assertThat(summary.exact().pauseCount().value().orElse(0))
                    .isLessThanOrEqualTo(straight.exact().pauseCount().value().orElseThrow());
        }
    }

    @Test
    void survivesJunkAndEndlessLinesInConstantMemory() throws IOException {
        Random random = new Random(7);
        byte[] junk = new byte[1 << 20];
        for (int i = 0; i < 20; i++) {
            random.nextBytes(junk);
            Path file = Files.write(directory.resolve("junk.log"), junk);
            assertThat(analyze(file).exact().gcThroughputPercent().value()).isEmpty();
        }
        Path endless = directory.resolve("endless.log");
        byte[] letters = new byte[1 << 20];
        Arrays.fill(letters, (byte) '[');
        try (OutputStream out = Files.newOutputStream(endless)) {
            out.write((lines.get(0) + "\n").getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 100; i++) {
                out.write(letters);
            }
            out.write(
                    ("\n" + String.join("\n", lines.subList(1, lines.size())) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        GcSummary summary = analyze(endless);
        assertThat(summary.exact().pauseCount()).isEqualTo(straight.exact().pauseCount());
        assertThat(summary.notes()).anyMatch(note -> note.contains("too long"));
    }

    @Test
    void saysWhatIsWrongWithAFile() throws IOException {
        assertThatThrownBy(() -> analyze(directory.resolve("none.log")))
                .isInstanceOf(GcLogException.class)
                .hasMessageContaining("there is no GC log");
        assertThatThrownBy(() -> analyze(directory))
                .isInstanceOf(GcLogException.class)
                .hasMessageContaining("is a directory");
        assertThat(analyze(write("empty.log", List.of())).exact().pauseCount())
                .isEqualTo(MeasuredValue.absent("the file holds no line of a GC log"));
    }
}
