/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;

import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestTiming;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.runner.run.ProgressText;
import io.gatebench.settings.Durations;

/** Progress as one line that is rewritten in place, with a lasting line for each finished test case. */
final class TerminalProgress implements Progress {

    private static final String REWRITE = "\r\u001b[K";
    /** A window that was made narrower since must cut the line: one that is wrapped could not be rewritten. */
    private static final String NO_WRAP = "\u001b[?7l";

    private static final String WRAP = "\u001b[?7h";

    private final PrintWriter err;
    private final RunPlan plan;
    private final RemainingTime remaining;
    private final int columns;
    private final int cells;
    private String cell = "";
    private int number;
    private String step = "";
    private int lastSecond = -1;
    private int windowFrom = -1;

    TerminalProgress(PrintWriter err, RunPlan plan, InstantSource clock, int columns) {
        this.err = err;
        this.columns = columns;
        this.plan = plan;
        this.remaining = new RemainingTime(plan, clock);
        this.cells = plan.cells();
    }

    @Override
    public void runStarted(int count, Duration estimate) {
        remaining.runStarted();
        lasting(count + (count == 1 ? " test case, about " : " test cases, about ") + Durations.readable(estimate));
    }

    @Override
    public void cellStarted(int cellNumber, TestCase testCase, int repeat) {
        number = cellNumber;
        cell = testCase.id();
        step("preparing");
    }

    @Override
    public void windowBegins() {
        windowFrom = lastSecond + 1;
    }

    @Override
    public void step(String what) {
        windowFrom = -1;
        lastSecond = -1;
        step = what;
        rewrite(head() + " " + step);
    }

    @Override
    public void second(LiveSecond second) {
        TestTiming timing = plan.plan().timing();
        lastSecond = second.second();
        boolean warm = timing.untilSteady()
                ? windowFrom < 0
                : second.second() < timing.warmUp().toSeconds();
        long end = timing.untilSteady() && !warm
                ? windowFrom + timing.measurement().toSeconds()
                : timing.duration().toSeconds();
        long left = end - second.second() - 1;
        rewrite(String.format(
                Locale.ROOT,
                "%s %s%s %s left, %s in all | %d req/s, p99 %.1f ms, %d errors",
                head(),
                step.equals("load") ? "" : step + ", ",
                warm ? timing.untilSteady() ? "warm-up until steady, at most" : "warm-up," : "measuring,",
                Durations.readable(Duration.ofSeconds(Math.max(0, left))),
                Durations.readable(remaining.left()),
                second.samples(),
                second.p99Millis(),
                second.errors()));
    }

    @Override
    public void cellKept(int cellNumber, TestCaseResult result) {
        remaining.cellKept();
        lasting(ProgressText.kept(cellNumber, cells, result));
    }

    @Override
    public void cellEnded(int cellNumber, TestCaseResult result, Duration took) {
        remaining.cellEnded();
        lasting(ProgressText.ended(cellNumber, cells, result, took));
    }

    @Override
    public void clear() {
        err.print(REWRITE + WRAP);
        err.flush();
    }

    @Override
    public void note(String text) {
        lasting("note: " + text);
    }

    private String head() {
        return "[" + number + "/" + cells + "] " + cell;
    }

    private void rewrite(String foreign) {
        String text = PrintableWriter.text(foreign);
        err.print(REWRITE + NO_WRAP + (text.length() < columns ? text : shorten(text, columns - 1)) + WRAP);
        err.flush();
    }

    /** Cuts the words of the test case's path first and then its end, before any of the figures behind it. */
    private String shorten(String text, int width) {
        String shortCell = cell.replaceAll("_heap|_users|_sleep", "");
        String shorter = text.replace(cell, shortCell);
        int tooLong = shorter.length() - width;
        if (tooLong <= 0) {
            return shorter;
        }
        int kept = Math.max(0, shortCell.length() - tooLong - 1);
        String shortest = text.replace(cell, shortCell.substring(0, kept) + "…");
        return shortest.length() <= width ? shortest : shortest.substring(0, width);
    }

    private void lasting(String text) {
        err.println(REWRITE + PrintableWriter.text(text));
        err.flush();
    }
}
