/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import io.gatebench.spi.host.ForwardingHost;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;

/**
 * A directory of a host as a host of its own, so that two gateways on one machine neither overwrite each other's files nor
 * take each other's ports, not even if they start at the same time.
 *
 * @param host the host, which is not closed with it
 * @param directory its name below the host's work directory
 * @param claims the ports of all parts of the host
 */
record HostPart(Host host, String directory, PortClaims claims) implements ForwardingHost {

    private static final int TRIES = 100;

    @Override
    public String workDirectory() {
        return host.workDirectory() + "/" + directory;
    }

    /** {@inheritDoc} From then on it is free for this part alone. */
    @Override
    public boolean isPortFree(int port) {
        return host.isPortFree(port) && claims.claim(port, directory);
    }

    @Override
    public int freePort() {
        for (int i = 0; i < TRIES; i++) {
            int port = host.freePort();
            if (claims.claim(port, directory)) {
                return port;
            }
        }
        throw new HostException(
                "no free port on " + name() + " that is not claimed by another gateway, in " + TRIES + " tries");
    }

    @Override
    public void close() {
        // The environment closes the host itself.
    }
}
