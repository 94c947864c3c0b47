/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLSession;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The gateway process from its start to its end, with good and bad options, and with a back end that fails. */
class LifecycleIT {
    private static final Path JAVA = GatewayProcess.javaOf(Path.of(System.getProperty("java.home")));
    private static final Path NEWER_JDK = Path.of("/usr/lib/jvm/temurin-25-jdk-amd64");
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    @TempDir
    private Path directory;

    private GatewayClient client;

    @BeforeEach
    void openClient() throws Exception {
        client = new GatewayClient();
    }

    @Test
    void runsInTheJvmOfTheJavaCommandAndLeavesNothingBehind() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        Path gcLog = directory.resolve("gc.log");
        try (EchoBackend backend = EchoBackend.start();
                GatewayProcess gateway = GatewayProcess.start(
                        directory,
                        List.of("-Djava.io.tmpdir=" + temporary, "-Xmx98m", "-XX:+UseG1GC", "-Xlog:gc*:file=" + gcLog),
                        "--backend",
                        backend.url().toString())) {
            assertThat(client.soap(gateway.http("/services/XSLTProxy")).statusCode())
                    .isEqualTo(200);
            assertThat(temporary).isNotEmptyDirectory();

            assertThat(gateway.stop(STOP_LIMIT)).isEqualTo(143);
            assertThat(temporary.toFile().list((folder, name) -> !name.startsWith("hsperfdata")))
                    .isEmpty();
            assertThat(Path.of("logs")).doesNotExist();
            assertThat(gateway.errors()).isEmpty();
            assertThat(gcLog).content().contains("Using G1").contains("Heap Max Capacity: 98M");
        }
    }

    @Test
    @Tag("full")
    void whatAKilledGatewayLeftIsRemovedByTheNextOneAndNothingOfOneThatRuns() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        Files.createDirectory(temporary.resolve("synapse-gateway-of-somebody-else"));
        List<String> jvm = List.of("-Djava.io.tmpdir=" + temporary);
        try (GatewayProcess running = GatewayProcess.start(directory, jvm)) {
            List<Path> ofTheRunning = keyStores(temporary);
            try (GatewayProcess killed = GatewayProcess.start(directory, jvm)) {
                assertThat(keyStores(temporary)).hasSize(2).containsAll(ofTheRunning);
                killed.kill();
            }
            try (GatewayProcess next = GatewayProcess.start(directory, jvm)) {
                assertThat(keyStores(temporary)).hasSize(2).containsAll(ofTheRunning);
                next.stop(STOP_LIMIT);
            }
            running.stop(STOP_LIMIT);
        }
        assertThat(temporary.toFile().list((folder, name) -> !name.startsWith("hsperfdata")))
                .containsExactly("synapse-gateway-of-somebody-else");
    }

    private static List<Path> keyStores(Path temporary) throws IOException {
        try (Stream<Path> files = Files.walk(temporary)) {
            return files.filter(file -> file.endsWith("identity.p12")).toList();
        }
    }

    @Test
    void anOwnConfigurationReplacesTheScenariosAndASlowBackEndGives504() throws Exception {
        Path config = directory.resolve("config");
        Files.createDirectories(config.resolve("proxy-services"));
        Files.createDirectories(config.resolve("endpoints"));
        Files.writeString(
                config.resolve("proxy-services/Mine.xml"),
                BundledText.read("synapse-configs/default/proxy-services/DirectProxy.xml")
                        .replace("name=\"DirectProxy\"", "name=\"Mine\""));
        Files.writeString(
                config.resolve("endpoints/EchoService.xml"),
                BundledText.read("synapse-configs/default/endpoints/EchoService.xml")
                        .replace("<duration>30000</duration>", "<duration>1000</duration>"));
        try (EchoBackend backend = EchoBackend.start();
                GatewayProcess gateway = GatewayProcess.start(
                        directory, List.of(), "--backend", backend.url().toString(), "--config", config.toString())) {
            assertThat(client.soap(gateway.http("/services/Mine")).body()).isEqualTo(Messages.SOAP);
            assertThat(client.soap(gateway.http("/services/DirectProxy")).statusCode())
                    .isEqualTo(404);

            backend.answerNothingFor(Duration.ofSeconds(8));
            assertThat(client.soap(gateway.http("/services/Mine")).statusCode()).isEqualTo(504);
        }
    }

    @Test
    void stopsWhileClientsAreServedAndTheSamePortsCanBeTakenAtOnce() throws Exception {
        try (EchoBackend backend = EchoBackend.start()) {
            int[] ports;
            try (GatewayProcess gateway = GatewayProcess.start(
                    directory, List.of(), "--backend", backend.url().toString())) {
                ports = gateway.ports();
                List<CompletableFuture<HttpResponse<String>>> inFlight = new ArrayList<>();
                HttpClient plain = HttpClient.newHttpClient();
                for (int i = 0; i < 100; i++) {
                    inFlight.add(plain.sendAsync(
                            GatewayClient.soapRequest(
                                    gateway.http("/services/DirectProxy"), Messages.ROUTING, Messages.SOAP),
                            HttpResponse.BodyHandlers.ofString()));
                }
                gateway.stop(STOP_LIMIT);
            }
            try (GatewayProcess again = GatewayProcess.start(
                    directory,
                    List.of(),
                    "--backend",
                    backend.url().toString(),
                    "--bind",
                    "127.0.0.1",
                    "--http-port",
                    Integer.toString(ports[0]),
                    "--https-port",
                    Integer.toString(ports[1]))) {
                for (int port : ports) {
                    assertThatExceptionOfType(ConnectException.class)
                            .as("another address of this machine")
                            .isThrownBy(() -> new Socket("127.0.0.2", port).close());
                }
                assertThat(client.soap(again.https("/services/DirectProxy")).statusCode())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void aKeyStoreOfTheUserIsServed() throws Exception {
        Identity identity = Identity.selfSigned(InetAddress.getLoopbackAddress(), Clock.systemUTC());
        Path keyStore = directory.resolve("own.p12");
        Path password = directory.resolve("password");
        Files.writeString(password, identity.write(keyStore) + "\n");
        Path work = directory.resolve("work");
        try (GatewayProcess gateway = GatewayProcess.start(
                directory,
                List.of(),
                "--keystore",
                keyStore.toString(),
                "--keystore-password-file",
                password.toString(),
                "--work-dir",
                work.toString())) {
            HttpResponse<String> response = client.get(gateway.https("/services/GatebenchReady"));
            SSLSession session = response.sslSession().orElseThrow();
            assertThat(session.getPeerCertificates()[0])
                    .isEqualTo(identity.chain().get(0));
            try (Stream<Path> files = Files.walk(work)) {
                assertThat(files.filter(Files::isRegularFile))
                        .noneMatch(file -> contains(file, password))
                        .isNotEmpty();
            }
        }
    }

    @Test
    @Tag("full")
    @EnabledIf("newerJdkIsInstalled")
    void runsOnTheNewerJdk() throws Exception {
        try (EchoBackend backend = EchoBackend.start();
                GatewayProcess gateway = GatewayProcess.start(
                        GatewayProcess.javaOf(NEWER_JDK),
                        directory,
                        List.of(),
                        "--backend",
                        backend.url().toString())) {
            assertThat(client.soap(gateway.http("/services/XSLTProxy")).body()).endsWith(Messages.SOAP);
            assertThat(client.soap(gateway.https("/directApi")).body()).isEqualTo(Messages.SOAP);
            assertThat(client.bare(gateway.http("/services/IterateAndAggregateProxy"), "text/xml", Messages.elements(5))
                            .body())
                    .contains("<volume>5</volume>", "<volume>1</volume>");
            gateway.stop(STOP_LIMIT);
        }
    }

    static boolean newerJdkIsInstalled() {
        return Files.isExecutable(GatewayProcess.javaOf(NEWER_JDK));
    }

    @Test
    void aPortInUseIsOneLineAndExitCode1() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Ended ended = run("--https-port=" + taken.getLocalPort(), "--http-port=0");

            assertThat(ended.errors())
                    .contains("cannot listen on 127.0.0.1 port " + taken.getLocalPort())
                    .contains("--https-port")
                    .hasLineCount(1);
            assertThat(ended.exitCode()).isEqualTo(1);
        }
    }

    static Stream<Arguments> unusable() {
        return Stream.of(
                Arguments.of("notes.txt", "--work-dir", "is not empty and was not made by synapse-gateway"),
                Arguments.of("proxy-services/Broken.xml", "--config", "the Synapse engine did not start"));
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void anUnusableFolderIsRefusedWithExitCode1(String file, String option, String message) throws Exception {
        Path folder = directory.resolve("given");
        Files.createDirectories(folder.resolve(file).getParent());
        Files.writeString(folder.resolve(file), "<broken");
        Ended ended = run("--http-port=0", "--https-port=0", option + "=" + folder);

        assertThat(ended.errors()).contains(message);
        assertThat(ended.output()).isEmpty();
        assertThat(ended.exitCode()).isEqualTo(1);
        assertThat(folder.resolve(file)).hasContent("<broken");
    }

    @Test
    void helpListsTheOptionsAndExitCodes() throws Exception {
        Ended ended = run("--help");

        assertThat(ended.output())
                .contains("--http-port", "--https-port", "--bind", "--backend", "--work-dir", "--config", "--keystore")
                .contains("Exit codes");
        assertThat(ended.exitCode()).isZero();
        assertThat(ended.errors()).isEmpty();
    }

    private record Ended(int exitCode, String output, String errors) {}

    private Ended run(String... options) throws IOException, InterruptedException {
        Path output = directory.resolve("out");
        Path errors = directory.resolve("err");
        Process process = GatewayProcess.launch(JAVA, List.of(), List.of(options))
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as("ended").isTrue();
            return new Ended(process.exitValue(), Files.readString(output), Files.readString(errors));
        } finally {
            process.destroyForcibly();
        }
    }

    private static boolean contains(Path file, Path secret) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                    .contains(Files.readString(secret).strip());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
