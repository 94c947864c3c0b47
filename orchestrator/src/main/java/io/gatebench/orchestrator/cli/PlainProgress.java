/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.time.Duration;

import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.runner.run.ProgressText;

/** Progress as lines: one at the start and one at the end of each test case. */
final class PlainProgress implements Progress {

    private final PrintWriter err;
    private final int cells;

    PlainProgress(PrintWriter err, RunPlan plan) {
        this.err = err;
        this.cells = plan.cells();
    }

    @Override
    public void runStarted(int cells, Duration estimate) {
        line(ProgressText.started(cells, estimate));
    }

    @Override
    public void cellStarted(int number, TestCase testCase, int repeat) {
        line(ProgressText.begins(number, cells, testCase));
    }

    @Override
    public void cellKept(int number, TestCaseResult result) {
        line(ProgressText.kept(number, cells, result));
    }

    @Override
    public void cellEnded(int number, TestCaseResult result, Duration took) {
        line(ProgressText.ended(number, cells, result, took));
    }

    @Override
    public void clear() {}

    @Override
    public void note(String text) {
        line("note: " + text);
    }

    private void line(String text) {
        err.println(text);
        err.flush();
    }
}
