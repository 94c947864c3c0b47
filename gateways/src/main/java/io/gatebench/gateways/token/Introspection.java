/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.token;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.gatebench.model.NodeRole;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.ProcessSpec;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleProcess;

/**
 * The place where a gateway asks whether an opaque token is good: a process beside it on its host.
 *
 * @param process the process
 * @param url its base URL
 */
public record Introspection(HostProcess process, URI url) {

    private static final Duration READY = Duration.ofSeconds(60);

    /**
     * Starts it and returns when it answers.
     *
     * @param tokens the tokens that are good
     * @throws io.gatebench.spi.role.RoleStartException if it does not become ready; it is stopped then
     */
    public static Introspection start(CaseContext context, Path tokens) {
        RunContext run = context.run();
        Host host = run.environment().host(NodeRole.GATEWAY);
        String directory = host.workDirectory() + "/" + context.directory() + "/introspection";
        host.createDirectory(directory);
        String jar =
                host.upload(run.jars().jar("reference-gateway"), host.workDirectory() + "/jars/reference-gateway.jar");
        String known = host.upload(tokens, host.workDirectory() + "/secrets/opaque.csv");
        HostProcess process = host.start(new ProcessSpec(
                "introspection",
                List.of(
                        host.java(),
                        "-Xmx128M",
                        "-jar",
                        jar,
                        "--gateway.mode=introspection",
                        "--gateway.bind=" + host.address(),
                        "--gateway.port=0",
                        "--gateway.tokens=" + known),
                Map.of(),
                directory));
        try {
            String port = new JvmRole(run.clock())
                    .awaitReadyLine(process, "introspection ready", READY)
                    .get("port");
            return new Introspection(process, URI.create("http://" + host.address() + ":" + port));
        } catch (RuntimeException e) {
            process.stop(RoleProcess.STOP_GRACE);
            throw e;
        }
    }
}
