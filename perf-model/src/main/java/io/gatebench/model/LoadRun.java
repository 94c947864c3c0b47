/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the load generator measured in one test.
 *
 * @param started the first start of a sample
 * @param window the measurement window
 * @param warmUp statistics of the samples before the window, per label
 * @param measurement statistics of the samples in the window, per label
 * @param corrected response times corrected for coordinated omission; the raw ones are in {@code measurement}
 * @param series one entry per second of the whole test
 * @param health the load generator's own state
 * @param failures number of failed samples of the whole test per reason
 * @param firstFailures the first failed answers
 */
public record LoadRun(
        Instant started,
        MeasurementWindow window,
        List<SampleStatistics> warmUp,
        List<SampleStatistics> measurement,
        Optional<CorrectedResponseTimes> corrected,
        List<SecondOfLoad> series,
        LoadGeneratorHealth health,
        Map<String, Long> failures,
        List<ResponseExcerpt> firstFailures) {

    /** Copies the collections. */
    public LoadRun {
        warmUp = List.copyOf(warmUp);
        measurement = List.copyOf(measurement);
        series = List.copyOf(series);
        failures = Map.copyOf(failures);
        firstFailures = List.copyOf(firstFailures);
    }

    /**
     * Response times of the closed model as an open one would have seen them.
     *
     * @param expectedIntervalMillis the interval between two requests of one user that the correction assumes
     * @param perLabel corrected response times per label
     */
    public record CorrectedResponseTimes(double expectedIntervalMillis, Map<String, ResponseTimes> perLabel) {

        /** Copies the map. */
        public CorrectedResponseTimes {
            perLabel = Map.copyOf(perLabel);
        }
    }
}
