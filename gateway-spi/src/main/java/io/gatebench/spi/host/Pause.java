/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

import java.time.Duration;
import java.time.InstantSource;

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
