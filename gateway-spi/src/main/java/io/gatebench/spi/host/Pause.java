/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Waits; no other class lets a thread of the program sleep. */
public final class Pause {

    private Pause() {}

    /** A clock whose time passes by pauses alone, as that of a test may. */
    public interface Passing extends InstantSource {

        /** Lets a time pass. */
        void pass(Duration time);
    }

    /**
     * Waits for a time by a clock.
     *
     * @param when what is waited for, e.g. {@code while a role was starting}
     * @throws HostException if the thread is interrupted, which it remains
     */
    public static void of(Duration time, InstantSource clock, String when) {
        if (clock instanceof Passing passing) {
            passing.pass(time);
        } else {
            of(time, when);
        }
    }

    /**
     * Waits for a time.
     *
     * @param when what is waited for, e.g. {@code while a role was starting}
     * @throws HostException if the thread is interrupted, which it remains
     */
    public static void of(Duration time, String when) {
        if (!passed(time)) {
            throw new HostException("interrupted " + when);
        }
    }

    /**
     * Asks until nothing hinders any more, or a time is over. It asks at least once.
     *
     * @param poll how long to wait between two questions
     * @param when what is waited for, e.g. {@code while a role was starting}
     * @param hindrance what there is to wait for, empty if there is nothing; what it throws ends the waiting
     * @return the last hindrance if the time is over
     * @throws HostException if the thread is interrupted, which it remains
     */
    public static Optional<String> until(
            Duration timeout, Duration poll, InstantSource clock, String when, Supplier<Optional<String>> hindrance) {
        Instant deadline = clock.instant().plus(timeout);
        while (true) {
            Optional<String> found = hindrance.get();
            if (found.isEmpty() || clock.instant().isAfter(deadline)) {
                return found;
            }
            of(poll, clock, when);
        }
    }

    /**
     * Waits for the end of a process that was asked to end, by a clock that nobody sets. It returns early, too, if the
     * thread is interrupted, which it remains.
     */
    public static void untilEnded(HostProcess process, Duration grace, Duration poll) {
        long start = System.nanoTime();
        boolean waiting = true;
        while (waiting && process.isAlive() && System.nanoTime() - start < grace.toNanos()) {
            waiting = passed(poll);
        }
    }

    /** Waits for a time, and returns whether it has passed: not if the thread is interrupted, which it remains. */
    public static boolean passed(Duration time) {
        try {
            Thread.sleep(time.toMillis());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
