/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import io.gatebench.spi.RunListener;

/**
 * Tells a listener what happens on several sets of hosts at once, one thing after the other.
 *
 * @param next the listener
 */
record SerializedRunListener(RunListener next) implements ForwardingRunListener {

    @Override
    public synchronized void tell(Runnable what) {
        what.run();
    }
}
