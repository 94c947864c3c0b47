/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;

import io.gatebench.report.ab.SpendingLevels.Look;

class SpendingLevelsTest {

    private static final int LOOKS = 5;
    private static final int WALKS = 200_000;
    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

    @Test
    void aSingleLookMaySpendEverything() {
        assertThat(SpendingLevels.of(List.of(new Look(9, 1)), 0.05)).containsExactly(new double[] {0.05}, within(1e-9));
    }

    @Test
    void eachOfFiveLooksSpendsItsFifthAsCountedInRandomWalks() {
        List<Look> looks = new ArrayList<>();
        for (int i = 1; i <= LOOKS; i++) {
            looks.add(new Look(i, (double) i / LOOKS));
        }

        double[] boundaries = boundaries(SpendingLevels.of(looks, 0.05));

        int[] crossed = new int[LOOKS];
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        for (int walk = 0; walk < WALKS; walk++) {
            double sum = 0;
            for (int i = 0; i < LOOKS; i++) {
                sum += random.nextGaussian();
                if (Math.abs(sum) > boundaries[i] * Math.sqrt(i + 1)) {
                    crossed[i]++;
                    break;
                }
            }
        }
        assertThat(Arrays.stream(crossed)
                        .asDoubleStream()
                        .map(count -> count / WALKS)
                        .toArray())
                .containsExactly(new double[] {0.01, 0.01, 0.01, 0.01, 0.01}, within(0.0008));
    }

    @Test
    void aLookThatMaySpendNothingTestsAtNoLevel() {
        double[] levels = SpendingLevels.of(List.of(new Look(3, 0.5), new Look(4, 0.5), new Look(5, 1)), 0.05);

        assertThat(levels[1]).isLessThan(1e-9);
        assertThat(levels[2]).isGreaterThan(0.02);
    }

    private static double[] boundaries(double[] levels) {
        double[] boundaries = new double[levels.length];
        for (int i = 0; i < levels.length; i++) {
            boundaries[i] = NORMAL.inverseSurvivalProbability(levels[i] / 2);
        }
        return boundaries;
    }
}
