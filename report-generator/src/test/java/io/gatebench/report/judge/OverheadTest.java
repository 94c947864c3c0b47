/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

import org.junit.jupiter.api.Test;

import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MeasurementWindow;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.SampleRuns;
import io.gatebench.report.verdict.Level;

class OverheadTest {

    private static final String LABEL = "HTTP Request";
    private static final int USERS = 100;

    /** A load whose seconds have that mean and 99th percentile, spread at random. */
    private static LoadResult load(double mean, double spread, int seconds, boolean saturated, Random random) {
        List<SecondOfLoad> series = new ArrayList<>();
        double sum = 0;
        for (int second = 0; second < 10 + seconds; second++) {
            double millis = mean + spread * random.nextGaussian();
            series.add(new SecondOfLoad(second, 1000, 0, millis, millis, 3 * millis, 4 * millis, USERS));
            sum += second < 10 ? 0 : millis;
        }
        double whole = sum / seconds;
        LoadResult sample = SampleRuns.load(USERS, USERS * 1000 / whole, 0);
        SampleStatistics statistics = sample.measurement().get(0);
        ResponseTimes times = SampleRuns.times(whole);
        return new LoadResult(
                sample.started(),
                new MeasurementWindow(
                        sample.started().plusSeconds(10), sample.started().plusSeconds(10 + seconds)),
                List.of(),
                List.of(new SampleStatistics(
                        LABEL,
                        statistics.samples(),
                        0,
                        statistics.throughputPerSecond(),
                        times,
                        Optional.of(times),
                        Optional.empty(),
                        times,
                        1,
                        1,
                        Optional.empty(),
                        Optional.empty())),
                Optional.empty(),
                series,
                new LoadGeneratorHealth(
                        MeasuredValue.of(30),
                        MeasuredValue.of(0),
                        MeasuredValue.of(1),
                        MeasuredValue.of(1),
                        MeasuredValue.of(100),
                        saturated,
                        saturated ? List.of("scheduling delay of 108 ms") : List.of()),
                Map.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of());
    }

    private static Overhead overhead(LoadResult through, LoadResult straight) {
        TestCaseResult.Completed sample = SampleRuns.completed(SampleRuns.testCase("passthrough", USERS, 50), 1000, 0);
        TestCaseResult.Completed run = new TestCaseResult.Completed(
                sample.testCase(),
                1,
                sample.started(),
                sample.ended(),
                through,
                Optional.of(straight),
                List.of(),
                List.of(),
                Map.of());
        return Overhead.of(SampleRuns.local(), run, LABEL).orElseThrow();
    }

    @Test
    void isTheDifferenceWithAnIntervalOfBothRuns() {
        Random random = new Random(4);
        Overhead overhead = overhead(load(30, 1, 50, false, random), load(10, 1, 50, false, random));

        assertThat(overhead.mean().millis()).isCloseTo(20, within(1.0));
        // 50 seconds of a deviation of 1 ms on either side: 1.96 x sqrt(2 / 50), and a little more for its own
        // uncertainty.
        assertThat(overhead.mean().halfWidth().orElseThrow()).isBetween(0.25, 0.6);
        assertThat(overhead.p99().millis()).isCloseTo(60, within(3.0));
        assertThat(overhead.verdict().level()).isEqualTo(Level.VALID);
    }

    @Test
    void itsIntervalHoldsTheTruthAsOftenAsItSays() {
        Random random = new Random(17);
        int held = 0;
        for (int i = 0; i < 1000; i++) {
            Overhead overhead = overhead(load(30, 3, 50, false, random), load(10, 0.5, 50, false, random));
            held += Math.abs(overhead.mean().millis() - 20)
                            <= overhead.mean().halfWidth().orElseThrow()
                    ? 1
                    : 0;
        }
        assertThat(held).isBetween(925, 975);
    }

    @Test
    void aNegativeOverheadIsDoubtfulWithinItsIntervalAndInvalidBeyondIt() {
        Random random = new Random(8);
        Overhead wrong = overhead(load(30, 1, 50, false, random), load(104, 1, 50, false, random));
        assertThat(wrong.verdict().level()).isEqualTo(Level.INVALID);
        assertThat(wrong.verdict().text())
                .contains("the overhead of the mean is -7")
                .contains("the overhead of the 99th percentile is -2");

        // The same noise in both, so that their means differ by what was asked for.
        Overhead unclear = overhead(load(30, 3, 50, false, new Random(5)), load(30.3, 3, 50, false, new Random(5)));
        assertThat(unclear.mean().millis()).isNegative();
        assertThat(unclear.verdict().level()).isEqualTo(Level.DOUBTFUL);
        assertThat(unclear.verdict().text()).contains("less than nothing, within its interval");
    }

    @Test
    void theControlRunIsJudgedByTheSameRules() {
        Random random = new Random(2);
        Overhead doubted = overhead(load(30, 0.5, 50, false, random), load(10, 0.5, 50, true, random));
        assertThat(doubted.verdict().text())
                .isEqualTo(
                        "doubtful (in the control run the load generator was saturated: scheduling delay of 108 ms)");
        Overhead own = overhead(load(30, 0.5, 50, true, random), load(10, 0.5, 50, false, random));
        assertThat(own.verdict().text())
                .isEqualTo("doubtful (the load generator was saturated: scheduling delay of 108 ms)");
    }

    @Test
    void hasNoIntervalWhereAWindowIsTooShort() {
        Random random = new Random(2);
        Overhead overhead = overhead(load(30, 1, 4, false, random), load(10, 1, 50, false, random));
        assertThat(overhead.mean().halfWidth()).isEmpty();
        assertThat(overhead.mean().millis()).isCloseTo(20, within(2.0));
    }
}
