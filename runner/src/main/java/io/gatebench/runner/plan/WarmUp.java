/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.time.Duration;
import java.util.Optional;

import io.gatebench.model.TestTiming;
import io.gatebench.settings.Durations;

/**
 * A warm-up as a plan gives it: {@code 20s}, {@code auto} or {@code auto:90s}.
 *
 * @param untilSteady whether it ends when the load is steady
 * @param length how long it takes, or at most
 */
record WarmUp(boolean untilSteady, Optional<Duration> length) {

    /** A gateway on two processors has taken up to 47 s; one that is still not steady after this may never be. */
    static final Duration DEFAULT_LIMIT = Duration.ofSeconds(120);
    /** Length of a warm-up where the profile would wait for a steady load and what the user said does not allow it. */
    static final Duration DEFAULT_LENGTH = Duration.ofSeconds(20);

    private static final String AUTO = "auto";

    static WarmUp parse(String text) {
        if (text.equals(AUTO)) {
            return new WarmUp(true, Optional.empty());
        }
        if (text.startsWith(AUTO + ":")) {
            return new WarmUp(true, Optional.of(Durations.parse(text.substring(AUTO.length() + 1), "s")));
        }
        return new WarmUp(false, Optional.of(Durations.parse(text, "s")));
    }

    /** Returns the warm-up of a timing in the form of a plan. */
    static String text(TestTiming timing) {
        return (timing.untilSteady() ? AUTO + ":" : "") + Durations.readable(timing.warmUp());
    }
}
