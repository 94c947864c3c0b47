/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.TestCaseResult;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.judge.JudgedResult;
import io.gatebench.report.judge.Overhead;
import io.gatebench.report.judge.Overheads;

/** The test cases of a run, each of which was read once. */
final class ReadRun implements Overheads {

    private final List<ReadCase> cases;
    private final List<TestCaseResult> results;
    private final Map<TestCaseResult, Map<String, Overhead>> overheads = new IdentityHashMap<>();

    ReadRun(List<ReadCase> cases) {
        this.cases = cases;
        results = cases.stream().map(read -> read.judged().result()).toList();
        cases.forEach(read -> overheads.put(read.judged().result(), read.overheads()));
    }

    /** Returns the results without their series. */
    List<TestCaseResult> results() {
        return results;
    }

    List<JudgedResult> judged() {
        return cases.stream().map(ReadCase::judged).toList();
    }

    /** Returns what the page holds of each test case. */
    List<String> data() {
        return cases.stream().map(ReadCase::data).toList();
    }

    /**
     * Returns the rows of results that are shown.
     *
     * @param shown each result as it is, or a failed one in the form of a measured one
     */
    List<ResultRow> rows(List<TestCaseResult> shown) {
        List<ResultRow> rows = new ArrayList<>();
        for (int i = 0; i < cases.size(); i++) {
            ReadCase read = cases.get(i);
            rows.addAll(
                    shown.get(i) == results.get(i)
                            ? read.judged().rows()
                            : read.shown().orElseThrow());
        }
        return rows;
    }

    @Override
    public Optional<Overhead> of(TestCaseResult.Completed result, String label) {
        return Optional.ofNullable(overheads.get(result)).map(ofResult -> ofResult.get(label));
    }
}
