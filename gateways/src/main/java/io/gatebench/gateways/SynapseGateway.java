/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.Ports;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleProcess;

/** The built-in Apache Synapse engine, which stands in for the integration products. */
final class SynapseGateway implements Gateway {

    private static final Duration READY = Duration.ofSeconds(60);

    private final String applicationName;
    private final int httpPort;
    private final int httpsPort;
    private Map<Boolean, URI> targets = Map.of();

    SynapseGateway(String applicationName, int httpPort, int httpsPort) {
        this.applicationName = applicationName;
        this.httpPort = httpPort;
        this.httpsPort = httpsPort;
    }

    @Override
    public String applicationName() {
        return applicationName;
    }

    @Override
    public Duration overheadPerCase() {
        return Duration.ofSeconds(6);
    }

    @Override
    public Map<String, String> unserved(List<TestScenario> scenarios) {
        Map<String, String> reasons = new LinkedHashMap<>();
        JsonNode catalogue = catalogue();
        for (TestScenario scenario : scenarios) {
            for (JsonNode entry : catalogue) {
                if (entry.path("name").asText().equals(scenario.name())
                        && !entry.path("served").asBoolean()) {
                    reasons.put(scenario.name(), entry.path("reason").asText());
                }
            }
        }
        return reasons;
    }

    private static JsonNode catalogue() {
        try (InputStream in = SynapseGateway.class.getResourceAsStream("/roles/synapse-gateway/scenarios.json")) {
            return new ObjectMapper().readTree(in).path("scenarios");
        } catch (IOException e) {
            throw new UncheckedIOException("the list of the built-in engine's scenarios cannot be read", e);
        }
    }

    @Override
    public boolean takesMemoryLimit() {
        return true;
    }

    @Override
    public void initialize(RunContext run) {
        // Nothing to mint and nothing to install: the engine writes its home when it starts.
    }

    @Override
    public RunningGateway start(TestCase testCase, TestScenario scenario, CaseContext context) {
        RunContext run = context.run();
        Host host = run.environment().host(NodeRole.GATEWAY);
        String directory = host.workDirectory() + "/" + context.directory() + "/gateway";
        String jar = host.upload(run.jars().jar("synapse-gateway"), host.workDirectory() + "/jars/synapse-gateway.jar");
        JvmRole starter = run.jvms();
        int http = Ports.choose(
                host,
                "gateway (http)",
                scenario.tls() ? OptionalInt.empty() : run.gatewayPort(),
                httpPort,
                run.listener());
        int https = Ports.choose(
                host,
                "gateway (https)",
                scenario.tls() ? run.gatewayPort() : OptionalInt.empty(),
                httpsPort,
                run.listener());
        RoleProcess process = starter.start(
                NodeRole.GATEWAY,
                applicationName,
                host,
                directory,
                testCase.heap(),
                List.of(
                        "-jar",
                        jar,
                        "--bind=" + host.address(),
                        "--http-port=" + http,
                        "--https-port=" + https,
                        "--backend=" + context.backend() + "/service/EchoService",
                        "--work-dir=" + directory + "/home"),
                context.processors(),
                testCase.gatewayMemory());
        try {
            starter.awaitReadyLine(process.process(), "synapse-gateway ready", READY);
        } catch (RuntimeException e) {
            process.stop();
            throw e;
        }
        targets = Map.of(
                true, URI.create("https://" + host.address() + ":" + https),
                false, URI.create("http://" + host.address() + ":" + http));
        return serving(Optional.of(process), scenario);
    }

    /** {@inheritDoc} One instance has the proxies of all scenarios. */
    @Override
    public Optional<RunningGateway> serving(RunningGateway running, TestScenario before, TestScenario scenario) {
        return Optional.of(serving(running.process(), scenario));
    }

    private RunningGateway serving(Optional<RoleProcess> process, TestScenario scenario) {
        return new RunningGateway(
                Objects.requireNonNull(targets.get(scenario.tls())), process, List.of(), Optional.empty(), Map.of());
    }

    @Override
    public Map<String, String> versions() {
        return Map.of("gateway", "Apache Synapse 3.0.1");
    }
}
