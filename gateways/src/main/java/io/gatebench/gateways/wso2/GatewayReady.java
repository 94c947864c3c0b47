/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
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
        Instant deadline = clock.instant().plus(timeout);
        RestClient.Request request = new RestClient.Request("ask " + what, method, url, authorization, body);
        while (true) {
            String hindrance;
            try {
                RestClient.Answer answer = client.send(request);
                if (ready.test(answer.status())) {
                    return;
                }
                hindrance = url + " answers " + answer.status();
            } catch (RestFailure e) {
                hindrance = String.valueOf(e.getMessage());
            }
            if (process.isPresent() && !process.get().isAlive()) {
                throw new RoleStartException(what + " ended before it was ready (exit code "
                        + process.get().exitCode().orElse(-1) + ")"
                        + process.get().lastWords(15));
            }
            if (clock.instant().isAfter(deadline)) {
                throw new RoleStartException(what + " was not ready within " + timeout.toSeconds() + " s: " + hindrance
                        + process.map(p -> p.lastWords(15)).orElse(""));
            }
            Pause.of(POLL, "while the gateway was starting");
        }
    }
}
