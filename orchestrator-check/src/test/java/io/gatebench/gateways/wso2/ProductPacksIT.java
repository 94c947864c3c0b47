/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.engine.token.TokenSpec;
import io.gatebench.orchestrator.Turn;

/**
 * Runs the packaged program with packs that are laid out as the products' and start as they do, but hold the built-in
 * gateways: install, start, set-up, load, figures and stop are real, the product's own code is not there.
 *
 * <p>The two that tell most run with every build, the others, which take minutes, with {@code -Pfull}.
 */
class ProductPacksIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The scenarios of the catalogue that Apache Synapse, the engine underneath, can run: 18 of 21. */
    private static final List<String> SYNAPSE_SCENARIOS = List.of(
            "DirectProxy",
            "CBRProxy",
            "XSLTProxy",
            "CBRSOAPHeaderProxy",
            "CBRTransportHeaderProxy",
            "DirectAPI",
            "DirectHTTPSAPI",
            "MessageBuildingProxy",
            "CloneAndAggregateWithTwoBackendProxy",
            "CloneAndAggregateWithFourBackendProxy",
            "CloneAndAggregateWithEightBackendProxy",
            "EnrichBackAndForthProxy",
            "IterateAndAggregateProxy",
            "XSLTTransformProxy",
            "PayloadFactoryWith20ElementsProxy",
            "PayloadFactoryWith50ElementsProxy",
            "PayloadFactoryWith100ElementsProxy",
            "JsonToSOAPProxy");

    @TempDir
    private Path directory;

    @Test
    void installsStartsSetsUpAndMeasuresApim() throws Exception {
        measuresApim("passthrough", 1);
    }

    @Test
    @Tag("full")
    void measuresEveryScenarioOfApim() throws Exception {
        measuresApim("*", 3);
    }

    private void measuresApim(String scenarios, int cells) throws Exception {
        PackDoubles packs = new PackDoubles(directory);
        SigningKey key = packs.productKey();
        int backend = freePort();
        Path pack = packs.apim(key, backend);
        try (ApimDouble apim = apim(key)) {
            // The gateway of the real one takes requests before its administration does.
            apim.startLate(3);
            Result result = run(
                    "--product=apim",
                    "--scenario=" + scenarios,
                    "--gateway-home=" + pack,
                    "--gateway-config=" + settings(apim, "token-count: 50\n"),
                    "--backend-port=" + backend);

            assertThat(result.exitCode()).as(result.errorOutput()).isZero();
            assertThat(apim.violations).isEmpty();
            assertThat(apim.publisher.apis.values())
                    .hasSize(cells)
                    .allSatisfy(api -> assertThat(api.at("/endpointConfig/production_endpoints/url")
                                    .asText())
                            .startsWith("http://127.0.0.1:" + backend));
        }
        for (JsonNode cell : cells(cells)) {
            assertThat(process(cell, "WSO2 API Manager").path("gc").isObject()).isTrue();
            assertThat(cell.toString()).contains("full GC that was asked for after the measurement window");
        }
        assertThat(directory.resolve("r/summary.md"))
                .content()
                .contains("WSO2 API Manager")
                .doesNotContain("Reference Gateway");
        assertThat(directory.resolve("r/run.json")).content().contains("WSO2 API Manager v9.9.9");
        requireNothingLeft();
    }

    @Test
    @Tag("full")
    void setsUpARunningGatewayAndRemovesItAgain() throws Exception {
        SigningKey key = new PackDoubles(directory).productKey();
        int backend = freePort();
        int port = freePort();
        Path pem = Files.writeString(directory.resolve("jwt-public.pem"), key.publicKeyPem());
        Process gateway = start(
                "reference-gateway",
                "--gateway.profile=apim",
                "--gateway.bind=127.0.0.1",
                "--gateway.https-port=" + port,
                "--gateway.backend=http://127.0.0.1:" + backend,
                "--gateway.jwt-audience=" + PackDoubles.CONSUMER,
                "--gateway.jwt-public-key=" + pem);
        try (ApimDouble apim = apim(key)) {
            List<String> arguments = new ArrayList<>(List.of(
                    "--product=apim",
                    "--scenario=passthrough",
                    "--gateway-url=https://127.0.0.1:" + port,
                    "--gateway-config=" + settings(apim, "tokens: fetched\ntoken-count: 20\n"),
                    "--backend-port=" + backend));

            Result first = run(arguments.toArray(String[]::new));

            assertThat(first.exitCode()).as(first.errorOutput()).isZero();
            assertThat(first.errorOutput()).contains("The gateway ran already");
            assertThat(gateway.isAlive()).isTrue();
            assertThat(apim.tokens.issued).hasSize(20);
            assertThat(apim.publisher.apis).isEmpty();
            assertThat(apim.portal.applications).isEmpty();
            assertThat(cells(1).get(0).toString()).contains("probes.left.out", "expired token");

            Files.move(directory.resolve("r"), directory.resolve("first"));
            arguments.add("--keep");
            Result second = run(arguments.toArray(String[]::new));

            assertThat(second.exitCode()).as(second.errorOutput()).isZero();
            assertThat(apim.publisher.apis).hasSize(1);
            assertThat(apim.portal.subscriptions).hasSize(1);

            Files.move(directory.resolve("r"), directory.resolve("second"));
            arguments.remove("--keep");
            Result third = run(arguments.toArray(String[]::new));

            assertThat(third.exitCode()).as(third.errorOutput()).isZero();
            assertThat(apim.violations).isEmpty();
            assertThat(apim.publisher.apis).isEmpty();
            assertThat(apim.portal.applications).isEmpty();
            assertThat(gateway.isAlive()).isTrue();
        } finally {
            stop(gateway);
        }
    }

    @Test
    @Tag("full")
    void saysHowToCleanUpWhenTheSetUpStopsInTheMiddle() throws Exception {
        PackDoubles packs = new PackDoubles(directory);
        SigningKey key = packs.productKey();
        int backend = freePort();
        Path pack = packs.apim(key, backend);
        try (ApimDouble apim = new ApimDouble(4)) {
            apim.failOn("POST /api/am/devportal/v3/applications", ApimDouble.Fault.ERROR);

            Result result = run(
                    "--product=apim",
                    "--scenario=passthrough,transformation",
                    "--gateway-home=" + pack,
                    "--gateway-config=" + settings(apim, ""),
                    "--backend-port=" + backend);

            assertThat(result.exitCode()).as(result.errorOutput()).isEqualTo(3);
            assertThat(result.errorOutput())
                    .contains("the set-up of API Manager stopped: create the application Gatebench (POST " + apim.url()
                            + "/api/am/devportal/v3/applications): the server answered 500:"
                            + " {\"code\":500,\"message\":\"the database is down\"}. In place: API GatebenchEcho (")
                    .contains(", API GatebenchMediation (")
                    .contains("mend the cause and run the same command again: it takes up what is in place")
                    .contains("To clean up by hand, delete the application Gatebench in " + apim.url())
                    .doesNotContain(ApimDouble.PASSWORD);
        }
        requireNothingLeft();
    }

    @Test
    @Tag("full")
    void saysAtOnceThatThePackEndedDuringItsSetUp() throws Exception {
        PackDoubles packs = new PackDoubles(directory);
        SigningKey key = packs.productKey();
        Path pack = packs.apim(key, freePort());
        try (ApimDouble apim = apim(key)) {
            CompletableFuture<Void> end = CompletableFuture.runAsync(() -> endPackOf(apim));
            Result result = run(
                    "--product=apim",
                    "--scenario=passthrough",
                    "--gateway-home=" + pack,
                    "--gateway-config=" + settings(apim, "token-count: 50\n"));
            end.get(1, TimeUnit.MINUTES);

            assertThat(result.exitCode()).as(result.errorOutput()).isEqualTo(3);
            assertThat(result.errorOutput())
                    .contains("the API of the scenario passthrough ended before it was ready (exit code 143)");
        }
        requireNothingLeft();
    }

    /** Ends the pack as soon as it has an API. */
    private void endPackOf(ApimDouble apim) {
        try {
            while (apim.publisher.apis.isEmpty()) {
                Thread.sleep(20);
            }
            try (Stream<Path> files = Files.find(
                    directory,
                    20,
                    (file, attributes) -> file.getFileName().toString().equals("wso2carbon.pid"))) {
                for (Path file : files.toList()) {
                    ProcessHandle.of(Long.parseLong(Files.readString(file).strip()))
                            .orElseThrow()
                            .destroy();
                }
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Tag("full")
    void deploysTheScenariosOfMiToTheEngineOfThePack() throws Exception {
        measuresEveryScenarioOfMi("--gateway-home=" + new PackDoubles(directory).mi());

        assertThat(process(cells(SYNAPSE_SCENARIOS.size()).get(0), "WSO2 Micro Integrator")
                        .path("gc")
                        .isObject())
                .isTrue();
        assertThat(directory.resolve("r/run.json")).content().contains("WSO2 Micro Integrator 9.9.9");
        requireNothingLeft();
    }

    @Test
    @Tag("full")
    void measuresEveryScenarioOfMiThatTheBuiltInEngineServes() throws Exception {
        measuresEveryScenarioOfMi();

        Result refused = run("--product=mi", "--scenario=*");

        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.errorOutput())
                .contains("--exclude-scenario SecureProxy")
                .contains("--exclude-scenario XSLTEnhancedProxy")
                .contains("--exclude-scenario DatamapperProxy");
    }

    private void measuresEveryScenarioOfMi(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                "--product=mi",
                "--scenario=" + String.join(",", SYNAPSE_SCENARIOS),
                "--message-size=1000",
                "--elements=100"));
        all.addAll(List.of(arguments));

        Result result = run(all.toArray(String[]::new));

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        Set<String> measured = new TreeSet<>();
        cells(SYNAPSE_SCENARIOS.size())
                .forEach(cell -> measured.add(cell.at("/testCase/scenario").asText()));
        assertThat(measured).containsExactlyInAnyOrderElementsOf(SYNAPSE_SCENARIOS);
    }

    @Test
    @Tag("full")
    void deploysTheScenariosOfEiToTheEngineOfThePack() throws Exception {
        Result result = run(
                "--product=ei",
                "--scenario=DirectProxy,DirectHTTPSAPI",
                "--message-size=1000",
                "--gateway-home=" + new PackDoubles(directory).ei());

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        assertThat(process(cells(2).get(0), "WSO2 Enterprise Integrator")
                        .path("gc")
                        .isObject())
                .isTrue();
        assertThat(directory.resolve("r/run.json")).content().contains("WSO2 Enterprise Integrator 9.9.9");
        requireNothingLeft();
    }

    @Test
    @Tag("full")
    void measuresPacksInTurns() throws Exception {
        Path pack = new PackDoubles(directory).mi();
        String packed = "mi,gateway-home=" + pack;

        Result twoPacks = inTurns(packed, packed);

        assertThat(twoPacks.exitCode()).as(twoPacks.errorOutput()).isZero();
        assertThat(JSON.readTree(twoPacks.output()).at("/cases/0/figures").findValuesAsText("name"))
                .contains("throughput", "cpu-per-request");
        assertThat(twoPacks.errorOutput()).contains("Nothing that is known differs between A and B");
        requireNothingLeft();

        Files.move(directory.resolve("r"), directory.resolve("two-packs"));
        Result packAndBuiltIn = inTurns(packed, "mi");

        assertThat(packAndBuiltIn.exitCode()).as(packAndBuiltIn.errorOutput()).isZero();
        assertThat(packAndBuiltIn.errorOutput())
                .contains(
                        "The versions differ: the gateway is WSO2 Micro Integrator 9.9.9 in A, Apache Synapse 3.0.1 in B.");
        requireNothingLeft();
    }

    private Result inTurns(String a, String b) throws Exception {
        return program(List.of(
                "ab",
                "--a=" + a,
                "--b=" + b,
                "--scenario=DirectProxy",
                "--message-size=1000",
                "--heap=256M",
                "--users=2",
                "--warm-up=2s",
                "--window=1s",
                "--max-time=17s",
                "--results=r",
                "--format=json"));
    }

    @Test
    @Tag("full")
    void measuresAnIntegratorThatRunsAlreadyTwice() throws Exception {
        int backend = freePort();
        int port = freePort();
        Process gateway = start(
                "synapse-gateway",
                "--bind=127.0.0.1",
                "--http-port=" + port,
                "--https-port=" + freePort(),
                "--work-dir=" + directory.resolve("engine"),
                "--backend=http://127.0.0.1:" + backend + "/service/EchoService");
        try {
            for (String run : List.of("first", "second")) {
                Result result = run(
                        "--product=mi",
                        "--scenario=DirectProxy",
                        "--message-size=1000",
                        "--gateway-url=http://127.0.0.1:" + port,
                        "--backend-port=" + backend);

                assertThat(result.exitCode()).as(result.errorOutput()).isZero();
                assertThat(result.errorOutput()).contains("The gateway ran already");
                cells(1);
                Files.move(directory.resolve("r"), directory.resolve(run));
            }
            assertThat(gateway.isAlive()).isTrue();
        } finally {
            stop(gateway);
        }
    }

    @Test
    @Tag("full")
    void buildsTheProjectOfTheMicrogatewayAndTakesBothKindsOfTokens() throws Exception {
        PackDoubles packs = new PackDoubles(directory);
        Path settings = Files.writeString(
                directory.resolve("microgateway.yaml"),
                "toolkit: " + packs.toolkit() + "\njava-home: " + System.getProperty("java.home")
                        + "\ntoken-count: 20\n");
        List<String> arguments = new ArrayList<>(List.of(
                "--product=microgateway",
                "--message-size=1024",
                "--backend-delay=0",
                "--gateway-home=" + packs.microgateway(),
                "--gateway-config=" + settings));
        boolean limited = Files.isWritable(Path.of("/sys/fs/cgroup/cpu"));
        if (limited) {
            arguments.add("--cpus=1");
        }

        Set<Path> groups = emptyGroups();

        Result result = run(arguments.toArray(String[]::new));

        assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        for (JsonNode cell : cells(2)) {
            assertThat(process(cell, "WSO2 API Microgateway").path("gc").isObject())
                    .isTrue();
        }
        if (limited) {
            assertThat(directory.resolve("r/summary.md"))
                    .content()
                    .contains("The gateway was limited to 1.0 processor(s) by a control group.");
        }
        assertThat(emptyGroups()).isSubsetOf(groups);
        requireNothingLeft();
    }

    /** The control groups of the suite that no process is in; none where they are not of version 1. */
    private static Set<Path> emptyGroups() throws IOException {
        Path root = Path.of("/sys/fs/cgroup/cpu");
        if (!Files.isDirectory(root)) {
            return Set.of();
        }
        try (Stream<Path> groups = Files.list(root)) {
            return groups.filter(group -> group.getFileName().toString().startsWith("gatebench-"))
                    .filter(ProductPacksIT::isEmpty)
                    .collect(Collectors.toSet());
        }
    }

    private static boolean isEmpty(Path group) {
        try {
            return Files.readString(group.resolve("cgroup.procs")).isEmpty();
        } catch (IOException e) {
            // It was removed meanwhile.
            return false;
        }
    }

    private static ApimDouble apim(SigningKey key) {
        ApimDouble apim = new ApimDouble(4);
        apim.issueTo(
                PackDoubles.CONSUMER,
                () -> TokenPool.generate(TokenSpec.accessToken(PackDoubles.CONSUMER), key, Clock.systemUTC()));
        return apim;
    }

    /** Starts a built-in gateway by hand and returns when it says that it is ready. */
    private Process start(String module, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(java(), "-Xmx256M", "-jar", PackDoubles.jar(module).toString()));
        command.addAll(List.of(arguments));
        Path log = directory.resolve("gateway.log");
        Process gateway = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (!Files.readString(log).contains(module + " ready")) {
            assertThat(gateway.isAlive() && System.nanoTime() < deadline)
                    .as(Files.readString(log))
                    .isTrue();
            Thread.sleep(50);
        }
        return gateway;
    }

    private static void stop(Process gateway) throws InterruptedException {
        gateway.destroy();
        assertThat(gateway.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    private record Result(int exitCode, String output, String errorOutput) {}

    private Result run(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of(
                "--results=r",
                "--users=2",
                // The processors are left to others.
                "--think-time=20ms",
                "--duration=5s",
                "--warm-up=2s",
                "--ramp-up=1s",
                "--heap=256M"));
        all.addAll(List.of(arguments));
        return program(all);
    }

    private Result program(List<String> arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                java(),
                "-XX:+UseSerialGC",
                "-jar",
                Path.of("../orchestrator/target/orchestrator.jar")
                        .toAbsolutePath()
                        .toString()));
        command.addAll(arguments);
        Path out = Files.createTempFile(directory, "program", ".out");
        Path err = Files.createTempFile(directory, "program", ".err");
        Turn turn = Turn.take("ports");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(20, TimeUnit.MINUTES))
                    .as(Files.readString(err))
                    .isTrue();
        } finally {
            process.destroy();
            turn.close();
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    private Path settings(ApimDouble apim, String further) throws IOException {
        Files.writeString(directory.resolve("admin-password"), ApimDouble.PASSWORD + "\n");
        return Files.writeString(
                directory.resolve("apim.yaml"),
                "admin-url: " + apim.url() + "\nadmin-password: {file: admin-password}\n" + further);
    }

    private JsonNode cells(int expected) throws IOException {
        JsonNode cells =
                JSON.readTree(directory.resolve("r/result.json").toFile()).path("cells");
        assertThat(cells).hasSize(expected).allSatisfy(cell -> {
            JsonNode measured = cell.at("/load/measurement/0");
            assertThat(measured.path("samples").asLong()).as(cell.toString()).isPositive();
            assertThat(measured.path("errors").asLong(-1)).as(cell.toString()).isZero();
        });
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

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }
}
