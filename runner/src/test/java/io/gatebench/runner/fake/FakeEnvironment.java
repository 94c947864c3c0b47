/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.fake;

import java.util.List;

import io.gatebench.model.NodeRole;
import io.gatebench.spi.Environment;
import io.gatebench.spi.host.Host;

/**
 * All roles on one host.
 *
 * @param host the host
 */
public record FakeEnvironment(Host host) implements Environment {

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
        return List.of();
    }

    @Override
    public void close() {
        host.close();
    }
}
