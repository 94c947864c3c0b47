/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.role.RoleProcess;

/** A real Micro Integrator or Enterprise Integrator: installed from a pack, or running already. */
public final class IntegratorGateway implements Gateway {

    private static final String DEPLOYMENT = "/repository/deployment/server/synapse-configs/default";
    private static final Duration DEPLOYED = Duration.ofSeconds(60);

    private final Variant variant;
    private final String applicationName;
    private final ProductSettings settings;
    private final Origin origin;
    private Map<String, String> deployed = Map.of();

    /** The integration products, which differ in their ports and start scripts. */
    public enum Variant {
        /** Micro Integrator; its ports are those below moved by 10, which is its own default offset. */
        MI(ProductInstallation.Kind.MI, List.of("bin/micro-integrator.sh"), List.of(8280, 8243, 9154, 9191), 10),
        /** Enterprise Integrator. */
        EI(
                ProductInstallation.Kind.EI,
                List.of("bin/integrator.sh", "bin/wso2server.sh"),
                List.of(8280, 8243, 9443, 9763),
                0);

        private final ProductInstallation.Kind product;
        private final List<String> scripts;
        private final List<Integer> ports;
        private final int ownOffset;

        Variant(ProductInstallation.Kind product, List<String> scripts, List<Integer> ports, int ownOffset) {
            this.product = product;
            this.scripts = scripts;
            this.ports = ports;
            this.ownOffset = ownOffset;
        }

        /** Returns the name that a report carries. */
        public String product() {
            return product.title();
        }

        /** Returns the port of plain HTTP. */
        public int httpPort() {
            return ports.get(0) + ownOffset;
        }

        /** Returns the port of HTTPS. */
        public int httpsPort() {
            return ports.get(1) + ownOffset;
        }
    }

    private IntegratorGateway(Variant variant, ProductSettings settings, Origin origin) {
        this.variant = variant;
        this.applicationName = variant.product();
        this.settings = settings;
        this.origin = origin;
    }

    /**
     * Returns an integrator that is installed from a pack.
     *
     * @throws IllegalArgumentException if the pack is none of that product, or is unsafe
     */
    public static IntegratorGateway ofPack(
            Variant variant, Path path, ProductSettings settings, Optional<Double> cpus) {
        PackRun run = new PackRun(
                variant.product(),
                Pack.open(path, variant.product(), variant.scripts),
                settings,
                cpus,
                "wso2carbon.pid",
                PackServer.HeapVariable.JVM_MEM_OPTS);
        return new IntegratorGateway(variant, settings, Origin.of(run));
    }

    /** Returns an integrator that runs already. */
    public static IntegratorGateway ofRunning(Variant variant, URI url, ProductSettings settings) {
        return new IntegratorGateway(variant, settings, Origin.of(url));
    }

    @Override
    public String applicationName() {
        return applicationName;
    }

    @Override
    public Duration overheadPerCase() {
        return origin.pack().isPresent() ? Duration.ofSeconds(40) : Duration.ofSeconds(10);
    }

    @Override
    public Map<String, String> unserved(List<TestScenario> scenarios) {
        return SynapseArtifacts.unserved(scenarios);
    }

    @Override
    public boolean takesMemoryLimit() {
        return !isShared();
    }

    @Override
    public boolean isShared() {
        return origin.running().isPresent();
    }

    @Override
    public void initialize(RunContext run) {
        origin.pack().ifPresent(p -> p.install(run));
    }

    @Override
    public RunningGateway start(TestCase testCase, TestScenario scenario, CaseContext context) {
        RunContext run = context.run();
        Host host = run.environment().host(NodeRole.GATEWAY);
        if (origin.running().isPresent()) {
            URI target = origin.running().get();
            if (settings.deployTo().isPresent()) {
                deploy(host, settings.deployTo().get(), context);
                awaitReady(run, target, Optional.empty(), DEPLOYED);
            }
            return ready(target, Optional.empty());
        }
        PackRun packed = origin.pack().orElseThrow();
        deploy(host, packed.install(run) + DEPLOYMENT, context);
        List<Integer> ports = new ArrayList<>();
        // The port that the user may choose is the one that the scenario uses.
        ports.add(scenario.tls() ? variant.httpsPort() : variant.httpPort());
        ports.add(scenario.tls() ? variant.httpPort() : variant.httpsPort());
        variant.ports.stream().skip(2).map(port -> port + variant.ownOffset).forEach(ports::add);
        int offset = PortOffset.choose(host, applicationName, ports, run.gatewayPort(), run.listener());
        URI http = URI.create("http://" + host.address() + ":" + (variant.httpPort() + offset));
        RoleProcess process = packed.start(
                testCase,
                context,
                // Always said: the pack's own configuration may name another one.
                List.of("-DportOffset=" + (variant.ownOffset + offset)),
                Map.of(),
                started -> awaitReady(run, http, Optional.of(started), settings.startTimeout()));
        URI target =
                scenario.tls() ? URI.create("https://" + host.address() + ":" + (variant.httpsPort() + offset)) : http;
        return ready(target, Optional.of(process));
    }

    private void deploy(Host host, String directory, CaseContext context) {
        List<String> scenarios = context.run().plan().scenarios().stream()
                .map(TestScenario::name)
                .toList();
        Map<String, String> files = SynapseArtifacts.files(scenarios, context.backend());
        if (!deployed.equals(files)) {
            SynapseArtifacts.deploy(host, directory, files);
            deployed = files;
        }
    }

    private void awaitReady(RunContext run, URI base, Optional<HostProcess> process, Duration timeout) {
        new GatewayReady(run)
                .await(
                        applicationName,
                        "GET",
                        base.resolve(SynapseArtifacts.READY_PATH),
                        "",
                        RestBody.NONE,
                        status -> status == 200,
                        process,
                        timeout);
    }

    private static RunningGateway ready(URI target, Optional<RoleProcess> process) {
        return new RunningGateway(target, process, List.of(), Optional.empty(), Map.of());
    }

    @Override
    public void remove(RunContext run) {
        if (origin.running().isPresent() && settings.deployTo().isPresent()) {
            SynapseArtifacts.remove(
                    run.environment().host(NodeRole.GATEWAY),
                    settings.deployTo().get(),
                    deployed);
        }
    }

    @Override
    public List<String> notes() {
        return origin.notes();
    }

    @Override
    public Map<String, String> versions() {
        return origin.versions(applicationName);
    }
}
