/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.judge;

import static io.gatebench.report.verdict.Text.number;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

import org.apache.commons.statistics.distribution.TDistribution;

import io.gatebench.model.LoadResult;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.RunRules;
import io.gatebench.report.verdict.Verdict;

/**
 * Time that the way through the gateway adds to the response times of the control run, which goes straight to the back end.
 *
 * @param mean difference of the mean response times
 * @param p99 difference of the 99th percentiles
 * @param verdict what speaks against the run, against its control run by the same rules, and against the difference
 */
public record Overhead(Difference mean, Difference p99, Verdict verdict) {

    /** Fewer blocks tell too little of how much a figure varies. */
    private static final int MIN_BLOCKS = 5;
    /** More make the interval hardly narrower, and blocks that depend on each other make it too narrow. */
    private static final int MAX_BLOCKS = 20;

    private static final double TWO_SIDED_95 = 0.975;

    /**
     * A difference of two response times.
     *
     * @param millis gateway minus control run, in milliseconds
     * @param halfWidth half of the 95 % interval around it, if the windows are long enough to know it
     */
    public record Difference(double millis, Optional<Double> halfWidth) {}

    /**
     * Returns the overhead of a case with a control run, for the label of one of its rows.
     *
     * @param info the head of the run
     * @param result a completed case
     */
    public static Optional<Overhead> of(RunManifest info, TestCaseResult.Completed result, String label) {
        Optional<SampleStatistics> through = result.load().measurement().stream()
                .filter(statistics -> statistics.label().equals(label))
                .findFirst();
        Optional<SampleStatistics> straight = result.control()
                .flatMap(control -> control.measurement().stream().findFirst());
        if (through.isEmpty() || straight.isEmpty()) {
            return Optional.empty();
        }
        ResponseTimes gateway = through.get().all();
        ResponseTimes backend = straight.get().all();
        LoadResult load = result.load();
        LoadResult control = result.control().orElseThrow();
        Difference mean = difference(
                block(load, SecondOfLoad::meanMillis, gateway.meanMillis()),
                block(control, SecondOfLoad::meanMillis, backend.meanMillis()));
        Difference p99 = difference(
                block(load, SecondOfLoad::p99Millis, gateway.p99Millis()),
                block(control, SecondOfLoad::p99Millis, backend.p99Millis()));
        List<Finding> findings =
                new ArrayList<>(Verdicts.ofResults(info, List.of(result)).get(0).findings());
        Verdicts.ofResults(info, List.of(alone(result, control)))
                .get(0)
                .findings()
                .forEach(finding -> findings.add(
                        new Finding(finding.rule(), finding.level(), "in the control run " + finding.text())));
        sign("mean", mean).ifPresent(findings::add);
        sign("99th percentile", p99).ifPresent(findings::add);
        return Optional.of(new Overhead(mean, p99, Verdict.of(findings)));
    }

    /** The control run as a case of its own, to be judged by the rules for any case. */
    private static TestCaseResult.Completed alone(TestCaseResult.Completed result, LoadResult control) {
        return new TestCaseResult.Completed(
                result.testCase(),
                result.repeat(),
                result.started(),
                result.ended(),
                control,
                Optional.empty(),
                List.of(),
                List.of(),
                Map.of());
    }

    private static Optional<Finding> sign(String name, Difference difference) {
        if (difference.millis() >= 0) {
            return Optional.empty();
        }
        boolean within = difference
                .halfWidth()
                .map(half -> difference.millis() + half >= 0)
                .orElse(false);
        return Optional.of(new Finding(
                Rule.OVERHEAD,
                within ? Level.DOUBTFUL : Level.INVALID,
                "the overhead of the " + name + " is " + number(difference.millis()) + " ms, less than nothing"
                        + (within ? ", within its interval" : "")));
    }

    /** A figure of a whole window with its variance, which is empty where the window has too few blocks. */
    private record Estimate(double value, Optional<Double> variance, int blocks) {}

    /**
     * Estimates the variance of a figure from consecutive blocks of its window, around the figure of the whole window.
     *
     * <p>Sectioning (Asmussen and Glynn, Stochastic Simulation, 2007, III.5): for the percentile, whose mean over blocks
     * differs from that of the window, the squares around the latter hold that difference too, so that the interval is rather too
     * wide than too narrow.
     */
    private static Estimate block(LoadResult load, ToDoubleFunction<SecondOfLoad> figure, double value) {
        List<SecondOfLoad> seconds = RunRules.window(load).stream()
                .filter(second -> second.samples() > 0)
                .toList();
        int blocks = Math.min(MAX_BLOCKS, seconds.size());
        if (blocks < MIN_BLOCKS || load.measurement().size() > 1) {
            return new Estimate(value, Optional.empty(), 0);
        }
        double squares = 0;
        for (int i = 0; i < blocks; i++) {
            double weighted = 0;
            long samples = 0;
            int end = (i + 1) * seconds.size() / blocks;
            for (SecondOfLoad second : seconds.subList(i * seconds.size() / blocks, end)) {
                weighted += figure.applyAsDouble(second) * second.samples();
                samples += second.samples();
            }
            double deviation = weighted / samples - value;
            squares += deviation * deviation;
        }
        return new Estimate(value, Optional.of(squares / (blocks - 1) / blocks), blocks);
    }

    /** The interval of a difference of two figures of unequal variance (Welch, Biometrika 34, 1947). */
    private static Difference difference(Estimate gateway, Estimate control) {
        double millis = gateway.value() - control.value();
        if (gateway.variance().isEmpty() || control.variance().isEmpty()) {
            return new Difference(millis, Optional.empty());
        }
        double one = gateway.variance().get();
        double other = control.variance().get();
        double both = one + other;
        if (both == 0) {
            return new Difference(millis, Optional.of(0.0));
        }
        double freedom = both * both / (one * one / (gateway.blocks() - 1) + other * other / (control.blocks() - 1));
        double half = TDistribution.of(freedom).inverseCumulativeProbability(TWO_SIDED_95) * Math.sqrt(both);
        return new Difference(millis, Optional.of(half));
    }
}
