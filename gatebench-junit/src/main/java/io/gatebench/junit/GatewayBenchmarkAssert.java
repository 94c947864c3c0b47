/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import java.time.Duration;

import org.assertj.core.api.AbstractAssert;

import io.gatebench.runner.GatewayBenchmark;
import io.gatebench.runner.SideBySide;

/**
 * Assertions on a gateway that is measured for them, as a test describes it.
 *
 * @since 0.1
 */
public final class GatewayBenchmarkAssert extends AbstractAssert<GatewayBenchmarkAssert, GatewayBenchmark> {

    /** Time for which two gateways are measured unless it is said. */
    public static final Duration DEFAULT_LONGEST = Duration.ofMinutes(30);

    GatewayBenchmarkAssert(GatewayBenchmark actual) {
        super(actual, GatewayBenchmarkAssert.class);
    }

    /**
     * Begins to hold the gateway against another one, mostly that of the release before. Nothing is measured before {@link
     * NotSlower#by} is called.
     *
     * @param before the same cases of the other gateway
     */
    public NotSlower isNotSlowerThan(GatewayBenchmark before) {
        isNotNull();
        return new NotSlower(before, DEFAULT_LONGEST);
    }

    /**
     * Limit by how much, and how surely, it may not be slower.
     *
     * @since 0.1
     */
    public final class NotSlower {

        private final GatewayBenchmark before;
        private final Duration longest;

        private NotSlower(GatewayBenchmark before, Duration longest) {
            this.before = before;
            this.longest = longest;
        }

        /** Ends the measurement at the latest when no further start fits into this time. */
        public NotSlower within(Duration time) {
            return new NotSlower(before, time);
        }

        /**
         * Measures both in turns, and verifies that a larger loss is ruled out. What is not known when the time is over fails
         * too: a gate that passes when it knows nothing is none.
         */
        public GatewayBenchmarkAssert by(double loss, LossUnit unit) {
            SideBySide result = actual.sideBySide(before, loss, longest);
            if (result.failure().isPresent()) {
                failWithMessage(
                        "Expecting a gateway that can be measured, but%n  %s",
                        result.failure().get());
            }
            if (!result.lossRuledOut()) {
                failWithMessage(
                        "Expecting no loss above %s %%, but %s:%n%s%nEvery window: %s",
                        loss,
                        result.slower()
                                ? "B, the gateway under test, is slower than A"
                                : "it is not ruled out after " + longest.toSeconds() + " s; give it more time",
                        result.table(),
                        result.directory());
            }
            return GatewayBenchmarkAssert.this;
        }
    }
}
