/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.util.concurrent.atomic.AtomicBoolean;

/** The wish of the user that the run ends now; safe for use by several threads. */
public final class Interruption {

    private final AtomicBoolean requested = new AtomicBoolean();

    /** Asks the run to end as soon as what was measured is kept. */
    public void request() {
        requested.set(true);
    }

    /** Returns whether the run was asked to end. */
    public boolean isRequested() {
        return requested.get();
    }
}
