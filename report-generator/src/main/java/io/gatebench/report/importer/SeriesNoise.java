/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

import io.gatebench.model.LoadResult;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.report.column.Cells;
import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Unit;
import io.gatebench.report.verdict.RunRules;

/**
 * Noise of a single run by its seconds.
 *
 * <p>Seconds that follow each other are alike, so that their spread would say too little: the window is split into
 * stretches, and the noise of the whole is that of their means by the root of their number (method of batch means; Law and
 * Kelton, Simulation Modeling and Analysis, section 9.5.3). It is the noise within a run alone: what differs between two
 * starts of a gateway does not show in it.
 *
 * @param percent standard deviation of the figure of the window, in percent
 * @param degreesOfFreedom by which it is known
 */
public record SeriesNoise(double percent, int degreesOfFreedom) {

    private static final int MIN_STRETCHES = 3;
    private static final int DECIMALS = 4;
    private static final String COLUMN = "Noise of %s within the Run (%%)";
    private static final String DEGREES = "Stretches of the Noise of %s";

    /** Writes what the seconds tell into the cells of a row. */
    static void write(Cells cells, LoadResult load) {
        List<SecondOfLoad> window = RunRules.window(load);
        List<SecondOfLoad> answered =
                window.stream().filter(second -> second.samples() > 0).toList();
        write(cells, Metric.THROUGHPUT, figures(window, SecondOfLoad::samples));
        write(cells, Metric.MEAN, figures(answered, SecondOfLoad::meanMillis));
        write(cells, Metric.P50, figures(answered, SecondOfLoad::p50Millis));
        write(cells, Metric.P99, figures(answered, SecondOfLoad::p99Millis));
    }

    private static double[] figures(List<SecondOfLoad> seconds, ToDoubleFunction<SecondOfLoad> figure) {
        return seconds.stream().mapToDouble(figure).toArray();
    }

    /** Writes what a series of one value per second tells of a figure into the cells of a row. */
    public static void write(Cells cells, Metric metric, double[] series) {
        of(series).ifPresent(noise -> {
            cells.number(String.format(COLUMN, metric.shortName()), noise.percent, DECIMALS);
            cells.number(String.format(DEGREES, metric.shortName()), noise.degreesOfFreedom + 1, 0);
        });
    }

    /** Returns the noise of the mean of a series; empty if it is too short or its mean is not positive. */
    static Optional<SeriesNoise> of(double[] series) {
        int stretches = Math.max(MIN_STRETCHES, (int) Math.sqrt(series.length));
        int length = series.length / stretches;
        if (length < 1) {
            return Optional.empty();
        }
        double[] means = new double[stretches];
        double mean = 0;
        for (int i = 0; i < stretches; i++) {
            for (int k = 0; k < length; k++) {
                means[i] += series[i * length + k] / length;
            }
            mean += means[i] / stretches;
        }
        if (!(mean > 0)) {
            return Optional.empty();
        }
        double squares = 0;
        for (double one : means) {
            squares += (one - mean) * (one - mean);
        }
        double variance = squares / (stretches - 1) / stretches;
        return Optional.of(new SeriesNoise(100 * Math.sqrt(variance) / mean, stretches - 1));
    }

    private static Metric like(Metric metric) {
        if (metric.unit() == Unit.KIBIBYTES_PER_SECOND) {
            return Metric.THROUGHPUT;
        }
        double percentile = metric.percentile().orElse(0);
        return percentile < 50 || percentile > 99 ? metric : percentile < 90 ? Metric.P50 : Metric.P99;
    }

    /** Returns what the cells of a row hold of a figure; of the 90th percentile and above the noise of the 99th. */
    public static Optional<SeriesNoise> read(ResultRow row, Metric metric) {
        Metric like = like(metric);
        OptionalDouble percent = row.number(String.format(COLUMN, like.shortName()));
        OptionalDouble stretches = row.number(String.format(DEGREES, like.shortName()));
        return percent.isEmpty() || stretches.isEmpty() || stretches.getAsDouble() < 2
                ? Optional.empty()
                : Optional.of(new SeriesNoise(percent.getAsDouble(), (int) stretches.getAsDouble() - 1));
    }
}
