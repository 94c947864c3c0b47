/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.fake;

import java.util.List;
import java.util.Map;

import io.gatebench.model.NodeRole;
import io.gatebench.spi.Environment;
import io.gatebench.spi.host.Host;

/**
 * An environment in which processes of fakes run.
 *
 * @param name its name
 * @param all its hosts by role
 * @param takesLimits whether it limits the gateway
 */
public record FakeEnvironment(String name, Map<NodeRole, List<Host>> all, boolean takesLimits) implements Environment {

    /** Creates this machine, all roles on one host. */
    public FakeEnvironment(Host host) {
        this(
                "local",
                Map.of(
                        NodeRole.GATEWAY, List.of(host),
                        NodeRole.BACKEND, List.of(host),
                        NodeRole.LOAD_GENERATOR, List.of(host)),
                false);
    }

    @Override
    public List<Host> hosts(NodeRole role) {
        return all.get(role);
    }

    @Override
    public List<String> notes() {
        return List.of();
    }

    @Override
    public void close() {
        all.values().stream().flatMap(List::stream).distinct().forEach(Host::close);
    }
}
