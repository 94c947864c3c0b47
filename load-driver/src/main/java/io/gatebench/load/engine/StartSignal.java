/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.time.Instant;

/**
 * Says when the users of a load may begin, so that several load generators begin together.
 *
 * <p>All that takes time has been done when it is asked: the plan is made, tokens and payloads are read, and every user's
 * thread runs and waits.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface StartSignal {

    /**
     * Waits until the start is known; called once, by one thread, which is interrupted if the load is ended before.
     *
     * @return when users may begin, by the clock of this machine; an instant that is past means at once
     */
    Instant await() throws InterruptedException;
}
