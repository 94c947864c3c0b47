/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import org.HdrHistogram.Histogram;

import io.gatebench.jtl.JtlReader;
import io.gatebench.jtl.JtlRow;
import io.gatebench.jtl.PublishedTimes;
import io.gatebench.report.column.Column;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.column.SummaryColumns;
import io.gatebench.report.importer.ImportedRun.Problem;

/**
 * Summarises a JMeter sample file of the predecessor as its own summaries were made: whole milliseconds, two
 * significant digits, errors included.
 *
 * <p>Unlike those of the predecessor, they count failed samples with a comma or a line break in their message.
 */
final class SampleFile {

    private static final long MAX_MILLIS = 24L * 3600 * 1000;
    private final Map<String, Label> labels = new LinkedHashMap<>();
    private long unreadable;

    /** The samples of one label. */
    private static final class Label {
        private final Histogram histogram = new Histogram(MAX_MILLIS, PublishedTimes.SIGNIFICANT_DIGITS);
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
        JtlReader reader = new JtlReader();
        reader.read(file, in, row -> {
            if (row.timestampMillis() > from) {
                samples.add(row);
            }
        });
        samples.unreadable += reader.skippedCount();
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
        new JtlReader().read("results.jtl", in, row -> first[0] = Math.min(first[0], row.timestampMillis()));
        return first[0] == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(first[0]);
    }

    private void add(JtlRow row) {
        long elapsed = row.elapsedMillis();
        Label figures = labels.get(row.label());
        if (elapsed > MAX_MILLIS || figures == null && labels.size() == ReadLimits.LABELS) {
            unreadable++;
            return;
        }
        if (figures == null) {
            figures = new Label();
            labels.put(row.label(), figures);
        }
        figures.histogram.recordValue(elapsed);
        figures.errors += row.success() ? 0 : 1;
        figures.firstStart = Math.min(figures.firstStart, row.timestampMillis());
        figures.lastEnd = Math.max(figures.lastEnd, row.timestampMillis() + elapsed);
        figures.min = Math.min(figures.min, elapsed);
        figures.max = Math.max(figures.max, elapsed);
        figures.received += row.receivedBytes();
        figures.sent += row.sentBytes();
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
            case ERROR_PERCENT -> Numbers.text(100.0 * figures.errors / samples, 2);
            case THROUGHPUT -> Numbers.text(samples / seconds, 2);
            case RECEIVED -> Numbers.text(figures.received / 1024 / seconds, 2);
            case SENT -> Numbers.text(figures.sent / 1024 / seconds, 2);
            default ->
                metric.ofTimes()
                        .orElseThrow()
                        .apply(PublishedTimes.of(figures.histogram, figures.min, figures.max, true))
                        .fold(value -> Numbers.text(value, 2), reason -> Column.NOT_AVAILABLE);
        };
    }
}
