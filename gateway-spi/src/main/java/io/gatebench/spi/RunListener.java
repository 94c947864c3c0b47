/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi;

import java.time.Duration;

import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;

/**
 * Is told what happens in a run; called by one thread at a time and must return quickly.
 *
 * @since 0.1
 */
public interface RunListener {

    /** A listener that does nothing. */
    RunListener SILENT = new RunListener() {};

    /** The run begins. */
    default void runStarted(int cells, Duration estimate) {}

    /**
     * A test case begins.
     *
     * @param number its number, from 1
     */
    default void cellStarted(int number, TestCase testCase, int repeat) {}

    /** A test case need not be measured: an earlier start of the run has finished it. */
    default void cellKept(int number, TestCaseResult result) {}

    /** Takes the step that a test case is at now, e.g. {@code starting the gateway}. */
    default void step(String what) {}

    /** The measurement window of the load begins. */
    default void windowBegins() {}

    /** One more second of load. */
    default void second(LiveSecond second) {}

    /** A test case has ended and its result is on disk. */
    default void cellEnded(int number, TestCaseResult result, Duration took) {}

    /** Something that the user should know, e.g. that another port was chosen. */
    default void note(String text) {}

    /**
     * The load of one second.
     *
     * @param second seconds since the load began
     * @param samples samples that ended in it
     * @param errors failed samples among them
     * @param p99Millis 99th percentile of their response times
     * @param users users at work
     */
    record LiveSecond(int second, long samples, long errors, double p99Millis, int users) {}
}
