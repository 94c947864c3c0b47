/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

import io.gatebench.model.TestCase;
import io.gatebench.report.ab.AbWindow.Side;

/**
 * All windows of one case.
 *
 * @param testCase the case; the heap is that of A
 * @param starts what was measured with each pair of gateways that was started for it
 */
public record AbCase(TestCase testCase, List<Start> starts) {

    /** Copies the list. */
    public AbCase {
        starts = List.copyOf(starts);
    }

    /**
     * One fresh start of both gateways.
     *
     * @param fraction the part of the allowed time that had passed when it ended, up to 1
     * @param windows its windows in the order of time
     */
    public record Start(double fraction, List<AbWindow> windows) {

        /** Copies the list. */
        public Start {
            windows = List.copyOf(windows);
        }

        /** Returns the mean over the sound pairs of {@code log B - log A}; empty if there is none. */
        OptionalDouble difference(AbFigure figure) {
            return pairs().stream()
                    .filter(pair -> pair.values().stream()
                            .allMatch(window -> window.figures().containsKey(figure)))
                    .mapToDouble(pair -> Math.log(pair.get(Side.B).figures().get(figure))
                            - Math.log(pair.get(Side.A).figures().get(figure)))
                    .average();
        }

        /** Returns the pairs of which both windows are sound. */
        List<Map<Side, AbWindow>> pairs() {
            Map<Integer, Map<Side, AbWindow>> byNumber = new TreeMap<>();
            for (AbWindow window : windows) {
                if (window.invalid().isEmpty()) {
                    byNumber.computeIfAbsent(window.pair(), number -> new TreeMap<>())
                            .put(window.side(), window);
                }
            }
            List<Map<Side, AbWindow>> pairs = new ArrayList<>(byNumber.values());
            pairs.removeIf(pair -> pair.size() < Side.values().length);
            return pairs;
        }
    }
}
