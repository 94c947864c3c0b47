/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

import io.gatebench.load.engine.stats.Distribution.Totals;
import io.gatebench.model.LoadResult.CorrectedResponseTimes;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad;

/**
 * Recording of one or more load generators. Immutable.
 */
public final class RecordedLoad {

    private final Map<String, PhaseTotals> warmUp;
    private final Map<String, PhaseTotals> measurement;
    private final List<SecondTotals> seconds;
    private final Map<String, Long> failures;

    RecordedLoad(
            Map<String, PhaseTotals> warmUp,
            Map<String, PhaseTotals> measurement,
            List<SecondTotals> seconds,
            Map<String, Long> failures) {
        this.warmUp = Collections.unmodifiableMap(new TreeMap<>(warmUp));
        this.measurement = Collections.unmodifiableMap(new TreeMap<>(measurement));
        this.seconds = List.copyOf(seconds);
        this.failures = Collections.unmodifiableMap(new TreeMap<>(failures));
    }

    /** Returns the totals per label, in order of name, of the samples that started in the warm-up. */
    public Map<String, PhaseTotals> warmUp() {
        return warmUp;
    }

    /** Returns the totals per label, in order of name, of the samples that started after the warm-up. */
    public Map<String, PhaseTotals> measurement() {
        return measurement;
    }

    /** Returns the figures per second of start. */
    public List<SecondOfLoad> series() {
        return seconds.stream().map(SecondTotals::figures).toList();
    }

    /** Returns the response times per second of start, in microseconds. */
    public List<Histogram> times() {
        return seconds.stream().map(SecondTotals::times).toList();
    }

    /** Returns per second of start the number of failed samples by their reason. */
    public List<Map<String, Long>> failuresPerSecond() {
        return seconds.stream().map(SecondTotals::failures).toList();
    }

    /** Returns the number of failed samples per reason. */
    public Map<String, Long> failures() {
        return failures;
    }

    /** Returns the figures per label of the warm-up, which was so long. */
    public List<SampleStatistics> warmUpStatistics(Duration length) {
        return statistics(warmUp, length);
    }

    /** Returns the figures per label of the measurement, whose window was so long. */
    public List<SampleStatistics> measurementStatistics(Duration length) {
        return statistics(measurement, length);
    }

    private static List<SampleStatistics> statistics(Map<String, PhaseTotals> totals, Duration length) {
        List<SampleStatistics> statistics = new ArrayList<>();
        totals.forEach((label, phase) -> statistics.add(phase.statistics(label, length)));
        return statistics;
    }

    /** Returns the same load with all its samples under one label. */
    public RecordedLoad under(String label) {
        return new RecordedLoad(under(label, warmUp), under(label, measurement), seconds, failures);
    }

    private static Map<String, PhaseTotals> under(String label, Map<String, PhaseTotals> phase) {
        return phase.values().stream()
                .reduce(PhaseTotals::plus)
                .map(all -> Map.of(label, all))
                .orElse(Map.of());
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
        return ResponseTimes.of(
                micros.getTotalCount(),
                micros.getMean() / 1000,
                micros.getStdDeviation() / 1000,
                micros.getMinValue() / 1000.0,
                maxMicros / 1000.0,
                percentile -> Math.min(maxMicros, micros.getValueAtPercentile(percentile)) / 1000.0);
    }

    /** Returns the load of both: exactly what one recorder would hold that had seen all samples. */
    public RecordedLoad plus(RecordedLoad other) {
        Map<String, PhaseTotals> bothWarmUp = new TreeMap<>(warmUp);
        other.warmUp.forEach((label, totals) -> bothWarmUp.merge(label, totals, PhaseTotals::plus));
        Map<String, PhaseTotals> bothMeasured = new TreeMap<>(measurement);
        other.measurement.forEach((label, totals) -> bothMeasured.merge(label, totals, PhaseTotals::plus));
        List<SecondTotals> bothSeconds = new ArrayList<>();
        for (int i = 0; i < Math.max(seconds.size(), other.seconds.size()); i++) {
            if (i >= seconds.size() || i >= other.seconds.size()) {
                bothSeconds.add((i < seconds.size() ? seconds : other.seconds).get(i));
            } else {
                bothSeconds.add(seconds.get(i).plus(other.seconds.get(i)));
            }
        }
        Map<String, Long> bothFailures = new TreeMap<>(failures);
        other.failures.forEach((reason, count) -> bothFailures.merge(reason, count, Long::sum));
        return new RecordedLoad(bothWarmUp, bothMeasured, bothSeconds, bothFailures);
    }

    /** Writes this in a form that {@link #decode} reads. */
    public void encode(DataOutputStream out) throws IOException {
        encode(out, warmUp);
        encode(out, measurement);
        out.writeInt(seconds.size());
        for (SecondTotals second : seconds) {
            second.encode(out);
        }
        EncodedData.write(out, failures);
    }

    private static void encode(DataOutputStream out, Map<String, PhaseTotals> labels) throws IOException {
        out.writeInt(labels.size());
        for (Map.Entry<String, PhaseTotals> label : labels.entrySet()) {
            ByteBuffer buffer = ByteBuffer.allocate(label.getValue().encodedCapacity());
            label.getValue().encode(buffer);
            EncodedData.write(out, label.getKey());
            out.writeInt(buffer.position());
            out.write(buffer.array(), 0, buffer.position());
        }
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IOException if it is no such data
     */
    public static RecordedLoad decode(DataInputStream in) throws IOException {
        Map<String, PhaseTotals> warmUp = decodeLabels(in);
        Map<String, PhaseTotals> measurement = decodeLabels(in);
        List<SecondTotals> seconds = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            seconds.add(SecondTotals.decode(in));
        }
        return new RecordedLoad(warmUp, measurement, seconds, EncodedData.counts(in));
    }

    private static Map<String, PhaseTotals> decodeLabels(DataInputStream in) throws IOException {
        Map<String, PhaseTotals> labels = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            String label = EncodedData.text(in);
            byte[] totals = EncodedData.bytes(in);
            try {
                labels.put(label, PhaseTotals.decode(ByteBuffer.wrap(totals)));
            } catch (DataFormatException
                    | IllegalArgumentException
                    | IndexOutOfBoundsException
                    | java.nio.BufferUnderflowException
                    | NegativeArraySizeException e) {
                throw new IOException("damaged histogram of label " + label, e);
            }
        }
        return labels;
    }
}
