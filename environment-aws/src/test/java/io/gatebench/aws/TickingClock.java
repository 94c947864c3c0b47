/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still unless somebody pauses. */
final class TickingClock extends Clock implements Pause {

    private Instant now = Instant.parse("2026-11-21T12:00:00Z");

    @Override
    public synchronized void of(Duration duration) {
        now = now.plus(duration);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }
}
