/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Counts one plain file in blocks, on several processors.
 *
 * <p>Where a row begins cannot be known in the middle of a file, since a quoted message may hold line ends. So each block
 * begins behind the first line end after its nominal begin, and is read again where the block before it has ended
 * elsewhere: the result is that of one reader.
 */
final class JtlBlocks {

    /** A shorter file is read before a second thread has been started and its code compiled. */
    static final long BLOCK_BYTES = 32L << 20;

    private final Path file;
    private final long warmUpMillis;
    private final JtlStatistics statistics;
    private final long blockBytes;
    private final int processors;

    JtlBlocks(Path file, long warmUpMillis, JtlStatistics statistics, long blockBytes, int processors) {
        this.file = file;
        this.warmUpMillis = warmUpMillis;
        this.statistics = statistics;
        this.blockBytes = blockBytes;
        this.processors = processors;
    }

    /** Counts of a file. */
    static final class Counted {
        final LabelTable labels = new LabelTable();
        final List<LabelTotals> totals = new ArrayList<>();
        final SkippedLines skipped = new SkippedLines();
        final List<String> notes = new ArrayList<>();
        long rows;
        long warmUpSamples;
        private long firstStart = Long.MAX_VALUE;
        private long breaks;
        private long end;
        private OptionalLong unended = OptionalLong.empty();

        private void addAll(Counted part, String file, JtlStatistics statistics) {
            for (int i = 0; i < part.totals.size(); i++) {
                int label = labels.numberOf(part.labels.text(i));
                while (totals.size() <= label) {
                    totals.add(new LabelTotals(statistics));
                }
                totals.get(label).addAll(part.totals.get(i));
            }
            skipped.addAll(part.skipped, breaks);
            if (part.rows > 0) {
                notes.addAll(part.notes);
            }
            part.unended.ifPresent(line -> notes.add(JtlParser.unendedNote(file, breaks + line)));
            rows += part.rows;
            warmUpSamples += part.warmUpSamples;
            firstStart = Math.min(firstStart, part.firstStart);
            breaks += part.breaks;
            end = part.end;
        }
    }

    /** Ends the reading of a file that wants one reader. */
    private static final class NotInBlocks extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private NotInBlocks() {
            super(null, null, false, false);
        }
    }

    /**
     * Counts the file.
     *
     * @return null if one reader must read it: it is short, compressed, no JTL, or holds transactions or too many labels
     */
    @Nullable
    Counted count() throws IOException {
        if (processors < 2) {
            return null;
        }
        try (FileChannel channel = FileChannel.open(file)) {
            if (channel.size() < 2 * blockBytes || isCompressed(channel)) {
                return null;
            }
            JtlColumns columns;
            try {
                columns = parser(channel, 0, new Counted(), row -> {}).columns(new ArrayList<>());
            } catch (JtlFormatException e) {
                return null;
            }
            if (columns == null) {
                return null;
            }
            long assumed = warmUpMillis > 0 ? firstStartOfBlock(channel, columns) : Long.MIN_VALUE;
            Counted counted = count(channel, columns, assumed);
            if (warmUpMillis > 0 && counted.firstStart < assumed) {
                counted = count(channel, columns, counted.firstStart);
            }
            return counted.rows == 0 ? null : counted;
        } catch (NotInBlocks | LabelTable.TooMany e) {
            return null;
        }
    }

    private static boolean isCompressed(FileChannel channel) throws IOException {
        ByteBuffer magic = ByteBuffer.allocate(2);
        channel.read(magic, 0);
        return magic.get(0) == 0x1f && magic.get(1) == (byte) 0x8b || magic.get(0) == 'P' && magic.get(1) == 'K';
    }

    private long firstStartOfBlock(FileChannel channel, JtlColumns columns) throws IOException {
        long[] first = {Long.MAX_VALUE};
        long begin = nextRow(channel, 0);
        parser(channel, begin, new Counted(), row -> first[0] = Math.min(first[0], row.timestampMillis()))
                .block(columns, begin, begin + JtlParser.READ_BYTES, new ArrayList<>());
        return first[0];
    }

    private Counted count(FileChannel channel, JtlColumns columns, long firstStart) throws IOException {
        int blocks = Math.toIntExact(channel.size() / blockBytes);
        long[] begins = new long[blocks + 1];
        for (int i = 1; i < blocks; i++) {
            begins[i] = nextRow(channel, i * blockBytes);
        }
        begins[blocks] = Long.MAX_VALUE;
        Counted all = new Counted();
        ExecutorService readers = Executors.newFixedThreadPool(Math.min(processors, blocks));
        try {
            Deque<Future<Counted>> parts = new ArrayDeque<>();
            for (int i = 0; i < blocks; i++) {
                long from = begins[i];
                long until = begins[i + 1];
                parts.add(readers.submit(() -> read(from, until, columns, firstStart)));
            }
            for (int i = 0; i < blocks; i++) {
                Future<Counted> part = parts.remove();
                boolean rightlyBegun = all.end == begins[i];
                Counted read = rightlyBegun ? result(part) : read(all.end, begins[i + 1], columns, firstStart);
                all.addAll(read, name(), statistics);
            }
        } finally {
            readers.shutdownNow();
        }
        return all;
    }

    private String name() {
        return String.valueOf(file.getFileName());
    }

    private static Counted result(Future<Counted> part) throws IOException {
        try {
            return part.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while reading");
        }
    }

    private Counted read(long from, long until, JtlColumns columns, long firstStart) throws IOException {
        Counted part = new Counted();
        // A channel of its own: an interrupted reader closes it.
        try (FileChannel channel = FileChannel.open(file)) {
            JtlParser parser = parser(channel, from, part, row -> count(row, part, firstStart));
            if (from == 0) {
                parser.columns(part.notes);
            }
            part.rows = parser.block(columns, from, until, part.notes);
            part.breaks = parser.breaks();
            part.end = parser.offset();
            part.unended = parser.unended();
        }
        return part;
    }

    private void count(JtlRow row, Counted part, long firstStart) {
        if (row.transaction) {
            throw new NotInBlocks();
        }
        long start = row.timestampMillis();
        part.firstStart = Math.min(part.firstStart, start);
        if (warmUpMillis > 0 && statistics.inWarmUp(start - firstStart, warmUpMillis)) {
            part.warmUpSamples++;
            return;
        }
        while (part.totals.size() <= row.labelNumber()) {
            part.totals.add(new LabelTotals(statistics));
        }
        part.totals
                .get(row.labelNumber())
                .add(start, row.elapsedMillis(), row.success(), row.receivedBytes(), row.sentBytes());
    }

    private JtlParser parser(FileChannel channel, long from, Counted part, Consumer<JtlRow> rows) throws IOException {
        InputStream in = Channels.newInputStream(channel.position(from));
        return new JtlParser(name(), in, part.labels, part.skipped, rows);
    }

    /** Returns the offset behind the first line end from an offset on, or the file's end. */
    private static long nextRow(FileChannel channel, long from) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(JtlParser.READ_BYTES);
        long at = from;
        while (channel.read(bytes.clear(), at) > 0) {
            for (int i = 0; i < bytes.position(); i++) {
                if (bytes.get(i) == '\n') {
                    return at + i + 1;
                }
            }
            at += bytes.position();
        }
        return channel.size();
    }
}
