/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.report.compare.Comparison.Outcome;

/**
 * Judges what was measured in turns, as often as one likes: all looks together call a difference that is none in at most the
 * chosen part of the measurements.
 *
 * <p>The unit is a fresh start of both gateways, as the windows of one process are alike. The {@link HodgesLehmann} estimate of its pairs' logarithmic
 * differences is one number; the interval of the mean over the starts holds at all looks. Cases and figures share the false
 * alarms out.
 *
 * @param falseAlarms the chance that a measurement without a difference shows one in any figure of any case
 * @param lossPercent the loss that {@code no-difference} rules out
 * @param smallestChangePercent a smaller difference is none, whatever the noise
 * @param cases how many cases are measured
 */
public record AbJudge(double falseAlarms, double lossPercent, double smallestChangePercent, int cases) {

    /** The chance of a false alarm unless the user says otherwise. */
    public static final double DEFAULT_FALSE_ALARMS = 0.05;
    /** The smallest change unless the user says otherwise. */
    public static final double DEFAULT_SMALLEST_CHANGE_PERCENT = 1;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of its range
     */
    public AbJudge {
        if (!(falseAlarms > 0 && falseAlarms < 1)) {
            throw new IllegalArgumentException(
                    "the chance of a false alarm must be between 0 and 1 but was " + falseAlarms);
        }
        if (!(lossPercent > 0 && lossPercent < 100)) {
            throw new IllegalArgumentException(
                    "the loss to rule out must be between 0 and 100 % but was " + lossPercent);
        }
        if (!(smallestChangePercent >= 0 && smallestChangePercent < 100)) {
            throw new IllegalArgumentException(
                    "the smallest change must be from 0 to below 100 % but was " + smallestChangePercent);
        }
    }

    /**
     * Returns whether more windows of a start would tell more: until each figure that decides is known to half the loss. There
     * is nothing to be learnt from a start without a sound pair.
     */
    public boolean needsMoreWindows(List<AbWindow> windows) {
        AbCase.Start start = new AbCase.Start(0, windows, Map.of());
        return Arrays.stream(AbFigure.values())
                .filter(AbFigure::deciding)
                .flatMap(figure -> start.ofPairs(figure).stream())
                .anyMatch(estimate -> estimate.error() > lossPercent / 100 / 2);
    }

    /** Returns what is known of each figure of a case. */
    public List<AbVerdict> judge(AbCase measured) {
        List<AbFigure> figures = figures(measured);
        double parts = figures.stream().mapToDouble(AbFigure::part).sum();
        return figures.stream()
                .map(figure ->
                        judge(measured, figure, falseAlarms / cases * (figure.gates() ? figure.part() / parts : 1)))
                .toList();
    }

    /**
     * Returns what an idle gateway does to the loaded one: throughput beside it by throughput while it stands still, of
     * both gateways, with an interval of its own; empty where no gateway stood still.
     */
    public Optional<Neighbour> neighbour(AbCase measured) {
        List<Double> differences = new ArrayList<>();
        List<Double> fractions = new ArrayList<>();
        for (AbCase.Start start : measured.starts()) {
            start.besideAnIdleOne(AbFigure.THROUGHPUT).ifPresent(difference -> {
                differences.add(difference);
                fractions.add(start.fraction());
            });
        }
        return PairedInterval.of(differences, fractions, falseAlarms / cases)
                .map(interval -> new Neighbour(
                        Math.exp(interval.mean()),
                        Math.exp(interval.low()),
                        Math.exp(interval.high()),
                        differences.size()));
    }

    /**
     * Effect of an idle gateway on the loaded one.
     *
     * @param ratio throughput beside it by throughput while it stands still
     * @param low the lower limit of the ratio
     * @param high the upper limit
     * @param starts how many starts it is known from
     */
    public record Neighbour(double ratio, double low, double high, int starts) {}

    /** Returns whether nothing needs to be measured any more: a figure is slower, or those that decide have their word. */
    public static boolean isDecided(List<AbVerdict> verdicts) {
        return verdicts.stream().anyMatch(AbVerdict::slower)
                || verdicts.stream()
                        .filter(verdict -> verdict.figure().deciding())
                        .noneMatch(verdict -> verdict.outcome() == Outcome.UNDECIDED);
    }

    /** Returns whether a loss above the limit is ruled out for a figure, whatever its word. */
    boolean rulesOutLoss(AbVerdict verdict) {
        return verdict.figure().higherIsBetter()
                ? verdict.low().orElse(0) > 1 - lossPercent / 100
                : verdict.high().orElse(Double.POSITIVE_INFINITY) < 1 + lossPercent / 100;
    }

    /** Returns the figures that can be measured: they are known from the first sound start, and must not depend on what came out. */
    private static List<AbFigure> figures(AbCase measured) {
        Optional<AbCase.Start> first = measured.starts().stream()
                .filter(start -> !start.pairs().isEmpty())
                .findFirst();
        return Arrays.stream(AbFigure.values())
                .filter(figure -> figure == AbFigure.THROUGHPUT
                        || first.isPresent() && first.get().difference(figure).isPresent())
                .toList();
    }

    private AbVerdict judge(AbCase measured, AbFigure figure, double alpha) {
        List<Double> differences = new ArrayList<>();
        List<Double> fractions = new ArrayList<>();
        List<AbCase.Start> sound = new ArrayList<>();
        for (AbCase.Start start : measured.starts()) {
            OptionalDouble difference = start.difference(figure);
            if (difference.isPresent()) {
                differences.add(difference.getAsDouble());
                fractions.add(start.fraction());
                sound.add(start);
            }
        }
        Optional<PairedInterval> known = PairedInterval.of(differences, fractions, alpha);
        OptionalDouble mean =
                differences.stream().mapToDouble(Double::doubleValue).average();
        return new AbVerdict(
                figure,
                level(sound, figure, Side.A),
                level(sound, figure, Side.B),
                ratio(mean),
                ratio(OptionalDouble.of(known.map(PairedInterval::low).orElse(Double.NaN))),
                ratio(OptionalDouble.of(known.map(PairedInterval::high).orElse(Double.NaN))),
                differences.size(),
                known.map(interval -> outcome(figure, interval)).orElse(Outcome.UNDECIDED));
    }

    private Outcome outcome(AbFigure figure, PairedInterval interval) {
        boolean higher = figure.higherIsBetter();
        double gain = higher ? interval.mean() : -interval.mean();
        double worst = higher ? interval.low() : -interval.high();
        double best = higher ? interval.high() : -interval.low();
        boolean moved = Math.abs(Math.expm1(interval.mean())) * 100 >= smallestChangePercent;
        // The same limits as those of compare: throughput may fall to 95 %, times may grow to 105 %.
        double margin = higher ? -Math.log1p(-lossPercent / 100) : Math.log1p(lossPercent / 100);
        if (moved && gain < 0 && best < 0) {
            return Outcome.SLOWER;
        }
        if (moved && gain > 0 && worst > 0) {
            return Outcome.FASTER;
        }
        return worst > -margin ? Outcome.NO_DIFFERENCE : Outcome.UNDECIDED;
    }

    private static OptionalDouble ratio(OptionalDouble logarithm) {
        return logarithm.isPresent() && Double.isFinite(logarithm.getAsDouble())
                ? OptionalDouble.of(Math.exp(logarithm.getAsDouble()))
                : OptionalDouble.empty();
    }

    private static OptionalDouble level(List<AbCase.Start> starts, AbFigure figure, Side side) {
        return ratio(starts.stream()
                .mapToDouble(start -> start.level(side, figure).orElseThrow())
                .average());
    }
}
