/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Judgement of how far a row can be believed.
 *
 * @param level the worst level of the findings, {@link Level#VALID} if there are none
 * @param findings what the rules say, worst first; one of level {@link Level#VALID} is a remark on one figure, which
 *     leaves the row valid
 * @since 0.1
 */
public record Verdict(Level level, List<Finding> findings) {

    /** The verdict of a row that no rule speaks against. */
    public static final Verdict VALID = new Verdict(Level.VALID, List.of());

    /** Copies the findings. */
    public Verdict {
        findings = List.copyOf(findings);
    }

    /** Returns the verdict that follows from findings. */
    public static Verdict of(List<Finding> findings) {
        List<Finding> sorted = findings.stream()
                .sorted(Comparator.comparing(Finding::level).reversed().thenComparing(Finding::rule))
                .toList();
        return new Verdict(sorted.isEmpty() ? Level.VALID : sorted.get(0).level(), sorted);
    }

    /** Returns the reasons, worst first, separated by semicolons; empty if no rule says anything. */
    public String reasons() {
        return findings.stream().map(Finding::text).collect(Collectors.joining("; "));
    }

    /** Returns the reasons, each behind the identifier of its rule, e.g. {@code few-samples: only 20 samples}. */
    public String codedReasons() {
        return findings.stream()
                .map(finding -> finding.rule().id() + ": " + finding.text())
                .collect(Collectors.joining("; "));
    }

    /** Returns {@code valid}, {@code doubtful (why)} or {@code invalid (why)}. */
    public String text() {
        return findings.isEmpty() ? level.toString() : level + " (" + reasons() + ")";
    }

    /** Returns the {@link #text()} without the findings that are not as bad as the level. */
    public String worst() {
        return new Verdict(
                        level,
                        findings.stream()
                                .filter(finding -> finding.level() == level)
                                .toList())
                .text();
    }
}
