/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.gatebench.spi.RunListener;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.role.RoleProcess;

/** Full GC that a gateway is asked for after the load: the footprint is what is in use after it. */
final class FullGc {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private FullGc() {}

    /** Asks gateways, and returns of which collections their footprint is, in words. */
    static String ask(List<RunningGateway> running, RunListener listener) {
        Set<String> kinds = running.stream()
                .map(gateway -> ask(gateway, listener))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return String.join("; or ", kinds);
    }

    private static String ask(RunningGateway running, RunListener listener) {
        if (running.process().isEmpty()) {
            return "only full GCs of the gateway's own: its process is not one that this run started";
        }
        RoleProcess process = running.process().get();
        if (process.notJvm().isPresent()) {
            // jcmd begins with a signal that ends programs which are no JVM.
            return "no full GC was asked for: " + process.notJvm().get();
        }
        listener.step("asking the gateway for a full GC");
        try {
            CommandResult answer = Jcmd.run(process, LIMIT, "GC.run");
            return answer.exitCode() == 0
                    ? "full GC that was asked for after the measurement window"
                    : "only full GCs of the gateway's own: jcmd ended with " + answer.exitCode();
        } catch (HostException e) {
            return "only full GCs of the gateway's own: " + e.getMessage();
        }
    }
}
