/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import org.jspecify.annotations.Nullable;

/** A result that knows to which session it belongs. */
interface SessionSample {

    /** Returns the session, or null where the result has travelled. */
    @Nullable
    LoadSession session();
}
