/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.time.Duration;

/** Way in which the polling loops wait; tests move a clock instead. */
@FunctionalInterface
interface Pause {

    /** Waits with the thread; an interruption ends the wait early and stays set. */
    Pause SLEEP = duration -> {
        try {
            Thread.sleep(duration.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    };

    void of(Duration duration);
}
