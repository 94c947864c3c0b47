/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import java.nio.file.Path;
import java.util.List;

import io.gatebench.hosts.LocalHost;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.Environment;
import io.gatebench.spi.host.Host;

/** All roles on the machine of the orchestrator. */
public final class LocalEnvironment implements Environment {

    private final LocalHost host;

    /**
     * Creates the environment.
     *
     * @param workDirectory where roles run
     */
    public LocalEnvironment(Path workDirectory) {
        this.host = new LocalHost(workDirectory);
    }

    @Override
    public String name() {
        return "local";
    }

    @Override
    public List<Host> hosts(NodeRole role) {
        return List.of(host);
    }

    @Override
    public List<String> notes() {
        // Who got which processors is said with the test cases.
        return List.of();
    }

    @Override
    public void close() {
        host.close();
    }
}
