/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;

import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.spi.RunListener;

/** Tells a listener what happens on several sets of hosts at once, one thing after the other. */
final class SerializedRunListener implements RunListener {

    private final RunListener listener;

    SerializedRunListener(RunListener listener) {
        this.listener = listener;
    }

    @Override
    public synchronized void runStarted(int cells, Duration estimate) {
        listener.runStarted(cells, estimate);
    }

    @Override
    public synchronized void cellStarted(int number, TestCase testCase, int repeat) {
        listener.cellStarted(number, testCase, repeat);
    }

    @Override
    public synchronized void cellKept(int number, TestCaseResult result) {
        listener.cellKept(number, result);
    }

    @Override
    public synchronized void step(String what) {
        listener.step(what);
    }

    @Override
    public synchronized void windowBegins() {
        listener.windowBegins();
    }

    @Override
    public synchronized void second(LiveSecond second) {
        listener.second(second);
    }

    @Override
    public synchronized void cellEnded(int number, TestCaseResult result, Duration took) {
        listener.cellEnded(number, result, took);
    }

    @Override
    public synchronized void note(String text) {
        listener.note(text);
    }
}
