package com.example.gateway;

import static io.gatebench.junit.GatebenchAssertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.gatebench.junit.GatewayPerfTest;
import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.GatewayBenchmark;
import io.gatebench.runner.RelativeBaseline;

/** The performance gate: fails the build when the gateway makes errors, stalls, or became slower. */
@GatewayPerfTest(product = "http", gatewayConfig = "perf/gateway.yaml")
class TinyGatewayPerfIT {

    private static final Path BASELINE = Path.of("perf", "baseline.csv");

    @Test
    void forwardsWithoutErrorsAndAsFastAsBefore(GatewayBenchmark.Builder test) {
        BenchmarkResult result = test.users(10)
                .heaps("128M")
                .messageSizes(1024)
                // A JVM that was just started gets faster for the better part of a minute.
                .warmUpUntilSteady(Duration.ofSeconds(Integer.getInteger("perf.warm-up", 90)))
                .duration(Duration.ofSeconds(Integer.getInteger("perf.duration", 120)))
                .repeats(Integer.getInteger("perf.repeats", 3))
                .controlRun(true)
                .run();

        assertThat(result)
                .meetsAll(limits -> limits.hasNoErrors()
                        .p99IsBelow(Duration.ofMillis(500))
                        .gcThroughputIsAbove(80));
        if (Boolean.getBoolean("perf.update-baseline") || Files.notExists(BASELINE)) {
            System.out.println("the baseline " + BASELINE + " is written anew: nothing was compared");
            result.relativeBaseline().write(BASELINE);
            return;
        }
        // A loss of 5 % is accepted. What is noise, the repeats of both say; and the gate says what it could have found.
        assertThat(result).isNotSlowerThan(RelativeBaseline.read(BASELINE), 5);
    }
}
