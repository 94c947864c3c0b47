/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import io.gatebench.orchestrator.PerfTest;
import io.gatebench.orchestrator.PerfTestResult;

/**
 * Entry point of the assertions; its method stands beside that of AssertJ as a static import.
 *
 * @since 0.1
 */
public final class GatebenchAssertions {

    private GatebenchAssertions() {}

    /** Begins assertions on a result. */
    public static PerfTestResultAssert assertThat(PerfTestResult actual) {
        return new PerfTestResultAssert(actual);
    }

    /** Begins assertions on a gateway that is measured for them. */
    public static PerfTestAssert assertThat(PerfTest actual) {
        return new PerfTestAssert(actual);
    }
}
