/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import java.time.Duration;

import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.runner.run.Interruption;
import io.gatebench.spi.RunListener;

/**
 * Turns an interrupt of the measuring thread into the request that the run ends.
 *
 * <p>The interrupt is kept back until the results are on disk: files cannot be written by an interrupted thread.
 */
final class InterruptWatch implements RunListener {

    private final RunListener next;
    private final Interruption interruption;
    private boolean interrupted;

    InterruptWatch(RunListener next, Interruption interruption) {
        this.next = next;
        this.interruption = interruption;
    }

    private void look() {
        if (Thread.interrupted()) {
            interrupted = true;
            interruption.request();
        }
    }

    /** Interrupts the thread again if it was. */
    void restore() {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void runStarted(int cells, Duration estimate) {
        next.runStarted(cells, estimate);
    }

    @Override
    public void cellStarted(int number, TestCase testCase, int repeat) {
        look();
        next.cellStarted(number, testCase, repeat);
    }

    @Override
    public void cellKept(int number, TestCaseResult result) {
        next.cellKept(number, result);
    }

    @Override
    public void step(String what) {
        look();
        next.step(what);
    }

    @Override
    public void windowBegins() {
        next.windowBegins();
    }

    @Override
    public void second(LiveSecond second) {
        look();
        next.second(second);
    }

    @Override
    public void cellEnded(int number, TestCaseResult result, Duration took) {
        look();
        next.cellEnded(number, result, took);
    }

    @Override
    public void note(String text) {
        next.note(text);
    }
}
