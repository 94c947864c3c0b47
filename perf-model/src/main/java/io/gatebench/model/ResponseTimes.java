/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;

/**
 * The distribution of response times of a set of samples, in milliseconds.
 *
 * <p>Percentiles never exceed the maximum.
 *
 * @param count the number of samples, at least 1
 * @param meanMillis arithmetic mean
 * @param standardDeviationMillis standard deviation of the population
 * @param minMillis smallest
 * @param maxMillis largest
 * @param p50Millis median
 * @param p75Millis 75th percentile
 * @param p90Millis 90th percentile
 * @param p95Millis 95th percentile
 * @param p98Millis 98th percentile
 * @param p99Millis 99th percentile
 * @param p999Millis 99.9th percentile
 * @param p9999Millis 99.99th percentile; results of earlier versions lack it
 * @since 0.1
 */
public record ResponseTimes(
        long count,
        double meanMillis,
        double standardDeviationMillis,
        double minMillis,
        double maxMillis,
        double p50Millis,
        double p75Millis,
        double p90Millis,
        double p95Millis,
        double p98Millis,
        double p99Millis,
        double p999Millis,
        OptionalDouble p9999Millis) {

    /**
     * Checks that there are samples.
     *
     * @throws IllegalArgumentException if {@code count} is less than 1
     */
    public ResponseTimes {
        if (count < 1) {
            throw new IllegalArgumentException("response times need at least one sample but had " + count);
        }
    }

    /**
     * Returns the distribution with every percentile that is kept.
     *
     * @param percentileMillis the response time in milliseconds that so many percent of the samples do not exceed
     */
    public static ResponseTimes of(
            long count,
            double meanMillis,
            double standardDeviationMillis,
            double minMillis,
            double maxMillis,
            DoubleUnaryOperator percentileMillis) {
        return new ResponseTimes(
                count,
                meanMillis,
                standardDeviationMillis,
                minMillis,
                maxMillis,
                percentileMillis.applyAsDouble(50),
                percentileMillis.applyAsDouble(75),
                percentileMillis.applyAsDouble(90),
                percentileMillis.applyAsDouble(95),
                percentileMillis.applyAsDouble(98),
                percentileMillis.applyAsDouble(99),
                percentileMillis.applyAsDouble(99.9),
                OptionalDouble.of(percentileMillis.applyAsDouble(99.99)));
    }
}
