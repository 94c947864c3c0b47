/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.maven;

import java.time.Duration;

import org.apache.maven.plugin.logging.Log;

import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.runner.run.ProgressText;
import io.gatebench.spi.RunListener;

/** Tells the log of a build how far a run is. */
final class LogListener implements RunListener {

    private final Log log;
    private int cells;

    LogListener(Log log) {
        this.log = log;
    }

    @Override
    public void runStarted(int cells, Duration estimate) {
        this.cells = cells;
        log.info(ProgressText.started(cells, estimate));
    }

    @Override
    public void cellStarted(int number, TestCase testCase, int repeat) {
        log.info(ProgressText.begins(number, cells, testCase));
    }

    @Override
    public void step(String what) {
        log.debug(what);
    }

    @Override
    public void cellEnded(int number, TestCaseResult result, Duration took) {
        log.info(ProgressText.ended(number, cells, result, took));
    }

    @Override
    public void note(String text) {
        log.info(text);
    }
}
