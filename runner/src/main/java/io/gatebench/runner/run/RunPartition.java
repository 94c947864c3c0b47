/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import io.gatebench.model.FailureReason;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.results.CaseChecksums;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.role.RoleStartException;

/**
 * Part of a run that one set of hosts measures, from the preparation of its gateway to the removal of what was set up there.
 *
 * @param suffix what keeps its files apart from those of the other sets; empty if it is the only one
 * @param context the hosts, and what holds for all test cases
 * @param plan the whole plan
 * @param replicas gateways of its own
 * @param results where results go, the same for all sets
 * @param earlier the test cases that need not be measured again
 * @param share its test cases
 * @param interruption the wish of the user that the run ends
 */
record RunPartition(
        String suffix,
        RunContext context,
        RunPlan plan,
        Replicas replicas,
        ResultsDirectory results,
        CompletedCases earlier,
        MatrixRunner.Share share,
        Interruption interruption) {

    /**
     * Measures on all sets of hosts side by side. One that cannot be used fails its own test cases alone.
     *
     * @return the results of all test cases
     * @throws EnvironmentException if no set can be used
     * @throws io.gatebench.report.results.ReportException if a result cannot be written
     */
    static List<TestCaseResult> runAll(List<RunPartition> parts) {
        if (parts.size() == 1) {
            return parts.get(0).run();
        }
        Map<Integer, List<TestCaseResult>> measured = new ConcurrentHashMap<>();
        Map<Integer, String> problems = new ConcurrentHashMap<>();
        Map<Integer, RuntimeException> errors = new ConcurrentHashMap<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            int index = i;
            RunPartition part = parts.get(i);
            threads.add(new Thread(
                    () -> {
                        try {
                            measured.put(index, part.runUnless());
                        } catch (EnvironmentException | HostException | RoleStartException e) {
                            problems.put(index, String.valueOf(e.getMessage()));
                            part.context
                                    .listener()
                                    .note("stack " + part.suffix.substring(1) + " measures nothing: " + e.getMessage());
                        } catch (RuntimeException e) {
                            // What the others have begun is kept, and nothing more is begun.
                            part.share.stopped().compareAndSet(null, "the run broke off: " + e.getMessage());
                            errors.put(index, e);
                        }
                    },
                    "gatebench-stack" + part.suffix));
        }
        threads.forEach(Thread::start);
        join(threads, parts.get(0).interruption);
        if (!errors.isEmpty()) {
            throw errors.values().iterator().next();
        }
        if (problems.size() == parts.size()) {
            throw new EnvironmentException(new TreeMap<>(problems)
                    .entrySet().stream()
                            .map(problem -> "stack "
                                    + parts.get(problem.getKey()).suffix.substring(1) + ": " + problem.getValue())
                            .toList());
        }
        problems.forEach(
                (index, problem) -> measured.put(index, parts.get(index).withoutMeasurement(problem)));
        return measured.values().stream().flatMap(List::stream).toList();
    }

    /** Waits for all, whatever happens: each ends by itself when the run is to end. */
    private static void join(List<Thread> threads, Interruption interruption) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    interruption.request();
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private List<TestCaseResult> runUnless() {
        Optional<String> problem = context.environment().problem();
        if (problem.isPresent()) {
            throw new EnvironmentException(List.of(problem.get()));
        }
        return run();
    }

    private List<TestCaseResult> run() {
        LoadSettings load = new LoadSettings(
                plan.httpClient(), plan.payload(), plan.load(), plan.probeEvery(), plan.keepFailedRows());
        long open = share.cells().stream()
                .filter(cell -> !earlier.isComplete(cell, plan.plan().repeats()))
                .count();
        if (open > 0) {
            context.listener().step("preparing the gateway");
            replicas.initialize();
            Instant end = context.clock()
                    .instant()
                    .plus(plan.estimate((int) open * plan.plan().repeats()));
            new ChainCheck(context, replicas, results.root(), suffix, interruption, load).run(end);
        }
        List<TestCaseResult> all =
                new MatrixRunner(context, replicas, results, interruption, load, earlier, share).run();
        removeSetUp();
        return all;
    }

    private void removeSetUp() {
        if (plan.keep()) {
            return;
        }
        try {
            replicas.remove();
        } catch (RoleStartException | HostException e) {
            // The figures are there and stay; what is left on the gateway is for the user to know.
            context.listener().note(e.getMessage());
        }
    }

    /** The test cases of a set of hosts that cannot be used: failed, unless the user has ended the run. */
    private List<TestCaseResult> withoutMeasurement(String problem) {
        List<TestCaseResult> all = new ArrayList<>();
        for (int repeat = 1; repeat <= plan.plan().repeats(); repeat++) {
            for (TestCase testCase : share.cells()) {
                Optional<TestCaseResult> kept = earlier.result(testCase, repeat);
                if (kept.isPresent()) {
                    all.add(kept.get());
                } else if (interruption.isRequested()) {
                    all.add(new TestCaseResult.Skipped(
                            testCase, repeat, "the run was interrupted before this test case"));
                } else {
                    all.add(failed(testCase, repeat, problem));
                }
            }
        }
        return all;
    }

    private TestCaseResult failed(TestCase testCase, int repeat, String problem) {
        Instant now = context.clock().instant();
        TestCaseResult result = new TestCaseResult.Failed(
                testCase,
                repeat,
                now,
                now,
                FailureReason.HOST,
                "the stack of machines for this test case could not be used: " + problem,
                Optional.empty(),
                List.of(),
                List.of(),
                List.of());
        results.write(result);
        CaseChecksums.write(results.caseDirectory(testCase, repeat));
        return result;
    }
}
