/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks, wherever their borders fall, tell what the lines one after the other tell. */
class BlockReaderTest {

    @TempDir
    private Path directory;

    /** Everything that a parser tells, in order. */
    private static final class Told implements LogListener, LogFile.LineTaker {
        private final List<String> told = new ArrayList<>();
        private final ParserHealth health = new ParserHealth();
        private final UnifiedLogParser parser = new UnifiedLogParser(this, new LogClock(), this::nextHealth);
        private int taken;

        private ParserHealth nextHealth() {
            return health;
        }

        private List<String> all() {
            parser.finish();
            told.add("pauses " + health.pausesUnderstood + " " + health.pausesNotUnderstood + " "
                    + health.pausesWithoutEnd + " missing " + health.missingCollections + " repeated "
                    + health.repeatedLines + " overlong " + health.overlongLines + " from " + health.firstNanos + " to "
                    + health.lastNanos + " cut " + health.lastLineCut);
            return told;
        }

        @Override
        public boolean take(byte[] b, int start, int end, boolean terminated) {
            taken++;
            parser.accept(b, start, end, terminated);
            health.lastLineCut = !terminated;
            return true;
        }

        @Override
        public int skip(LogBytes content, int start, int limit) {
            int next = parser.skip(content, start, limit);
            health.lastLineCut &= next == start;
            return next;
        }

        @Override
        public void passOver(byte[] b, int start, int end) {
            parser.passOver(b, start, end);
            health.lastLineCut = false;
        }

        @Override
        public void beforeRefill() {
            parser.stampLastLine();
        }

        @Override
        public void overlong() {
            health.overlongLines++;
        }

        @Override
        public void jvmStarted() {
            told.add("started");
        }

        @Override
        public void collection(Collection collection) {
            told.add(collection.toString());
        }

        @Override
        public void afterFull(long startNanos, double bytes, String cause) {
            told.add("full " + startNanos + " " + bytes + " " + cause);
        }

        @Override
        public void concurrent(long endNanos, long durationNanos) {
            told.add("concurrent " + endNanos + " " + durationNanos);
        }

        @Override
        public void safepoint(long endNanos, long waitNanos, long totalNanos) {
            told.add("safepoint " + endNanos + " " + waitNanos + " " + totalNanos);
        }

        @Override
        public void oldGeneration(long endNanos, long beforeBytes, long afterBytes) {
            told.add("old " + endNanos + " " + beforeBytes + " " + afterBytes);
        }

        @Override
        public void count(Event event, long timeNanos, long number) {
            told.add(event + " " + timeNanos + " " + number);
        }

        @Override
        public void fact(Fact fact, String value) {
            told.add(fact + " " + value);
        }
    }

    static Stream<Path> unifiedLogs() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("src/test/resources"))) {
            return files
                    .filter(file -> file.toString().matches(".*jdk(9|[1-9]\\d)-.*\\.log(\\.gz)?"))
                    .toList()
                    .stream();
        }
    }

    private static Told lines(Path log) {
        Told told = new Told();
        LogFile.inOrder(List.of(log)).get(0).read(told);
        return told;
    }

    private static Told blocks(Path log, int blockBytes) throws IOException {
        Told told = new Told();
        BlockReader.read(log, 2, blockBytes, told);
        return told;
    }

    @ParameterizedTest
    @MethodSource("unifiedLogs")
    void tellsWhatTheLinesTell(Path packed) throws IOException {
        Path log = directory.resolve("gc.log");
        try (InputStream in = Files.newInputStream(packed)) {
            Files.copy(packed.toString().endsWith(".gz") ? new GZIPInputStream(in) : in, log);
        }
        Told lines = lines(log);
        List<String> wanted = lines.all();

        for (int blockBytes : new int[] {97, 4096, 1 << 20}) {
            assertThat(blocks(log, blockBytes).all())
                    .as("blocks of %d bytes", blockBytes)
                    .isEqualTo(wanted);
        }
        // What a block alone cannot tell is kept: the lines after one that is of no collection.
        assertThat(blocks(log, 1 << 20).taken).isLessThan(2 * lines.taken);
    }

    @Test
    void readsALineThatIsCutAndOneThatIsTooLong() throws IOException {
        String pause = "[0.%d00s][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.000ms\n";
        String text = pause.formatted(1, 0) + "x".repeat(BlockScan.MAX_LINE_BYTES * 2) + "\n" + pause.formatted(2, 1)
                + "[0.300s][info][gc] GC(2) Pause Young (Nor";
        Path log = Files.writeString(directory.resolve("gc.log"), text);
        List<String> wanted = lines(log).all();

        assertThat(wanted).last().asString().contains("pauses 2", "overlong 1", "cut true");
        for (int blockBytes : new int[] {50, 4096, 1 << 20}) {
            assertThat(blocks(log, blockBytes).all())
                    .as("blocks of %d bytes", blockBytes)
                    .isEqualTo(wanted);
        }
    }
}
