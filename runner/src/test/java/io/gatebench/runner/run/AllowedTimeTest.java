/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

class AllowedTimeTest {

    private static final Instant BEGAN = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LEAST_WINDOWS = Duration.ofSeconds(12);

    private static AllowedTime time(long minutes, int arrangements) {
        return new AllowedTime(BEGAN, Duration.ofMinutes(minutes), 1, arrangements, LEAST_WINDOWS);
    }

    private static Instant at(long seconds) {
        return BEGAN.plusSeconds(seconds);
    }

    @Test
    void gatewaysThatAreSoonWarmAreStartedEightTimes() {
        assertThat(time(4, 1).endOfWindows(at(5), Duration.ofSeconds(5), 0)).isEqualTo(at(30));
    }

    @Test
    void windowsTakeHalfOfWhatALongStartTook() {
        assertThat(time(10, 1).endOfWindows(at(90), Duration.ofSeconds(90), 0)).isEqualTo(at(135));
    }

    @Test
    void windowsLeaveTheTimeForFourStarts() {
        AllowedTime time = time(8, 1);
        assertThat(time.endOfWindows(at(100), Duration.ofSeconds(100), 0)).isEqualTo(at(100 + (480 - 400) / 4));
        time.tookBesideWindows(Duration.ofSeconds(103));

        assertThat(time.endOfWindows(at(220), Duration.ofSeconds(96), 0)).isEqualTo(at(220 + (260 - 2 * 103) / 3));
    }

    @Test
    void windowsLeaveTheTimeForThreeStartsWhereFourAreTooMany() {
        assertThat(time(8, 1).endOfWindows(at(130), Duration.ofSeconds(130), 0)).isEqualTo(at(130 + (480 - 390) / 3));
    }

    @Test
    void theLastStartTakesAllThatIsLeft() {
        assertThat(time(8, 1).endOfWindows(at(390), Duration.ofSeconds(90), 0)).isEqualTo(at(480));
    }

    @Test
    void ofTwoArrangementsTheFirstLeavesAsMuchTimeToTheSecond() {
        Instant warm = at(390);
        Duration untilWarm = Duration.ofSeconds(50);

        Instant end = time(8, 2).endOfWindows(warm, untilWarm, 1);

        assertThat(Duration.between(end.plus(untilWarm), at(480))).isEqualTo(Duration.between(warm, end));
    }

    @Test
    void aStartFitsIfTheFewestWindowsDo() {
        AllowedTime time = time(8, 1);
        time.tookBesideWindows(Duration.ofSeconds(80));
        time.tookBesideWindows(Duration.ofSeconds(70));

        assertThat(time.fitsAnother(at(480 - 80 - 12))).isTrue();
        assertThat(time.fitsAnother(at(480 - 80 - 11))).isFalse();
    }

    @Test
    void theLastLookMaySpendWhatIsLeft() {
        AllowedTime time = time(8, 1);
        time.tookBesideWindows(Duration.ofSeconds(80));

        assertThat(time.fraction(at(240))).isEqualTo(0.5);
        assertThat(time.fraction(at(400))).isEqualTo(1);
    }
}
