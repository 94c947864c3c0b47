/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways;

import java.time.Duration;

import io.gatebench.model.TestTiming;

/** Plan that the quick profiles of all products have in common. */
final class QuickProfile {

    /** A window of 15 s as soon as the compiler of a JVM gateway has done its work: a run of four cells takes four minutes. */
    static final TestTiming TIMING =
            new TestTiming(Duration.ofSeconds(135), Duration.ofSeconds(120), Duration.ofSeconds(2), true);

    private QuickProfile() {}
}
