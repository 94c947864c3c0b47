/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestScenario;
import io.gatebench.report.results.CaseChecksums;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.spi.RunContext;

/** Runs the test cases of a plan one after the other; each result is on disk before the next test case begins. */
final class MatrixRunner {

    private final RunContext run;
    private final ResultsDirectory results;
    private final Interruption interruption;
    private final CaseRunner cases;
    private final CompletedCases earlier;
    private final Share share;

    /**
     * Test cases that a runner measures.
     *
     * @param cells the test cases
     * @param stopOnFailure whether no test case is tried any more after one that failed
     * @param stopped why no further test case is tried, the same for all that share a plan out; null while test cases
     *     are tried
     */
    record Share(Set<TestCase> cells, boolean stopOnFailure, AtomicReference<@Nullable String> stopped) {}

    /**
     * Creates a runner.
     *
     * @param earlier the test cases that need not be measured again
     */
    MatrixRunner(
            RunContext run,
            Replicas replicas,
            ResultsDirectory results,
            Interruption interruption,
            LoadSettings settings,
            CompletedCases earlier,
            Share share) {
        this.earlier = earlier;
        this.share = share;
        this.run = run;
        this.results = results;
        this.interruption = interruption;
        this.cases = new CaseRunner(run, replicas, results, interruption, settings);
    }

    /**
     * Runs every test case of the share; one that fails does not stop the others unless that was asked for.
     *
     * @return the results in the order of the plan; test cases that were not tried are {@code Skipped} and not on disk
     * @throws io.gatebench.report.results.ReportException if a result cannot be written
     */
    List<TestCaseResult> run() {
        List<TestCase> testCases = run.plan().testCases();
        Map<String, TestScenario> scenarios =
                run.plan().scenarios().stream().collect(Collectors.toMap(TestScenario::name, Function.identity()));
        try {
            return run(testCases, scenarios);
        } finally {
            cases.close();
        }
    }

    private List<TestCaseResult> run(List<TestCase> testCases, Map<String, TestScenario> scenarios) {
        List<TestCaseResult> all = new ArrayList<>();
        int number = 0;
        // Repeats go round the whole matrix: what drifts slowly then spreads over all test cases alike.
        for (int repeat = 1; repeat <= run.plan().repeats(); repeat++) {
            for (TestCase testCase : testCases) {
                number++;
                if (!share.cells().contains(testCase)) {
                    continue;
                }
                Optional<TestCaseResult> kept = earlier.result(testCase, repeat);
                if (kept.isPresent()) {
                    run.listener().cellKept(number, kept.get());
                    all.add(kept.get());
                    continue;
                }
                if (interruption.isRequested()) {
                    share.stopped().set("the run was interrupted before this test case");
                }
                String why = share.stopped().get();
                if (why != null) {
                    all.add(new TestCaseResult.Skipped(testCase, repeat, why));
                    continue;
                }
                TestCaseResult result =
                        measure(number, scenarios.get(testCase.scenario()), testCase, repeat, next(number));
                all.add(result);
                if (share.stopOnFailure() && result instanceof TestCaseResult.Failed) {
                    share.stopped().set("test case " + number + " failed, and the run was to stop then");
                }
            }
        }
        return all;
    }

    /** Returns the test case that is measured after the one of that number, if there is one. */
    private Optional<TestCase> next(int number) {
        List<TestCase> testCases = run.plan().testCases();
        for (int i = number; i < testCases.size() * run.plan().repeats(); i++) {
            TestCase candidate = testCases.get(i % testCases.size());
            if (share.cells().contains(candidate)
                    && earlier.result(candidate, i / testCases.size() + 1).isEmpty()) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    private TestCaseResult measure(
            int number, TestScenario scenario, TestCase testCase, int repeat, Optional<TestCase> next) {
        run.listener().cellStarted(number, testCase, repeat);
        Instant began = run.clock().instant();
        run.environment().recover();
        TestCaseResult result = cases.run(scenario, testCase, repeat, next);
        results.write(result);
        CaseChecksums.write(results.caseDirectory(testCase, repeat));
        run.listener()
                .cellEnded(number, result, Duration.between(began, run.clock().instant()));
        return result;
    }
}
