/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.DoubleStream;

import org.junit.jupiter.api.Test;

class HodgesLehmannTest {

    @Test
    void isTheMedianOfTheMeansOfEachTwo() {
        HodgesLehmann estimate = HodgesLehmann.of(DoubleStream.of(1, 2, 4, 100)).orElseThrow();

        // 1, 1.5, 2, 2.5, 3, 4, 50.5, 51, 52, 100
        assertThat(estimate.value()).isEqualTo(3.5);
        // The signed ranks of four numbers add up to 5 on average, with a deviation of 2.7: from the second to the
        // ninth mean.
        assertThat(estimate.error()).isEqualTo((52 - 1.5) / 2);
    }

    @Test
    void isTheMeanOfTwo() {
        HodgesLehmann estimate = HodgesLehmann.of(DoubleStream.of(1, 4)).orElseThrow();

        assertThat(estimate.value()).isEqualTo(2.5);
        assertThat(estimate.error()).as("the standard error of their mean").isEqualTo(1.5);
    }

    @Test
    void knowsNothingOfTheErrorOfOneAndNothingOfNone() {
        assertThat(HodgesLehmann.of(DoubleStream.of(7)).orElseThrow())
                .isEqualTo(new HodgesLehmann(7, Double.POSITIVE_INFINITY));
        assertThat(HodgesLehmann.of(DoubleStream.empty())).isEmpty();
    }

    @Test
    void itsErrorIsThatOfTheMeanOfNormallySpreadNumbers() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        for (int count : new int[] {8, 16}) {
            double error = 0;
            double squares = 0;
            int runs = 4000;
            for (int run = 0; run < runs; run++) {
                HodgesLehmann estimate = HodgesLehmann.of(
                                DoubleStream.generate(random::nextGaussian).limit(count))
                        .orElseThrow();
                error += estimate.error() / runs;
                squares += estimate.value() * estimate.value() / runs;
            }
            assertThat(Math.sqrt(squares)).as("deviation of %d", count).isCloseTo(1 / Math.sqrt(count), within(0.04));
            assertThat(error).as("error of %d", count).isCloseTo(1 / Math.sqrt(count), within(0.1));
        }
    }

    @Test
    void oneNumberThatIsFarOffMovesItLittle() {
        HodgesLehmann without = HodgesLehmann.of(DoubleStream.of(-0.1, -0.08, -0.11, -0.09, -0.12, -0.1, -0.07))
                .orElseThrow();
        HodgesLehmann with = HodgesLehmann.of(DoubleStream.of(-0.1, -0.08, -0.11, -0.09, -0.12, -0.1, -0.07, 0.8))
                .orElseThrow();

        assertThat(with.value()).isCloseTo(without.value(), within(0.01));
    }
}
