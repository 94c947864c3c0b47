package com.example.flow;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.Ports;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.RoleProcess;

/** Starts Flow as a JVM of its own, on this machine or on that of a hosts file. */
final class FlowGateway implements Gateway {

    private static final int PORT = 8280;
    private static final Duration READY = Duration.ofSeconds(30);

    @Override
    public String applicationName() {
        return "Flow";
    }

    @Override
    public Duration overheadPerCase() {
        return Duration.ofSeconds(3);
    }

    @Override
    public void initialize(RunContext run) {
        // Nothing to install and no tokens to mint.
    }

    @Override
    public RunningGateway start(TestCase testCase, TestScenario scenario, CaseContext context) {
        RunContext run = context.run();
        Host host = run.environment().host(NodeRole.GATEWAY);
        int port = Ports.choose(host, "gateway", run.gatewayPort(), PORT, run.listener());
        RoleProcess process = run.jvms()
                .start(
                        NodeRole.GATEWAY,
                        applicationName(),
                        host,
                        host.workDirectory() + "/" + context.directory() + "/gateway",
                        testCase.heap(),
                        List.of(
                                // Without it the JDK's server waits 40 ms for the acknowledgement of each small answer.
                                "-Dsun.net.httpserver.nodelay=true",
                                "-cp",
                                host.upload(ownJar(), host.workDirectory() + "/jars/flow.jar"),
                                Flow.class.getName(),
                                host.address(),
                                String.valueOf(port),
                                context.backend().toString()),
                        context.processors());
        try {
            run.jvms().awaitReadyLine(process.process(), "flow ready", READY);
        } catch (RuntimeException e) {
            process.stop();
            throw e;
        }
        URI target = URI.create("http://" + host.address() + ":" + port);
        return new RunningGateway(target, Optional.of(process), List.of(), Optional.empty(), Map.of());
    }

    private static Path ownJar() {
        try {
            return Path.of(Flow.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Map<String, String> versions() {
        return Map.of("gateway", "Flow 1.0");
    }
}
