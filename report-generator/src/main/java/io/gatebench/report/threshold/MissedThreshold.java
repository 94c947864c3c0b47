/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.threshold;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.FailureReason;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.judge.JudgedResult;

/**
 * A condition of a run that one of its test cases did not meet.
 *
 * @param result the index of the result that did not meet it; empty if the condition holds for no test case at all
 * @param text the test case, the figure and by how much it misses the limit, in a sentence
 */
public record MissedThreshold(Optional<Integer> result, String text) {

    private record Place(CellKey key, int repeat) {}

    /**
     * Returns what the test cases of a run did not meet of the conditions in its head, in their order.
     *
     * <p>Test cases that were not tried, or cut off by an interruption, are judged by no condition; they are no less
     * missing in the results.
     *
     * @throws ThresholdSyntaxException if the head holds a text that is no condition
     */
    public static List<MissedThreshold> of(RunManifest info, List<? extends TestCaseResult> results) {
        return info.thresholds().isEmpty()
                ? List.of()
                : ofJudged(
                        info,
                        results.stream()
                                .map(result -> JudgedResult.of(info, result))
                                .toList());
    }

    /**
     * Returns what the test cases of a run, each of which was judged by itself before, did not meet of the conditions in its head.
     *
     * @throws ThresholdSyntaxException if the head holds a text that is no condition
     */
    public static List<MissedThreshold> ofJudged(RunManifest info, List<JudgedResult> results) {
        if (info.thresholds().isEmpty()) {
            return List.of();
        }
        List<ResultRow> rows = new ArrayList<>();
        Map<Place, Integer> places = new HashMap<>();
        boolean all = true;
        for (int i = 0; i < results.size(); i++) {
            if (wasCutOff(results.get(i).result())) {
                all = false;
                continue;
            }
            for (ResultRow row : results.get(i).rows()) {
                rows.add(row);
                places.put(new Place(row.key(), row.repeat()), i);
            }
        }
        boolean complete = all;
        return Thresholds.parse(info.thresholds()).violations(rows).stream()
                .filter(outcome -> complete || outcome.key().isPresent())
                .map(outcome -> new MissedThreshold(
                        outcome.key().map(key -> places.get(new Place(key, outcome.repeat()))), outcome.text()))
                .toList();
    }

    private static boolean wasCutOff(TestCaseResult result) {
        return result.fold(completed -> false, failed -> failed.reason() == FailureReason.INTERRUPTED, skipped -> true);
    }
}
