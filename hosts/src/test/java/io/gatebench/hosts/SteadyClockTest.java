/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

class SteadyClockTest {

    private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

    private final AtomicReference<Instant> wall = new AtomicReference<>(START);
    private final AtomicLong nanos = new AtomicLong(-7);
    private final SteadyClock clock = new SteadyClock(new Wall(), nanos::get);

    private final class Wall extends Clock {
        @Override
        public Instant instant() {
            return wall.get();
        }

        @Override
        public java.time.ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
            return this;
        }
    }

    @Test
    void goesOnByItselfWhoeverSetsTheMachinesClock() {
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        wall.set(START.minusSeconds(3600));

        assertThat(clock.instant()).isEqualTo(START.plusSeconds(5));
    }

    @Test
    void saysHowFarTheMachinesClockWasSet() {
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        wall.set(START.plusSeconds(5));
        assertThat(clock.step()).isZero();

        wall.set(START.plusSeconds(65));
        assertThat(clock.step()).isEqualTo(Duration.ofMinutes(1));

        wall.set(START.minusSeconds(55));
        assertThat(clock.step()).isEqualTo(Duration.ofMinutes(-1));
    }
}
