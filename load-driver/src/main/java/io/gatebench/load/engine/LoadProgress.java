/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import io.gatebench.model.SecondOfLoad;

/**
 * Is told once a second how a test goes.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface LoadProgress {

    /**
     * Is called about once a second, by a thread of the driver.
     *
     * @param second what started in the second before last, as far as it has been answered; late answers may still
     *     change it
     */
    void second(SecondOfLoad second);

    /** The measurement window begins. */
    default void windowBegins() {}

    /** Returns an observer that does nothing. */
    static LoadProgress none() {
        return second -> {};
    }
}
