/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.product;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.load.token.SigningKey;
import io.gatebench.load.token.TokenPool;
import io.gatebench.load.token.TokenSpec;
import io.gatebench.model.NodeRole;
import io.gatebench.model.Probe;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;
import io.gatebench.orchestrator.Gateway;
import io.gatebench.orchestrator.RunningGateway;
import io.gatebench.orchestrator.host.Host;
import io.gatebench.orchestrator.host.HostProcess;
import io.gatebench.orchestrator.host.ProcessSpec;
import io.gatebench.orchestrator.role.JvmRole;
import io.gatebench.orchestrator.role.RoleProcess;
import io.gatebench.orchestrator.run.CaseContext;
import io.gatebench.orchestrator.run.Ports;
import io.gatebench.orchestrator.run.RunContext;
import io.gatebench.orchestrator.run.ToolVersion;

/** The built-in Spring Cloud Gateway, which stands in for the API gateway products. */
final class ReferenceGateway implements Gateway {

    private static final Duration READY = Duration.ofSeconds(120);
    private static final String AUDIENCE = "gatebench";
    private static final int TOKENS = 1000;

    private final String applicationName;
    private final String profile;
    private final int httpsPort;
    private final Map<TokenKind, Path> tokenFiles = new EnumMap<>(TokenKind.class);
    private final Map<TokenKind, Map<Probe.Token, String>> probeTokens = new EnumMap<>(TokenKind.class);
    private Optional<Path> publicKey = Optional.empty();

    ReferenceGateway(String applicationName, String profile, int httpsPort) {
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
        return Duration.ofSeconds(18);
    }

    @Override
    public void initialize(RunContext run) {
        boolean jwt = run.plan().scenarios().stream().anyMatch(s -> s.token() == TokenKind.JWT);
        boolean opaque = run.plan().scenarios().stream().anyMatch(s -> s.token() == TokenKind.OPAQUE);
        SigningKey key = SigningKey.generate(SigningKey.Algorithm.RS256);
        publicKey = Optional.of(write(run.secrets().resolve("jwt-public.pem"), key.publicKeyPem()));
        if (jwt) {
            TokenSpec spec = TokenSpec.accessToken(AUDIENCE);
            Clock clock = run.clock();
            TokenPool pool = TokenPool.generate(TOKENS, spec, key, clock, made -> {});
            tokenFiles.put(TokenKind.JWT, store(pool, run.secrets().resolve("jwt.csv")));
            Map<Probe.Token, String> probes = new EnumMap<>(Probe.Token.class);
            probes.put(Probe.Token.VALID, pool.tokens().get(0));
            probes.put(Probe.Token.EXPIRED, TokenPool.expired(spec, key, clock));
            probes.put(Probe.Token.FOREIGN, TokenPool.foreign(spec, key, clock));
            probes.put(Probe.Token.WRONG_AUDIENCE, TokenPool.wrongAudience(spec, key, clock));
            probeTokens.put(TokenKind.JWT, probes);
        }
        if (opaque) {
            TokenPool pool = TokenPool.opaque(TOKENS);
            tokenFiles.put(TokenKind.OPAQUE, store(pool, run.secrets().resolve("opaque.csv")));
            Map<Probe.Token, String> probes = new EnumMap<>(Probe.Token.class);
            probes.put(Probe.Token.VALID, pool.tokens().get(0));
            probes.put(Probe.Token.FOREIGN, TokenPool.opaque(1).tokens().get(0));
            probeTokens.put(TokenKind.OPAQUE, probes);
        }
    }

    private static Path store(TokenPool pool, Path file) {
        pool.writeCsv(file);
        return file;
    }

    private static Path write(Path file, String text) {
        try {
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    @Override
    public RunningGateway start(TestCase testCase, TestScenario scenario, CaseContext context) {
        RunContext run = context.run();
        Host host = run.environment().host(NodeRole.GATEWAY);
        String directory = host.workDirectory() + "/" + context.directory() + "/gateway";
        String jar =
                host.upload(run.jars().jar("reference-gateway"), host.workDirectory() + "/jars/reference-gateway.jar");
        JvmRole starter = new JvmRole(run.clock());
        int port = Ports.choose(host, "gateway", run.gatewayPort(), httpsPort, run.listener());
        List<String> launch = new ArrayList<>(List.of(
                "-jar",
                jar,
                "--gateway.profile=" + profile,
                "--gateway.bind=" + host.address(),
                "--gateway.https-port=" + port,
                "--gateway.backend=" + context.backend(),
                "--gateway.jwt-audience=" + AUDIENCE,
                "--gateway.jwt-public-key="
                        + host.upload(publicKey.orElseThrow(), host.workDirectory() + "/secrets/jwt-public.pem")));
        List<HostProcess> helpers = new ArrayList<>();
        if (scenario.token() == TokenKind.OPAQUE) {
            HostProcess introspection = startIntrospection(host, jar, context);
            helpers.add(introspection);
            Map<String, String> ready = starter.awaitReadyLine(introspection, "introspection ready", READY);
            launch.add(
                    "--gateway.introspection-url=http://" + host.address() + ":" + ready.get("port") + "/introspect");
        }
        RoleProcess process =
                starter.start(NodeRole.GATEWAY, applicationName, host, directory, testCase.heap(), launch);
        try {
            starter.awaitReadyLine(process.process(), "reference-gateway ready", READY);
        } catch (RuntimeException e) {
            process.stop();
            helpers.forEach(helper -> helper.stop(RoleProcess.STOP_GRACE));
            throw e;
        }
        return new RunningGateway(
                URI.create("https://" + host.address() + ":" + port),
                Optional.of(process),
                helpers,
                Optional.ofNullable(tokenFiles.get(scenario.token())),
                probeTokens.getOrDefault(scenario.token(), Map.of()));
    }

    private HostProcess startIntrospection(Host host, String jar, CaseContext context) {
        String directory = host.workDirectory() + "/" + context.directory() + "/introspection";
        host.createDirectory(directory);
        String tokens = host.upload(tokenFiles.get(TokenKind.OPAQUE), host.workDirectory() + "/secrets/opaque.csv");
        return host.start(new ProcessSpec(
                "introspection",
                List.of(
                        host.java(),
                        "-Xmx128M",
                        "-jar",
                        jar,
                        "--gateway.mode=introspection",
                        "--gateway.bind=" + host.address(),
                        "--gateway.port=0",
                        "--gateway.tokens=" + tokens),
                Map.of(),
                directory));
    }

    @Override
    public Map<String, String> versions() {
        return Map.of("gateway", ToolVersion.referenceGateway());
    }
}
