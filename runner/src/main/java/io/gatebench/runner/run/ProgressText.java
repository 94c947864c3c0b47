/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;
import java.util.Locale;

import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.settings.Durations;

/** The lines that say how far a run is, wherever they are shown. */
public final class ProgressText {

    private ProgressText() {}

    /** Returns how much there is to do. */
    public static String started(int cells, Duration estimate) {
        return cells + (cells == 1 ? " test case, about " : " test cases, about ") + Durations.readable(estimate);
    }

    /** Returns that a case begins. */
    public static String begins(int number, int cells, TestCase testCase) {
        return place(number, cells) + testCase.id() + " ...";
    }

    /** Returns that a case was measured before. */
    public static String kept(int number, int cells, TestCaseResult result) {
        return place(number, cells) + result.testCase().id() + " kept: " + outcome(result) + " measured before";
    }

    /** Returns how a case has ended. */
    public static String ended(int number, int cells, TestCaseResult result, Duration took) {
        return place(number, cells) + result.testCase().id() + " " + outcome(result) + " in "
                + Durations.readable(took);
    }

    private static String place(int number, int cells) {
        return "[" + number + "/" + cells + "] ";
    }

    private static String outcome(TestCaseResult result) {
        return result.fold(
                completed -> completed.load().measurement().stream()
                        .findFirst()
                        .map(ProgressText::figures)
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
}
