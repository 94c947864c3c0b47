/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.past;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

import org.HdrHistogram.Histogram;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

import io.gatebench.report.column.Column;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.past.PastResults.Problem;

/**
 * Summarises a JMeter sample file of the predecessor as its own summaries were made: whole milliseconds, two
 * significant digits, errors included.
 *
 * <p>Unlike the predecessor's, this reader follows the header and reads quoted cells, so that failed samples with a
 * comma or a line break in their message count.
 */
final class SampleFile {

    private static final long MAX_MILLIS = 24L * 3600 * 1000;
    private static final List<String> DEFAULT_HEADER = List.of(
            "timeStamp",
            "elapsed",
            "label",
            "responseCode",
            "responseMessage",
            "threadName",
            "dataType",
            "success",
            "failureMessage",
            "bytes",
            "sentBytes",
            "grpThreads",
            "allThreads",
            "URL",
            "Latency",
            "IdleTime",
            "Connect");

    private final Map<String, Label> labels = new LinkedHashMap<>();
    private long unreadable;

    /** The samples of one label. */
    private static final class Label {
        private final Histogram histogram = new Histogram(MAX_MILLIS, 2);
        private long errors;
        private long firstStart = Long.MAX_VALUE;
        private long lastEnd = Long.MIN_VALUE;
        private long min = Long.MAX_VALUE;
        private long max;
        private double received;
        private double sent;
    }

    /**
     * Returns the cells of each label by published column name.
     *
     * @param in the file
     * @param warmUpMillis samples that start up to so long after the first start are left out; negative for none
     * @param firstStart the first start of the test; needed where {@code warmUpMillis} is not negative
     * @throws IOException if the stream fails or is too large
     */
    static Map<String, Map<String, String>> summarize(
            InputStream in, String file, long warmUpMillis, OptionalLong firstStart, List<Problem> problems)
            throws IOException {
        SampleFile samples = new SampleFile();
        long from = warmUpMillis < 0 ? Long.MIN_VALUE : firstStart.orElse(Long.MIN_VALUE) + warmUpMillis;
        samples.forEach(in, (start, elapsed, label, success, bytes, sentBytes) -> {
            if (start > from) {
                samples.add(start, elapsed, label, success, bytes, sentBytes);
            }
        });
        if (samples.unreadable > 0) {
            problems.add(new Problem(file, 0, samples.unreadable + " lines are no samples; they were not counted"));
        }
        Map<String, Map<String, String>> cells = new LinkedHashMap<>();
        samples.labels.forEach((label, figures) -> cells.put(label, cells(label, figures)));
        return cells;
    }

    /** Returns the earliest start of all samples, or empty if there is none. */
    static OptionalLong firstStart(InputStream in) throws IOException {
        long[] first = {Long.MAX_VALUE};
        new SampleFile()
                .forEach(in, (start, elapsed, label, success, bytes, sent) -> first[0] = Math.min(first[0], start));
        return first[0] == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(first[0]);
    }

    /** Takes one sample. */
    private interface Sink {
        void sample(long start, long elapsed, String label, boolean success, long bytes, long sentBytes);
    }

    private void forEach(InputStream in, Sink sink) throws IOException {
        Map<String, Integer> columns = columns(DEFAULT_HEADER);
        boolean first = true;
        CSVFormat format = CSVFormat.DEFAULT
                .builder()
                .setTrailingData(true)
                .setLenientEof(true)
                .get();
        ReadLimits.RecordStream limited = new ReadLimits.RecordStream(in, ReadLimits.RECORD_BYTES);
        try (CSVParser parser =
                CSVParser.parse(new BufferedReader(new InputStreamReader(limited, StandardCharsets.UTF_8)), format)) {
            for (CSVRecord record : parser) {
                limited.recordEnded();
                if (first) {
                    first = false;
                    if (record.toList().contains("elapsed")) {
                        columns = columns(record.toList());
                        continue;
                    }
                }
                OptionalLong start = Numbers.whole(cell(record, columns, "timeStamp"));
                OptionalLong elapsed = Numbers.whole(cell(record, columns, "elapsed"));
                String success = cell(record, columns, "success").toLowerCase(Locale.ROOT);
                if (start.isEmpty()
                        || elapsed.isEmpty()
                        || elapsed.getAsLong() < 0
                        || elapsed.getAsLong() > MAX_MILLIS
                        || !success.equals("true") && !success.equals("false")) {
                    unreadable++;
                    continue;
                }
                sink.sample(
                        start.getAsLong(),
                        elapsed.getAsLong(),
                        cell(record, columns, "label"),
                        success.equals("true"),
                        Numbers.whole(cell(record, columns, "bytes")).orElse(0),
                        Numbers.whole(cell(record, columns, "sentBytes")).orElse(0));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void add(long start, long elapsed, String label, boolean success, long bytes, long sentBytes) {
        Label figures = labels.get(label);
        if (figures == null) {
            if (labels.size() == ReadLimits.LABELS) {
                unreadable++;
                return;
            }
            figures = new Label();
            labels.put(label, figures);
        }
        figures.histogram.recordValue(elapsed);
        figures.errors += success ? 0 : 1;
        figures.firstStart = Math.min(figures.firstStart, start);
        figures.lastEnd = Math.max(figures.lastEnd, start + elapsed);
        figures.min = Math.min(figures.min, elapsed);
        figures.max = Math.max(figures.max, elapsed);
        figures.received += bytes;
        figures.sent += sentBytes;
    }

    private static Map<String, String> cells(String label, Label figures) {
        long samples = figures.histogram.getTotalCount();
        double seconds = Math.max(1, figures.lastEnd - figures.firstStart) / 1000.0;
        double throughput = samples / seconds;
        double mean = figures.histogram.getMean();
        Map<String, String> cells = new LinkedHashMap<>();
        for (Column<?> column : SummaryColumns.LOAD) {
            cells.put(
                    column.header(),
                    switch (column.header()) {
                        case SummaryColumns.LABEL -> label;
                        case SummaryColumns.USERS_IN_SYSTEM -> Long.toString((long) (throughput * mean / 1000));
                        default -> text(Metric.named(column.header()).orElseThrow(), figures, seconds);
                    });
        }
        return cells;
    }

    private static String text(Metric metric, Label figures, double seconds) {
        long samples = figures.histogram.getTotalCount();
        return switch (metric) {
            case SAMPLES -> Long.toString(samples);
            case ERRORS -> Long.toString(figures.errors);
            case ERROR_PERCENT -> rounded(100.0 * figures.errors / samples);
            case THROUGHPUT -> rounded(samples / seconds);
            case MEAN -> rounded(figures.histogram.getMean());
            case DEVIATION -> rounded(figures.histogram.getStdDeviation());
            case MIN -> Long.toString(figures.min);
            case RECEIVED -> rounded(figures.received / 1024 / seconds);
            case SENT -> rounded(figures.sent / 1024 / seconds);
            default ->
                Long.toString(Math.min(
                        figures.max,
                        figures.histogram.getValueAtPercentile(
                                metric.percentile().orElseThrow())));
        };
    }

    /** Rounds half-even to two decimals and drops trailing zeros, as published documents do. */
    static String rounded(double value) {
        return BigDecimal.valueOf(value)
                .setScale(2, RoundingMode.HALF_EVEN)
                .stripTrailingZeros()
                .toPlainString();
    }

    private static Map<String, Integer> columns(List<String> header) {
        Map<String, Integer> columns = new LinkedHashMap<>();
        for (int i = 0; i < header.size(); i++) {
            columns.putIfAbsent(header.get(i).strip(), i);
        }
        return columns;
    }

    private static String cell(CSVRecord record, Map<String, Integer> columns, String name) {
        Integer index = columns.get(name);
        return index == null || index >= record.size() ? "" : record.get(index);
    }
}
