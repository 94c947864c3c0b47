/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import static io.gatebench.junit.GatebenchAssertions.assertThat;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.GatewayBenchmark;

/** Limits that the built-in gateway keeps under real load on any machine; whether it got slower says {@link BuildBeforePerfIT}. */
@GatewayPerfTest(product = "apim", scenarios = "passthrough")
class ReferenceGatewayPerfIT {

    @Test
    void forwardsWithoutErrorsWithinItsLimits(GatewayBenchmark.Builder test) {
        BenchmarkResult result = test.users(10)
                .heaps("512M")
                .messageSizes(1024)
                .duration(Duration.ofSeconds(180))
                .warmUpUntilSteady(Duration.ofSeconds(150))
                .run();

        assertThat(result).hasNoErrors().gcThroughputIsAbove(90).p99IsBelow(Duration.ofSeconds(1));
    }
}
