/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
                Map.of("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -Xlog:class+load:file=" + logs + "/%p.log"),
                "--product=http",
                "--gateway-config=gateway.yaml",
                "--users=2",
                "--think-time=20ms",
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

    private static boolean holds(Path log, String type) {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.anyMatch(line -> line.contains(" " + type + " source: "));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
