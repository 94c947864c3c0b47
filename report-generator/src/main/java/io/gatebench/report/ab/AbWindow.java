/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Figures of one gateway in one window.
 *
 * @param pair the number of the pair that it belongs to, from 1 in each start
 * @param side whose window it is
 * @param alone whether the other gateway stood still meanwhile, instead of idling
 * @param began when it began
 * @param requests answers in the window, good and bad
 * @param errors the bad ones
 * @param figures the figures of the window, those that could be measured
 * @param otherCpuPercent CPU time of the other gateway meanwhile, which should idle, in percent of a processor
 * @param stealPercent time that the machine's processors were taken away by others, in percent
 * @param invalid why nothing may be built on it
 */
public record AbWindow(
        int pair,
        Side side,
        boolean alone,
        Instant began,
        long requests,
        long errors,
        Map<AbFigure, Double> figures,
        OptionalDouble otherCpuPercent,
        OptionalDouble stealPercent,
        Optional<String> invalid) {

    /** One of the two gateways. */
    public enum Side {
        /** Side that is known. */
        A,
        /** Side that is judged. */
        B;

        /** Returns the other one. */
        public Side other() {
            return this == A ? B : A;
        }
    }

    /**
     * Copies the figures.
     *
     * @throws IllegalArgumentException if a figure is not positive: it has no logarithm
     */
    public AbWindow {
        figures = Map.copyOf(figures);
        requirePositive(figures);
    }

    /** Returns this window, with a reason why nothing may be built on it unless it has one. */
    public AbWindow orInvalid(String why) {
        return new AbWindow(
                pair,
                side,
                alone,
                began,
                requests,
                errors,
                figures,
                otherCpuPercent,
                stealPercent,
                invalid.or(() -> Optional.of(why)));
    }

    static void requirePositive(Map<AbFigure, Double> figures) {
        figures.forEach((figure, value) -> {
            if (!(value > 0 && Double.isFinite(value))) {
                throw new IllegalArgumentException(figure.word() + " must be a positive number but was " + value);
            }
        });
    }
}
