/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.product;

import java.time.Duration;

import io.gatebench.model.TestTiming;

/** What the quick profiles of all products have in common. */
final class QuickProfile {

    /** Long enough for a JVM gateway to compile its hot path on two processors, short enough for a first look. */
    static final TestTiming TIMING =
            new TestTiming(Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(3));

    private QuickProfile() {}
}
