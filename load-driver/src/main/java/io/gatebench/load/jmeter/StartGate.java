/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.gatebench.load.engine.StartSignal;

/** Gate at which users wait until all are there and the start is known. Thread-safe. */
final class StartGate {

    private static final Logger LOG = LoggerFactory.getLogger(StartGate.class);

    private final CountDownLatch missing;
    private final CountDownLatch known = new CountDownLatch(1);
    private volatile long startNanos;

    StartGate(int users) {
        this.missing = new CountDownLatch(users);
    }

    /** Waits for all users, asks for the start, and tells them. */
    void openBy(StartSignal signal) {
        try {
            missing.await();
            Instant start = signal.await();
            long left = Duration.between(Instant.now(), start).toNanos();
            startNanos = System.nanoTime() + Math.max(0, left);
            known.countDown();
        } catch (InterruptedException e) {
            // The test has ended, and no user waits any more.
            LOG.debug("ended before the start");
        }
    }

    /** Counts a user as there, waits until the start is known, and returns it by {@link System#nanoTime}. */
    long arrive() throws InterruptedException {
        missing.countDown();
        known.await();
        return startNanos;
    }

    /** Lets users go who would wait for a start that never comes. */
    void giveUp() {
        known.countDown();
    }
}
