/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.echo.EchoServer;
import io.gatebench.echo.EchoServerConfig;
import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.ProbeRunner;
import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.engine.token.TokenSpec;
import io.gatebench.model.DataSize;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.Probe;
import io.gatebench.model.ProbeOutcome;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;

/** The load driver's tokens and both of its clients at the built-in gateway, which somebody else's library guards. */
class TokensAtTheGatewayIT {

    private static final TokenSpec SPEC = TokenSpec.accessToken("gatebench");
    private static final Pattern READY = Pattern.compile("reference-gateway ready https=(\\d+)");

    private static final SigningKey KEY = SigningKey.generate(SigningKey.Algorithm.RS256);

    @TempDir
    private static Path directory;

    private static EchoServer echo;
    private static Process gateway;
    private static URI address;

    private final Clock clock = Clock.systemUTC();

    @BeforeAll
    static void start() throws Exception {
        echo = EchoServer.start(
                EchoServerConfig.builder().host("127.0.0.1").port(0).noAdmin().build());
        Path publicKey = Files.writeString(directory.resolve("public.pem"), KEY.publicKeyPem());
        Path out = directory.resolve("gateway.out");
        gateway = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256M",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-jar",
                        "../reference-gateway/target/reference-gateway.jar",
                        "--gateway.backend=http://127.0.0.1:" + echo.port(),
                        "--gateway.https-port=0",
                        "--gateway.jwt-audience=gatebench",
                        "--gateway.jwt-public-key=" + publicKey)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        long deadline = System.nanoTime() + Duration.ofMinutes(2).toNanos();
        Matcher ready = READY.matcher("");
        while (!ready.reset(Files.readString(out)).find()) {
            assertThat(gateway.isAlive() && System.nanoTime() < deadline)
                    .as(Files.readString(out))
                    .isTrue();
            Thread.sleep(50);
        }
        address = URI.create("https://127.0.0.1:" + ready.group(1));
    }

    @AfterAll
    static void stop() throws InterruptedException {
        gateway.destroy();
        gateway.waitFor();
        echo.close();
    }

    private static TestScenario scenario(List<Probe> probes) {
        return new TestScenario(
                "passthrough",
                "Passthrough",
                "d",
                true,
                "POST",
                "/echo/1.0.0",
                Map.of(),
                PayloadKind.JSON_ARRAY,
                TokenKind.JWT,
                ResponseCheck.okContaining("{size}B"),
                probes);
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String base64(String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    private Map<String, String> tampered(String valid) throws Exception {
        String[] parts = valid.split("\\.");
        String header = new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8);
        String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        byte[] signature = Base64.getUrlDecoder().decode(parts[2]);
        byte[] otherSignature = signature.clone();
        otherSignature[100] ^= 1;
        String longer = base64(claims.replaceFirst("\"exp\":\\d", "\"exp\":9"));
        String hs256 = base64(header.replace("RS256", "HS256")) + "." + parts[1];
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(KEY.publicKeyPem().getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
        Map<String, String> tokens = new LinkedHashMap<>();
        tokens.put("a claim changed", parts[0] + "." + longer + "." + parts[2]);
        tokens.put("a bit of the signature changed", parts[0] + "." + parts[1] + "." + base64(otherSignature));
        tokens.put("signature cut", valid.substring(0, valid.length() - 4));
        tokens.put("no signature", parts[0] + "." + parts[1] + ".");
        tokens.put("algorithm none", base64(header.replace("RS256", "none")) + "." + parts[1] + ".");
        tokens.put(
                "public key as a shared secret",
                hs256 + "." + base64(mac.doFinal(hs256.getBytes(StandardCharsets.US_ASCII))));
        tokens.put("expired", TokenPool.expired(SPEC, KEY, clock));
        tokens.put("foreign key", TokenPool.foreign(SPEC, KEY, clock));
        tokens.put("another audience", TokenPool.wrongAudience(SPEC, KEY, clock));
        tokens.put("padded parts", TokenPool.generate(SPEC.withPadding(true), KEY, clock));
        return tokens;
    }

    @Test
    void tamperedTokensAreRefusedAndValidOnesServed() throws Exception {
        String valid = TokenPool.generate(SPEC, KEY, clock);
        Probe refused = new Probe("tampered", Probe.Token.FOREIGN, Map.of(), java.util.Set.of(401), Optional.empty());
        long served = echo.stats().requests();
        for (Map.Entry<String, String> tampered : tampered(valid).entrySet()) {
            assertThat(tampered.getValue()).as(tampered.getKey()).isNotEqualTo(valid);
            List<ProbeOutcome> outcomes = new ProbeRunner()
                    .run(
                            scenario(List.of(refused)),
                            address,
                            MessageLevel.bytes(1024),
                            Map.of(Probe.Token.VALID, valid, Probe.Token.FOREIGN, tampered.getValue()),
                            Trust.everything());
            assertThat(outcomes)
                    .hasSize(2)
                    .allSatisfy(outcome -> assertThat(outcome.passed())
                            .as(tampered.getKey() + ": " + outcome)
                            .isTrue());
            assertThat(echo.stats().requests()).as(tampered.getKey()).isEqualTo(++served);
        }
    }

    @Test
    void bothClientsCountTheSameRefusals() throws Exception {
        List<String> tokens = new ArrayList<>(
                TokenPool.generate(8, SPEC, KEY, clock, made -> {}).tokens());
        tokens.add(TokenPool.expired(SPEC, KEY, clock));
        tokens.add(TokenPool.foreign(SPEC, KEY, clock));
        Path file = directory.resolve("tokens.csv");
        new TokenPool(tokens).writeCsv(file);
        for (HttpClientKind client : HttpClientKind.values()) {
            long before = echo.stats().requests();
            LoadResult run = run(client, file);
            SampleStatistics figures = run.measurement().get(0);
            // Every tenth token in turn is refused, and never reaches the back end.
            assertThat(figures.samples()).as(client.name()).isEqualTo(300);
            assertThat(run.failures()).containsExactly(Map.entry("status 401 instead of 200", 60L));
            assertThat(echo.stats().requests() - before).isEqualTo(240);
        }
    }

    private LoadResult run(HttpClientKind client, Path tokens) throws IOException {
        // The rate ends long before the test does: a machine that pauses sends late, but sends all.
        LoadModel.Level end = LoadModel.Level.of(Duration.ofSeconds(3), 0);
        LoadModel model = LoadModel.steppedRate(List.of(LoadModel.Level.of(Duration.ZERO, 100), end));
        LoadRequest request = LoadRequest.of(
                        scenario(List.of()),
                        address,
                        new TestCase(
                                "passthrough", DataSize.parse("256M"), 20, MessageLevel.bytes(1024), Duration.ZERO),
                        new TestTiming(Duration.ofSeconds(12), Duration.ZERO, Duration.ZERO),
                        Optional.of(tokens))
                .withTrust(Trust.everything())
                .withClient(client)
                .withModel(model);
        return new JMeterLoadDriver().run(request, Files.createTempDirectory(directory, "load"), LoadProgress.none());
    }
}
