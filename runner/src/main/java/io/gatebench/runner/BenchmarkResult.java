/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.gatebench.model.RunManifest;
import io.gatebench.report.ReportGenerator;
import io.gatebench.report.judge.Verdicts;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.results.StoredResult;
import io.gatebench.report.threshold.MissedThreshold;
import io.gatebench.report.verdict.Verdict;

/**
 * Result of a performance test, as it stands in its results directory.
 *
 * @param directory the results directory
 * @param info what was planned, with which versions, on what machine
 * @param cells every repeat of every test case in the order of the report; test cases that an interrupted run did not
 *     try are not among them
 * @param missedThresholds one sentence for each threshold of the run that a test case did not meet
 * @since 0.1
 */
public record BenchmarkResult(Path directory, RunManifest info, List<CaseResult> cells, List<String> missedThresholds) {

    /** Copies the lists. */
    public BenchmarkResult {
        cells = List.copyOf(cells);
        missedThresholds = List.copyOf(missedThresholds);
    }

    /**
     * Reads the results of an earlier run, whoever measured them.
     *
     * @throws io.gatebench.report.results.ReportException if it is not a results directory
     */
    public static BenchmarkResult read(Path directory) {
        ResultsDirectory results = ResultsDirectory.open(directory);
        RunManifest info = results.info();
        List<StoredResult> all = results.stored();
        List<Verdict> verdicts = Verdicts.ofStored(info, results, all);
        List<CaseResult> cells = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            cells.add(new CaseResult(all.get(i).result(), verdicts.get(i)));
        }
        return new BenchmarkResult(
                directory,
                info,
                cells,
                MissedThreshold.of(info, all.stream().map(StoredResult::result).toList()).stream()
                        .map(MissedThreshold::text)
                        .toList());
    }

    /** Returns the report for people. */
    public Path report() {
        return directory.resolve("index.html");
    }

    /**
     * Returns the only test case.
     *
     * @throws IllegalStateException if there is none, or more than one
     */
    public CaseResult cell() {
        if (cells.size() != 1) {
            throw new IllegalStateException("the test has " + cells.size() + " results, not one; use cells()");
        }
        return cells.get(0);
    }

    /**
     * Returns the only test case of a scenario with so many users.
     *
     * @throws IllegalStateException if there is none, or more than one: with other heaps, sizes, delays or repeats
     */
    public CaseResult testCase(String scenario, int users) {
        List<CaseResult> matching = cells.stream()
                .filter(cell -> cell.result().testCase().scenario().equals(scenario)
                        && cell.result().testCase().users() == users)
                .toList();
        if (matching.size() != 1) {
            throw new IllegalStateException("the test has " + matching.size() + " results of " + scenario + " with "
                    + users + " users, not one; it has "
                    + cells.stream().map(CaseResult::name).toList());
        }
        return matching.get(0);
    }

    /** Returns the published Markdown table of the completed test cases. */
    public String table() {
        return ReportGenerator.table(ResultsDirectory.open(directory), ReportOptions.defaults());
    }

    /**
     * Returns why this result proves nothing: a sentence for each test case that failed, was skipped or is invalid, and
     * one if fewer results are there than were planned. Empty if every figure can be used.
     */
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (CaseResult cell : cells) {
            if (!cell.isUsable()) {
                problems.add(cell.name() + ": " + cell.verdict().worst());
            }
        }
        int planned = info.plan().testCases().size() * info.plan().repeats();
        if (cells.size() < planned) {
            problems.add((planned - cells.size()) + " of " + planned + " planned test cases were not measured");
        }
        return problems;
    }

    /** Returns the ratios to the control run, to be kept as the baseline of later runs. */
    public RelativeBaseline relativeBaseline() {
        return RelativeBaseline.of(this);
    }
}
