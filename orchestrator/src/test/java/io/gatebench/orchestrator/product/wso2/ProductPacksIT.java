/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.product.wso2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.load.token.SigningKey;
import io.gatebench.load.token.TokenPool;
import io.gatebench.load.token.TokenSpec;

/**
 * Runs the packaged program with packs that are laid out as the products' and start as they do, but hold the built-in
 * gateways: install, start, set-up, load, figures and stop are real, the product's own code is not there.
 */
@EnabledIfSystemProperty(named = "gatebench.products", matches = "all")
class ProductPacksIT {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CONSUMER = "gatebench-consumer";
    private static final String STORE_PASSWORD = "changeit";

    @TempDir
    private Path directory;

    @Test
    void installsStartsSetsUpAndMeasuresApim() throws Exception {
        SigningKey key = makeKeyStore();
        int backend = freePort();
        Path pack = apimPack(key, backend);
        try (ApimDouble apim = new ApimDouble(4)) {
            apim.issueTo(CONSUMER, () -> TokenPool.generate(TokenSpec.accessToken(CONSUMER), key, Clock.systemUTC()));

            Result result = run(
                    "--product=apim",
                    "--gateway-home=" + pack,
                    "--gateway-config=" + settings(apim, "token-count: 50\n"),
                    "--backend-port=" + backend);

            assertThat(result.exitCode()).as(result.errorOutput()).isZero();
            assertThat(apim.violations).isEmpty();
            assertThat(apim.apis.values())
                    .hasSize(3)
                    .allSatisfy(api -> assertThat(api.at("/endpointConfig/production_endpoints/url")
                                    .asText())
                            .startsWith("http://127.0.0.1:" + backend));
        }
        JsonNode cells = cells(3);
        for (JsonNode cell : cells) {
            JsonNode gateway = process(cell, "WSO2 API Manager");
            assertThat(gateway.path("gc").isMissingNode() || gateway.path("gc").isNull())
                    .as(gateway.toString())
                    .isFalse();
            assertThat(cell.toString()).contains("full GC that was asked for after the measurement window");
        }
        assertThat(directory.resolve("r/summary.md"))
                .content()
                .contains("WSO2 API Manager")
                .doesNotContain("Reference Gateway");
        requireNothingLeft();
    }

    @Test
    void setsUpARunningGatewayAndRemovesItAgain() throws Exception {
        SigningKey key = makeKeyStore();
        int backend = freePort();
        int port = freePort();
        Path pem = Files.writeString(directory.resolve("jwt-public.pem"), key.publicKeyPem());
        Process gateway = new ProcessBuilder(
                        java(),
                        "-Xmx256M",
                        "-jar",
                        jar("reference-gateway").toString(),
                        "--gateway.profile=apim",
                        "--gateway.bind=127.0.0.1",
                        "--gateway.https-port=" + port,
                        "--gateway.backend=http://127.0.0.1:" + backend,
                        "--gateway.jwt-audience=" + CONSUMER,
                        "--gateway.jwt-public-key=" + pem)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("gateway.log").toFile())
                .start();
        try (ApimDouble apim = new ApimDouble(4)) {
            apim.issueTo(CONSUMER, () -> TokenPool.generate(TokenSpec.accessToken(CONSUMER), key, Clock.systemUTC()));

            Result result = run(
                    "--product=apim",
                    "--scenario=passthrough",
                    "--gateway-url=https://127.0.0.1:" + port,
                    "--gateway-config=" + settings(apim, "tokens: fetched\ntoken-count: 20\n"),
                    "--backend-port=" + backend);

            assertThat(result.exitCode()).as(result.errorOutput()).isZero();
            assertThat(result.errorOutput()).contains("The gateway ran already");
            assertThat(gateway.isAlive()).isTrue();
            assertThat(apim.issued).hasSize(20);
            assertThat(apim.apis).isEmpty();
            assertThat(apim.applications).isEmpty();
            JsonNode cell = cells(1).get(0);
            assertThat(cell.toString()).contains("probes.left.out", "expired token");

            Files.move(directory.resolve("r"), directory.resolve("first"));
            Result again = run(
                    "--product=apim",
                    "--scenario=passthrough",
                    "--keep",
                    "--gateway-url=https://127.0.0.1:" + port,
                    "--gateway-config=" + settings(apim, "tokens: fetched\ntoken-count: 20\n"),
                    "--backend-port=" + backend);

            assertThat(again.exitCode()).as(again.errorOutput()).isZero();
            assertThat(apim.apis).hasSize(1);
        } finally {
            gateway.destroy();
            gateway.waitFor(20, TimeUnit.SECONDS);
        }
    }

    @Test
    void saysHowToCleanUpWhenTheSetUpStopsInTheMiddle() throws Exception {
        SigningKey key = makeKeyStore();
        int backend = freePort();
        Path pack = apimPack(key, backend);
        try (ApimDouble apim = new ApimDouble(4)) {
            apim.failAt(12, ApimDouble.Fault.ERROR);

            Result result = run(
                    "--product=apim",
                    "--scenario=passthrough,transformation",
                    "--gateway-home=" + pack,
                    "--gateway-config=" + settings(apim, ""),
                    "--backend-port=" + backend);

            assertThat(result.exitCode()).as(result.errorOutput()).isEqualTo(3);
            assertThat(result.errorOutput())
                    .contains("the set-up of API Manager stopped: ")
                    .contains("the server answered 500: {\"code\":500,\"message\":\"the database is down\"}")
                    .contains("To clean up by hand, delete the application Gatebench")
                    .doesNotContain(ApimDouble.PASSWORD);
        }
        requireNothingLeft();
    }

    @Test
    void deploysTheScenariosOfMiToTheEngineOfThePack() throws Exception {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("wso2mi-9.9.9/bin/micro-integrator.sh", text("""
                #!/bin/sh
                home=$(cd "$(dirname "$0")/.." && pwd)
                offset=10
                for word in "$@"; do case $word in -DportOffset=*) offset=${word#*=};; esac; done
                "$JAVA_HOME/bin/java" $JVM_MEM_OPTS $JAVA_OPTS -jar "$home/lib/synapse-gateway.jar" \\
                  --bind=127.0.0.1 --http-port=$((8280 + offset)) --https-port=$((8243 + offset)) \\
                  --config="$home/repository/deployment/server/synapse-configs/default" --work-dir="$home/tmp/engine" &
                echo $! >"$home/wso2carbon.pid"
                wait $!
                """));
        entries.put("wso2mi-9.9.9/bin/version.txt", text("WSO2 Micro Integrator 9.9.9\n"));
        entries.put("wso2mi-9.9.9/tmp/empty", text(""));
        entries.put("wso2mi-9.9.9/lib/synapse-gateway.jar", Files.readAllBytes(jar("synapse-gateway")));
        Path pack = zip("mi.zip", entries);

        Result result = run(
                "--product=mi",
                "--scenario=DirectProxy,CBRTransportHeaderProxy,XSLTProxy,JsonToSOAPProxy,DirectHTTPSAPI",
                "--message-size=1000",
                "--gateway-home=" + pack);

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        JsonNode cells = cells(5);
        assertThat(process(cells.get(0), "WSO2 Micro Integrator").path("gc").isObject())
                .isTrue();
        assertThat(directory.resolve("r/run.json")).content().contains("WSO2 Micro Integrator 9.9.9");
        requireNothingLeft();
    }

    private record Result(int exitCode, String output, String errorOutput) {}

    private Result run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                java(),
                "-jar",
                Path.of("target", "orchestrator.jar").toAbsolutePath().toString(),
                "--results=r",
                "--users=2",
                "--duration=6s",
                "--warm-up=3s",
                "--ramp-up=1s",
                "--heap=256M"));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(directory, "program", ".out");
        Path err = Files.createTempFile(directory, "program", ".err");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES))
                    .as(Files.readString(err))
                    .isTrue();
        } finally {
            process.destroy();
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private Path settings(ApimDouble apim, String further) throws IOException {
        Files.writeString(directory.resolve("admin-password"), ApimDouble.PASSWORD + "\n");
        return Files.writeString(
                directory.resolve("apim.yaml"),
                "admin-url: " + apim.url() + "\nadmin-password: {file: admin-password}\n" + further);
    }

    private Path apimPack(SigningKey key, int backend) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("wso2am-9.9.9/bin/api-manager.sh", text("""
                #!/bin/sh
                home=$(cd "$(dirname "$0")/.." && pwd)
                offset=0
                for word in "$@"; do case $word in -DportOffset=*) offset=${word#*=};; esac; done
                "$JAVA_HOME/bin/java" $JVM_MEM_OPTS $JAVA_OPTS -jar "$home/lib/reference-gateway.jar" \\
                  --gateway.profile=apim --gateway.bind=127.0.0.1 --gateway.https-port=$((8243 + offset)) \\
                  --gateway.backend=http://127.0.0.1:%d --gateway.jwt-audience=%s \\
                  --gateway.jwt-public-key="$home/lib/jwt-public.pem" &
                echo $! >"$home/wso2carbon.pid"
                wait $!
                """.formatted(backend, CONSUMER)));
        entries.put("wso2am-9.9.9/bin/version.txt", text("WSO2 API Manager v9.9.9\n"));
        entries.put("wso2am-9.9.9/repository/conf/deployment.toml", text("""
                [super_admin]
                username = "admin"
                password = "another"
                [keystore.tls]
                file_name = "product.p12"
                password = "%s"
                alias = "wso2carbon"
                """.formatted(STORE_PASSWORD)));
        entries.put(
                "wso2am-9.9.9/repository/resources/security/product.p12",
                Files.readAllBytes(directory.resolve("product.p12")));
        entries.put("wso2am-9.9.9/lib/reference-gateway.jar", Files.readAllBytes(jar("reference-gateway")));
        entries.put("wso2am-9.9.9/lib/jwt-public.pem", text(key.publicKeyPem()));
        return zip("apim.zip", entries);
    }

    private SigningKey makeKeyStore() throws Exception {
        Path store = directory.resolve("product.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "wso2carbon",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        STORE_PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        return SigningKey.fromKeyStore(
                store, STORE_PASSWORD.toCharArray(), Optional.of("wso2carbon"), SigningKey.Algorithm.RS256);
    }

    private JsonNode cells(int expected) throws IOException {
        JsonNode cells =
                JSON.readTree(directory.resolve("r/result.json").toFile()).path("cells");
        assertThat(cells)
                .hasSize(expected)
                .allSatisfy(cell -> assertThat(cell.path("load")
                                .path("measurement")
                                .path(0)
                                .path("samples")
                                .asLong())
                        .as(cell.toString())
                        .isPositive());
        return cells;
    }

    private static JsonNode process(JsonNode cell, String name) {
        for (JsonNode process : cell.path("processes")) {
            if (process.path("name").asText().equals(name)) {
                return process;
            }
        }
        throw new AssertionError("no process " + name + " in " + cell);
    }

    /** Nothing of the pack runs on, and neither keys nor tokens nor the product lie in the results. */
    private void requireNothingLeft() throws IOException {
        assertThat(ProcessHandle.allProcesses()
                        .map(handle -> handle.info().commandLine().orElse(""))
                        .filter(line -> line.contains(directory.toString()) && line.contains("/product/")))
                .isEmpty();
        try (Stream<Path> files = Files.walk(directory.resolve("r"))) {
            assertThat(files.map(Path::toString))
                    .noneMatch(name -> name.contains("/product/")
                            || name.endsWith("tokens.csv")
                            || name.endsWith("product-keystore"));
        }
    }

    private Path zip(String name, Map<String, byte[]> entries) throws IOException {
        Path zip = directory.resolve(name);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue());
                out.closeEntry();
            }
        }
        return zip;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Path jar(String module) {
        return Path.of("..", module, "target", module + ".jar").toAbsolutePath().normalize();
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }
}
