/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.settings.Durations;

/** Progress as lines: one at the start and one at the end of each cell. */
final class PlainProgress implements Progress {

    private final PrintWriter err;
    private final int cells;

    PlainProgress(PrintWriter err, RunPlan plan) {
        this.err = err;
        this.cells = plan.cells();
    }

    @Override
    public void runStarted(int cells, Duration estimate) {
        line(cells + (cells == 1 ? " cell, about " : " cells, about ") + Durations.readable(estimate));
    }

    @Override
    public void cellStarted(int number, TestCase testCase, int repeat) {
        line("[" + number + "/" + cells + "] " + testCase.id() + " ...");
    }

    @Override
    public void cellKept(int number, TestCaseResult result) {
        line(kept(number, cells, result));
    }

    static String kept(int number, int cells, TestCaseResult result) {
        return "[" + number + "/" + cells + "] " + result.testCase().id() + " kept: " + outcome(result)
                + " measured before";
    }

    @Override
    public void cellEnded(int number, TestCaseResult result, Duration took) {
        line("[" + number + "/" + cells + "] " + result.testCase().id() + " " + outcome(result) + " in "
                + Durations.readable(took));
    }

    @Override
    public void clear() {}

    @Override
    public void note(String text) {
        line("note: " + text);
    }

    /** Returns the figures of a cell, or why there are none, in a few words. */
    static String outcome(TestCaseResult result) {
        return result.fold(
                completed -> completed.load().measurement().stream()
                        .findFirst()
                        .map(PlainProgress::figures)
                        .orElse("done"),
                // What a process printed last comes at the end of the run, with the whole of it.
                failed -> "FAILED: "
                        + failed.detail().lines().findFirst().orElse("").replaceFirst("; its last lines:$", "") + ",",
                skipped -> "skipped: " + skipped.why());
    }

    private static String figures(SampleStatistics s) {
        return String.format(
                Locale.ROOT,
                "%.0f requests/s, mean %.1f ms, p99 %.1f ms, %d errors,",
                s.throughputPerSecond(),
                s.all().meanMillis(),
                s.all().p99Millis(),
                s.errors());
    }

    private void line(String text) {
        err.println(text);
        err.flush();
    }
}
