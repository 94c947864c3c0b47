/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runnable jar as users start it: a process with its own JVM. */
class RunnableJarIT {
    private static final Path JAR = Path.of("target", "reference-gateway.jar");
    private static final Pattern READY = Pattern.compile(
            "reference-gateway ready https=(\\d+) http=(\\d+|-) profile=(apim|microgateway) startup=\\d+\\.\\ds");
    private static final TestTokens TOKENS = new TestTokens();

    @TempDir
    static Path folder;

    static Path publicKey;

    private final List<Process> started = new ArrayList<>();
    private RecordingBackend backend;

    @BeforeAll
    static void key() {
        publicKey = TOKENS.publicKey(folder);
    }

    @BeforeEach
    void startBackend() throws IOException {
        backend = new RecordingBackend();
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : started) {
            process.destroyForcibly().waitFor();
        }
        backend.close();
    }

    /** Its modules are managed one by one; what a new release of Spring brings besides would be of another version. */
    @Test
    void holdsOneVersionOfNetty() throws IOException {
        try (ZipFile jar = new ZipFile(JAR.toFile())) {
            assertThat(jar.stream()
                            .map(entry -> Pattern.compile("lib/netty-.*?-(\\d.*Final)")
                                    .matcher(entry.getName()))
                            .filter(Matcher::find)
                            .map(matcher -> matcher.group(1))
                            .distinct())
                    .hasSize(1);
        }
    }

    @Test
    void servesAndAnswersWhatIsUnderWayBeforeItStops() throws Exception {
        Program gateway = gateway("--gateway.bind=127.0.0.1", "--gateway.https-port", "0", "--gateway.http-port=0");
        Matcher ready = READY.matcher(gateway.readyLine());
        assertThat(ready.matches()).as(gateway.errors()).isTrue();
        assertThatExceptionOfType(ConnectException.class)
                .as("another address of this machine")
                .isThrownBy(() -> new Socket("127.0.0.2", Integer.parseInt(ready.group(1))).close());
        assertThat(ready.group(3)).isEqualTo("apim");
        HttpClient client = RunningGateway.client();
        URI https = URI.create("https://localhost:" + ready.group(1) + "/echo/1.0.0");
        URI http = URI.create("http://localhost:" + ready.group(2) + "/echo/1.0.0");
        assertThat(client.send(request(https), HttpResponse.BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(200);

        CountDownLatch arrived = new CountDownLatch(2);
        backend.behave(request -> {
            arrived.countDown();
            return RecordingBackend.Answer.json(200, "{\"late\":true}").after(2_000);
        });
        List<CompletableFuture<HttpResponse<String>>> underWay = List.of(
                client.sendAsync(request(https), HttpResponse.BodyHandlers.ofString()),
                client.sendAsync(request(http), HttpResponse.BodyHandlers.ofString()));
        assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
        gateway.terminate();

        for (CompletableFuture<HttpResponse<String>> answer : underWay) {
            assertThat(answer.get(20, TimeUnit.SECONDS).body()).isEqualTo("{\"late\":true}");
        }
        assertThat(gateway.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(gateway.process().exitValue()).isEqualTo(143);
        assertThat(gateway.remainingOutput()).isEmpty();
        assertThat(gateway.errors()).isEmpty();
    }

    @Test
    void checksOpaqueTokensAtTheIntrospectionProcess() throws Exception {
        Path tokens = Files.writeString(
                folder.resolve("tokens.csv"), "known-token\nends-later,4102444800\nended,2020-01-01T00:00:00Z\n");
        Path credentials = Files.writeString(folder.resolve("credentials"), "gateway:secret");
        Program endpoint = program(
                "--gateway.mode=introspection",
                "--gateway.tokens=" + tokens,
                "--gateway.introspection-credentials-file=" + credentials,
                "--gateway.port=0");
        String endpointLine = endpoint.readyLine();
        assertThat(endpointLine).as(endpoint.errors()).matches("introspection ready port=\\d+");
        String port = endpointLine.substring(endpointLine.indexOf('=') + 1);
        Program gateway = gateway(
                "--gateway.https-port=0",
                "--gateway.profile=microgateway",
                "--gateway.introspection-credentials-file=" + credentials,
                "--gateway.introspection-url=http://127.0.0.1:" + port + "/introspect");
        Matcher ready = READY.matcher(gateway.readyLine());
        assertThat(ready.matches()).as(gateway.errors()).isTrue();
        assertThat(ready.group(2)).isEqualTo("-");
        URI https = URI.create("https://localhost:" + ready.group(1) + "/echo/1.0.0");
        HttpClient client = RunningGateway.client();

        assertThat(status(client, https, "known-token")).isEqualTo(200);
        assertThat(status(client, https, "ends-later")).isEqualTo(200);
        assertThat(status(client, https, "ended")).isEqualTo(401);
        assertThat(status(client, https, "never-issued")).isEqualTo(401);
        assertThat(backend.seen()).hasSize(2);

        endpoint.terminate();
        assertThat(endpoint.process().waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(endpoint.process().exitValue()).isEqualTo(143);
        assertThat(status(client, https, "known-token")).as("remembered").isEqualTo(200);
        assertThat(status(client, https, "never-seen")).isEqualTo(503);
    }

    @Test
    void answersQuicklyWhenTheBackEndIsDown() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (RunningGateway gateway = new RunningGateway(
                "--gateway.backend=http://127.0.0.1:" + port, "--gateway.jwt-public-key=" + publicKey)) {
            for (String path : new String[] {"/echo/1.0.0", "/mediation/1.0.0"}) {
                HttpResponse<String> response = gateway.postWithToken(path, "{}", TOKENS.valid());
                assertThat(response.statusCode()).isEqualTo(502);
                assertThat(response.body()).contains("the back end cannot be reached");
            }

            // The same gateway serves as soon as the back end is there.
            HttpServer late = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            late.createContext("/", exchange -> {
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            late.start();
            try {
                assertThat(gateway.postWithToken("/echo/1.0.0", "{}", TOKENS.valid())
                                .statusCode())
                        .isEqualTo(204);
            } finally {
                late.stop(0);
            }
        }
    }

    @Test
    void refusesBadOptionsWithOneLineEach() throws Exception {
        Program gateway = program("--gateway.https-prot=1", "--gateway.profile=apim");

        assertThat(gateway.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(gateway.process().exitValue()).isEqualTo(2);
        assertThat(gateway.remainingOutput()).isEmpty();
        assertThat(gateway.errors())
                .isEqualTo(
                        "reference-gateway: unknown option '--gateway.https-prot'; did you mean '--gateway.https-port'?\n");
    }

    @Test
    void namesAPortThatIsTaken() throws Exception {
        Program gateway = gateway("--gateway.https-port=" + backend.port());

        assertThat(gateway.process().waitFor(40, TimeUnit.SECONDS)).isTrue();
        assertThat(gateway.process().exitValue()).isEqualTo(1);
        assertThat(gateway.remainingOutput()).isEmpty();
        assertThat(gateway.errors())
                .isEqualTo("reference-gateway: port " + backend.port()
                        + " of 127.0.0.1 cannot be opened: Address already in use; choose another"
                        + " --gateway.https-port, or 0 for any free one\n");
    }

    private static int status(HttpClient client, URI uri, String token) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    }

    private static HttpRequest request(URI uri) {
        return HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + TOKENS.valid())
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
    }

    private Program gateway(String... args) throws IOException {
        List<String> all =
                new ArrayList<>(List.of("--gateway.backend=" + backend.url(), "--gateway.jwt-public-key=" + publicKey));
        all.addAll(List.of(args));
        return program(all.toArray(String[]::new));
    }

    private Program program(String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                JAR.toAbsolutePath().toString()));
        command.addAll(List.of(args));
        Path errors = Files.createTempFile(folder, "stderr", ".txt");
        Process process =
                new ProcessBuilder(command).redirectError(errors.toFile()).start();
        started.add(process);
        return new Program(process, process.inputReader(StandardCharsets.UTF_8), errors);
    }

    private record Program(Process process, BufferedReader output, Path errorFile) {
        /** Blocks until the program prints a line or ends. */
        String readyLine() throws IOException {
            String line = output.readLine();
            return line == null ? "" : line;
        }

        /** Sends SIGTERM; {@link Process#destroy()} would also close the streams that are read afterwards. */
        void terminate() {
            process.toHandle().destroy();
        }

        List<String> remainingOutput() {
            return output.lines().toList();
        }

        String errors() throws IOException {
            return Files.readString(errorFile);
        }
    }
}
