/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.stream.Stream;

import io.gatebench.gateways.container.ContainerEngine;
import io.gatebench.gateways.container.ContainerProcess;
import io.gatebench.gateways.container.ContainerSpec;
import io.gatebench.gateways.token.Introspection;
import io.gatebench.gateways.token.OwnTokens;
import io.gatebench.gc.GcLogging;
import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.engine.token.TokenSpec;
import io.gatebench.model.DataSize;
import io.gatebench.model.GatewayRestart;
import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.Ports;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.role.ClassDataArchive;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleProcess;
import io.gatebench.spi.role.RoleStartException;

/** The built-in Spring Cloud Gateway, which stands in for the API gateway products. */
final class ReferenceGateway implements Gateway {

    private static final Duration READY = Duration.ofSeconds(120);
    private static final String READY_LINE = "reference-gateway ready";
    private static final DataSize REHEARSAL_HEAP = DataSize.ofMebibytes(512);
    private static final String KEY = "--gateway.jwt-public-key=";
    private static final String AUDIENCE = "gatebench";
    private static final int TOKENS = 1000;

    private final String applicationName;
    private final String profile;
    private final int httpsPort;
    private final Map<TokenKind, OwnTokens> tokens = new EnumMap<>(TokenKind.class);
    private Optional<Path> publicKey = Optional.empty();
    private Optional<List<String>> prepared = Optional.empty();

    private final Optional<ContainerSpec> container;
    private Optional<ContainerEngine> engine = Optional.empty();

    ReferenceGateway(String applicationName, String profile, int httpsPort, Optional<ContainerSpec> container) {
        this.container = container;
        this.applicationName = applicationName;
        this.profile = profile;
        this.httpsPort = httpsPort;
    }

    @Override
    public String applicationName() {
        return applicationName;
    }

    @Override
    public Duration overheadPerCase() {
        return Duration.ofSeconds(10);
    }

    @Override
    public boolean takesLimits() {
        return container.isPresent();
    }

    @Override
    public boolean takesMemoryLimit() {
        return true;
    }

    @Override
    public OptionalDouble containerCpus() {
        return container.map(ContainerSpec::cpus).orElse(OptionalDouble.empty());
    }

    @Override
    public Optional<DataSize> containerMemory() {
        return container.flatMap(ContainerSpec::memory);
    }

    @Override
    public void remove(RunContext run) {
        engine.ifPresent(ContainerEngine::removeImage);
    }

    @Override
    public void initialize(RunContext run) {
        Host host = run.environment().host(NodeRole.GATEWAY);
        engine = container.map(
                spec -> ContainerEngine.open(host, spec, host.workDirectory() + "/images", run.listener()::note));
        boolean jwt = run.plan().scenarios().stream().anyMatch(s -> s.token() == TokenKind.JWT);
        boolean opaque = run.plan().scenarios().stream().anyMatch(s -> s.token() == TokenKind.OPAQUE);
        SigningKey key = SigningKey.generate(SigningKey.Algorithm.RS256);
        publicKey = Optional.of(OwnTokens.publicKey(key, run));
        if (jwt) {
            tokens.put(
                    TokenKind.JWT,
                    OwnTokens.jwt(
                            TOKENS,
                            TokenSpec.accessToken(AUDIENCE),
                            key,
                            run.clock(),
                            run.secrets().resolve("jwt.csv")));
        }
        if (opaque) {
            tokens.put(
                    TokenKind.OPAQUE,
                    OwnTokens.opaque(TokenPool.opaque(TOKENS), run.secrets().resolve("opaque.csv")));
        }
        prepare(run);
    }

    /** Without a class-data archive the gateway starts as well, only later. */
    private void prepare(RunContext run) {
        Host host = run.environment().host(NodeRole.GATEWAY);
        Optional<Path> cache = ClassDataArchive.directory(System.getenv());
        if (cache.isEmpty() || !host.isLocal() || container.isPresent()) {
            return;
        }
        try {
            prepared = Optional.of(new ClassDataArchive(cache.get(), run.clock())
                    .launch(
                            host,
                            run.jars().jar("reference-gateway"),
                            GcLogging.flagsFor(host.javaFeatureVersion(), Path.of(RoleProcess.GC_LOG)),
                            launch -> rehearse(run, host, launch)));
        } catch (IOException e) {
            run.listener()
                    .note("the gateway starts without a class-data archive, so more slowly: none could be made: "
                            + e.getMessage());
        }
    }

    private void rehearse(RunContext run, Host host, List<String> launch) {
        run.listener().step("making a class-data archive of the gateway, once on this machine");
        JvmRole starter = run.jvms();
        List<String> arguments = new ArrayList<>(launch);
        arguments.addAll(arguments(host, host.freePort(), URI.create("http://" + host.address() + ":9")));
        RoleProcess process = starter.start(
                NodeRole.GATEWAY,
                "class-data archive",
                host,
                host.workDirectory() + "/class-data",
                REHEARSAL_HEAP,
                arguments);
        try {
            starter.awaitReadyLine(process.process(), READY_LINE, READY);
        } finally {
            process.process().stop(READY);
        }
    }

    private List<String> arguments(Host host, int port, URI backend) {
        return List.of(
                "--gateway.profile=" + profile,
                "--gateway.bind=" + host.address(),
                "--gateway.https-port=" + port,
                "--gateway.backend=" + backend,
                "--gateway.jwt-audience=" + AUDIENCE,
                KEY + host.upload(publicKey.orElseThrow(), host.workDirectory() + "/secrets/jwt-public.pem"));
    }

    @Override
    public RunningGateway start(TestCase testCase, TestScenario scenario, CaseContext context) {
        RunContext run = context.run();
        Host host = run.environment().host(NodeRole.GATEWAY);
        String directory = host.workDirectory() + "/" + context.directory() + "/gateway";
        JvmRole starter = run.jvms();
        int port = Ports.choose(host, "gateway", run.gatewayPort(), httpsPort, run.listener());
        List<String> launch = new ArrayList<>(prepared.orElseGet(() -> List.of(
                "-jar",
                host.upload(
                        run.jars().jar("reference-gateway"), host.workDirectory() + "/jars/reference-gateway.jar"))));
        launch.addAll(arguments(host, port, context.backend()));
        List<HostProcess> helpers = new ArrayList<>();
        boolean laterToo = run.plan().restart() == GatewayRestart.NEVER && tokens.containsKey(TokenKind.OPAQUE);
        if (scenario.token() == TokenKind.OPAQUE || laterToo) {
            Introspection introspection =
                    Introspection.start(context, tokens.get(TokenKind.OPAQUE).file());
            helpers.add(introspection.process());
            launch.add("--gateway.introspection-url=" + introspection.url().resolve("/introspect"));
        }
        RoleProcess process = container.isPresent()
                ? inContainer(container.get(), testCase, context, host, directory, launch)
                : starter.start(
                        NodeRole.GATEWAY,
                        applicationName,
                        host,
                        directory,
                        testCase.heap(),
                        launch,
                        context.processors(),
                        testCase.gatewayMemory());
        try {
            starter.awaitReadyLine(process.process(), READY_LINE, READY);
        } catch (RuntimeException e) {
            process.stop();
            helpers.forEach(helper -> helper.stop(RoleProcess.STOP_GRACE));
            throw e;
        }
        return serving(URI.create("https://" + host.address() + ":" + port), Optional.of(process), helpers, scenario);
    }

    /** The image needs nothing but the libraries of a JDK: this, the gateway's jar and its key are seen at their own places. */
    private RoleProcess inContainer(
            ContainerSpec spec,
            TestCase testCase,
            CaseContext context,
            Host host,
            String directory,
            List<String> launch) {
        host.createDirectory(directory);
        List<String> command = JvmRole.command(host, testCase.heap(), directory + "/" + RoleProcess.GC_LOG, launch);
        CommandResult java = host.run(List.of("readlink", "-f", host.java()), Duration.ofSeconds(30));
        if (java.exitCode() != 0) {
            throw new RoleStartException("the JDK of " + host.name() + " cannot be found at " + host.java());
        }
        command.set(0, java.output().strip());
        Path home = Path.of(command.get(0)).resolve("../..").normalize();
        List<String> seen = Stream.concat(
                        Stream.of(home.toString(), launch.get(launch.indexOf("-jar") + 1)),
                        launch.stream().filter(word -> word.startsWith(KEY)).map(word -> word.substring(KEY.length())))
                .map(path -> path + ":" + path + ":ro")
                .toList();
        ContainerProcess process = engine.orElseThrow()
                .start(
                        applicationName,
                        command,
                        Map.of(),
                        directory,
                        context.processors(),
                        spec.limited(testCase).seeing(seen),
                        "",
                        Map.of("io.gatebench.case", testCase.id()));
        return new RoleProcess(
                NodeRole.GATEWAY,
                applicationName,
                host,
                process,
                process.command(),
                testCase.heap(),
                directory,
                Optional.empty());
    }

    /** {@inheritDoc} Only where no introspection is missing: which one is asked is said at the start. */
    @Override
    public Optional<RunningGateway> serving(RunningGateway running, TestScenario before, TestScenario scenario) {
        return scenario.token() == TokenKind.OPAQUE && running.helpers().isEmpty()
                ? Optional.empty()
                : Optional.of(serving(running.target(), running.process(), running.helpers(), scenario));
    }

    private RunningGateway serving(
            URI target, Optional<RoleProcess> process, List<HostProcess> helpers, TestScenario scenario) {
        return OwnTokens.serving(target, process, helpers, Optional.ofNullable(tokens.get(scenario.token())));
    }

    @Override
    public Map<String, String> versions() {
        return Map.of("gateway", madeOf());
    }

    /** Returns what the gateway is made of, as the build wrote it. */
    static String madeOf() {
        Properties properties = new Properties();
        try (InputStream in = ReferenceGateway.class.getResourceAsStream("reference-gateway.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("made-of");
    }
}
