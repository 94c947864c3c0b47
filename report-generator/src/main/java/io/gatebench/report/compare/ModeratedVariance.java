/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.List;

import org.apache.commons.numbers.gamma.Digamma;
import org.apache.commons.numbers.gamma.Trigamma;

/**
 * Learns the noise of many test cases from few repeats of each.
 *
 * <p>Five repeats tell the variance of one test case badly, but all test cases of a matrix together tell it well. Each
 * test case's variance is drawn towards the common one by as much as the test cases are alike: the empirical Bayes
 * estimate of G. K. Smyth, Linear models and empirical Bayes methods for assessing differential expression in
 * microarray experiments, Statistical Applications in Genetics and Molecular Biology 3 (2004), section 6.2. If the test
 * cases' variances differ no more than chance lets them, all share the pooled one.
 */
final class ModeratedVariance {

    /** Noise is never taken as less than 0.1 %: figures are published with a few digits. */
    private static final double MIN_VARIANCE = 1e-6;

    private final double priorVariance;
    private final double priorDegrees;
    private final double totalDegrees;

    /**
     * A variance and how well it is known.
     *
     * @param variance of one run
     * @param degreesOfFreedom 0 if nothing is known
     */
    record Estimate(double variance, double degreesOfFreedom) {}

    private ModeratedVariance(double priorVariance, double priorDegrees, double totalDegrees) {
        this.priorVariance = priorVariance;
        this.priorDegrees = priorDegrees;
        this.totalDegrees = totalDegrees;
    }

    /** Fits the common variance to those of the test cases; those without degrees of freedom tell nothing. */
    static ModeratedVariance fit(List<Estimate> all) {
        List<Estimate> cells =
                all.stream().filter(cell -> cell.degreesOfFreedom() > 0).toList();
        double total = cells.stream().mapToDouble(Estimate::degreesOfFreedom).sum();
        if (cells.size() < 2) {
            double own =
                    cells.isEmpty() ? 0 : Math.max(MIN_VARIANCE, cells.get(0).variance());
            return new ModeratedVariance(own, 0, total);
        }
        double pooled = cells.stream()
                        .mapToDouble(cell -> cell.variance() * cell.degreesOfFreedom())
                        .sum()
                / total;
        double[] logs = new double[cells.size()];
        double mean = 0;
        double expected = 0;
        for (int i = 0; i < logs.length; i++) {
            double half = cells.get(i).degreesOfFreedom() / 2;
            logs[i] = Math.log(Math.max(MIN_VARIANCE, cells.get(i).variance())) - Digamma.value(half) + Math.log(half);
            mean += logs[i] / logs.length;
            expected += Trigamma.value(half) / logs.length;
        }
        double spread = 0;
        for (double log : logs) {
            spread += (log - mean) * (log - mean) / (logs.length - 1);
        }
        if (spread <= expected) {
            return new ModeratedVariance(Math.max(MIN_VARIANCE, pooled), Double.POSITIVE_INFINITY, total);
        }
        double degrees = 2 * inverseTrigamma(spread - expected);
        double variance = Math.exp(mean + Digamma.value(degrees / 2) - Math.log(degrees / 2));
        return new ModeratedVariance(Math.max(MIN_VARIANCE, variance), degrees, total);
    }

    /** Returns the estimate for one test case. */
    Estimate of(Estimate cell) {
        double own = cell.degreesOfFreedom();
        if (Double.isInfinite(priorDegrees)) {
            return new Estimate(priorVariance, totalDegrees);
        }
        double degrees = own + priorDegrees;
        if (degrees <= 0) {
            return new Estimate(priorVariance, totalDegrees);
        }
        double variance = (own * cell.variance() + priorDegrees * priorVariance) / degrees;
        return new Estimate(Math.max(MIN_VARIANCE, variance), Math.min(degrees, totalDegrees));
    }

    /** Newton's method on 1 / trigamma, which is convex and nearly linear, so that it converges from below. */
    private static double inverseTrigamma(double value) {
        double x = 0.5 + 1 / value;
        for (int i = 0; i < 50; i++) {
            double trigamma = Trigamma.value(x);
            double step = 1e-6 * Math.max(1, x);
            double slope = (Trigamma.value(x + step) - Trigamma.value(x - step)) / (2 * step);
            double change = trigamma * (1 - trigamma / value) / slope;
            x += change;
            if (Math.abs(change) < 1e-8 * x) {
                break;
            }
        }
        return x;
    }
}
