/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.util.OptionalInt;

import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.RoleStartException;

/**
 * Chooses the ports of roles.
 *
 * @since 0.1
 */
public final class Ports {

    private Ports() {}

    /**
     * Returns the port that the user demanded, else the product's own if it is free, else a free one, and says so.
     *
     * @param what what will listen there, for messages
     * @throws RoleStartException if the demanded port is taken
     */
    public static int choose(Host host, String what, OptionalInt demanded, int own, RunListener listener) {
        if (demanded.isPresent()) {
            if (!host.isPortFree(demanded.getAsInt())) {
                throw new RoleStartException("port " + demanded.getAsInt() + " of " + host.name()
                        + ", demanded for the " + what + ", is taken; free it or drop the option");
            }
            return demanded.getAsInt();
        }
        if (host.isPortFree(own)) {
            return own;
        }
        int free = host.freePort();
        listener.note("port " + own + " of " + host.name() + " is taken; the " + what + " uses " + free);
        return free;
    }
}
