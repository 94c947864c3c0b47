/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatebench.model.GatewayCpus;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Verdict;

/** Gain that more processors brought: requests per second, and per processor, where a plan measures several numbers of them. */
final class Scaling {

    private Scaling() {}

    /** Returns the numbers of processors; none where the plan has fewer than two. */
    static List<String> numbers(RunManifest info) {
        List<String> numbers = info.plan().matrix().gatewayCpus().stream()
                .filter(cpus -> cpus.number().isPresent())
                .map(GatewayCpus::toString)
                .toList();
        return numbers.size() > 1 ? numbers : List.of();
    }

    /**
     * Returns one row for each cell without its processors: its name, then a text for each number of {@link #numbers}, which
     * is the figure of the row of the cell, and the verdict of that row where it is not valid.
     *
     * @param table the rows of the run
     * @param verdicts one verdict per row, in their order
     */
    static List<List<String>> rows(
            RunManifest info, List<? extends TestCaseResult> results, SummaryTable table, List<Verdict> verdicts) {
        List<String> numbers = numbers(info);
        Map<String, Level> levels = new HashMap<>();
        for (int i = 0; i < verdicts.size(); i++) {
            levels.put(table.rows().get(i).id(), verdicts.get(i).level());
        }
        Map<String, Map<String, String>> texts = new LinkedHashMap<>();
        for (TestCaseResult.Completed shown :
                numbers.isEmpty() ? List.<TestCaseResult.Completed>of() : SummaryRows.representatives(results)) {
            TestCase cell = shown.testCase();
            if (cell.gatewayCpus().number().isPresent()) {
                String number = cell.gatewayCpus().toString();
                String id = cell.id().substring(0, cell.id().length() - ("/" + number + "_cpus").length());
                texts.computeIfAbsent(id, any -> new HashMap<>())
                        .put(number, text(shown, levels.getOrDefault(cell.id(), Level.VALID)));
            }
        }
        List<List<String>> rows = new ArrayList<>();
        texts.forEach((id, ofNumbers) -> {
            List<String> row = new ArrayList<>(List.of(id));
            numbers.forEach(number -> row.add(ofNumbers.getOrDefault(number, "-")));
            rows.add(row);
        });
        return rows;
    }

    private static String text(TestCaseResult.Completed shown, Level level) {
        double throughput = shown.load().measurement().stream()
                .mapToDouble(SampleStatistics::throughputPerSecond)
                .sum();
        double cpus = shown.testCase().gatewayCpus().number().orElseThrow();
        double p99 = shown.load().measurement().stream()
                .mapToDouble(statistics -> statistics.all().p99Millis())
                .max()
                .orElse(0);
        return Numbers.text(throughput, 1) + " (" + Numbers.text(throughput / cpus, 1) + "), " + Numbers.text(p99, 1)
                + " ms"
                + (level == Level.VALID ? "" : " " + level);
    }
}
