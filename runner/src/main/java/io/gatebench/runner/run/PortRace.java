/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.gatebench.spi.RunListener;
import io.gatebench.spi.role.RoleStartException;

/** Another program may take a port between the look at it and its use; a second look finds another port. */
final class PortRace {

    /** Forms in which Linux, the JDK, Netty, Go and nginx say it. */
    private static final Pattern PORT_TAKEN =
            Pattern.compile("address already in use|port \\d+ (is|was) already in use", Pattern.CASE_INSENSITIVE);

    private PortRace() {}

    /**
     * Starts a role, and once more if its port was taken meanwhile.
     *
     * @param what the role, for the note
     * @param lost stops what is left of the first start
     * @throws RoleStartException if it does not start
     */
    static <T> T start(String what, RunListener listener, Runnable lost, Supplier<T> start) {
        try {
            return start.get();
        } catch (RoleStartException e) {
            if (!PORT_TAKEN.matcher(String.valueOf(e.getMessage())).find()) {
                throw e;
            }
            lost.run();
            listener.note("another program took a port while the " + what + " started; it is started once more");
            return start.get();
        }
    }
}
