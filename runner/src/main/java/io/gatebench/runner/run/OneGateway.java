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
 * @param all the environment, which this one does not close
 * @param gateway the host of the gateway
 */
record OneGateway(Environment all, Host gateway) implements Environment {

    @Override
    public String name() {
        return all.name();
    }

    @Override
    public List<Host> hosts(NodeRole role) {
        return role == NodeRole.GATEWAY ? List.of(gateway) : all.hosts(role);
    }

    @Override
    public Distribution distribution() {
        return all.distribution();
    }

    @Override
    public Duration clockOffset(Host host) {
        return all.clockOffset(host);
    }

    @Override
    public Map<String, String> facts() {
        return all.facts();
    }

    @Override
    public boolean takesLimits() {
        return all.takesLimits();
    }

    @Override
    public void limitGateway(OptionalDouble cpus) {
        all.limitGateway(cpus);
    }

    @Override
    public Optional<DatabaseServer> database() {
        return all.database();
    }

    @Override
    public boolean isRented() {
        return all.isRented();
    }

    @Override
    public List<String> notes() {
        return all.notes();
    }

    @Override
    public void close() {}
}
