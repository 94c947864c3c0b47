/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.product;

import java.time.Duration;

import io.gatebench.model.TestTiming;

/** What the quick profiles of all products have in common. */
final class QuickProfile {

    /** A window of 10 s as soon as the compiler of a JVM gateway has done its work. */
    static final TestTiming TIMING =
            new TestTiming(Duration.ofSeconds(130), Duration.ofSeconds(120), Duration.ofSeconds(2), true);

    private QuickProfile() {}
}
