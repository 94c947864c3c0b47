/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.judge;

import java.util.List;

import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.results.StoredResult;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.RunRules;

/**
 * A result of a run after its series were looked at, without them: those of all test cases together may not fit into memory.
 *
 * @param result the result without its series
 * @param rows its rows, or one row without figures that says why
 * @param findings what the rules say of it, whatever they say of its figures and of other test cases
 * @param changes what is not as it was when the test case was finished, in words; empty if all is
 */
public record JudgedResult(TestCaseResult result, List<ResultRow> rows, List<Finding> findings, List<String> changes) {

    /** Copies the lists. */
    public JudgedResult {
        rows = List.copyOf(rows);
        findings = List.copyOf(findings);
        changes = List.copyOf(changes);
    }

    /** Judges a result by itself. */
    public static JudgedResult of(RunManifest info, TestCaseResult result) {
        return of(info, result, List.of());
    }

    /** Judges a stored result by itself. */
    public static JudgedResult of(RunManifest info, StoredResult stored) {
        return of(info, stored.result(), stored.changes());
    }

    private static JudgedResult of(RunManifest info, TestCaseResult result, List<String> changes) {
        List<ResultRow> rows = RunResultRows.of(info, result);
        List<Finding> findings = result.fold(
                completed -> completed.load().measurement().isEmpty()
                        ? RunRules.judge(completed)
                        : rows.get(0).findings(),
                failed -> notMeasured("the case failed: " + failed.detail()),
                skipped -> notMeasured("the case was skipped: " + skipped.why()));
        return new JudgedResult(result.withoutSeries(), rows, findings, changes);
    }

    private static List<Finding> notMeasured(String why) {
        return List.of(new Finding(Rule.NOT_MEASURED, Level.INVALID, why));
    }
}
