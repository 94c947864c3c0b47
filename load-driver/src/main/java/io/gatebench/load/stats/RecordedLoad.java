/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.HdrHistogram.Histogram;

import io.gatebench.load.stats.Distribution.Totals;
import io.gatebench.model.LoadRun.CorrectedResponseTimes;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad;

/**
 * What one or more load generators recorded.
 *
 * @param warmUp totals per label of the samples that started in the warm-up
 * @param measurement totals per label of the others
 * @param series figures per second of start
 * @param failures number of failed samples per reason
 */
public record RecordedLoad(
        Map<String, PhaseTotals> warmUp,
        Map<String, PhaseTotals> measurement,
        List<SecondOfLoad> series,
        Map<String, Long> failures) {

    /** Copies the collections, labels in order. */
    public RecordedLoad {
        warmUp = new TreeMap<>(warmUp);
        measurement = new TreeMap<>(measurement);
        series = List.copyOf(series);
        failures = new TreeMap<>(failures);
    }

    /** Returns the figures per label of the warm-up. */
    public List<SampleStatistics> warmUpStatistics() {
        return statistics(warmUp);
    }

    /** Returns the figures per label of the measurement. */
    public List<SampleStatistics> measurementStatistics() {
        return statistics(measurement);
    }

    private static List<SampleStatistics> statistics(Map<String, PhaseTotals> totals) {
        List<SampleStatistics> statistics = new ArrayList<>();
        totals.forEach((label, phase) -> statistics.add(phase.statistics(label)));
        return statistics;
    }

    /** Returns all totals of the measurement together, if there was a sample. */
    public Optional<PhaseTotals> measured() {
        return measurement.values().stream().reduce(PhaseTotals::plus);
    }

    /**
     * Returns the response times that a caller would have seen who does not wait for the one before: for each response
     * time above the expected interval, those of the requests that a user would have sent meanwhile are added.
     *
     * @param expectedIntervalMicros time between two requests of one user when nothing stalls, at least 1
     */
    public CorrectedResponseTimes corrected(long expectedIntervalMicros) {
        Map<String, ResponseTimes> perLabel = new TreeMap<>();
        measurement.forEach((label, phase) -> {
            Totals all = phase.all();
            Histogram corrected = all.micros().copyCorrectedForCoordinatedOmission(expectedIntervalMicros);
            perLabel.put(label, figures(corrected, Math.min(all.maxMicros(), Distribution.MAX_MICROS)));
        });
        return new CorrectedResponseTimes(expectedIntervalMicros / 1000.0, perLabel);
    }

    private static ResponseTimes figures(Histogram micros, long maxMicros) {
        double[] percentiles = {50, 75, 90, 95, 98, 99, 99.9};
        double[] values = new double[percentiles.length];
        for (int i = 0; i < percentiles.length; i++) {
            values[i] = Math.min(maxMicros, micros.getValueAtPercentile(percentiles[i])) / 1000.0;
        }
        return new ResponseTimes(
                micros.getTotalCount(),
                micros.getMean() / 1000,
                micros.getStdDeviation() / 1000,
                micros.getMinValue() / 1000.0,
                maxMicros / 1000.0,
                values[0],
                values[1],
                values[2],
                values[3],
                values[4],
                values[5],
                values[6]);
    }
}
