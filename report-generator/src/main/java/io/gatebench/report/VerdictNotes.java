/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Verdict;

/** Words for what speaks against rows, as Markdown to stand below their table. */
final class VerdictNotes {

    private static final int NAMED = 3;

    private VerdictNotes() {}

    /**
     * Returns how many rows are valid, doubtful and invalid, and each reason with its rows, worst first.
     *
     * @param names the names of the rows
     * @param verdicts one verdict per name, in their order
     */
    static String text(List<String> names, List<Verdict> verdicts) {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        for (Level level : List.of(Level.INVALID, Level.DOUBTFUL)) {
            for (int i = 0; i < verdicts.size(); i++) {
                if (verdicts.get(i).level() == level) {
                    rows.computeIfAbsent(verdicts.get(i).text(), any -> new ArrayList<>())
                            .add(names.get(i));
                }
            }
        }
        StringBuilder notes = new StringBuilder(String.format(
                Locale.ROOT,
                "Verdicts of %d rows: %d valid, %d doubtful, %d invalid.\n",
                verdicts.size(),
                count(verdicts, Level.VALID),
                count(verdicts, Level.DOUBTFUL),
                count(verdicts, Level.INVALID)));
        if (!rows.isEmpty()) {
            notes.append('\n');
        }
        rows.forEach((text, ids) -> {
            notes.append("- ").append(String.join(", ", ids.subList(0, Math.min(NAMED, ids.size()))));
            if (ids.size() > NAMED) {
                notes.append(" and ").append(ids.size() - NAMED).append(" more");
            }
            notes.append(": ").append(text).append('\n');
        });
        return notes.toString();
    }

    private static long count(List<Verdict> verdicts, Level level) {
        return verdicts.stream().filter(verdict -> verdict.level() == level).count();
    }
}
