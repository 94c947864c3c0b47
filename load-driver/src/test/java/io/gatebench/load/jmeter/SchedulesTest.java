/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadModel.Level;
import io.gatebench.load.engine.TokenSlice;

class SchedulesTest {

    private static final long SECOND = 1_000_000_000L;

    @Test
    void constantRateIsEven() {
        ArrivalSchedule schedule =
                new ArrivalSchedule(List.of(Level.of(Duration.ZERO, 100)), Duration.ZERO, TokenSlice.whole());
        for (int i = 0; i < 1000; i++) {
            assertThat(schedule.dueNanos(i)).isEqualTo(i * SECOND / 100);
        }
        assertThat(schedule.arrivalsBefore(10 * SECOND)).isEqualTo(1000);
    }

    @Test
    void nothingIsDueWhenTheRateHasEnded() {
        List<Level> levels = List.of(Level.of(Duration.ZERO, 50), Level.of(Duration.ofSeconds(2), 0));
        ArrivalSchedule schedule = new ArrivalSchedule(levels, Duration.ZERO, TokenSlice.whole());
        assertThat(schedule.dueNanos(99)).isEqualTo(1_980_000_000L);
        assertThat(schedule.dueNanos(100)).isEqualTo(-1);
        assertThat(schedule.dueNanos(101)).isEqualTo(-1);
        assertThat(schedule.arrivalsBefore(9 * SECOND)).isEqualTo(100);
    }

    @Test
    void stepsRampsAndPausesAddUp() {
        List<Level> levels = List.of(
                Level.of(Duration.ZERO, 10),
                Level.of(Duration.ofSeconds(2), 0),
                new Level(Duration.ofSeconds(4), 100, Duration.ofSeconds(2)));
        ArrivalSchedule schedule = new ArrivalSchedule(levels, Duration.ZERO, TokenSlice.whole());
        assertThat(schedule.dueNanos(19)).isEqualTo(1_900_000_000L);
        assertThat(schedule.dueNanos(20)).isGreaterThanOrEqualTo(4 * SECOND);
        assertThat(schedule.arrivalsBefore(6 * SECOND)).isEqualTo(120);
        assertThat(schedule.arrivalsBefore(7 * SECOND)).isEqualTo(220);
        long last = -1;
        for (int i = 0; i < 300; i++) {
            assertThat(schedule.dueNanos(i)).isGreaterThan(last);
            last = schedule.dueNanos(i);
        }
        assertThat(last / 1e9).isCloseTo(7.79, within(0.02));
    }

    @Test
    void usersStartEvenlyWithinTheRampUp() {
        UserLevels levels = new UserLevels(List.of(Level.of(Duration.ZERO, 10)), Duration.ofSeconds(10));
        for (int user = 0; user < 10; user++) {
            long due = levels.nextAtWork(user, 0);
            assertThat(due / 1e9).isCloseTo(user, within(0.001));
            assertThat(levels.atWork(user, due)).isTrue();
        }
        assertThat(levels.nextAtWork(10, 0)).isEqualTo(-1);
    }

    @Test
    void usersOfASpikeComeAndGo() {
        UserLevels levels =
                new UserLevels(LoadModel.spike(2, 5, Duration.ofSeconds(3), Duration.ofSeconds(2)), Duration.ZERO);
        assertThat(levels.nextAtWork(1, 0)).isZero();
        assertThat(levels.nextAtWork(4, 0)).isEqualTo(3 * SECOND);
        assertThat(levels.atWork(4, 4 * SECOND)).isTrue();
        assertThat(levels.nextAtWork(4, 5 * SECOND)).isEqualTo(-1);
        assertThat(levels.nextAtWork(1, 6 * SECOND)).isEqualTo(6 * SECOND);
    }

    @Test
    void severalLoadGeneratorsTogetherSendWhatIsDueAtTheTimesOfTheWhole() {
        List<Level> levels = List.of(
                Level.of(Duration.ZERO, 7),
                new Level(Duration.ofSeconds(3), 50, Duration.ofSeconds(2)),
                new Level(Duration.ofSeconds(8), 3, Duration.ofSeconds(1)));
        List<Level> share = levels.stream()
                .map(level -> new Level(level.at(), level.value() / 3, level.ramp()))
                .toList();
        ArrivalSchedule whole = new ArrivalSchedule(levels, Duration.ofSeconds(1), TokenSlice.whole());
        long parts = 0;
        for (int i = 0; i < 3; i++) {
            ArrivalSchedule part = new ArrivalSchedule(share, Duration.ofSeconds(1), new TokenSlice(i, 3));
            for (int k = 0; k < 100; k++) {
                assertThat(part.dueNanos(k)).isCloseTo(whole.dueNanos(3 * k + i), within(1000L));
            }
            parts += part.arrivalsBefore(9 * SECOND);
        }
        assertThat(parts).isEqualTo(whole.arrivalsBefore(9 * SECOND));
    }
}
