/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The runnable jar as a process, seen by tools that are not ours: curl and, where go can build it, h2spec. */
class EchoJarIT {

    private static final Path JAR = Path.of("target/echo-backend.jar");
    private static final String H2SPEC = "github.com/summerwind/h2spec/cmd/h2spec";

    @TempDir
    private Path dir;

    private Process process;

    @AfterEach
    void stop() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    /** Starts the jar and returns the values of its ready line. */
    private Map<String, String> start(String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-Dio.netty.leakDetection.level=paranoid",
                "-jar",
                JAR.toString(),
                "--host=127.0.0.1",
                "--port=0"));
        command.addAll(List.of(options));
        process = new ProcessBuilder(command)
                .redirectError(dir.resolve("err").toFile())
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        assertThat(line).as(Files.readString(dir.resolve("err"))).startsWith("echo-backend ready ");
        Map<String, String> values = new HashMap<>();
        for (String pair : line.substring("echo-backend ready ".length()).split(" ")) {
            values.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        }
        return values;
    }

    private String run(String... command) throws Exception {
        Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return out;
    }

    private boolean installed(String tool) throws Exception {
        return !run("sh", "-c", "command -v " + tool + " || true").isBlank();
    }

    @Test
    void bringsItsNativeCodeAlong() throws Exception {
        String listing = String.join(
                "\n", new JarFile(JAR.toFile()).stream().map(ZipEntry::getName).toList());
        assertThat(listing)
                .contains("libnetty_transport_native_io_uring42_x86_64.so")
                .contains("libnetty_transport_native_io_uring42_aarch_64.so")
                .contains("libnetty_transport_native_epoll_x86_64.so")
                .contains("libnetty_transport_native_epoll_aarch_64.so")
                .contains("libnetty_tcnative_linux_x86_64.so")
                .contains("libnetty_tcnative_linux_aarch_64.so");
        if (System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64")) {
            Map<String, String> ready = start("--ssl");
            assertThat(ready.get("transport")).isIn("io_uring", "epoll");
            assertThat(ready).containsEntry("tls-provider", "openssl").containsEntry("tls", "true");
        }
    }

    /** Returns when the server has taken a request. */
    private static void awaitRequest(Map<String, String> ready) throws Exception {
        URI metrics = URI.create("http://127.0.0.1:" + ready.get("admin") + "/metrics");
        HttpClient client = HttpClient.newHttpClient();
        String told;
        do {
            told = client.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } while (told.contains("echo_requests_total 0\n"));
    }

    @Test
    void finishesWhatIsInFlightOnSigterm() throws Exception {
        Map<String, String> ready = start("--delay=700ms", "--admin-port=0");
        try (RawClient client = new RawClient(Integer.parseInt(ready.get("port")))) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
            awaitRequest(ready);
            process.destroy();
            assertThat(client.response().text()).isEqualTo("x");
        }
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as("128 + SIGTERM, as the JVM does").isEqualTo(143);
        assertThat(dir.resolve("err")).isEmptyFile();
    }

    @Test
    void finishesHttp2StreamsOnSigterm() throws Exception {
        assumeThat(installed("curl")).as("curl is not there; install curl").isTrue();
        Map<String, String> ready = start("--delay=700ms", "--http2", "--admin-port=0");
        // The JDK's own client cannot be used: version 17 gives up all its streams when a server says goodbye.
        Process curl = new ProcessBuilder(
                        "curl",
                        "-sS",
                        "--http2-prior-knowledge",
                        "-d",
                        "x",
                        "-w",
                        "%{http_version}",
                        "http://127.0.0.1:" + ready.get("port"))
                .redirectErrorStream(true)
                .start();
        awaitRequest(ready);
        process.destroy();
        assertThat(new String(curl.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("x2");
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"--http2,http,2,auto", "--http1.1,https,1.1,auto", "--http2,https,2,jdk"})
    void curlGetsItsBytesBackAndHasToWait(String version, String scheme, String expected, String tls) throws Exception {
        requireEchoAfterDelay(version, scheme, expected, tls);
    }

    @ParameterizedTest
    @CsvSource({
        "--http1.1,http,1.1,auto",
        "--http2-prior-knowledge,http,2,auto",
        "--http2,https,2,auto",
        "--http1.1,https,1.1,jdk"
    })
    @Tag("full")
    void curlGetsItsBytesBackInEveryOtherWay(String version, String scheme, String expected, String tls)
            throws Exception {
        requireEchoAfterDelay(version, scheme, expected, tls);
    }

    private void requireEchoAfterDelay(String version, String scheme, String expected, String tls) throws Exception {
        assumeThat(installed("curl")).as("curl is not there; install curl").isTrue();
        Path certificate = dir.resolve("cert.pem");
        Map<String, String> ready = start(
                "--tls-port=0",
                "--tls-provider=" + tls,
                "--http2",
                "--delay=120ms",
                "--export-certificate=" + certificate);
        if (tls.equals("jdk")) {
            assertThat(ready).containsEntry("tls-provider", "jdk");
        }
        String url = scheme + "://localhost:" + ready.get(scheme.equals("http") ? "port" : "tls-port") + "/e";
        byte[] body = new byte[300_000];
        new Random(1).nextBytes(body);
        Path sent = Files.write(dir.resolve("sent"), body);
        Path received = dir.resolve("received");
        String report = run(
                "curl",
                "-sS",
                "-4",
                version,
                "--cacert",
                certificate.toString(),
                "--data-binary",
                "@" + sent,
                "-o",
                received.toString(),
                "-w",
                "%{http_code} %{http_version} %{time_total}",
                url);
        String[] parts = report.split(" ");
        assertThat(parts[0] + " " + parts[1]).as(report).isEqualTo("200 " + expected);
        assertThat(Double.parseDouble(parts[2])).isGreaterThanOrEqualTo(0.12);
        assertThat(received).hasSameBinaryContentAs(sent);
        process.destroy();
        process.waitFor();
        assertThat(Files.readString(dir.resolve("err"))).doesNotContain("LEAK");
    }

    /** Each request gets a body, so that the checker can look at DATA frames too; an empty echo makes it skip cases. */
    @Test
    @Tag("full")
    void satisfiesH2spec() throws Exception {
        String h2spec = h2spec();
        assumeThat(h2spec)
                .as("h2spec is neither on the path nor can go build it here; install golang-go")
                .isNotEmpty();
        Map<String, String> ready = start("--tls-port=0", "--http2", "--response-size=64");
        assertThat(run(h2spec, "-h", "127.0.0.1", "-p", ready.get("port"), "-o", "5"))
                .contains(" 0 skipped, 0 failed");
        assertThat(run(h2spec, "-h", "127.0.0.1", "-p", ready.get("tls-port"), "-t", "-k", "-o", "5"))
                .contains(" 0 skipped, 0 failed");
    }

    /** Returns the checker's path; empty if there is none and it cannot be built. */
    private String h2spec() throws Exception {
        if (installed("h2spec")) {
            return "h2spec";
        }
        Path built = Path.of("target/h2spec/h2spec").toAbsolutePath();
        if (!Files.exists(built) && installed("go")) {
            ProcessBuilder go = new ProcessBuilder("go", "install", H2SPEC)
                    .directory(Path.of("src/test/h2spec").toFile())
                    .redirectErrorStream(true);
            go.redirectOutput(dir.resolve("go").toFile());
            go.environment().put("GOBIN", built.getParent().toString());
            Process build = go.start();
            if (!build.waitFor(120, TimeUnit.SECONDS)) {
                build.destroyForcibly();
            }
        }
        return Files.isExecutable(built) ? built.toString() : "";
    }
}
