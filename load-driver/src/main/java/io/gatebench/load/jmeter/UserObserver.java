/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

/** Is told of each user by the user's own thread, of many at the same time. */
public interface UserObserver {

    /** Does nothing. */
    UserObserver NONE = new UserObserver() {
        @Override
        public void userBegins() {
            // Nobody asks.
        }

        @Override
        public void userEnds() {
            // Nobody asks.
        }
    };

    /**
     * The user is about to send a request: one of the warm-up now and then, or its first one. The last call before a request
     * that may end in the measurement window counts.
     */
    void userBegins();

    /** The user sends no more requests; may be called more than once. */
    void userEnds();
}
