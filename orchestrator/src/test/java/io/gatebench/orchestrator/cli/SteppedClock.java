/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that moves only when it is told to. */
final class SteppedClock implements InstantSource {

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    void forward(Duration duration) {
        now = now.plus(duration);
    }

    @Override
    public Instant instant() {
        return now;
    }
}
