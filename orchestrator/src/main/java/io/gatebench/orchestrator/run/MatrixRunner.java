/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.run;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.gatebench.model.RunResult;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.orchestrator.Gateway;
import io.gatebench.report.results.ResultsDirectory;

/** Runs the cells of a plan one after the other; each result is on disk before the next cell begins. */
public final class MatrixRunner {

    private final RunContext run;
    private final Gateway gateway;
    private final ResultsDirectory results;
    private final Interruption interruption;
    private final CaseRunner cases;

    /** Creates a runner. */
    public MatrixRunner(
            RunContext run,
            Gateway gateway,
            ResultsDirectory results,
            Interruption interruption,
            LoadSettings settings) {
        this.run = run;
        this.gateway = gateway;
        this.results = results;
        this.interruption = interruption;
        this.cases = new CaseRunner(run, gateway, results, interruption, settings);
    }

    /**
     * Runs every cell; one that fails does not stop the others.
     *
     * @return the results in the order in which they were made; after an interruption the cells that were not tried
     *     are {@code Skipped} and not on disk
     */
    public List<RunResult> run() {
        List<TestCase> testCases = run.plan().testCases();
        Map<String, TestScenario> scenarios =
                run.plan().scenarios().stream().collect(Collectors.toMap(TestScenario::name, Function.identity()));
        List<RunResult> all = new ArrayList<>();
        run.listener().step("preparing the gateway");
        gateway.initialize(run);
        int number = 0;
        // Repeats go round the whole matrix: what drifts slowly then spreads over all cells alike.
        for (int repeat = 1; repeat <= run.plan().repeats(); repeat++) {
            for (TestCase testCase : testCases) {
                number++;
                if (interruption.isRequested()) {
                    all.add(new RunResult.Skipped(testCase, repeat, "the run was interrupted before this cell"));
                    continue;
                }
                run.listener().cellStarted(number, testCase, repeat);
                Instant began = run.clock().instant();
                RunResult result = cases.run(scenarios.get(testCase.scenario()), testCase, repeat);
                results.write(result);
                all.add(result);
                run.listener()
                        .cellEnded(
                                number,
                                result,
                                Duration.between(began, run.clock().instant()));
            }
        }
        return all;
    }
}
