/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * Middle of numbers of which some are far off: the median of the means of each two of them, each with itself
 * as well (Hodges and Lehmann 1963).
 *
 * <p>A second in which a neighbour takes the processor moves a mean as far as it likes, and this next to nothing. Of
 * normally spread numbers it is as near to the middle as the mean of 95 in 100 of them.
 *
 * @param value the middle
 * @param error its standard error: half of the interval that the signed ranks give (Hollander and Wolfe 1999, section 3.3)
 */
record HodgesLehmann(double value, double error) {

    /** Returns that of numbers; empty of none. The error of a single one is infinite. */
    static Optional<HodgesLehmann> of(DoubleStream numbers) {
        double[] of = numbers.toArray();
        int count = of.length;
        if (count == 0) {
            return Optional.empty();
        }
        double[] means = new double[count * (count + 1) / 2];
        int next = 0;
        for (int i = 0; i < count; i++) {
            for (int j = 0; j <= i; j++) {
                means[next++] = (of[i] + of[j]) / 2;
            }
        }
        Arrays.sort(means);
        double expected = means.length / 2.0;
        double deviation = Math.sqrt(count * (count + 1) * (2 * count + 1) / 24.0);
        int rank = (int) Math.max(0, Math.round(expected - deviation) - 1);
        double reach = (means[means.length - 1 - rank] - means[rank]) / 2;
        return Optional.of(new HodgesLehmann(
                (means[(means.length - 1) / 2] + means[means.length / 2]) / 2,
                count == 1 ? Double.POSITIVE_INFINITY : reach));
    }
}
