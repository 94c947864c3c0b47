/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The figures of one or more JTL files together, per label.
 *
 * <p>Rows are {@code warmUpSamples} + the samples of all labels + {@code skippedCount}: every row is counted or reported.
 * The row of a transaction whose own samples are in the file is reported as skipped; where they are not, it is counted.
 *
 * @param lines rows of all files
 * @param warmUpSamples samples that belong to the warm-up, and to no label
 * @param labels figures per label, in order of name
 * @param skippedCount rows that were not counted
 * @param skipped the first of them
 * @param notes what a reader of the figures must know
 * @param statistics by which rules
 * @param warmUp the leading time that does not count, from the first start on
 */
public record JtlSummary(
        long lines,
        long warmUpSamples,
        List<JtlLabelSummary> labels,
        long skippedCount,
        List<SkippedLine> skipped,
        List<String> notes,
        JtlStatistics statistics,
        Duration warmUp) {

    private static final int MAX_SHOWN = 1000;

    /** Copies the lists. */
    public JtlSummary {
        labels = List.copyOf(labels);
        skipped = List.copyOf(skipped);
        notes = List.copyOf(notes);
    }

    /**
     * Reads files and summarizes them together.
     *
     * @param warmUp samples that start within it, from the first start of all files on, do not count
     * @throws JtlFormatException if a file is no JTL in CSV form
     * @throws IOException if a file cannot be read
     */
    public static JtlSummary of(List<Path> files, Duration warmUp, JtlStatistics statistics) throws IOException {
        if (files.size() == 1) {
            JtlBlocks blocks = new JtlBlocks(
                    files.get(0),
                    warmUp.toMillis(),
                    statistics,
                    JtlBlocks.BLOCK_BYTES,
                    Runtime.getRuntime().availableProcessors());
            JtlBlocks.Counted counted = blocks.count();
            if (counted != null) {
                return of(counted, warmUp, statistics);
            }
        }
        long firstStart = Long.MAX_VALUE;
        boolean transactions = false;
        // Nearly always one pass: another when a transaction or a start before the assumed first one turns up.
        while (true) {
            Pass pass = new Pass(warmUp, statistics, firstStart, transactions);
            if (pass.run(files)) {
                return pass.summary();
            }
            transactions |= pass.foundTransaction;
            if (pass.foundEarlier) {
                firstStart = firstStart(files);
            }
        }
    }

    static JtlSummary of(JtlBlocks.Counted counted, Duration warmUp, JtlStatistics statistics) {
        return new JtlSummary(
                counted.rows,
                counted.warmUpSamples,
                summaries(counted.totals, counted.labels::text),
                counted.skipped.count(),
                counted.skipped.kept(),
                counted.notes,
                statistics,
                warmUp);
    }

    private static List<JtlLabelSummary> summaries(List<LabelTotals> totals, IntFunction<String> labels) {
        Map<String, JtlLabelSummary> summaries = new TreeMap<>();
        for (int i = 0; i < totals.size(); i++) {
            if (totals.get(i).samples() > 0) {
                summaries.put(labels.apply(i), totals.get(i).summary(labels.apply(i)));
            }
        }
        return new ArrayList<>(summaries.values());
    }

    private static long firstStart(List<Path> files) throws IOException {
        long[] first = {Long.MAX_VALUE};
        JtlReader reader = new JtlReader();
        for (Path file : files) {
            reader.read(file, row -> first[0] = Math.min(first[0], row.timestampMillis()));
        }
        return first[0];
    }

    private static final class Pass {

        private final long warmUpMillis;
        private final JtlStatistics statistics;
        private final boolean transactions;
        private final JtlReader reader = new JtlReader();
        private final List<LabelTotals> totals = new ArrayList<>();
        private final Map<String, ThreadRows> threads = new HashMap<>();
        private final Duration warmUp;
        private long firstStart;
        private long warmUpSamples;
        private long lastWarmUpStart = Long.MIN_VALUE;
        private String file = "";
        private boolean foundTransaction;
        private boolean foundEarlier;

        private Pass(Duration warmUp, JtlStatistics statistics, long firstStart, boolean transactions) {
            this.warmUp = warmUp;
            this.warmUpMillis = warmUp.toMillis();
            this.statistics = statistics;
            this.firstStart = firstStart;
            this.transactions = transactions;
        }

        /** Ends a pass that has found that it began with a wrong assumption. */
        private static final class Again extends RuntimeException {
            private static final long serialVersionUID = 1L;

            private Again() {
                super(null, null, false, false);
            }
        }

        private boolean run(List<Path> files) throws IOException {
            try {
                for (Path path : files) {
                    file = String.valueOf(path.getFileName());
                    reader.read(path, this::row);
                }
                threads.values().forEach(rows -> rows.waiting.forEach(this::count));
                return true;
            } catch (Again e) {
                return false;
            }
        }

        private void row(JtlRow row) {
            if (row.transaction) {
                if (!transactions) {
                    foundTransaction = true;
                    throw new Again();
                }
                transaction(row);
                return;
            }
            if (transactions) {
                ThreadRows rows = threads.computeIfAbsent(row.text("threadName"), name -> new ThreadRows());
                long start = row.timestampMillis();
                long end = start + row.elapsedMillis();
                rows.waiting.removeIf(waiting -> {
                    boolean inside = waiting.contains(start, end);
                    if (inside) {
                        skip(waiting);
                    }
                    return inside;
                });
                rows.seen(start, end);
            }
            count(
                    row.labelNumber(),
                    row.timestampMillis(),
                    row.elapsedMillis(),
                    row.success(),
                    row.receivedBytes(),
                    row.sentBytes());
        }

        private void transaction(JtlRow row) {
            ThreadRows rows = threads.computeIfAbsent(row.text("threadName"), name -> new ThreadRows());
            Transaction transaction = new Transaction(
                    file,
                    row.line(),
                    row.labelNumber(),
                    row.timestampMillis(),
                    row.elapsedMillis(),
                    row.success(),
                    row.receivedBytes(),
                    row.sentBytes());
            if (rows.hasInside(transaction)) {
                skip(transaction);
                return;
            }
            // Its samples may still come: nothing orders the rows of a file.
            rows.waiting.add(transaction);
            if (rows.waiting.size() > ThreadRows.KEPT) {
                count(rows.waiting.remove());
            }
        }

        private void skip(Transaction transaction) {
            reader.skip(transaction.file, transaction.line, "a transaction whose samples are counted on their own");
        }

        private void count(Transaction row) {
            count(row.label, row.start, row.elapsed, row.success, row.received, row.sent);
        }

        private void count(int label, long start, long elapsed, boolean success, long received, long sent) {
            if (warmUpMillis > 0) {
                if (start < firstStart) {
                    firstStart = start;
                    // An earlier start moves the end of the warm-up: one that is in it already may have to leave it.
                    if (warmUpSamples > 0 && !inWarmUp(lastWarmUpStart)) {
                        foundEarlier = true;
                        throw new Again();
                    }
                }
                if (inWarmUp(start)) {
                    warmUpSamples++;
                    lastWarmUpStart = Math.max(lastWarmUpStart, start);
                    return;
                }
            }
            while (totals.size() <= label) {
                totals.add(new LabelTotals(statistics));
            }
            totals.get(label).add(start, elapsed, success, received, sent);
        }

        private boolean inWarmUp(long start) {
            return statistics.inWarmUp(start - firstStart, warmUpMillis);
        }

        private JtlSummary summary() {
            return new JtlSummary(
                    reader.rows(),
                    warmUpSamples,
                    summaries(totals, reader::label),
                    reader.skippedCount(),
                    reader.skipped(),
                    reader.notes(),
                    statistics,
                    warmUp);
        }
    }

    private record Transaction(
            String file, long line, int label, long start, long elapsed, boolean success, long received, long sent) {
        private boolean contains(long first, long last) {
            return first >= start && last <= start + elapsed;
        }
    }

    private static final class ThreadRows {
        private static final int KEPT = 256;

        private final long[] starts = new long[KEPT];
        private final long[] ends = new long[KEPT];
        private final Deque<Transaction> waiting = new ArrayDeque<>();
        private long count;

        private void seen(long start, long end) {
            int slot = (int) (count++ % KEPT);
            starts[slot] = start;
            ends[slot] = end;
        }

        private boolean hasInside(Transaction transaction) {
            for (int i = 0; i < Math.min(count, KEPT); i++) {
                if (transaction.contains(starts[i], ends[i])) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Returns this as JSON: {@code lines}, {@code skipped} with line numbers and reasons, {@code labels} by name. */
    public String toJson() {
        JsonMapper mapper = JsonMapper.builder()
                .enable(com.fasterxml.jackson.databind.SerializationFeature.INDENT_OUTPUT)
                .configure(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN, true)
                .build();
        ObjectNode root = mapper.createObjectNode();
        root.put("statistics", statistics.name().toLowerCase(java.util.Locale.ROOT));
        root.put(
                "warmUpSeconds",
                java.math.BigDecimal.valueOf(warmUp.toMillis(), 3).stripTrailingZeros());
        root.put("lines", lines);
        root.put("warmUpSamples", warmUpSamples);
        root.put("skippedCount", skippedCount);
        ArrayNode skippedNode = root.putArray("skipped");
        for (SkippedLine line : skipped) {
            skippedNode
                    .addObject()
                    .put("file", line.file())
                    .put("line", line.line())
                    .put("reason", line.reason());
        }
        ArrayNode notesNode = root.putArray("notes");
        notes.forEach(notesNode::add);
        ObjectNode labelsNode = root.putObject("labels");
        for (JtlLabelSummary label : labels) {
            ObjectNode node = labelsNode.putObject(label.label());
            node.put("samples", label.samples());
            node.put("errors", label.errors());
            node.put("errorPercent", label.errorPercent());
            node.put("throughputPerSecond", label.throughputPerSecond().orElse(null));
            node.put("meanMillis", label.meanMillis());
            node.put("standardDeviationMillis", label.standardDeviationMillis());
            node.put("minMillis", label.minMillis());
            node.put("maxMillis", label.maxMillis());
            ObjectNode percentiles = node.putObject("percentilesMillis");
            label.percentilesMillis().forEach(percentiles::put);
            node.put(
                    "receivedKibibytesPerSecond",
                    label.receivedKibibytesPerSecond().orElse(null));
            node.put("sentKibibytesPerSecond", label.sentKibibytesPerSecond().orElse(null));
        }
        return root.toPrettyString();
    }

    /** Returns this as a table for people, skipped lines below it. */
    public String toTable() {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {
            "Label",
            "Samples",
            "Errors",
            "Error %",
            "Throughput/s",
            "Mean ms",
            "Std dev ms",
            "Min ms",
            "Max ms",
            "p50",
            "p75",
            "p90",
            "p95",
            "p98",
            "p99",
            "p99.9"
        });
        for (JtlLabelSummary label : labels) {
            List<String> row = new ArrayList<>(List.of(
                    oneLine(label.label()),
                    String.valueOf(label.samples()),
                    String.valueOf(label.errors()),
                    shown(label.errorPercent()),
                    label.throughputPerSecond().map(JtlSummary::shown).orElse("N/A"),
                    shown(label.meanMillis()),
                    shown(label.standardDeviationMillis()),
                    String.valueOf(label.minMillis()),
                    String.valueOf(label.maxMillis())));
            label.percentilesMillis().values().forEach(value -> row.add(shown(value)));
            rows.add(row.toArray(String[]::new));
        }
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        StringBuilder out = new StringBuilder();
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                String padding = " ".repeat(widths[i] - row[i].length());
                out.append(i == 0 ? row[i] + padding : "  " + padding + row[i]);
            }
            out.append('\n');
        }
        out.append('\n').append(lines).append(" lines");
        if (warmUpSamples > 0) {
            out.append(", ").append(warmUpSamples).append(" of them in the warm-up");
        }
        out.append(", ").append(skippedCount).append(" skipped\n");
        for (SkippedLine line : skipped) {
            out.append(line.file())
                    .append(" line ")
                    .append(line.line())
                    .append(": ")
                    .append(line.reason())
                    .append('\n');
        }
        notes.forEach(note -> out.append("Note: ").append(note).append('\n'));
        return out.toString();
    }

    /** Every row is as wide as the longest label. */
    private static String oneLine(String label) {
        String line = label.replace("\r", "\\r").replace("\n", "\\n");
        return line.length() <= MAX_SHOWN ? line : line.substring(0, MAX_SHOWN - 3) + "...";
    }

    private static String shown(java.math.BigDecimal value) {
        java.math.BigDecimal rounded =
                value.setScale(2, java.math.RoundingMode.HALF_EVEN).stripTrailingZeros();
        return (rounded.scale() < 0 ? rounded.setScale(0) : rounded).toPlainString();
    }
}
