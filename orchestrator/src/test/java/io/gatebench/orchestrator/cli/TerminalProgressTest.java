/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.runner.plan.PlanBuilder;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.settings.Durations;
import io.gatebench.spi.RunListener.LiveSecond;

class TerminalProgressTest {

    private final SteppedClock clock = new SteppedClock();
    private final StringWriter screen = new StringWriter();
    private final RunPlan plan = plan();
    private final List<TestCase> cells = plan.plan().testCases();

    @Test
    void tellsTheCellTheTimeLeftAndTheLiveFigures() {
        TerminalProgress progress = new TerminalProgress(new PrintWriter(screen), plan, clock, 120);
        progress.runStarted(4, plan.estimate());
        progress.cellStarted(1, cells.get(0), 1);
        progress.step("load");
        clock.forward(Duration.ofSeconds(10));

        progress.second(new LiveSecond(4, 812, 3, 7.25, 10));

        String left = Durations.readable(plan.estimate().minusSeconds(10));
        assertThat(line())
                .isEqualTo("[1/4] passthrough/512M_heap/10_users/1024B/0ms_sleep warm-up, 15s left, " + left
                        + " in all | 812 req/s, p99 7.3 ms, 3 errors");
    }

    @Test
    void leavesAnEmptyLineForTheResult() {
        TerminalProgress progress = new TerminalProgress(new PrintWriter(screen), plan, clock, 120);
        progress.cellStarted(1, cells.get(0), 1);
        progress.step("writing the report");

        progress.clear();

        assertThat(screen.toString()).endsWith("\r\u001b[K\u001b[?7h");
    }

    @Test
    void judgesTheTimeLeftByTheCellsThatHaveEnded() {
        TerminalProgress progress = new TerminalProgress(new PrintWriter(screen), plan, clock, 120);
        progress.cellStarted(1, cells.get(0), 1);
        clock.forward(Duration.ofSeconds(40));
        progress.cellEnded(1, new TestCaseResult.Skipped(cells.get(0), 1, "it was a trial"), Duration.ofSeconds(40));
        progress.cellStarted(2, cells.get(1), 1);
        progress.step("load");
        clock.forward(Duration.ofSeconds(15));

        progress.second(new LiveSecond(11, 900, 0, 5, 20));

        // Three more test cases of 40 s, of which 15 s are gone.
        assertThat(line()).contains("measuring, 8s left, 1m 45s in all");
    }

    @Test
    void tellsOfAWarmUpThatMayEndSooner() {
        RunPlan untilSteady = plan("auto:60s", "70s");
        TerminalProgress progress = new TerminalProgress(new PrintWriter(screen), untilSteady, clock, 120);
        progress.cellStarted(1, cells.get(0), 1);
        progress.step("load");

        progress.second(new LiveSecond(14, 812, 3, 7.25, 10));
        assertThat(line()).contains(" warm-up until steady, at most 55s left");

        progress.windowBegins();
        progress.second(new LiveSecond(15, 812, 3, 7.25, 10));
        assertThat(line()).contains(" measuring, 9s left");

        progress.cellStarted(2, cells.get(1), 1);
        progress.second(new LiveSecond(0, 812, 3, 7.25, 10));
        assertThat(line()).contains(" warm-up until steady, ");
    }

    @Test
    void namesTheControlRun() {
        TerminalProgress progress = new TerminalProgress(new PrintWriter(screen), plan, clock, 120);
        progress.cellStarted(1, cells.get(0), 1);
        progress.step("control run");

        progress.second(new LiveSecond(4, 812, 3, 7.25, 10));

        assertThat(line()).contains(" control run, warm-up, 15s left");
    }

    @Test
    void keepsTheFiguresOnANarrowTerminal() {
        for (int columns : List.of(100, 90, 80)) {
            screen.getBuffer().setLength(0);
            TerminalProgress progress = new TerminalProgress(new PrintWriter(screen), plan, clock, columns);
            progress.cellStarted(1, cells.get(0), 1);
            progress.step("load");

            progress.second(new LiveSecond(4, 812, 3, 7.25, 10));

            assertThat(line()).hasSizeLessThan(columns).startsWith("[1/4] ").endsWith("3 errors");
        }
    }

    /** What stands on the screen after the last rewriting, without the control sequences. */
    private String line() {
        String text = screen.toString();
        return text.substring(text.lastIndexOf('\r') + 1).replaceAll("\u001b\\[[?0-9]*[a-zA-Z]", "");
    }

    private static RunPlan plan() {
        return plan("10s", "20s");
    }

    private static RunPlan plan(String warmUp, String duration) {
        PlanInput input = new PlanInput();
        input.option(PlanKey.PRODUCT, "apim");
        input.option(PlanKey.SCENARIO, "passthrough");
        input.option(PlanKey.USERS, "10,20,30,40");
        input.option(PlanKey.DURATION, duration);
        input.option(PlanKey.WARM_UP, warmUp);
        return new PlanBuilder(ProductRegistry.load().products()).build(input);
    }
}
