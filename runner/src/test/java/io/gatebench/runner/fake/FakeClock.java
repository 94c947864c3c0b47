/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.fake;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;

import io.gatebench.spi.host.Pause;

/** A clock whose time passes by pauses alone, so that an hour of waiting takes no time; not for several threads. */
public final class FakeClock extends Clock implements Pause.Passing {

    private final Map<Instant, Runnable> planned = new TreeMap<>();
    private Instant now;

    /** Creates a clock that shows a time. */
    public FakeClock(Instant now) {
        this.now = now;
    }

    /** Plans what happens as soon as a time has passed. */
    public void after(Duration time, Runnable what) {
        planned.put(now.plus(time), what);
    }

    @Override
    public void pass(Duration time) {
        now = now.plus(time);
        Map.copyOf(planned).forEach((when, what) -> {
            if (!when.isAfter(now) && planned.remove(when) != null) {
                what.run();
            }
        });
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public long millis() {
        return now.toEpochMilli();
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
