/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.List;

import io.gatebench.report.column.Metric;
import io.gatebench.report.importer.ImportedRun;

/**
 * Rules by which runs are compared.
 *
 * @param metrics the figures that are compared; the first one is the primary figure, which gets two thirds of the
 *     allowed false alarms
 * @param falseAlarmRate the chance that a run without any change has a test case, or is itself, called faster or
 *     slower, above 0 and below 1
 * @param largestErrorPercent the failed part of the samples in percent up to which a test case is compared, 0 to 100
 * @param smallestChangePercent differences below it are no difference, whatever the noise; 0 or more
 * @param marginPercent where the interval of a ratio shows no loss above this, and no gain of that kind, there is no
 *     difference; where it does not, the answer is undecided; above 0 and below 100
 * @param history earlier runs that tell the noise where the inputs have no repeats, oldest first
 * @param anySetUp whether runs are compared whose processors, restarts or warm-up rules differ
 */
public record ComparisonOptions(
        List<Metric> metrics,
        double falseAlarmRate,
        double largestErrorPercent,
        double smallestChangePercent,
        double marginPercent,
        List<ImportedRun> history,
        boolean anySetUp) {

    /** Throughput, mean response time and 99th percentile. */
    public static final List<Metric> DEFAULT_METRICS = List.of(Metric.THROUGHPUT, Metric.MEAN, Metric.P99);

    /** One matrix in twenty without any change may show one. */
    public static final double DEFAULT_FALSE_ALARM_RATE = 0.05;

    /** Percentage that a published table prints as 0 %: a single failure among a million samples changes no figure. */
    public static final double DEFAULT_LARGEST_ERROR_PERCENT = 0.005;

    /** Less than a percent is of no interest. */
    public static final double DEFAULT_SMALLEST_CHANGE_PERCENT = 1;

    /** A tenth is what a release may not lose unseen. */
    public static final double DEFAULT_MARGIN_PERCENT = 10;

    /**
     * Copies the lists and checks the ranges.
     *
     * @throws IllegalArgumentException if a figure is out of range or no metric is given
     */
    public ComparisonOptions {
        metrics = List.copyOf(metrics);
        history = List.copyOf(history);
        if (metrics.isEmpty()) {
            throw new IllegalArgumentException("at least one metric is needed for a comparison");
        }
        if (!(falseAlarmRate > 0 && falseAlarmRate < 1)) {
            throw new IllegalArgumentException(
                    "the false alarm rate must be above 0 and below 1 but was " + falseAlarmRate);
        }
        if (!(largestErrorPercent >= 0 && largestErrorPercent <= 100)) {
            throw new IllegalArgumentException(
                    "the largest error percentage must be 0 to 100 but was " + largestErrorPercent);
        }
        if (!(smallestChangePercent >= 0)) {
            throw new IllegalArgumentException(
                    "the smallest change must not be negative but was " + smallestChangePercent);
        }
        if (!(marginPercent > 0 && marginPercent < 100)) {
            throw new IllegalArgumentException(
                    "the loss to rule out must be above 0 and below 100 % but was " + marginPercent);
        }
    }

    /** Returns the defaults: three metrics, 5 % false alarms, 0.005 % errors, 1 % smallest change, 10 % margin, no history. */
    public static ComparisonOptions defaults() {
        return new ComparisonOptions(
                DEFAULT_METRICS,
                DEFAULT_FALSE_ALARM_RATE,
                DEFAULT_LARGEST_ERROR_PERCENT,
                DEFAULT_SMALLEST_CHANGE_PERCENT,
                DEFAULT_MARGIN_PERCENT,
                List.of(),
                false);
    }

    /** Returns these options with other metrics. */
    public ComparisonOptions withMetrics(List<Metric> other) {
        return new ComparisonOptions(
                other, falseAlarmRate, largestErrorPercent, smallestChangePercent, marginPercent, history, anySetUp);
    }

    /** Returns these options with earlier runs, oldest first. */
    public ComparisonOptions withHistory(List<ImportedRun> runs) {
        return new ComparisonOptions(
                metrics, falseAlarmRate, largestErrorPercent, smallestChangePercent, marginPercent, runs, anySetUp);
    }

    /** Returns these options with another false alarm rate. */
    public ComparisonOptions withFalseAlarmRate(double rate) {
        return new ComparisonOptions(
                metrics, rate, largestErrorPercent, smallestChangePercent, marginPercent, history, anySetUp);
    }

    /** Returns these options with another smallest change. */
    public ComparisonOptions withSmallestChangePercent(double percent) {
        return new ComparisonOptions(
                metrics, falseAlarmRate, largestErrorPercent, percent, marginPercent, history, anySetUp);
    }

    /** Returns these options for runs that were set up in different ways, too. */
    public ComparisonOptions withAnySetUp() {
        return new ComparisonOptions(
                metrics, falseAlarmRate, largestErrorPercent, smallestChangePercent, marginPercent, history, true);
    }

    /** Returns these options with another loss to rule out. */
    public ComparisonOptions withMarginPercent(double percent) {
        return new ComparisonOptions(
                metrics, falseAlarmRate, largestErrorPercent, smallestChangePercent, percent, history, anySetUp);
    }
}
