/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

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
     * @param whole the figures of each gateway that are known of all its windows together
     */
    public record Start(double fraction, List<AbWindow> windows, Map<Side, Map<AbFigure, Double>> whole) {

        /**
         * Copies the list.
         *
         * @throws IllegalArgumentException if a figure is not positive: it has no logarithm
         */
        public Start {
            windows = List.copyOf(windows);
            whole = Map.copyOf(whole);
            whole.values().forEach(AbWindow::requirePositive);
        }

        /** Returns {@code log B - log A}, of windows the {@link HodgesLehmann} estimate of the sound pairs; empty where it is not known. */
        OptionalDouble difference(AbFigure figure) {
            OptionalDouble a = known(Side.A, figure);
            OptionalDouble b = known(Side.B, figure);
            return a.isPresent() && b.isPresent()
                    ? OptionalDouble.of(b.getAsDouble() - a.getAsDouble())
                    : value(ofPairs(figure));
        }

        /** Returns the same of the windows, with its error. */
        Optional<HodgesLehmann> ofPairs(AbFigure figure) {
            return HodgesLehmann.of(pairs().stream()
                    .filter(pair -> pair.values().stream()
                            .allMatch(window -> window.figures().containsKey(figure)))
                    .mapToDouble(pair -> Math.log(pair.get(Side.B).figures().get(figure))
                            - Math.log(pair.get(Side.A).figures().get(figure))));
        }

        /** Returns the logarithm of a gateway's figure, of windows the estimate of the sound pairs; empty if not known. */
        OptionalDouble level(Side side, AbFigure figure) {
            OptionalDouble known = known(side, figure);
            return known.isPresent()
                    ? known
                    : value(HodgesLehmann.of(pairs().stream()
                            .filter(pair -> pair.get(side).figures().containsKey(figure))
                            .mapToDouble(
                                    pair -> Math.log(pair.get(side).figures().get(figure)))));
        }

        private static OptionalDouble value(Optional<HodgesLehmann> estimate) {
            return estimate.stream().mapToDouble(HodgesLehmann::value).findFirst();
        }

        private OptionalDouble known(Side side, AbFigure figure) {
            Double value = whole.getOrDefault(side, Map.of()).get(figure);
            return value == null ? OptionalDouble.empty() : OptionalDouble.of(Math.log(value));
        }

        /**
         * Returns the mean over both gateways of {@code log beside - log alone}: what a gateway does while the other one
         * idles, held against what it does while that stands still. Empty without a sound window of each kind of either.
         */
        OptionalDouble besideAnIdleOne(AbFigure figure) {
            return Stream.of(Side.values())
                    .map(side -> {
                        OptionalDouble beside = estimate(side, false, figure);
                        OptionalDouble alone = estimate(side, true, figure);
                        return beside.isPresent() && alone.isPresent()
                                ? OptionalDouble.of(beside.getAsDouble() - alone.getAsDouble())
                                : OptionalDouble.empty();
                    })
                    .flatMapToDouble(OptionalDouble::stream)
                    .average();
        }

        private OptionalDouble estimate(Side side, boolean alone, AbFigure figure) {
            return value(HodgesLehmann.of(windows.stream()
                    .filter(window -> window.side() == side
                            && window.alone() == alone
                            && window.invalid().isEmpty()
                            && window.figures().containsKey(figure))
                    .mapToDouble(window -> Math.log(window.figures().get(figure)))));
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
