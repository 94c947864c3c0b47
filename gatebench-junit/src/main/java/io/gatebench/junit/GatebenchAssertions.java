/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import io.gatebench.runner.BenchmarkResult;
import io.gatebench.runner.GatewayBenchmark;

/**
 * Entry point of the assertions; its method stands beside that of AssertJ as a static import.
 *
 * @since 0.1
 */
public final class GatebenchAssertions {

    private GatebenchAssertions() {}

    /** Begins assertions on a result. */
    public static BenchmarkResultAssert assertThat(BenchmarkResult actual) {
        return new BenchmarkResultAssert(actual);
    }

    /** Begins assertions on a gateway that is measured for them. */
    public static GatewayBenchmarkAssert assertThat(GatewayBenchmark actual) {
        return new GatewayBenchmarkAssert(actual);
    }
}
