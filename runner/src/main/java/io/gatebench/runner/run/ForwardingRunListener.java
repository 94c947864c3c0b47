/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;

import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.spi.RunListener;

/** A listener that tells another one everything, but for the methods that it has of its own. */
public interface ForwardingRunListener extends RunListener {

    /** Returns the other one. */
    RunListener next();

    /** Tells the other one something. */
    default void tell(Runnable what) {
        what.run();
    }

    @Override
    default void runStarted(int cells, Duration estimate) {
        tell(() -> next().runStarted(cells, estimate));
    }

    @Override
    default void cellStarted(int number, TestCase testCase, int repeat) {
        tell(() -> next().cellStarted(number, testCase, repeat));
    }

    @Override
    default void cellKept(int number, TestCaseResult result) {
        tell(() -> next().cellKept(number, result));
    }

    @Override
    default void step(String what) {
        tell(() -> next().step(what));
    }

    @Override
    default void windowBegins() {
        tell(() -> next().windowBegins());
    }

    @Override
    default void second(LiveSecond second) {
        tell(() -> next().second(second));
    }

    @Override
    default void cellEnded(int number, TestCaseResult result, Duration took) {
        tell(() -> next().cellEnded(number, result, took));
    }

    @Override
    default void note(String text) {
        tell(() -> next().note(text));
    }
}
