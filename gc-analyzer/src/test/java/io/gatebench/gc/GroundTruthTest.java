/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;

/** Every fixture against what a flight recording of the same process says. */
class GroundTruthTest {

    static Stream<Truth> truths() throws IOException {
        return Truth.all();
    }

    private static double value(MeasuredValue figure) {
        return figure.fold(number -> number, reason -> {
            throw new AssertionError("absent: " + reason);
        });
    }

    @ParameterizedTest
    @MethodSource("truths")
    void meetsThePausesOfTheRecording(Truth truth) {
        GcSummary summary = GcLogAnalyzer.analyze(truth.log());

        assertThat(value(summary.coveragePercent())).isEqualTo(100);
        assertThat(value(summary.exact().pauseCount())).isEqualTo(truth.number("pauseCount"));
        assertThat(value(summary.exact().pauseTotalSeconds()))
                .isCloseTo(truth.number("pauseTotalSeconds"), withinPercentage(tolerance(truth)));
        assertThat(value(summary.exact().gcThroughputPercent()))
                .isCloseTo(truth.number("gcThroughputPercent"), within(0.15 + points(truth)));
        assertThat(summary.pauses().orElseThrow().maxMillis() / 1000)
                .isCloseTo(truth.number("pauseLongestSeconds"), withinPercentage(tolerance(truth)));
        if (!truth.has("pausesOutsideRecording")) {
            assertThat(summary.pauses().orElseThrow().p50Millis() / 1000)
                    .isCloseTo(truth.number("pauseP50Seconds"), within(0.0002));
        }
    }

    @ParameterizedTest
    @MethodSource("truths")
    void meetsTheHeapAfterFullCollections(Truth truth) {
        GcSummary summary = GcLogAnalyzer.analyze(truth.log());
        List<Double> wanted = truth.afterFull();

        assertThat(value(summary.exact().fullGcCount())).isEqualTo(truth.number("fullGcCount"));
        assertThat(summary.heap().afterFullGcBytes()).hasSameSizeAs(wanted);
        if (!wanted.isEmpty()) {
            double mean = wanted.stream().mapToDouble(v -> v).average().orElseThrow();
            assertThat(value(summary.exact().footprintAfterFullGcMeanBytes()))
                    .isCloseTo(mean, within(truth.number("afterFullToleranceBytes")));
        }
    }

    @ParameterizedTest
    @MethodSource("truths")
    void cutsTheWindow(Truth truth) {
        GcSummary summary = GcLogAnalyzer.analyze(
                List.of(truth.log()),
                GcLogOptions.defaults()
                        .withoutCompat()
                        .withWindow(truth.window())
                        .withStarted(truth.started().minusNanos((long) (truth.number("logZeroOffsetSeconds") * 1e9))));

        assertThat(value(summary.exact().pauseCount())).isEqualTo(truth.number("windowPauseCount"));
        assertThat(value(summary.exact().pauseTotalSeconds()))
                .isCloseTo(truth.number("windowPauseTotalSeconds"), withinPercentage(tolerance(truth)));
        assertThat(value(summary.exact().gcThroughputPercent()))
                .isCloseTo(truth.number("windowGcThroughputPercent"), within(0.15 + points(truth)));
        assertThat(value(summary.exact().runTimeSeconds()))
                .isEqualTo(truth.window().length().toMillis() / 1000.0);
    }

    @ParameterizedTest
    @MethodSource("truths")
    void namesTheJvm(Truth truth) {
        GcSummary summary = GcLogAnalyzer.analyze(truth.log());

        assertThat(summary.collector()).contains(truth.text("collector"));
        if (truth.has("heapMaximumBytes")) {
            assertThat(value(summary.heap().maximumBytes())).isEqualTo(truth.number("heapMaximumBytes"));
        } else {
            assertThat(summary.heap().maximumBytes().value()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("truths")
    void takesTheRunTimeFromStartAndStopWhereTheyAreGiven(Truth truth) {
        Duration uptime = Duration.ofMillis((long) (truth.number("uptimeSeconds") * 1000));
        GcSummary summary = GcLogAnalyzer.analyze(
                List.of(truth.log()),
                GcLogOptions.defaults()
                        .withoutCompat()
                        .withStarted(truth.started())
                        .withStopped(truth.started().plus(uptime)));

        assertThat(value(summary.exact().runTimeSeconds())).isCloseTo(truth.number("uptimeSeconds"), within(0.2));
        assertThat(value(summary.exact().gcThroughputPercent()))
                .isCloseTo(truth.number("gcThroughputPercent"), within(0.05 + points(truth)));
    }

    /**
     * What the throughput may differ by: the recorder is 2 % off where pauses take a large part of the time, and the log
     * goes on after the last word of the beans until the JVM has ended.
     */
    private static double points(Truth truth) {
        double pausePercent = 100 - truth.number("gcThroughputPercent");
        double exit = truth.has("exitSecondsAtMost") ? truth.number("exitSecondsAtMost") : 0;
        return pausePercent * (0.02 + exit / truth.number("uptimeSeconds"));
    }

    /** The recorder's timers are a little narrower or wider than the log's, most of all for the shortest pauses. */
    private static double tolerance(Truth truth) {
        return switch (truth.text("collector")) {
            case "Shenandoah", "Shenandoah generational" -> 20;
            case "Serial" -> 7;
            default -> 4;
        };
    }
}
