/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.gateways.container.ContainerEngine;
import io.gatebench.gateways.container.ContainerProcess;
import io.gatebench.gateways.container.ContainerSpec;
import io.gatebench.gateways.token.OwnTokens;
import io.gatebench.gc.GcLogging;
import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.engine.token.TokenSpec;
import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;
import io.gatebench.settings.SecretHeaders;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.Ports;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.ProcessSpec;
import io.gatebench.spi.role.RoleProcess;
import io.gatebench.spi.role.RoleStartException;

/** A gateway that a configuration file describes. */
final class HttpGateway implements Gateway {

    private static final Duration COMMAND = Duration.ofSeconds(60);

    private final HttpGatewayConfig config;
    private final Optional<URI> running;
    private final Map<TokenKind, OwnTokens> tokens = new EnumMap<>(TokenKind.class);
    private Optional<Path> publicKey = Optional.empty();
    private Optional<ContainerEngine> engine = Optional.empty();

    /**
     * Creates the gateway.
     *
     * @param running the base URL at which it runs already, instead of being started
     */
    HttpGateway(HttpGatewayConfig config, Optional<URI> running) {
        this.config = config;
        this.running = running;
    }

    @Override
    public String applicationName() {
        return config.name();
    }

    @Override
    public Duration overheadPerCase() {
        return Duration.ofSeconds(10);
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!config.usesHeap()) {
            notes.add("The gateway was given no heap size: the heap size 0 in these results stands for none.");
        }
        if (config.gcLog().isEmpty()) {
            notes.add("There are no GC figures of the gateway: " + notJvm());
        }
        if (!starts()) {
            notes.add("The gateway ran already: it was not started anew for each case.");
        }
        return notes;
    }

    private boolean starts() {
        return config.start().isPresent() && running.isEmpty();
    }

    private static String notJvm() {
        return "not a JVM (its configuration names no gc-log)";
    }

    @Override
    public Map<String, String> versions() {
        return config.version()
                .map(v -> Map.of("gateway", config.name() + " " + v))
                .orElse(Map.of());
    }

    @Override
    public Optional<TokenPool> givenTokens(List<TestScenario> scenarios) {
        boolean needed = scenarios.stream().anyMatch(scenario -> scenario.token() == TokenKind.OPAQUE);
        return config.tokenFile().filter(file -> needed).map(TokenPool::readCsv);
    }

    @Override
    public boolean isShared() {
        return !starts();
    }

    @Override
    public boolean takesLimits() {
        return starts()
                && config.start().flatMap(HttpGatewayConfig.Start::container).isPresent();
    }

    @Override
    public boolean takesMemoryLimit() {
        return starts();
    }

    @Override
    public OptionalDouble containerCpus() {
        return config.start()
                .filter(start -> starts())
                .flatMap(HttpGatewayConfig.Start::container)
                .map(ContainerSpec::cpus)
                .orElse(OptionalDouble.empty());
    }

    @Override
    public Optional<DataSize> containerMemory() {
        return config.start()
                .filter(start -> starts())
                .flatMap(HttpGatewayConfig.Start::container)
                .flatMap(ContainerSpec::memory);
    }

    @Override
    public boolean usesBackend() {
        return config.usesBackend();
    }

    @Override
    public void initialize(RunContext run) {
        if (starts()) {
            Host host = run.environment().host(NodeRole.GATEWAY);
            engine = config.start()
                    .flatMap(HttpGatewayConfig.Start::container)
                    .map(spec ->
                            ContainerEngine.open(host, spec, host.workDirectory() + "/images", run.listener()::note));
        }
        if (config.jwt().isPresent()) {
            makeTokens(config.jwt().get(), run);
        }
        config.tokenFile()
                .ifPresent(file -> tokens.put(
                        TokenKind.OPAQUE,
                        OwnTokens.opaque(TokenPool.readCsv(file), run.secrets().resolve("tokens.csv"))));
    }

    private void makeTokens(HttpGatewayConfig.Jwt jwt, RunContext run) {
        SigningKey key = jwt.signingKey()
                .map(file -> SigningKey.fromPem(file, SigningKey.Algorithm.RS256))
                .orElseGet(() -> SigningKey.generate(SigningKey.Algorithm.RS256));
        publicKey = Optional.of(OwnTokens.publicKey(key, run));
        TokenSpec plain = TokenSpec.accessToken(jwt.audience());
        TokenSpec spec =
                jwt.issuer().map(issuer -> plain.withClaim("iss", issuer)).orElse(plain);
        tokens.put(
                TokenKind.JWT,
                OwnTokens.jwt(jwt.count(), spec, key, run.clock(), run.secrets().resolve("jwt.csv")));
    }

    @Override
    public void remove(RunContext run) {
        engine.ifPresent(ContainerEngine::removeImage);
    }

    /**
     * {@inheritDoc} Not where a scenario has an address of its own, which may be another process's; and never where the GC
     * log lies elsewhere, because it is fetched when the gateway has ended.
     */
    @Override
    public Optional<RunningGateway> serving(RunningGateway instance, TestScenario before, TestScenario scenario) {
        if (starts()
                && config.gcLog().filter(log -> !log.equals(RoleProcess.GC_LOG)).isPresent()) {
            return Optional.empty();
        }
        if (served(before).ownBase() || served(scenario).ownBase()) {
            return Gateway.super.serving(instance, before, scenario);
        }
        return Optional.of(serving(instance.target(), instance.process(), instance.helpers(), scenario));
    }

    private HttpGatewayConfig.Served served(TestScenario scenario) {
        return config.scenarios().stream()
                .filter(s -> s.scenario().name().equals(scenario.name()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public RunningGateway start(TestCase testCase, TestScenario scenario, CaseContext context) {
        RunContext run = context.run();
        Host host = run.environment().host(NodeRole.GATEWAY);
        String directory = host.workDirectory() + "/" + context.directory() + "/gateway";
        Placeholders names = placeholders(testCase, context, host, directory);
        HttpGatewayConfig.Served served = served(scenario);
        URI target = running.filter(url -> !served.ownBase()).orElseGet(() -> base(names.value(served.base())));
        Optional<RoleProcess> process = Optional.empty();
        List<HostProcess> helpers = List.of();
        if (starts()) {
            HttpGatewayConfig.Start start = config.start().orElseThrow();
            if (host.accepts(target)) {
                throw new RoleStartException("something listens already at " + target.getAuthority() + ", where "
                        + config.name() + " is to listen; stop it, or choose another port");
            }
            prepare(host, directory, names);
            List<String> command = names.command(start.command());
            Map<String, String> environment = new LinkedHashMap<>();
            start.environment().forEach((name, value) -> environment.put(name, names.value(value)));
            HostProcess started = start(start, command, environment, testCase, directory, context, host, names);
            ConfiguredProcess own = new ConfiguredProcess(
                    started,
                    host,
                    directory,
                    names.command(config.stop()),
                    gcLogCopy(names, directory),
                    run.listener());
            try {
                Readiness readiness = new Readiness(run.clock(), host, directory, config.ready(), names);
                if (!start.foreground()) {
                    readiness.awaitEnd(started);
                }
                readiness.await(target, start.foreground() ? Optional.of(started) : Optional.empty());
                if (start.foreground()) {
                    process = Optional.of(new RoleProcess(
                            NodeRole.GATEWAY,
                            config.name(),
                            host,
                            own,
                            started instanceof ContainerProcess container ? container.command() : command,
                            testCase.heap(),
                            directory,
                            jvmHindrance(host, started)));
                } else {
                    helpers = List.of(own);
                }
            } catch (RuntimeException e) {
                own.stop(RoleProcess.STOP_GRACE);
                throw e;
            }
        } else {
            new Readiness(run.clock(), host, host.workDirectory(), config.ready(), names)
                    .await(target, Optional.empty());
        }
        return serving(target, process, helpers, scenario);
    }

    private RunningGateway serving(
            URI target, Optional<RoleProcess> process, List<HostProcess> helpers, TestScenario scenario) {
        return OwnTokens.serving(target, process, helpers, Optional.ofNullable(tokens.get(scenario.token())));
    }

    private HostProcess start(
            HttpGatewayConfig.Start start,
            List<String> command,
            Map<String, String> environment,
            TestCase testCase,
            String directory,
            CaseContext context,
            Host host,
            Placeholders names) {
        if (start.container().isEmpty()) {
            return host.start(new ProcessSpec(
                    config.name(), command, environment, directory, context.processors(), testCase.gatewayMemory()));
        }
        ContainerSpec spec = start.container().get().limited(testCase);
        return engine.orElseThrow()
                .start(
                        config.name(),
                        command,
                        environment,
                        directory,
                        context.processors(),
                        spec.with(names::value),
                        names.value("{gateway-address}:{gateway-port}"),
                        Map.of("io.gatebench.case", testCase.id()));
    }

    private static URI base(String text) {
        try {
            URI url = URI.create(text);
            if (url.getHost() != null) {
                return url;
            }
        } catch (IllegalArgumentException e) {
            // The message below holds for both.
        }
        throw new RoleStartException("the base URL of the gateway must be scheme, host and port but was '"
                + SecretHeaders.withoutUser(text) + "'");
    }

    private Placeholders placeholders(TestCase testCase, CaseContext context, Host host, String directory) {
        RunContext run = context.run();
        String secrets = host.workDirectory() + "/secrets";
        host.createDirectory(secrets);
        Map<String, String> values = new LinkedHashMap<>();
        values.put(Placeholders.DIRECTORY, directory);
        values.put(Placeholders.CONFIG_DIRECTORY, config.directory().toString());
        values.put(Placeholders.PRIVATE_DIRECTORY, secrets);
        values.put(Placeholders.GATEWAY_ADDRESS, host.address());
        if (starts()) {
            int port = Ports.choose(
                    host, "gateway", run.gatewayPort(), config.port().orElseGet(host::freePort), run.listener());
            values.put(Placeholders.GATEWAY_PORT, String.valueOf(port));
        } else {
            run.gatewayPort().ifPresent(port -> values.put(Placeholders.GATEWAY_PORT, String.valueOf(port)));
        }
        values.put(Placeholders.BACKEND, context.backend().toString());
        values.put(Placeholders.BACKEND_HOST, context.backend().getHost());
        values.put(Placeholders.BACKEND_PORT, String.valueOf(context.backend().getPort()));
        values.put(Placeholders.HEAP, testCase.heap().toString());
        values.put(Placeholders.JAVA, host.java());
        publicKey.ifPresent(
                key -> values.put(Placeholders.JWT_PUBLIC_KEY, host.upload(key, secrets + "/jwt-public.pem")));
        Path log = Path.of(config.gcLog()
                .map(l -> new Placeholders(values, List.of()).value(l))
                .orElse(RoleProcess.GC_LOG));
        return new Placeholders(values, GcLogging.flagsFor(host.javaFeatureVersion(), log));
    }

    private void prepare(Host host, String directory, Placeholders names) {
        host.createDirectory(directory);
        config.files().forEach((name, source) -> {
            try {
                Path rendered = Files.createTempFile("gatebench-", "-" + name);
                try {
                    Files.writeString(rendered, names.file(Files.readString(source)));
                    String there = host.upload(rendered, directory + "/" + name);
                    if (!there.equals(directory + "/" + name)) {
                        run(host, directory, List.of("cp", there, directory + "/" + name));
                    }
                } finally {
                    Files.deleteIfExists(rendered);
                }
            } catch (IOException e) {
                throw new RoleStartException("cannot make " + name + " from " + source + ": " + e.getMessage());
            }
        });
        config.prepare().forEach(command -> run(host, directory, names.command(command)));
    }

    private static void run(Host host, String directory, List<String> command) {
        CommandResult result = host.run(ConfiguredProcess.in(directory, command), COMMAND);
        if (result.exitCode() != 0) {
            throw new RoleStartException("the command " + command.get(0) + " ended with exit code " + result.exitCode()
                    + ": " + (result.output() + result.errorOutput()).strip());
        }
    }

    private Optional<ConfiguredProcess.GcLogCopy> gcLogCopy(Placeholders names, String directory) {
        return config.gcLog()
                .map(log -> Path.of(directory).resolve(names.value(log)).toString())
                .filter(log -> !log.equals(directory + "/" + RoleProcess.GC_LOG))
                .map(log -> new ConfiguredProcess.GcLogCopy(log, directory + "/" + RoleProcess.GC_LOG));
    }

    private Optional<String> jvmHindrance(Host host, HostProcess process) {
        return config.gcLog().isEmpty() ? Optional.of(notJvm()) : new RunningJvm(host, process.pid()).hindrance();
    }
}
