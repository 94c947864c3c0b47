/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import io.gatebench.model.PerfPlan;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.results.CaseChecksums;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;

/**
 * The test cases that an earlier start of the same run has finished.
 *
 * <p>A test case is kept if it was completed and all its files are as they were written. What was left of any other is
 * set aside, never deleted, and the test case is measured again.
 */
final class CompletedCases {

    /** Place in the results directory where results are set aside that are measured again. */
    static final String ASIDE = ".replaced";

    private final Map<String, TestCaseResult> kept = new HashMap<>();
    private final Map<String, String> redone = new LinkedHashMap<>();

    private CompletedCases() {}

    /** Returns those of a run that begins. */
    static CompletedCases none() {
        return new CompletedCases();
    }

    /**
     * Looks through the results directory of a run.
     *
     * @param stamp a name for this start of the run, for what is set aside
     * @throws ReportException if something cannot be set aside
     */
    static CompletedCases of(ResultsDirectory results, PerfPlan plan, String stamp) {
        CompletedCases cells = new CompletedCases();
        for (int repeat = 1; repeat <= plan.repeats(); repeat++) {
            for (TestCase testCase : plan.testCases()) {
                Path directory = results.caseDirectory(testCase, repeat);
                if (Files.exists(directory)) {
                    cells.look(results, testCase, repeat, directory, stamp);
                }
            }
        }
        return cells;
    }

    private void look(ResultsDirectory results, TestCase testCase, int repeat, Path directory, String stamp) {
        String why;
        try {
            Optional<TestCaseResult> result = results.result(testCase, repeat);
            List<String> problems = CaseChecksums.problems(directory);
            if (result.isPresent() && result.get() instanceof TestCaseResult.Failed failed) {
                why = "it had failed: " + failed.detail().lines().findFirst().orElse("");
            } else if (!problems.isEmpty()) {
                why = String.join(", ", problems);
            } else if (result.isPresent() && result.get() instanceof TestCaseResult.Completed) {
                kept.put(key(testCase, repeat), result.get());
                return;
            } else {
                why = "it was not finished";
            }
        } catch (ReportException e) {
            why = e.getMessage();
        }
        redone.put(key(testCase, repeat), why);
        setAside(results.root(), directory, stamp);
    }

    /** Moves something out of the way within the results directory. */
    static void setAside(Path root, Path what, String stamp) {
        Path to = root.resolve(ASIDE).resolve(stamp).resolve(root.relativize(what));
        try {
            Files.createDirectories(to.getParent());
            Files.move(what, to);
        } catch (IOException e) {
            throw new ReportException("cannot move " + what + " to " + to + ": " + e.getMessage(), e);
        }
    }

    private static String key(TestCase testCase, int repeat) {
        return testCase.id() + " repeat " + repeat;
    }

    /** Returns the result of a test case if it need not be measured again. */
    Optional<TestCaseResult> result(TestCase testCase, int repeat) {
        return Optional.ofNullable(kept.get(key(testCase, repeat)));
    }

    /** Returns whether no repeat of a test case need be measured again. */
    boolean isComplete(TestCase testCase, int repeats) {
        return IntStream.rangeClosed(1, repeats).allMatch(repeat -> kept.containsKey(key(testCase, repeat)));
    }

    /** Returns the number of test cases that are kept. */
    int count() {
        return kept.size();
    }

    /** Returns why test cases that had been begun are measured again, by test case. */
    Map<String, String> redone() {
        return redone;
    }
}
