/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.HistogramLogReader;

/** Reads the histograms of a case: microseconds, tagged {@code label/outcome/phase}. */
final class HistogramLog {

    private static final double MICROS = 1000;
    private static final double MIN_REST = 1e-6;
    private static final int STEPS_PER_DECADE = 24;
    private static final int BARS_PER_DECADE = 20;

    private HistogramLog() {}

    /**
     * One point of the distribution.
     *
     * @param percentile 0 to 100
     * @param millis response time
     */
    record Point(double percentile, double millis) {}

    /**
     * The response times of one outcome.
     *
     * @param points by percentile
     * @param bars by response time: the lower end of each step in milliseconds and how many samples lie in it, also those
     *     steps between that are empty
     */
    record Distribution(List<Point> points, List<List<Number>> bars) {}

    /**
     * Returns the distribution of the measurement per outcome, merged over labels and load generators.
     *
     * @param files the logs; those that do not exist are passed over
     * @throws IOException if one cannot be read
     */
    static Map<String, Distribution> distributions(List<Path> files) throws IOException {
        Map<String, Histogram> merged = new TreeMap<>();
        for (Path file : files) {
            if (Files.isRegularFile(file)) {
                read(file, merged);
            }
        }
        Map<String, Distribution> distributions = new TreeMap<>(Comparator.reverseOrder());
        merged.forEach((outcome, histogram) ->
                distributions.put(outcome, new Distribution(points(histogram), bars(histogram))));
        return distributions;
    }

    private static void read(Path file, Map<String, Histogram> merged) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
                HistogramLogReader reader = new HistogramLogReader(in)) {
            while (reader.hasNext()) {
                EncodableHistogram next = reader.nextIntervalHistogram();
                if (next instanceof Histogram histogram && histogram.getTotalCount() > 0) {
                    String[] tag = String.valueOf(histogram.getTag()).split("/");
                    if (tag.length >= 3 && tag[tag.length - 1].equals("measurement")) {
                        merged.computeIfAbsent(tag[tag.length - 2], outcome -> new Histogram(3))
                                .add(histogram);
                    }
                }
            }
        } catch (RuntimeException e) {
            throw new IOException("no histogram log: " + e.getMessage(), e);
        }
    }

    private static List<List<Number>> bars(Histogram histogram) {
        TreeMap<Integer, Long> counts = new TreeMap<>();
        for (HistogramIterationValue value : histogram.recordedValues()) {
            double millis = Math.max(1, value.getValueIteratedTo()) / MICROS;
            counts.merge(
                    (int) Math.floor(Math.log10(millis) * BARS_PER_DECADE),
                    value.getCountAddedInThisIterationStep(),
                    Long::sum);
        }
        List<List<Number>> bars = new ArrayList<>();
        for (int step = counts.firstKey(); step <= counts.lastKey() + 1; step++) {
            double lower = Math.pow(10, step / (double) BARS_PER_DECADE);
            bars.add(List.of(Math.rint(lower * 1e4) / 1e4, counts.getOrDefault(step, 0L)));
        }
        return bars;
    }

    /** Returns what the histogram's own search gives for each percentile, which begins anew each time: they ascend. */
    static List<Point> points(Histogram histogram) {
        List<Point> points = new ArrayList<>();
        long total = histogram.getTotalCount();
        double rest = 1;
        double finest = Math.max(MIN_REST, 1.0 / total);
        double factor = Math.pow(10, -1.0 / STEPS_PER_DECADE);
        Iterator<HistogramIterationValue> recorded = histogram.recordedValues().iterator();
        HistogramIterationValue at = recorded.next();
        while (rest >= finest * 0.999) {
            double percentile = 100 * (1 - rest);
            double samples = Math.ceil(Math.max(0, Math.nextDown(percentile)) * total / 100);
            while (at.getTotalCountToThisValue() < samples) {
                at = recorded.next();
            }
            long micros = percentile == 0
                    ? histogram.lowestEquivalentValue(at.getValueIteratedTo())
                    : at.getValueIteratedTo();
            points.add(new Point(percentile, Math.min(micros, histogram.getMaxValue()) / MICROS));
            rest *= factor;
        }
        return points;
    }
}
