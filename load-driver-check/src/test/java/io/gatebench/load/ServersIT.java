/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatebench.echo.EchoServer;
import io.gatebench.echo.EchoServerConfig;
import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.LoadResult;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;

/**
 * Both clients against servers that others wrote; what they count must be what the server's own log says, and the same
 * plan must give the same counts with both.
 */
class ServersIT {

    @TempDir
    Path directory;

    private static Path installed(String name) {
        return Stream.of("/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/")
                .map(folder -> Path.of(folder + name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> {
                    Assumptions.abort(name + " is not there; install " + name);
                    return Path.of(name);
                });
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void awaitPort(int port) throws Exception {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (true) {
            try {
                new Socket("127.0.0.1", port).close();
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw new IOException("nothing listens on port " + port + " after a minute", e);
                }
                Thread.sleep(20);
            }
        }
    }

    private Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("server.out").toFile())
                .start();
    }

    private static TestScenario scenario(String method, String path, PayloadKind payload, ResponseCheck check) {
        return new TestScenario(
                "passthrough", "d", "d", false, method, path, Map.of(), payload, TokenKind.NONE, check, List.of());
    }

    private static long samples(LoadResult run) {
        return Stream.concat(run.warmUp().stream(), run.measurement().stream())
                .mapToLong(SampleStatistics::samples)
                .sum();
    }

    private static long errors(LoadResult run) {
        return Stream.concat(run.warmUp().stream(), run.measurement().stream())
                .mapToLong(SampleStatistics::errors)
                .sum();
    }

    @ParameterizedTest
    @EnumSource(HttpClientKind.class)
    void countsWhatNginxLogs(HttpClientKind client) throws Exception {
        Path nginx = installed("nginx");
        int port = freePort();
        Path log = directory.resolve("access.log");
        Path page = Files.createDirectories(directory.resolve("html")).resolve("page.txt");
        Files.writeString(page, "1024B " + "x".repeat(30_000));
        directory.toFile().setExecutable(true, false);
        Path config = directory.resolve("nginx.conf");
        Files.writeString(config, """
                daemon off; worker_processes 1; pid %1$s/nginx.pid; error_log %1$s/error.log;
                events { worker_connections 256; }
                http {
                  access_log %1$s/access.log; keepalive_requests 37; root %1$s/html;
                  client_body_temp_path %1$s/body; proxy_temp_path %1$s/proxy; fastcgi_temp_path %1$s/fcgi;
                  uwsgi_temp_path %1$s/uwsgi; scgi_temp_path %1$s/scgi;
                  server { listen 127.0.0.1:%2$d; location / { } }
                }
                """.formatted(directory, port));
        if (System.getProperty("user.name").equals("root")) {
            Files.writeString(config, "user root;\n" + Files.readString(config));
        }
        Process server = start(List.of(nginx.toString(), "-c", config.toString()));
        try {
            awaitPort(port);
            LoadRequest request = LoadRequest.of(
                            scenario("GET", "/page.txt", PayloadKind.NONE, ResponseCheck.okContaining("{size}B")),
                            URI.create("http://127.0.0.1:" + port),
                            Scenarios.users(4),
                            Scenarios.timing(2, 0.5, 0))
                    .withClient(client);
            LoadResult run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());
            server.destroy();
            server.waitFor();

            assertThat(samples(run)).isEqualTo(Files.readAllLines(log).size()).isGreaterThan(100);
            assertThat(run.failures()).isEmpty();
            // nginx closes each connection after 37 requests and says so.
            assertThat(run.health().connectionsOpened().value().orElseThrow())
                    .isBetween(client == HttpClientKind.FAST ? samples(run) / 37.0 : 0, samples(run) / 37.0 + 5);
        } finally {
            server.destroy();
        }
    }

    private record Counted(long samples, long errors, long received, long sent) {}

    /** Sends as many requests with either client: those that an open model has due. */
    private Counted counted(HttpClientKind client, TestScenario scenario, int port) {
        // The rate ends long before the test does: a machine that pauses sends late, but sends all.
        LoadModel.Level end = LoadModel.Level.of(Duration.ofSeconds(2), 0);
        LoadModel model = LoadModel.steppedRate(List.of(LoadModel.Level.of(Duration.ZERO, 250), end));
        LoadRequest request = LoadRequest.of(
                        scenario,
                        URI.create("http://127.0.0.1:" + port),
                        Scenarios.users(20),
                        Scenarios.timing(8, 0, 0))
                .withClient(client)
                .withModel(model);
        LoadResult run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());
        SampleStatistics figures = run.measurement().get(0);
        double seconds = figures.samples() / figures.throughputPerSecond();
        return new Counted(
                samples(run),
                errors(run),
                Math.round(figures.receivedBytesPerSecond() * seconds),
                Math.round(figures.sentBytesPerSecond() * seconds));
    }

    @Test
    void bothClientsCountTheSameAtNginxDownToTheByte() throws Exception {
        Path nginx = installed("nginx");
        int port = freePort();
        Path config = directory.resolve("nginx.conf");
        Files.writeString(config, """
                %3$sdaemon off; worker_processes 1; pid %1$s/nginx.pid; error_log %1$s/error.log;
                events { worker_connections 256; }
                http {
                  log_format counted "$status $bytes_sent $request_length";
                  access_log %1$s/access.log counted; gzip on; gzip_types *; gzip_min_length 1;
                  client_body_temp_path %1$s/body; proxy_temp_path %1$s/proxy; fastcgi_temp_path %1$s/fcgi;
                  uwsgi_temp_path %1$s/uwsgi; scgi_temp_path %1$s/scgi;
                  server {
                    listen 127.0.0.1:%2$d;
                    location / { if ($connection_requests ~ "[05]$") { return 503 "busy"; } return 200 "fine"; }
                  }
                }
                """.formatted(
                        directory, port, System.getProperty("user.name").equals("root") ? "user root; " : ""));
        Process server = start(List.of(nginx.toString(), "-c", config.toString()));
        try {
            awaitPort(port);
            // Without a body: nginx does not count the bytes of one that it discards.
            TestScenario scenario = scenario("GET", "/", PayloadKind.NONE, ResponseCheck.ok());
            for (HttpClientKind client : HttpClientKind.values()) {
                Path log = directory.resolve("access.log");
                int before = Files.exists(log) ? Files.readAllLines(log).size() : 0;
                Counted counted = counted(client, scenario, port);
                List<String[]> lines = linesOf(log, before, counted.samples());
                assertThat(counted.samples()).isEqualTo(500).isEqualTo(lines.size());
                assertThat(counted.errors())
                        .isEqualTo(lines.stream()
                                .filter(line -> line[0].equals("503"))
                                .count())
                        .isPositive();
                assertThat(counted.received())
                        .isEqualTo(lines.stream()
                                .mapToLong(line -> Long.parseLong(line[1]))
                                .sum());
                assertThat(counted.sent())
                        .isEqualTo(lines.stream()
                                .mapToLong(line -> Long.parseLong(line[2]))
                                .sum());
            }
        } finally {
            server.destroy();
            server.waitFor();
        }
    }

    /** Returns the lines that came since; nginx writes a line when the client may have its answer already. */
    private static List<String[]> linesOf(Path log, int before, long expected) throws Exception {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (Files.readAllLines(log).size() < before + expected && System.nanoTime() < deadline) {
            Thread.sleep(20);
        }
        return Files.readAllLines(log).stream()
                .skip(before)
                .map(line -> line.split(" "))
                .toList();
    }

    @Test
    void bothClientsCountTheSameThroughHaproxy() throws Exception {
        Path haproxy = installed("haproxy");
        int port = freePort();
        List<Counted> counts = new ArrayList<>();
        for (HttpClientKind client : HttpClientKind.values()) {
            // The n-th request has the same fate each time.
            try (EchoServer echo = EchoServer.start(EchoServerConfig.builder()
                    .host("127.0.0.1")
                    .port(0)
                    .noAdmin()
                    .errorRate(0.1)
                    .seed(3)
                    .build())) {
                Path config = directory.resolve("haproxy.cfg");
                Files.writeString(config, """
                        defaults
                          mode http
                          timeout connect 5s
                          timeout client 30s
                          timeout server 30s
                        frontend in
                          bind 127.0.0.1:%d
                          default_backend echo
                        backend echo
                          server one 127.0.0.1:%d
                        """.formatted(port, echo.port()));
                Process server = start(new ArrayList<>(List.of(haproxy.toString(), "-db", "-f", config.toString())));
                try {
                    awaitPort(port);
                    Counted counted = counted(
                            client,
                            scenario(
                                    "POST",
                                    "/echo",
                                    PayloadKind.JSON_ARRAY,
                                    new ResponseCheck(200, Optional.of("{size}B"), true, false)),
                            port);
                    assertThat(counted.samples()).isEqualTo(echo.stats().requests());
                    assertThat(counted.errors())
                            .isEqualTo(echo.stats().responses().get(503));
                    counts.add(counted);
                } finally {
                    server.destroy();
                    server.waitFor();
                }
            }
        }
        assertThat(counts.get(0).samples())
                .isEqualTo(500)
                .isEqualTo(counts.get(1).samples());
        assertThat(counts.get(0).errors()).isEqualTo(counts.get(1).errors()).isPositive();
        assertThat(counts.get(0).received()).isEqualTo(counts.get(1).received());
    }
}
