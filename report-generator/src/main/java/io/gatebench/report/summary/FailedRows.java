/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.summary;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.gatebench.model.FailureReason;
import io.gatebench.model.LoadResult;
import io.gatebench.model.TestCaseResult;

/** Cases of which every sample failed, as rows: published documents have such, with 100 % of errors. */
public final class FailedRows {

    private FailedRows() {}

    /**
     * Returns the results with each case that failed in its load, to the end of its window, in the place of a measured one. A
     * case with a repeat that was measured stays as it is, and so does one whose load was ended early: it has no window.
     */
    public static List<TestCaseResult> shown(List<? extends TestCaseResult> results) {
        Set<String> measured = results.stream()
                .filter(TestCaseResult.Completed.class::isInstance)
                .map(result -> result.testCase().id())
                .collect(Collectors.toSet());
        return results.stream()
                .<TestCaseResult>map(
                        result -> measured.contains(result.testCase().id())
                                ? result
                                : asMeasured(result)
                                        .<TestCaseResult>map(Function.identity())
                                        .orElse(result))
                .toList();
    }

    /** Returns a case that failed in its load, to the end of its window, as a measured one; empty for any other. */
    public static Optional<TestCaseResult.Completed> asMeasured(TestCaseResult result) {
        return result instanceof TestCaseResult.Failed failed && failed.reason() == FailureReason.LOAD
                ? failed.load().filter(load -> load.aborted().isEmpty()).map(load -> asMeasured(failed, load))
                : Optional.empty();
    }

    private static TestCaseResult.Completed asMeasured(TestCaseResult.Failed failed, LoadResult load) {
        return new TestCaseResult.Completed(
                failed.testCase(),
                failed.repeat(),
                failed.started(),
                failed.ended(),
                load,
                Optional.empty(),
                failed.processes(),
                failed.probes(),
                Map.of());
    }
}
