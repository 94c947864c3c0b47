/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import java.util.List;

import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * At which level each of several looks at growing data may test, so that all looks together keep one error rate.
 *
 * <p>Group-sequential boundaries by error spending (Lan and DeMets 1983): up to a fraction {@code t} of the time that was
 * allowed, {@code alpha * t} may have been spent (the power family of Kim and DeMets 1987 with exponent 1). When the looks
 * come need not be known before; only what was measured must not decide when they come. The chance to cross at each look is
 * computed by the recursive integration of Armitage, McPherson and Rowe (1969).
 */
final class SpendingLevels {

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
    /** No boundary is farther out: what is left to spend there is nothing. */
    private static final double FARTHEST = 9;
    /** Points of the integration per standard deviation of a single start. */
    private static final int POINTS = 8;

    private static final int HALVINGS = 50;

    private SpendingLevels() {}

    /**
     * A look.
     *
     * @param starts how many starts it knows, more than the look before
     * @param fraction of the time that was allowed, up to 1, not less than the look before
     */
    record Look(int starts, double fraction) {}

    /**
     * Returns the two-sided level of each look.
     *
     * @param looks in the order of time
     * @param alpha what all looks together may spend
     */
    static double[] of(List<Look> looks, double alpha) {
        double[] levels = new double[looks.size()];
        Walk walk = new Walk(new double[] {0}, new double[] {1});
        Look before = new Look(0, 0);
        for (int i = 0; i < levels.length; i++) {
            Look look = looks.get(i);
            double deviation = Math.sqrt(look.starts() - before.starts());
            double spend = alpha * (look.fraction() - before.fraction());
            double root = Math.sqrt(look.starts());
            double boundary = walk.boundary(spend, deviation, root);
            levels[i] = 2 * NORMAL.survivalProbability(boundary);
            walk = walk.within(boundary * root, deviation);
            before = look;
        }
        return levels;
    }

    /**
     * Places at which a sum of standard normal steps may be that has not crossed a boundary yet.
     *
     * @param points places of the sum
     * @param mass the chance of each
     */
    private record Walk(double[] points, double[] mass) {

        /** Returns how many standard errors from zero the next boundary is if it is to be crossed with that chance. */
        double boundary(double chance, double deviation, double root) {
            double near = 0;
            double far = FARTHEST;
            for (int i = 0; i < HALVINGS; i++) {
                double middle = (near + far) / 2;
                if (crossing(middle * root, deviation) > chance) {
                    near = middle;
                } else {
                    far = middle;
                }
            }
            return far;
        }

        private double crossing(double limit, double deviation) {
            double sum = 0;
            for (int i = 0; i < points.length; i++) {
                sum += mass[i]
                        * (NORMAL.survivalProbability((limit - points[i]) / deviation)
                                + NORMAL.cumulativeProbability((-limit - points[i]) / deviation));
            }
            return sum;
        }

        /** Returns the walk after a further step, as far as it is within the limit: Simpson's rule over an even grid. */
        Walk within(double limit, double deviation) {
            int intervals = 2 * (int) Math.ceil(limit * POINTS);
            double width = 2 * limit / intervals;
            double[] next = new double[intervals + 1];
            double[] chances = new double[intervals + 1];
            for (int i = 0; i <= intervals; i++) {
                next[i] = -limit + i * width;
                double density = 0;
                for (int j = 0; j < points.length; j++) {
                    double distance = (next[i] - points[j]) / deviation;
                    density += mass[j] * Math.exp(-distance * distance / 2);
                }
                double weight = i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2;
                chances[i] = density / (deviation * Math.sqrt(2 * Math.PI)) * weight * width / 3;
            }
            return new Walk(next, chances);
        }
    }
}
