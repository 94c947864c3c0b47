/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongSupplier;

/**
 * A clock that shows the machine's time when it is made and then goes on by itself: who sets the machine's clock neither
 * lets a time-out pass nor keeps it from passing.
 */
public final class SteadyClock extends Clock {

    private final Clock wall;
    private final LongSupplier nanos;
    private final Instant start;
    private final long startNanos;

    /** Starts with the machine's time, in UTC. */
    public SteadyClock() {
        this(Clock.systemUTC(), System::nanoTime);
    }

    SteadyClock(Clock wall, LongSupplier nanos) {
        this.wall = wall;
        this.nanos = nanos;
        this.start = wall.instant();
        this.startNanos = nanos.getAsLong();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(nanos.getAsLong() - startNanos);
    }

    /** Returns how far the machine's clock has been set forth since this one was made; negative if back. */
    public Duration step() {
        return Duration.between(instant(), wall.instant());
    }

    @Override
    public ZoneId getZone() {
        return wall.getZone();
    }

    /** Not supported: nothing here shows local times. */
    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("a steady clock shows UTC");
    }
}
