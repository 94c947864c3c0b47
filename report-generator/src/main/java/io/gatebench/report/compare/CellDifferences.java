/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.apache.commons.statistics.distribution.TDistribution;

import io.gatebench.report.column.Metric;
import io.gatebench.report.column.Spread;
import io.gatebench.report.compare.Comparison.Noise;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ResultRow;

/**
 * Tells which test cases of one run differ, by the noise and the test of a comparison of two runs.
 *
 * <p>Nothing is said of a figure that is doubtful or invalid.
 */
public final class CellDifferences {

    private static final double FALSE_ALARM_RATE = ComparisonOptions.DEFAULT_FALSE_ALARM_RATE;

    private final Map<CellKey, ComparedCase> cells;
    private final NoiseModel noises;
    private final int questions;

    /**
     * Learns the noise of a run.
     *
     * @param rows all rows, repeats among them
     * @param metrics the figures that are asked for
     * @param questions how many differences are asked for, which share the false alarms of 5 %
     */
    public CellDifferences(List<ResultRow> rows, List<Metric> metrics, int questions) {
        ComparisonOptions options = ComparisonOptions.defaults().withMetrics(metrics);
        this.cells = ComparedCase.byCell("this run", rows, options.largestErrorPercent());
        this.questions = Math.max(1, questions);
        List<ComparedCase> sides = List.copyOf(cells.values());
        List<Pair> pairs = new ArrayList<>();
        // Each test case in one pair, so that none counts twice; the last of an odd number meets the first again.
        for (int i = 0; i < sides.size(); i += 2) {
            for (Metric metric : metrics) {
                pairs.add(new Pair(sides.get(i), sides.get((i + 1) % sides.size()), metric, true));
            }
        }
        this.noises = new NoiseModel(metrics, EarlierRuns.of(options), pairs);
    }

    /** Returns whether something may be built on a figure. */
    public boolean isSound(CellKey cell, Metric metric) {
        ComparedCase side = cells.get(cell.matching());
        return side != null && side.reason().isEmpty() && !side.isDoubtful(metric) && side.logs(metric).length > 0;
    }

    /** Returns whether two test cases differ beyond noise. */
    public boolean differ(CellKey from, CellKey to, Metric metric) {
        return pair(from, to, metric)
                .filter(pair -> {
                    Noise noise = noises.of(pair);
                    double t = Math.abs(pair.difference()) / (noise.percent() / 100 * pair.spread());
                    double p = 2 * TDistribution.of(noise.degreesOfFreedom()).survivalProbability(t);
                    return p * questions <= FALSE_ALARM_RATE;
                })
                .isPresent();
    }

    /** Returns whether the interval of the ratio of two test cases rules out a difference above a part of it. */
    public boolean areWithin(CellKey from, CellKey to, Metric metric, double percent) {
        return pair(from, to, metric)
                .filter(pair -> {
                    Noise noise = noises.of(pair);
                    double reach = noise.percent() / 100 * pair.spread() * quantile(noise, FALSE_ALARM_RATE / 2);
                    return Math.abs(pair.difference()) + reach <= Math.log1p(percent / 100);
                })
                .isPresent();
    }

    /** Returns whether a figure is below a limit by more than its noise. */
    public boolean isBelow(CellKey cell, Metric metric, double limit) {
        return pair(cell, cell, metric)
                .filter(pair -> {
                    Noise noise = noises.of(pair);
                    double reach =
                            noise.percent() / 100 / Math.sqrt(pair.left.length) * quantile(noise, FALSE_ALARM_RATE);
                    return Spread.mean(pair.left) + reach < Math.log(limit);
                })
                .isPresent();
    }

    private Optional<Pair> pair(CellKey from, CellKey to, Metric metric) {
        return isSound(from, metric) && isSound(to, metric)
                ? Optional.of(new Pair(cells.get(from.matching()), cells.get(to.matching()), metric, true))
                : Optional.empty();
    }

    private static double quantile(Noise noise, double tail) {
        return TDistribution.of(noise.degreesOfFreedom()).inverseSurvivalProbability(tail);
    }
}
