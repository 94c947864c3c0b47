/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.page.ForeignText;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Verdict;

/** A short Markdown summary for the page of a CI job: what stands out first, then one line per case. */
public final class StepSummary {

    private static final int MAX_LINES = 200;

    private StepSummary() {}

    /**
     * Returns the summary.
     *
     * @param info the head of the run
     * @param results all results
     * @param verdicts one verdict per result, in their order
     * @param missed one sentence for each threshold that a test case did not meet
     */
    public static String text(
            RunManifest info, List<? extends TestCaseResult> results, List<Verdict> verdicts, List<String> missed) {
        Map<String, Integer> counts = new TreeMap<>();
        StringBuilder problems = new StringBuilder();
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < results.size(); i++) {
            TestCaseResult result = results.get(i);
            Verdict verdict = verdicts.get(i);
            boolean measured = result instanceof TestCaseResult.Completed;
            counts.merge(measured ? verdict.level().toString() : "without figures", 1, Integer::sum);
            if (verdict.level() != Level.VALID) {
                problems.append("- `")
                        .append(ForeignText.markdownCell(result.testCase().id()))
                        .append("`: ")
                        .append(ForeignText.markdownCell(verdict.text()))
                        .append('\n');
            }
            if (result instanceof TestCaseResult.Completed completed && i < MAX_LINES) {
                completed.load().measurement().forEach(s -> row(rows, info, completed, s, verdict));
            }
        }
        StringBuilder text = new StringBuilder("## ")
                .append(ForeignText.markdownCell(info.applicationName()))
                .append(" performance\n\n")
                .append(results.size())
                .append(results.size() == 1 ? " test case" : " test cases");
        counts.forEach(
                (level, count) -> text.append(", ").append(count).append(' ').append(level));
        text.append(".\n\n");
        info.notes()
                .forEach(note ->
                        text.append("> ").append(ForeignText.markdownCell(note)).append("\n>\n"));
        if (!info.notes().isEmpty()) {
            text.append('\n');
        }
        if (!missed.isEmpty()) {
            text.append("### Thresholds that were not met\n\n");
            missed.forEach(line ->
                    text.append("- ").append(ForeignText.markdownCell(line)).append('\n'));
            text.append('\n');
        }
        if (!problems.isEmpty()) {
            text.append("### What needs a look\n\n").append(problems).append('\n');
        }
        if (!rows.isEmpty()) {
            text.append(
                    "| | Scenario | Users | Message | Delay (ms) | Requests/s | Mean (ms) | p99 (ms) | Error % |\n");
            text.append("|---|---|---:|---:|---:|---:|---:|---:|---:|\n").append(rows);
        }
        if (results.size() > MAX_LINES) {
            text.append("\nOnly the first ")
                    .append(MAX_LINES)
                    .append(" cases are listed; the rest is in the report.\n");
        }
        return text.toString();
    }

    private static void row(
            StringBuilder rows,
            RunManifest info,
            TestCaseResult.Completed result,
            SampleStatistics s,
            Verdict verdict) {
        rows.append("| ")
                .append(verdict.level())
                .append(" | ")
                .append(ForeignText.markdownCell(SummaryRows.displayName(info, result.testCase())))
                .append(" | ")
                .append(result.testCase().users())
                .append(" | ")
                .append(result.testCase().message().directoryName().replace('_', ' '))
                .append(" | ")
                .append(result.testCase().backendDelay().toMillis())
                .append(" | ")
                .append(Numbers.text(s.throughputPerSecond(), 2))
                .append(" | ")
                .append(Numbers.text(s.all().meanMillis(), 2))
                .append(" | ")
                .append(Numbers.text(s.all().p99Millis(), 2))
                .append(" | ")
                .append(Numbers.text(s.errorPercent(), 2))
                .append(" |\n");
    }
}
