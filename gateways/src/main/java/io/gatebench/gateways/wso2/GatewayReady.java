/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.IntPredicate;

import io.gatebench.load.engine.Trust;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.Pause;
import io.gatebench.spi.role.RoleStartException;

/** Waits until a gateway answers a request as it must; only requests without secrets are sent before it has. */
final class GatewayReady {

    private static final Duration POLL = Duration.ofMillis(250);
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private final InstantSource clock;
    // Gateways present certificates of their own making, as in the load itself.
    private final RestClient client;

    /** Asks from where the load will come from. */
    GatewayReady(RunContext run) {
        this(run, NodeRole.LOAD_GENERATOR);
    }

    /**
     * Creates it.
     *
     * @param from the host whose way to the gateway is taken
     */
    GatewayReady(RunContext run, NodeRole from) {
        this.clock = run.clock();
        this.client =
                new RestClient(Trust.everything(), ANSWER, run.environment().host(from)::reach);
    }

    /**
     * Waits for an answer with a status.
     *
     * @param what who is to be ready, for messages
     * @param authorization the header of that name, empty for none
     * @param process a process that must not end in the meantime
     * @throws RoleStartException if it ends, or the time is over
     */
    void await(
            String what,
            String method,
            URI url,
            String authorization,
            RestBody body,
            IntPredicate ready,
            Optional<HostProcess> process,
            Duration timeout) {
        RestClient.Request request = new RestClient.Request("ask " + what, method, url, authorization, body);
        Optional<String> late = Pause.until(timeout, POLL, clock, "while the gateway was starting", () -> {
            Optional<String> hindrance = hindrance(request, ready);
            if (hindrance.isPresent() && process.isPresent() && !process.get().isAlive()) {
                throw new RoleStartException(what + " ended before it was ready (exit code "
                        + process.get().exitCode().orElse(-1) + ")"
                        + process.get().lastWords(15));
            }
            return hindrance;
        });
        if (late.isPresent()) {
            throw new RoleStartException(what + " was not ready within " + timeout.toSeconds() + " s: " + late.get()
                    + process.map(p -> p.lastWords(15)).orElse(""));
        }
    }

    private Optional<String> hindrance(RestClient.Request request, IntPredicate ready) {
        try {
            int status = client.send(request).status();
            return ready.test(status) ? Optional.empty() : Optional.of(request.url() + " answers " + status);
        } catch (RestFailure e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
