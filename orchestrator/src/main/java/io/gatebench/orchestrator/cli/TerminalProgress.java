/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

import io.gatebench.model.RunResult;
import io.gatebench.model.TestCase;
import io.gatebench.orchestrator.plan.Durations;
import io.gatebench.orchestrator.plan.RunPlan;
import io.gatebench.orchestrator.run.RunListener;

/** Progress as one line that is rewritten in place, with a lasting line for each finished cell. */
final class TerminalProgress implements RunListener {

    private static final String REWRITE = "\r\u001b[K";
    private static final int WIDTH_WITHOUT_COLUMNS = 100;

    private final PrintWriter err;
    private final RunPlan plan;
    private final InstantSource clock;
    private final int cells;
    private Instant runStarted;
    private String cell = "";
    private int number;
    private String step = "";
    private int finished;

    TerminalProgress(PrintWriter err, RunPlan plan, InstantSource clock) {
        this.err = err;
        this.plan = plan;
        this.clock = clock;
        this.cells = plan.cells();
        this.runStarted = clock.instant();
    }

    @Override
    public void runStarted(int count, Duration estimate) {
        runStarted = clock.instant();
        lasting(count + " cells, about " + Durations.readable(estimate));
    }

    @Override
    public void cellStarted(int cellNumber, TestCase testCase, int repeat) {
        number = cellNumber;
        cell = testCase.id();
        step("preparing");
    }

    @Override
    public void step(String what) {
        step = what;
        rewrite(head() + " " + step);
    }

    @Override
    public void second(LiveSecond second) {
        long left = plan.plan().timing().duration().toSeconds() - second.second() - 1;
        boolean warm = second.second() < plan.plan().timing().warmUp().toSeconds();
        rewrite(String.format(
                Locale.ROOT,
                "%s %s %s left, %s in all | %d req/s, p99 %.1f ms, %d errors, %d users",
                head(),
                warm ? "warm-up," : "measuring,",
                Durations.readable(Duration.ofSeconds(Math.max(0, left))),
                Durations.readable(leftInAll()),
                second.samples(),
                second.p99Millis(),
                second.errors(),
                second.users()));
    }

    @Override
    public void cellEnded(int cellNumber, RunResult result, Duration took) {
        finished = cellNumber;
        lasting("[" + cellNumber + "/" + cells + "] " + result.testCase().id() + " " + PlainProgress.outcome(result)
                + " in " + Durations.readable(took));
    }

    @Override
    public void note(String text) {
        lasting("note: " + text);
    }

    /** The plan's estimate until a cell has ended, then what the cells have really taken. */
    private Duration leftInAll() {
        Duration gone = Duration.between(runStarted, clock.instant());
        Duration all = finished == 0
                ? plan.estimate()
                : gone.dividedBy(Math.max(1, number)).compareTo(plan.estimate().dividedBy(cells)) > 0
                        ? gone.dividedBy(Math.max(1, number)).multipliedBy(cells)
                        : plan.estimate();
        Duration left = all.minus(gone);
        return left.isNegative() ? Duration.ZERO : left;
    }

    private String head() {
        return "[" + number + "/" + cells + "] " + cell;
    }

    private void rewrite(String text) {
        String columns = System.getenv("COLUMNS");
        int width =
                columns != null && columns.matches("[1-9]\\d{1,3}") ? Integer.parseInt(columns) : WIDTH_WITHOUT_COLUMNS;
        err.print(REWRITE + (text.length() < width ? text : shorten(text, width - 1)));
        err.flush();
    }

    /** Cuts the cell's path, not the figures behind it. */
    private String shorten(String text, int width) {
        String shorter = text.replace(cell, cell.replaceAll("_heap|_users|_sleep", ""));
        return shorter.length() <= width ? shorter : shorter.substring(0, width);
    }

    private void lasting(String text) {
        err.println(REWRITE + text);
        err.flush();
    }
}
