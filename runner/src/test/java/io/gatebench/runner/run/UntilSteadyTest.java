/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import io.gatebench.runner.fake.FakeClock;

class UntilSteadyTest {

    private static final int LONG = 60;

    private final FakeClock clock = new FakeClock(Instant.EPOCH);
    private final Map<String, Duration> compilers = new HashMap<>();

    private UntilSteady of(int generators, int firstSecond) {
        return new UntilSteady(generators, firstSecond, clock, () -> Map.copyOf(compilers));
    }

    private static String line(int second, long samples, double mean) {
        return "{\"second\":" + second + ",\"samples\":" + samples + ",\"errors\":0,\"p99Millis\":9,\"users\":3,"
                + "\"meanMillis\":" + mean + "}";
    }

    @Test
    void isReachedWhenTheSumIsSteadyWhateverEachOfThemDoes() {
        UntilSteady warmUp = of(2, 3);
        int end = -1;
        for (int second = 0; second < LONG && end < 0; second++) {
            // What one of them gets more the other gets less.
            assertThat(warmUp.reachedBy(line(second, 100 + second, 10))).isEmpty();
            if (warmUp.reachedBy(line(second, 200 - second, 10)).isPresent()) {
                end = second;
            }
        }

        // Three seconds of ramp-up, and fifteen that are looked at.
        assertThat(end).isEqualTo(17);
    }

    @Test
    void isNotReachedWhileTheSumClimbs() {
        UntilSteady warmUp = of(2, 3);
        for (int second = 0; second < LONG; second++) {
            assertThat(warmUp.reachedBy(line(second, 100, 10))).isEmpty();
            assertThat(warmUp.reachedBy(line(second, 10L * second, 10))).isEmpty();
        }
    }

    @Test
    void isNotReachedByWhatOneOfThemSaysOrByOtherOutput() {
        UntilSteady warmUp = of(2, 3);
        for (int second = 0; second < LONG; second++) {
            assertThat(warmUp.reachedBy(line(second, 100, 10))).isEmpty();
            assertThat(warmUp.reachedBy("load-generator ready")).isEmpty();
            assertThat(warmUp.reachedBy("{\"second\":")).isEmpty();
        }
    }

    /** A compiler that has a third of a processor. */
    private int endWhileACompilerWorks(UntilSteady warmUp, int until, String words) {
        Duration used = Duration.ZERO;
        compilers.put("JMeter Client", Duration.ofSeconds(2));
        for (int second = 0; second < LONG; second++) {
            used = used.plusMillis(second < until ? 330 : 20);
            compilers.put("Gateway", used);
            clock.pass(Duration.ofSeconds(1));
            Optional<String> end = warmUp.reachedBy(line(second, 800, 60));
            if (end.isPresent()) {
                assertThat(end.get()).startsWith("over the last 15 s ").endsWith(words);
                return second;
            }
        }
        return LONG;
    }

    @Test
    void isNotReachedOnAPlateauWhileACompilerWorks() {
        assertThat(endWhileACompilerWorks(of(1, 0), 30, "; no compiler used more than 2.0 % of a processor (Gateway)"))
                .isBetween(30 + 4, 30 + 2 * (int) UntilSteady.LOOK.toSeconds());
    }

    @Test
    void isReachedByALoadThatStaysWhateverACompilerDoes() {
        assertThat(endWhileACompilerWorks(of(1, 0), LONG, "; a compiler still used 33.0 % of a processor (Gateway)"))
                .isEqualTo(14 + UntilSteady.PATIENCE_SECONDS);
    }

    /** The processes of another gateway, or of a host that cannot be asked at the moment. */
    @Test
    void goesByTheLoadAloneWhereNoCompilerIsKnown() {
        UntilSteady warmUp = of(1, 0);
        for (int second = 0; second < 14; second++) {
            clock.pass(Duration.ofSeconds(1));
            compilers.remove("Gateway");
            if (second < 5) {
                compilers.put("Gateway", Duration.ofSeconds(second));
            }
            assertThat(warmUp.reachedBy(line(second, 800, 60))).isEmpty();
        }

        assertThat(warmUp.reachedBy(line(14, 800, 60)))
                .hasValueSatisfying(words -> assertThat(words).doesNotContain("compiler"));
    }
}
