/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.model.DatabaseServer;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.Distribution;
import io.gatebench.spi.Environment;
import io.gatebench.spi.host.Host;

/**
 * Environment of several gateways as one of them sees it.
 *
 * @param whole the environment, which is not closed with it
 * @param gateway the host of the gateway
 * @param loadGenerators the hosts of the load generators
 */
record EnvironmentPart(Environment whole, Host gateway, List<Host> loadGenerators) implements Environment {

    @Override
    public String name() {
        return whole.name();
    }

    @Override
    public List<Host> hosts(NodeRole role) {
        return switch (role) {
            case GATEWAY -> List.of(gateway);
            case LOAD_GENERATOR -> loadGenerators;
            case BACKEND -> whole.hosts(role);
        };
    }

    @Override
    public Distribution distribution() {
        return whole.distribution();
    }

    @Override
    public Duration clockOffset(Host host) {
        return whole.clockOffset(host);
    }

    @Override
    public Map<String, String> facts() {
        return whole.facts();
    }

    @Override
    public boolean takesLimits() {
        return whole.takesLimits();
    }

    @Override
    public void limitGateway(OptionalDouble cpus) {
        whole.limitGateway(cpus);
    }

    @Override
    public Optional<DatabaseServer> database() {
        return whole.database();
    }

    @Override
    public boolean isRented() {
        return whole.isRented();
    }

    @Override
    public List<String> notes() {
        return whole.notes();
    }

    @Override
    public void close() {
        // The whole is closed by who has opened it.
    }
}
