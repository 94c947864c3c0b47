/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.spi.Ports;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleProcess;

/**
 * An echo back end that is ready.
 *
 * @param process its process
 * @param url its base URL
 * @param metrics where it says what it has counted, if it does
 */
record StartedBackend(RoleProcess process, URI url, Optional<URI> metrics) {

    private static final Duration READY = Duration.ofSeconds(30);
    private static final int PORT = 8688;

    /**
     * Starts one.
     *
     * @param directory its directory on its host
     * @param address where it listens, and is reached
     * @param processors the numbers of its processors; empty for all
     * @param started is given the process as soon as it runs, which the caller stops
     */
    static StartedBackend start(
            RunContext run,
            JvmRole starter,
            TestCase testCase,
            String directory,
            String address,
            List<Integer> processors,
            Consumer<RoleProcess> started) {
        Host host = run.environment().host(NodeRole.BACKEND);
        int port = Ports.choose(host, "back end", run.backendPort(), PORT, run.listener());
        String jar = host.upload(run.jars().jar("echo-backend"), host.workDirectory() + "/jars/echo-backend.jar");
        RoleProcess process = starter.start(
                NodeRole.BACKEND,
                "Netty Service",
                host,
                directory,
                run.plan().backendHeap(),
                List.of(
                        "-jar",
                        jar,
                        "--host=" + address,
                        "--port=" + port,
                        "--delay=" + testCase.backendDelay().toMillis() + "ms"),
                processors);
        started.accept(process);
        Map<String, String> ready = starter.awaitReadyLine(process.process(), "echo-backend ready", READY);
        String admin = ready.getOrDefault("admin", "none");
        return new StartedBackend(
                process,
                URI.create("http://" + address + ":" + port),
                admin.equals("none")
                        ? Optional.empty()
                        : Optional.of(URI.create("http://" + address + ":" + admin + "/metrics")));
    }
}
