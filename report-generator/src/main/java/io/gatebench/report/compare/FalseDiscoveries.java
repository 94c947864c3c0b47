/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Corrects many p-values at once: the step-up procedure of Benjamini and Hochberg (1995) with the weights of Genovese,
 * Roeder and Wasserman (2006).
 *
 * <p>Where nothing changed, the chance of any false alarm in the whole family is at most the chosen rate; where many
 * test cases changed, the correction costs little power.
 */
final class FalseDiscoveries {

    private FalseDiscoveries() {}

    /**
     * Returns adjusted p-values: one that is at most the false alarm rate is a discovery.
     *
     * @param p values from 0 to 1
     * @param weights positive, with a mean of 1 or less
     */
    static double[] adjust(double[] p, double[] weights) {
        int count = p.length;
        double[] weighted = new double[count];
        for (int i = 0; i < count; i++) {
            weighted[i] = p[i] / weights[i];
        }
        int[] order = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> weighted[i]))
                .mapToInt(Integer::intValue)
                .toArray();
        double[] adjusted = new double[count];
        double smallest = 1;
        for (int rank = count; rank >= 1; rank--) {
            int index = order[rank - 1];
            smallest = Math.min(smallest, weighted[index] * count / rank);
            adjusted[index] = smallest;
        }
        return adjusted;
    }
}
