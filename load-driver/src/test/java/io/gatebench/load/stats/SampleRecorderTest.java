/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.model.ResponseTimes;
import io.gatebench.model.SampleStatistics;

class SampleRecorderTest {

    private static SampleRecorder recorder() {
        return new SampleRecorder(0, Duration.ofSeconds(2), Duration.ofSeconds(10));
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
        ResponseTimes times = recorder.recorded().measurementStatistics().get(0).all();
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
        long warmUp = load.warmUpStatistics().stream()
                .mapToLong(SampleStatistics::samples)
                .sum();
        long measured = load.measurementStatistics().stream()
                .mapToLong(SampleStatistics::samples)
                .sum();
        assertThat(warmUp).isEqualTo(2000);
        assertThat(measured).isEqualTo(2000);
        assertThat(load.failures()).containsEntry("failed", 400L);
        assertThat(load.series())
                .hasSize(4)
                .allSatisfy(second -> assertThat(second.samples()).isEqualTo(1000));
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
        assertThat(actual.statistics("a").all().p999Millis())
                .isEqualTo(expected.statistics("a").all().p999Millis());
        assertThat(actual.statistics("a").throughputPerSecond())
                .isEqualTo(expected.statistics("a").throughputPerSecond());
        assertThat(merged.failures()).isEqualTo(union.recorded().failures());
        assertThat(merged.series()).isEqualTo(union.recorded().series()).hasSize(5);
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
        assertThat(recorder.recorded().measurementStatistics().get(0).samples()).isEqualTo(160_000);
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
        assertThat(recorder.recorded().measurementStatistics().get(0).all().p99Millis())
                .isCloseTo(30, within(0.1));
    }
}
