/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Words for how samples failed, in one line. */
final class FailureList {

    private static final int NAMED = 3;

    private FailureList() {}

    /**
     * Returns the most frequent reasons with their numbers, e.g. {@code 12 x Connection refused, 3 x Read timed out}.
     *
     * @param failures number of failed samples per reason
     */
    static String text(Map<String, Long> failures) {
        if (failures.isEmpty()) {
            return "no reason is known";
        }
        List<Map.Entry<String, Long>> sorted = failures.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .toList();
        String named = sorted.stream()
                .limit(NAMED)
                .map(failure -> failure.getValue() + " x " + failure.getKey().replaceAll("\\s*[\\r\\n]+\\s*", " "))
                .collect(Collectors.joining(", "));
        return sorted.size() > NAMED ? named + " and " + (sorted.size() - NAMED) + " other reasons" : named;
    }
}
