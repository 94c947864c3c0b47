/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import io.gatebench.model.DataSize;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Verdict;

/** Gain that more processors, memory and replicas brought, where a plan measures several of them: requests per second, and per processor. */
final class Scaling {

    private Scaling() {}

    /** Returns the limits in the order of the plan, for instance {@code 0.5, 512M}; none where it has fewer than two. */
    static List<String> limits(RunManifest info) {
        List<String> limits = info.plan().testCases().stream()
                .filter(cell -> isLimited(info, cell))
                .map(cell -> label(info, cell))
                .distinct()
                .toList();
        return limits.size() > 1 ? limits : List.of();
    }

    private static boolean isLimited(RunManifest info, TestCase cell) {
        return cell.limits().isPresent() || hasReplicas(info);
    }

    private static boolean hasReplicas(RunManifest info) {
        return info.plan().matrix().gatewayReplicas().size() > 1;
    }

    private static String label(RunManifest info, TestCase cell) {
        List<String> parts = new ArrayList<>();
        if (cell.gatewayCpus().number().isPresent()) {
            parts.add(cell.gatewayCpus().toString());
        }
        cell.gatewayMemory().map(DataSize::toString).ifPresent(parts::add);
        if (hasReplicas(info)) {
            parts.add(cell.gatewayReplicas() + (cell.gatewayReplicas() == 1 ? " replica" : " replicas"));
        }
        return String.join(", ", parts);
    }

    /**
     * Returns one row for each test case without its limits: its name, then a text for each of {@link #limits}, which
     * is the figure of the row of the test case, and the verdict of that row where it is not valid.
     *
     * @param table the rows of the run
     * @param verdicts one verdict per row, in their order
     */
    static List<List<String>> rows(
            RunManifest info, List<? extends TestCaseResult> results, SummaryTable table, List<Verdict> verdicts) {
        List<String> limits = limits(info);
        Map<String, Level> levels = new HashMap<>();
        for (int i = 0; i < verdicts.size(); i++) {
            levels.put(table.rows().get(i).id(), verdicts.get(i).level());
        }
        Map<String, Map<String, String>> texts = new LinkedHashMap<>();
        for (TestCaseResult.Completed shown :
                limits.isEmpty() ? List.<TestCaseResult.Completed>of() : SummaryRows.representatives(results)) {
            TestCase cell = shown.testCase();
            if (isLimited(info, cell)) {
                texts.computeIfAbsent(cell.unlimited().id(), any -> new HashMap<>())
                        .put(label(info, cell), text(shown, levels.getOrDefault(cell.id(), Level.VALID)));
            }
        }
        List<List<String>> rows = new ArrayList<>();
        texts.forEach((id, ofLimits) -> {
            List<String> row = new ArrayList<>(List.of(id));
            limits.forEach(limit -> row.add(ofLimits.getOrDefault(limit, "-")));
            rows.add(row);
        });
        return rows;
    }

    private static String text(TestCaseResult.Completed shown, Level level) {
        double throughput = SummaryRows.throughput(shown);
        TestCase cell = shown.testCase();
        OptionalDouble cpus = cell.gatewayCpus().number();
        double p99 = shown.load().measurement().stream()
                .mapToDouble(statistics -> statistics.all().p99Millis())
                .max()
                .orElse(0);
        return Numbers.text(throughput, 1)
                + (cpus.isPresent()
                        ? " (" + Numbers.text(throughput / cpus.getAsDouble() / cell.gatewayReplicas(), 1) + ")"
                        : "")
                + ", "
                + Numbers.text(p99, 1) + " ms" + (level == Level.VALID ? "" : " " + level);
    }
}
