/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import static io.gatebench.junit.GatebenchAssertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.Test;

import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.CaseResult;
import io.gatebench.runner.GatewayBenchmark;
import io.gatebench.runner.RelativeBaseline;

/**
 * Our own gate: the built-in gateway under real load, judged by its part of what the back end alone does on the same
 * machine at the same time.
 */
@GatewayPerfTest(product = "apim", scenarios = "passthrough")
class ReferenceGatewayPerfIT {

    private static final Path BASELINE = Path.of("src", "test", "baselines", "reference-gateway.csv");

    /** A loss that nobody looks for; what is noise, the repeats say. */
    private static final double ACCEPTED_PERCENT = 5;

    @Test
    void forwardsWithoutErrorsAndAsFastAsBefore(GatewayBenchmark.Builder test) {
        BenchmarkResult result = test.users(10)
                .heaps("512M")
                .messageSizes(1024)
                // A gateway that has just started gets faster for half a minute, on two processors.
                .duration(Duration.ofSeconds(50))
                .warmUp(Duration.ofSeconds(35))
                .repeats(3)
                .controlRun(true)
                .run();

        assertThat(result).hasNoErrors().gcThroughputIsAbove(90).p99IsBelow(Duration.ofSeconds(1));
        for (CaseResult cell : result.cells()) {
            System.out.printf(
                    "%s: %.0f requests/s, %.3f of the %.0f straight to the back end; %s%n",
                    cell.name(),
                    cell.throughputPerSecond(),
                    cell.throughputRatioToControl().orElseThrow(),
                    cell.throughputPerSecond() / cell.throughputRatioToControl().orElseThrow(),
                    cell.verdict().text());
        }
        if (Boolean.getBoolean("gatebench.update-baseline")) {
            System.out.println("the baseline " + BASELINE + " is written anew: nothing was compared");
            result.relativeBaseline().write(BASELINE);
            return;
        }
        assertThat(result).isNotSlowerThan(RelativeBaseline.read(BASELINE), ACCEPTED_PERCENT);
    }
}
