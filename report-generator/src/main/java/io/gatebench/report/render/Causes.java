/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.Verdict;

/** The rules that speak against rows, for the first screen of a page. */
final class Causes {

    private Causes() {}

    /** Returns the worst finding of each row by its rule, the most frequent first, with what to do; at most so many. */
    static List<Map<String, String>> of(List<Verdict> verdicts, int max) {
        Map<Rule, List<Finding>> byRule = new LinkedHashMap<>();
        verdicts.stream()
                .filter(verdict -> verdict.level() != Level.VALID)
                .flatMap(verdict -> verdict.findings().stream().limit(1))
                .forEach(finding -> byRule.computeIfAbsent(finding.rule(), rule -> new ArrayList<>())
                        .add(finding));
        return byRule.values().stream()
                .sorted((a, b) -> b.size() - a.size())
                .limit(max)
                .map(findings -> Map.of(
                        "number", Integer.toString(findings.size()),
                        "level", findings.get(0).level().toString(),
                        "text", findings.get(0).text(),
                        "remedy", findings.get(0).rule().remedy()))
                .toList();
    }
}
