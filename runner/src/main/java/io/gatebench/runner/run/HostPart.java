/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import io.gatebench.spi.host.ForwardingHost;
import io.gatebench.spi.host.Host;

/**
 * A directory of a host as a host of its own, so that two gateways on one machine do not overwrite each other's files.
 *
 * @param host the host, which is not closed with it
 * @param directory its name below the host's work directory
 */
record HostPart(Host host, String directory) implements ForwardingHost {

    @Override
    public String workDirectory() {
        return host.workDirectory() + "/" + directory;
    }

    @Override
    public void close() {
        // The environment closes the host itself.
    }
}
