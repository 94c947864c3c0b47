package com.example.gateway;

import static io.gatebench.junit.GatebenchAssertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

import io.gatebench.junit.GatewayPerfTest;
import io.gatebench.junit.LossUnit;
import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.GatewayBenchmark;

/** The performance gate: fails the build when the gateway makes errors, stalls, or is slower than the commit before. */
@GatewayPerfTest(product = "http", gatewayConfig = TinyGatewayPerfIT.GATEWAY)
class TinyGatewayPerfIT {

    static final String GATEWAY = "perf/gateway.yaml";

    private static final int WARM_UP_SECONDS = Integer.getInteger("perf.warm-up", 30);

    @Test
    void forwardsWithoutErrors(GatewayBenchmark.Builder test) {
        BenchmarkResult result = loaded(test)
                .duration(Duration.ofSeconds(Integer.getInteger("perf.duration", 120)))
                .run();

        assertThat(result)
                .meetsAll(limits -> limits.hasNoErrors()
                        .p99IsBelow(Duration.ofMillis(500))
                        .gcThroughputIsAbove(80));
    }

    @Test
    @DisabledIfSystemProperty(named = "perf.previous", matches = "none", disabledReason = "it was to be compared with nothing")
    void isNotSlowerThanTheCommitBefore(GatewayBenchmark.Builder test) throws Exception {
        Path before = build(System.getProperty("perf.previous", "HEAD~1"));

        // Both are measured in the same minutes, in turns, until it is known. What is not known by then fails too.
        assertThat(loaded(test).build())
                .isNotSlowerThan(loaded(GatewayBenchmark.http(before.resolve(GATEWAY))).build())
                .within(Duration.ofMinutes(Integer.getInteger("perf.minutes", 30)))
                .by(Integer.getInteger("perf.loss", 5), LossUnit.PERCENT);
    }

    private static GatewayBenchmark.Builder loaded(GatewayBenchmark.Builder test) {
        return test.users(10)
                .heaps("128M")
                .messageSizes(1024)
                .warmUpUntilSteady(Duration.ofSeconds(WARM_UP_SECONDS));
    }

    /** Returns the sources of a commit of this repository, built. */
    private static Path build(String commit) throws IOException, InterruptedException {
        File log = Files.createDirectories(Path.of("target")).resolve("previous.log").toFile();
        int code = new ProcessBuilder("sh", "perf/previous", commit)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start()
                .waitFor();
        Assertions.assertEquals(0, code, () -> commit + " cannot be built, see " + log);
        return Path.of("target", "previous");
    }
}
