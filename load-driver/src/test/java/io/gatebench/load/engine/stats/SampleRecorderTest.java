/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.model.ResponseTimes;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad.Completions;

class SampleRecorderTest {

    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration WINDOW = Duration.ofSeconds(8);

    private static SampleRecorder recorder() {
        return new SampleRecorder(0, WARM_UP, WARM_UP.plus(WINDOW));
    }

    private static Sample sample(long startMillis, long micros, boolean success) {
        return new Sample(startMillis * 1_000_000, micros * 1000, micros * 500, -1, 10, 20, success ? null : "failed");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void figuresAreThoseOfTheSortedSamplesWithinThreeDigits(long seed) {
        Random random = new Random(seed);
        SampleRecorder recorder = recorder();
        long[] micros = new long[1 + random.nextInt(5000)];
        for (int i = 0; i < micros.length; i++) {
            micros[i] = 1 + (long) Math.exp(random.nextDouble() * 16);
            recorder.record("a", sample(2000 + i, micros[i], true));
        }
        Arrays.sort(micros);
        ResponseTimes times =
                recorder.recorded().measurementStatistics(WINDOW).get(0).all();
        double mean = Arrays.stream(micros).average().orElseThrow();
        assertThat(times.meanMillis() * 1000).isCloseTo(mean, within(mean * 1e-9));
        assertThat(times.minMillis() * 1000).isEqualTo(micros[0], within(1e-6));
        assertThat(times.maxMillis() * 1000).isEqualTo(micros[micros.length - 1], within(1e-6));
        double[][] wanted = {
            {50, times.p50Millis()}, {90, times.p90Millis()}, {99, times.p99Millis()}, {99.9, times.p999Millis()}
        };
        for (double[] pair : wanted) {
            long exact = micros[(int) Math.max(0, Math.ceil(pair[0] / 100 * micros.length - 1e-9) - 1)];
            assertThat(pair[1] * 1000).as("p" + pair[0]).isCloseTo(exact, within(exact * 0.001 + 1));
            assertThat(pair[1]).isLessThanOrEqualTo(times.maxMillis());
        }
    }

    @Test
    void warmUpAndMeasurementSuccessesAndFailuresAreAll() {
        SampleRecorder recorder = recorder();
        for (int i = 0; i < 4000; i++) {
            recorder.record("l" + i % 3, sample(i, 100 + i, i % 10 != 0));
        }
        RecordedLoad load = recorder.recorded();
        long warmUp = load.warmUpStatistics(WARM_UP).stream()
                .mapToLong(SampleStatistics::samples)
                .sum();
        long measured = load.measurementStatistics(WINDOW).stream()
                .mapToLong(SampleStatistics::samples)
                .sum();
        assertThat(warmUp).isEqualTo(2000);
        assertThat(measured).isEqualTo(2000);
        assertThat(load.failures()).containsEntry("failed", 400L);
        assertThat(load.failuresPerSecond())
                .startsWith(Map.of("failed", 100L), Map.of("failed", 100L))
                .endsWith(Map.of());
        assertThat(load.plus(load).failuresPerSecond().get(0)).containsExactly(Map.entry("failed", 200L));
        // The last answers end in the second after the last start.
        assertThat(load.series()).hasSize(5);
        assertThat(load.series().subList(0, 4))
                .allSatisfy(second -> assertThat(second.samples()).isEqualTo(1000));
    }

    @Test
    void answersCountWhereTheyEnd() {
        SampleRecorder recorder = recorder();
        recorder.record("a", sample(1_000, 400_000, true)); // within the warm-up
        recorder.record("a", sample(1_900, 400_000, true)); // from the warm-up into the window
        recorder.record("a", sample(2_100, 200_000, true));
        recorder.record("a", sample(5_000, 4_250_000, false));
        recorder.record("a", sample(9_500, 499_999, true));
        recorder.record("a", sample(9_500, 500_000, true)); // late
        recorder.record("a", new Sample(3_000_000_000L, 1_000_000_000L, 0, -1, 0, 20, "no response", true));
        RecordedLoad load = recorder.recorded();

        PhaseTotals measured = load.measured().orElseThrow();
        assertThat(measured.count()).isEqualTo(5);
        assertThat(measured.answers()).isEqualTo(new PhaseTotals.Answers(4, 40, 80, 1, 1));
        assertThat(load.measurementStatistics(WINDOW).get(0).throughputPerSecond())
                .isEqualTo(0.5);
        assertThat(load.measurementStatistics(WINDOW).get(0).receivedBytesPerSecond())
                .isEqualTo(5);
        assertThat(load.warmUpStatistics(WARM_UP).get(0).throughputPerSecond()).isEqualTo(0.5);
        assertThat(load.series().stream().map(second -> second.completions().orElseThrow()))
                .containsExactly(
                        new Completions(0, 0, 0),
                        new Completions(1, 400, 400),
                        new Completions(2, 300, 300),
                        new Completions(0, 0, 0),
                        new Completions(0, 0, 0),
                        new Completions(0, 0, 0),
                        new Completions(0, 0, 0),
                        new Completions(0, 0, 0),
                        new Completions(0, 0, 0),
                        new Completions(2, 250, 999));
    }

    @Test
    void mergedLoadsEqualTheLoadOfTheUnion() throws Exception {
        Random random = new Random(9);
        SampleRecorder first = recorder();
        SampleRecorder second = recorder();
        SampleRecorder union = recorder();
        for (int i = 0; i < 5000; i++) {
            Sample sample = sample(i, 1 + random.nextInt(1_000_000), random.nextInt(9) != 0);
            (random.nextBoolean() ? first : second).record("a", sample);
            union.record("a", sample);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        second.recorded().encode(new DataOutputStream(bytes));
        RecordedLoad travelled =
                RecordedLoad.decode(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        RecordedLoad merged = first.recorded().plus(travelled);
        PhaseTotals expected = union.recorded().measurement().get("a");
        PhaseTotals actual = merged.measurement().get("a");
        assertThat(actual.successes().micros()).isEqualTo(expected.successes().micros());
        assertThat(actual.failures().micros()).isEqualTo(expected.failures().micros());
        assertThat(actual.publishedMillis()).isEqualTo(expected.publishedMillis());
        assertThat(actual.statistics("a", WINDOW).all().p999Millis())
                .isEqualTo(expected.statistics("a", WINDOW).all().p999Millis());
        assertThat(actual.statistics("a", WINDOW).throughputPerSecond())
                .isEqualTo(expected.statistics("a", WINDOW).throughputPerSecond());
        assertThat(actual.answers()).isEqualTo(expected.answers());
        assertThat(merged.failures()).isEqualTo(union.recorded().failures());
        assertThat(merged.series()).isEqualTo(union.recorded().series()).hasSize(6);
        assertThat(merged.corrected(1000).perLabel())
                .isEqualTo(union.recorded().corrected(1000).perLabel());
    }

    @Test
    void countsTheSamplesOfManyThreads() throws Exception {
        SampleRecorder recorder = recorder();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int k = 0; k < 20_000; k++) {
                    recorder.record("a", sample(3000, 1 + k, true));
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(recorder.recorded().measurementStatistics(WINDOW).get(0).samples())
                .isEqualTo(160_000);
        assertThat(recorder.figuresOf(3).samples()).isEqualTo(160_000);
    }

    @Test
    void correctionAddsTheRequestsThatAStallKeptBack() {
        SampleRecorder recorder = recorder();
        for (int i = 0; i < 1000; i++) {
            recorder.record("a", sample(3000, 30_000, true));
        }
        recorder.record("a", sample(3000, 1_000_000, true));
        ResponseTimes corrected =
                recorder.recorded().corrected(30_000).perLabel().get("a");
        assertThat(corrected.count()).isEqualTo(1001 + 32);
        assertThat(corrected.p99Millis()).isGreaterThan(600);
        assertThat(recorder.recorded()
                        .measurementStatistics(WINDOW)
                        .get(0)
                        .all()
                        .p99Millis())
                .isCloseTo(30, within(0.1));
    }
}
