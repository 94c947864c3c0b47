/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.chart;

import java.util.List;
import java.util.Optional;

import org.apache.commons.statistics.distribution.TDistribution;

import io.gatebench.report.chart.Chart.Point;

/**
 * A line fitted by least squares, with the 95 % confidence band of its mean.
 *
 * @param slope rise per unit of x
 * @param intercept value at x = 0
 * @param meanX mean of the x
 * @param spreadX sum of squared deviations of the x
 * @param residual standard deviation of the residuals, n - 2 degrees of freedom
 * @param count number of points
 * @param t two-sided 97.5 % quantile of Student's t
 * @param from smallest x
 * @param to largest x
 */
record Regression(
        double slope,
        double intercept,
        double meanX,
        double spreadX,
        double residual,
        int count,
        double t,
        double from,
        double to) {

    private static final double TWO_SIDED_95 = 0.975;

    /** Returns the line, or nothing if fewer than three points or a single x do not define one. */
    static Optional<Regression> of(List<Point> points) {
        int n = points.size();
        double meanX = points.stream().mapToDouble(Point::x).average().orElse(0);
        double meanY = points.stream().mapToDouble(Point::y).average().orElse(0);
        double spread = 0;
        double common = 0;
        for (Point point : points) {
            spread += (point.x() - meanX) * (point.x() - meanX);
            common += (point.x() - meanX) * (point.y() - meanY);
        }
        if (n < 3 || spread == 0) {
            return Optional.empty();
        }
        double slope = common / spread;
        double intercept = meanY - slope * meanX;
        double squares = 0;
        for (Point point : points) {
            double off = point.y() - intercept - slope * point.x();
            squares += off * off;
        }
        double t = TDistribution.of(n - 2).inverseCumulativeProbability(TWO_SIDED_95);
        return Optional.of(new Regression(
                slope,
                intercept,
                meanX,
                spread,
                Math.sqrt(squares / (n - 2)),
                n,
                t,
                points.stream().mapToDouble(Point::x).min().orElseThrow(),
                points.stream().mapToDouble(Point::x).max().orElseThrow()));
    }

    double at(double x) {
        return intercept + slope * x;
    }

    double halfBand(double x) {
        return t * residual * Math.sqrt(1.0 / count + (x - meanX) * (x - meanX) / spreadX);
    }
}
