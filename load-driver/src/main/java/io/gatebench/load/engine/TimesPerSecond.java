/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Writes how long the samples of each second took: a column per step of time, ten to a power of ten.
 *
 * @since 0.1
 */
public final class TimesPerSecond {

    private static final int STEPS_PER_DECADE = 10;
    private static final double MICROS_PER_MILLI = 1000;
    private static final double PERCENTILE = 90;

    private TimesPerSecond() {}

    /**
     * Writes the file; a second without a sample has no line.
     *
     * @param times per second the response times in microseconds
     * @throws LoadException if it cannot be written
     */
    public static void write(Path file, List<Histogram> times) {
        List<TreeMap<Integer, Long>> seconds = new ArrayList<>();
        int lowest = Integer.MAX_VALUE;
        int highest = Integer.MIN_VALUE;
        for (Histogram second : times) {
            TreeMap<Integer, Long> steps = new TreeMap<>();
            for (HistogramIterationValue value : second.recordedValues()) {
                steps.merge(step(value.getValueIteratedTo()), value.getCountAddedInThisIterationStep(), Long::sum);
            }
            if (!steps.isEmpty()) {
                lowest = Math.min(lowest, steps.firstKey());
                highest = Math.max(highest, steps.lastKey());
            }
            seconds.add(steps);
        }
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("second,p90Millis");
            for (int step = lowest; step <= highest; step++) {
                out.write(String.format(
                        Locale.ROOT, ",%.4g", Math.pow(10, step / (double) STEPS_PER_DECADE) / MICROS_PER_MILLI));
            }
            out.write('\n');
            for (int second = 0; second < seconds.size(); second++) {
                if (!seconds.get(second).isEmpty()) {
                    line(out, second, times.get(second), seconds.get(second), lowest, highest);
                }
            }
        } catch (IOException e) {
            throw new LoadException("cannot write " + file + ": " + e, e);
        }
    }

    private static void line(
            BufferedWriter out, int second, Histogram times, TreeMap<Integer, Long> steps, int lowest, int highest)
            throws IOException {
        double p90 = Math.min(times.getMaxValue(), times.getValueAtPercentile(PERCENTILE)) / MICROS_PER_MILLI;
        out.write(String.format(Locale.ROOT, "%d,%.3f", second, p90));
        for (int step = lowest; step <= highest; step++) {
            Long count = steps.get(step);
            out.write(count == null ? "," : "," + count);
        }
        out.write('\n');
    }

    /** The step whose upper end is the first that is not below the time. */
    private static int step(long micros) {
        return (int) Math.ceil(Math.log10(Math.max(1, micros)) * STEPS_PER_DECADE);
    }
}
