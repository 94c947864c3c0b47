/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.Probe;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.role.RoleProcess;

/**
 * A gateway that is ready for its first request.
 *
 * @param target the base URL that the load is sent to
 * @param process the gateway's own process, if the suite started it
 * @param helpers further processes that were started for it and end with it
 * @param tokens a file with one token per line for the load, if the scenario needs tokens
 * @param probeTokens a token for each kind that probes ask for
 * @since 0.1
 */
public record RunningGateway(
        URI target,
        Optional<RoleProcess> process,
        List<HostProcess> helpers,
        Optional<Path> tokens,
        Map<Probe.Token, String> probeTokens) {

    /** Copies the collections. */
    public RunningGateway {
        helpers = List.copyOf(helpers);
        probeTokens = Map.copyOf(probeTokens);
    }

    /** Stops what was started for it. */
    public void stop() {
        process.ifPresent(RoleProcess::stop);
        helpers.forEach(helper -> helper.stop(RoleProcess.STOP_GRACE));
    }

    @Override
    public String toString() {
        // The record's own form would print tokens into logs.
        return "RunningGateway[" + target + "]";
    }
}
