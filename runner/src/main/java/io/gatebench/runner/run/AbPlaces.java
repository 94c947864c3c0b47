/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.gatebench.hosts.environment.LocalEnvironment;
import io.gatebench.model.NodeRole;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.spi.Environment;
import io.gatebench.spi.host.Host;

/**
 * Hosts on which two gateways that are measured in turns are started.
 *
 * @param arrangements the hosts of both; each start is measured in all of them, one after the other, and they count as one
 * @param owned what is closed at the end
 */
public record AbPlaces(List<Map<Side, Environment>> arrangements, List<Environment> owned) implements AutoCloseable {

    /** Copies the lists. */
    public AbPlaces {
        arrangements = List.copyOf(arrangements);
        owned = List.copyOf(owned);
    }

    /** Returns this machine, with a directory for each of them. */
    public static AbPlaces local(Path work) {
        return shared(new LocalEnvironment(work));
    }

    /** Returns hosts of which the first one for the gateway has both. */
    public static AbPlaces shared(Environment hosts) {
        Host both = hosts.host(NodeRole.GATEWAY);
        return new AbPlaces(List.of(placed(hosts, both, both)), List.of(hosts));
    }

    /** Returns hosts of which the first two for the gateway have one each, which change places. */
    public static AbPlaces swapped(Environment hosts) {
        Host one = hosts.hosts(NodeRole.GATEWAY).get(0);
        Host other = hosts.hosts(NodeRole.GATEWAY).get(1);
        return new AbPlaces(List.of(placed(hosts, one, other), placed(hosts, other, one)), List.of(hosts));
    }

    private static Map<Side, Environment> placed(Environment hosts, Host a, Host b) {
        PortClaims claims = new PortClaims();
        return Map.of(Side.A, placed(hosts, a, Side.A, claims), Side.B, placed(hosts, b, Side.B, claims));
    }

    private static Environment placed(Environment hosts, Host gateway, Side side, PortClaims claims) {
        return new EnvironmentPart(
                hosts,
                new HostPart(gateway, side.name().toLowerCase(Locale.ROOT), claims),
                List.of(hosts.host(NodeRole.LOAD_GENERATOR)));
    }

    @Override
    public void close() {
        owned.forEach(Environment::close);
    }
}
