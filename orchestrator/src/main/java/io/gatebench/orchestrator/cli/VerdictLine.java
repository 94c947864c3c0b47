/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.gatebench.model.TestCaseResult;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.Verdict;

/** The line with which a run ends: how many cases can be believed, what speaks most against the others, what to do. */
final class VerdictLine {

    private VerdictLine() {}

    /**
     * Returns e.g. {@code 2 valid, 3 doubtful, 1 invalid: <the most frequent reason>; <what to do about it>}.
     *
     * <p>Cases without figures are counted apart; of them speaks the list of failures.
     *
     * @param results all results
     * @param verdicts one verdict per result, in their order
     */
    static String text(List<? extends TestCaseResult> results, List<Verdict> verdicts) {
        int[] counts = new int[Level.values().length];
        int unmeasured = 0;
        Map<Rule, List<Finding>> reasons = new EnumMap<>(Rule.class);
        for (int i = 0; i < results.size(); i++) {
            if (!(results.get(i) instanceof TestCaseResult.Completed)) {
                unmeasured++;
                continue;
            }
            counts[verdicts.get(i).level().ordinal()]++;
            List<Rule> seen = new ArrayList<>();
            for (Finding finding : verdicts.get(i).findings()) {
                if (finding.level() != Level.VALID && !seen.contains(finding.rule())) {
                    seen.add(finding.rule());
                    reasons.computeIfAbsent(finding.rule(), rule -> new ArrayList<>())
                            .add(finding);
                }
            }
        }
        String text = counts[0] + " valid, " + counts[1] + " doubtful, " + counts[2] + " invalid"
                + (unmeasured > 0 ? ", " + unmeasured + " without figures" : "");
        return reasons.entrySet().stream()
                .max(Comparator.<Map.Entry<Rule, List<Finding>>>comparingInt(
                                entry -> entry.getValue().size())
                        .thenComparing(entry -> worst(entry.getValue()).level())
                        .thenComparing(Map.Entry::getKey, Comparator.reverseOrder()))
                .map(entry -> text + ": " + worst(entry.getValue()).text() + " ("
                        + entry.getKey().id() + ", in " + entry.getValue().size() + " of " + results.size() + "); "
                        + entry.getKey().remedy())
                .orElse(text);
    }

    private static Finding worst(List<Finding> findings) {
        return findings.stream()
                .reduce((a, b) -> b.level().compareTo(a.level()) > 0 ? b : a)
                .orElseThrow();
    }
}
