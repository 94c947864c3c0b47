/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.echo.EchoServer;
import io.gatebench.echo.EchoServerConfig;
import io.gatebench.echo.EchoStats;
import io.gatebench.load.engine.ProbeRunner;
import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.payload.Payloads;
import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.engine.token.TokenSpec;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.Probe;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.TestScenario;

/** Holds the whole catalogue to the gateways that stand in for the products, and to an echo that mediates nothing. */
class CatalogueAnswersIT {

    private final List<Process> processes = new ArrayList<>();

    @TempDir
    private Path directory;

    private EchoServer echo;

    @BeforeEach
    void startEcho() {
        echo = EchoServer.start(
                EchoServerConfig.builder().host("127.0.0.1").port(0).noAdmin().build());
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process process : processes) {
            process.destroy();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        echo.close();
    }

    private Matcher ready(Pattern line, String... arguments) throws Exception {
        Path out = directory.resolve("out");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256M",
                "-XX:TieredStopAtLevel=1",
                "-jar"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        processes.add(process);
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        Matcher ready = line.matcher("");
        while (!ready.reset(Files.readString(out)).find()) {
            assertThat(process.isAlive() && System.nanoTime() < deadline)
                    .as(Files.readString(out))
                    .isTrue();
            process.waitFor(50, TimeUnit.MILLISECONDS);
        }
        return ready;
    }

    private static MessageLevel level(TestScenario scenario) {
        return switch (scenario.messageKind()) {
            case SIZE_BYTES -> MessageLevel.bytes(1024);
            case GRAPHQL_QUERY -> MessageLevel.query(2);
            case ELEMENTS -> MessageLevel.elements(30);
        };
    }

    private static List<ProbeOutcome> sent(TestScenario scenario, URI target, Map<Probe.Token, String> tokens) {
        return new ProbeRunner().run(scenario, target, level(scenario), tokens, Trust.everything());
    }

    @Test
    void theEngineOfTheIntegrationScenariosAnswersAllOfThemRightly() throws Exception {
        Matcher ports = ready(
                Pattern.compile("synapse-gateway ready http=(\\d+) https=(\\d+)"),
                "../synapse-gateway/target/synapse-gateway.jar",
                "--http-port=0",
                "--https-port=0",
                "--backend=http://127.0.0.1:" + echo.port() + "/service/EchoService",
                "--work-dir=" + directory.resolve("home"));
        List<TestScenario> all = IntegrationScenarios.all();
        List<String> unserved =
                List.copyOf(new SynapseGateway("", 0, 0).unserved(all).keySet());

        for (TestScenario scenario : all) {
            if (!unserved.contains(scenario.name())) {
                URI target = URI.create(
                        scenario.tls() ? "https://127.0.0.1:" + ports.group(2) : "http://127.0.0.1:" + ports.group(1));
                EchoStats before = echo.stats();
                assertThat(sent(scenario, target, Map.of()))
                        .as(scenario.name())
                        .allMatch(ProbeOutcome::passed)
                        .hasSize(scenario.name().startsWith("CBR") ? 2 : 1);
                if (isRebuilt(scenario)) {
                    assertThat(bytesSince(before) / payloadBytes(scenario) - 1)
                            .as("what the back end got of " + scenario.name())
                            .matches(change -> Math.abs(change) > 0.002);
                }
            }
        }
    }

    private static boolean isRebuilt(TestScenario scenario) {
        return scenario.check().body().form() == ResponseCheck.Body.Form.ORDERS_REBUILT;
    }

    private double bytesSince(EchoStats before) {
        return echo.stats().requestBytes() - before.requestBytes();
    }

    private static double payloadBytes(TestScenario scenario) {
        return Payloads.create(scenario.payload(), level(scenario)).length;
    }

    @Test
    void anEchoThatMediatesNothingFailsWhatMustBeMediated() {
        URI target = URI.create("http://127.0.0.1:" + echo.port());
        for (TestScenario scenario : IntegrationScenarios.all()) {
            boolean changed =
                    scenario.name().matches("Clone.*|XSLTTransform.*|Datamapper.*|PayloadFactory.*|JsonToSOAP.*");
            EchoStats before = echo.stats();
            assertThat(sent(scenario, target, Map.of()).get(0).passed())
                    .as(scenario.name())
                    .isEqualTo(!changed);
            if (isRebuilt(scenario)) {
                // The answer is right; the rule not-mediated holds what the back end got to what was sent.
                assertThat(bytesSince(before)).as(scenario.name()).isEqualTo(payloadBytes(scenario));
            }
            assertThat(sent(scenario, target, Map.of()).stream().skip(1))
                    .as("probes of " + scenario.name())
                    .noneMatch(ProbeOutcome::passed);
        }
        TestScenario transformation = GatewayScenarios.apim().get(1);
        ProbeOutcome outcome = sent(transformation.withProbes(List.of()), target, Map.of(Probe.Token.VALID, "any"))
                .get(0);
        assertThat(outcome.passed()).isFalse();
        assertThat(outcome.detail()).contains("body differs from the one that the request must get");
    }

    @Test
    void theReferenceGatewayAnswersTheGatewayScenariosRightly() throws Exception {
        SigningKey key = SigningKey.generate(SigningKey.Algorithm.RS256);
        Path publicKey = Files.writeString(directory.resolve("public.pem"), key.publicKeyPem());
        Matcher port = ready(
                Pattern.compile("reference-gateway ready https=(\\d+)"),
                "../reference-gateway/target/reference-gateway.jar",
                "--gateway.backend=http://127.0.0.1:" + echo.port(),
                "--gateway.https-port=0",
                "--gateway.jwt-audience=gatebench",
                "--gateway.jwt-public-key=" + publicKey);
        String token = TokenPool.generate(1, TokenSpec.accessToken("gatebench"), key, Clock.systemUTC(), made -> {})
                .tokens()
                .get(0);

        for (TestScenario scenario : GatewayScenarios.apim()) {
            assertThat(sent(
                            scenario.withProbes(List.of()),
                            URI.create("https://127.0.0.1:" + port.group(1)),
                            Map.of(Probe.Token.VALID, token)))
                    .as(scenario.name())
                    .allMatch(ProbeOutcome::passed);
        }
    }
}
