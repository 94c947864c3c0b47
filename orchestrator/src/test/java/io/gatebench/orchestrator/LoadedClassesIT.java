/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.load.DistributedLoadDriver;
import io.gatebench.load.RemoteLoadGeneratorMain;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.DataSize;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;

/** Starting JMeter from the packaged program loads the classes that the load needs, not those that the jar holds. */
class LoadedClassesIT {

    /** What only the load generator itself loads. */
    private static final String LOAD = "io.gatebench.load.jmeter.EmbeddedLoad";
    /** The jar holds more than thirty thousand, all of which JMeter used to load. */
    private static final int MAX_CLASSES = 6000;

    @TempDir
    private Path directory;

    private int port;

    @BeforeEach
    void choosePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
    }

    private long loaded(Path log) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(" source: ")).count();
        }
    }

    @Test
    void inTheLoadGeneratorsOfLoadAndControlRun() throws IOException {
        Files.writeString(directory.resolve("gateway.yaml"), """
                name: echo
                url: http://127.0.0.1:%d
                scenarios:
                  - {name: echo, url: /, check: {contains: "{size}B", same-length: true}}
                """.formatted(port));
        Path logs = Files.createDirectory(directory.resolve("classes"));

        try (Program program = Program.start(
                directory,
                Map.of("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + logs + "/%p.log"),
                "--product=http",
                "--gateway-config=gateway.yaml",
                "--users=2",
                "--message-size=50",
                "--duration=3s",
                "--warm-up=1s",
                "--ramp-up=0",
                "--control-run",
                "--backend-port=" + port,
                "--results=r")) {
            Program.Result result = program.await();
            assertThat(result.exitCode()).as(result.errorOutput()).isZero();
        }

        List<Path> generators;
        try (Stream<Path> all = Files.list(logs)) {
            generators = all.filter(log -> holds(log, LOAD)).toList();
        }
        assertThat(generators).hasSize(2);
        for (Path log : generators) {
            assertThat(loaded(log)).as(log.toString()).isBetween(1000L, (long) MAX_CLASSES);
        }
    }

    @Test
    void inRemoteLoadGenerators() throws Exception {
        Path log = directory.resolve("classes.log");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        Process remote = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-Xlog:class+load:file=" + log,
                        "-Djava.rmi.server.hostname=127.0.0.1",
                        "-cp",
                        Path.of("target", "orchestrator.jar").toAbsolutePath().toString(),
                        RemoteLoadGeneratorMain.class.getName(),
                        String.valueOf(port),
                        "0/1")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("remote.log").toFile())
                .start();
        try {
            System.setProperty("java.rmi.server.hostname", "127.0.0.1");
            awaitListener();
            LoadResult run = new DistributedLoadDriver(List.of("127.0.0.1:" + port))
                    .run(
                            LoadRequest.of(
                                    scenario(),
                                    URI.create("http://127.0.0.1:"
                                            + server.getAddress().getPort()),
                                    new TestCase(
                                            "all", DataSize.parse("256M"), 2, MessageLevel.bytes(50), Duration.ZERO),
                                    new TestTiming(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ZERO)),
                            directory,
                            LoadProgress.none());

            assertThat(run.measurement().get(0).samples()).isPositive();
            assertThat(loaded(log)).isBetween(1000L, (long) MAX_CLASSES);
        } finally {
            remote.destroy();
            server.stop(0);
        }
    }

    private static TestScenario scenario() {
        return new TestScenario(
                "all",
                "All",
                "Whatever it is.",
                false,
                "POST",
                "/",
                Map.of(),
                PayloadKind.JSON_ARRAY,
                TokenKind.NONE,
                new ResponseCheck(200, Optional.empty(), false, false),
                List.of());
    }

    private static boolean holds(Path log, String type) {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.anyMatch(line -> line.contains(" " + type + " source: "));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void awaitListener() throws Exception {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (true) {
            try {
                new java.net.Socket("127.0.0.1", port).close();
                return;
            } catch (IOException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.sleep(50);
            }
        }
    }
}
