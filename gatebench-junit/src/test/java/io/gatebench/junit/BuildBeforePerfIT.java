/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import static io.gatebench.junit.GatebenchAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.gatebench.runner.GatewayBenchmark;
import io.gatebench.spi.RunListener;

/**
 * Our own gate: built-in gateways and echo back end as they are now, in turns with those of an earlier commit, whose jars lie in
 * the directory that the system property {@code gatebench.previous} names. {@code gatebench.candidate} names one with jars
 * that are judged in place of those of this build.
 */
@GatewayPerfTest
class BuildBeforePerfIT {

    private static final Path DESCRIBED = Path.of("src", "test", "gate");
    private static final double LOSS_PERCENT = 5;
    /** Twice what the dozen starts take that rule out a loss of 5 % on a quiet machine in most cases, so that the others pass too. */
    private static final Duration LONGEST = Duration.ofMinutes(50);

    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(60);

    @Test
    void referenceGatewayIsNotSlower(@ResultsPath Path results) throws IOException {
        Path described = Path.of("..", "docs", "examples", "http", "java", "gateway.yaml");
        requireNotSlower("reference-gateway", described, results);
    }

    @Test
    void synapseGatewayIsNotSlower(@ResultsPath Path results) throws IOException {
        Path described = DESCRIBED.resolve("synapse-gateway.yaml");
        requireNotSlower("synapse-gateway", described, results);
    }

    @Test
    void echoBackEndIsNotSlower(@ResultsPath Path results) throws IOException {
        requireNotSlower("echo-backend", DESCRIBED.resolve("echo-backend.yaml"), results);
    }

    private static void requireNotSlower(String name, Path described, Path results) throws IOException {
        String directory = System.getProperty("gatebench.previous");
        assertThat(directory)
                .as("-Dgatebench.previous=<directory>, with the jars of an earlier commit by bench/ab/jars")
                .isNotNull();
        String candidate = System.getProperty(
                "gatebench.candidate", Path.of("..", name, "target").toString());
        Path now = Path.of(candidate, name + ".jar");
        GatewayBenchmark before = gateway(described, Path.of(directory, name + ".jar"), results.resolve("a"));

        assertThat(gateway(described, now, results.resolve("b")))
                .isNotSlowerThan(before)
                .within(LONGEST)
                .by(LOSS_PERCENT, LossUnit.PERCENT);
    }

    private static GatewayBenchmark gateway(Path described, Path jar, Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.copy(jar, directory.resolve(jar.getFileName()));
        return GatewayBenchmark.http(Files.copy(described, directory.resolve("gateway.yaml")))
                .users(10)
                .heaps("512M")
                .messageSizes(1024)
                .warmUpUntilSteady(LONGEST_WARM_UP)
                .resultsIn(directory.resolveSibling("measured"))
                .listener(new Printer())
                .build();
    }

    /** Says what has come of each start. */
    private static final class Printer implements RunListener {
        @Override
        public void note(String text) {
            System.out.println(text);
        }
    }
}
