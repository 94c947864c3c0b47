/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.judge.JudgedResult;
import io.gatebench.report.judge.Overhead;
import io.gatebench.report.render.HtmlReport;
import io.gatebench.report.results.StoredResult;
import io.gatebench.report.summary.FailedRows;

/**
 * Figures of a test case that the report keeps while it reads the others: nothing that is as long as the test.
 *
 * @param judged the result
 * @param shown its rows where a case of which every sample failed is shown as a measured one; empty for any other
 * @param overheads the overheads of its rows by their label
 * @param data what the page holds of it, packed
 */
record ReadCase(JudgedResult judged, Optional<List<ResultRow>> shown, Map<String, Overhead> overheads, String data) {

    /**
     * Reads a test case.
     *
     * @param info the head of the run
     * @param stored the result and where its data lie
     * @param all how many test cases the run has
     */
    static ReadCase of(RunManifest info, StoredResult stored, int all) {
        return new ReadCase(
                JudgedResult.of(info, stored),
                FailedRows.asMeasured(stored.result()).map(result -> RunResultRows.of(info, (TestCaseResult) result)),
                overheads(info, stored.result()),
                HtmlReport.data(info, stored, all));
    }

    private static Map<String, Overhead> overheads(RunManifest info, TestCaseResult result) {
        Map<String, Overhead> overheads = new HashMap<>();
        if (result instanceof TestCaseResult.Completed completed) {
            for (SampleStatistics statistics : completed.load().measurement()) {
                String label = statistics.label();
                Overhead.of(info, completed, label).ifPresent(overhead -> overheads.put(label, overhead));
            }
        }
        return overheads;
    }
}
