/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import io.gatebench.runner.plan.RunPlan;

/**
 * Time that a run still needs: by the plan's estimate until a test case has ended, then by what the test cases have
 * really taken.
 */
final class RemainingTime {

    private final RunPlan plan;
    private final InstantSource clock;
    private Instant runStarted;
    private Instant lastEnded;
    private int measured;
    private int kept;

    RemainingTime(RunPlan plan, InstantSource clock) {
        this.plan = plan;
        this.clock = clock;
        runStarted = clock.instant();
        lastEnded = runStarted;
    }

    void runStarted() {
        runStarted = clock.instant();
    }

    void cellKept() {
        kept++;
    }

    void cellEnded() {
        measured++;
        lastEnded = clock.instant();
    }

    Duration left() {
        Duration left = measured == 0
                ? plan.estimate(plan.cells() - kept).minus(Duration.between(runStarted, clock.instant()))
                : Duration.between(runStarted, lastEnded)
                        .dividedBy(measured)
                        .multipliedBy(plan.cells() - kept - measured)
                        .minus(Duration.between(lastEnded, clock.instant()));
        return left.isNegative() ? Duration.ZERO : left;
    }
}
