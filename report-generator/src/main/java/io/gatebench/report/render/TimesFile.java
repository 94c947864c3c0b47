/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The file {@code times.csv} of a load generator: how long the answers of each second took.
 *
 * @param upperMillis the upper ends of the steps of time, in milliseconds
 * @param seconds the seconds that had a sample, by their number
 */
record TimesFile(List<Double> upperMillis, TreeMap<Integer, Second> seconds) {

    private static final int FIRST_STEP = 2;

    /**
     * One second.
     *
     * @param p90Millis 90th percentile
     * @param counts samples in each step
     */
    record Second(double p90Millis, long[] counts) {}

    /** Reads the file; one that is missing, or is no such file, gives no second. */
    static TimesFile read(Path file) {
        SeriesFile series = SeriesFile.read(file);
        TreeMap<Integer, Second> seconds = new TreeMap<>();
        List<Double> upper = new ArrayList<>();
        try {
            series.header().stream().skip(FIRST_STEP).map(Double::valueOf).forEach(upper::add);
        } catch (NumberFormatException e) {
            return new TimesFile(List.of(), seconds);
        }
        if (!upper.isEmpty()) {
            double[] number = series.column(0);
            double[] p90 = series.column(1);
            List<double[]> counts = IntStream.range(0, upper.size())
                    .mapToObj(step -> series.column(FIRST_STEP + step))
                    .toList();
            for (int i = 0; i < number.length; i++) {
                int line = i;
                // An empty cell, which is no number, is a count of zero.
                seconds.put(
                        (int) number[i],
                        new Second(
                                p90[i],
                                counts.stream()
                                        .mapToLong(count -> (long) count[line])
                                        .toArray()));
            }
        }
        return new TimesFile(List.copyOf(upper), seconds);
    }
}
