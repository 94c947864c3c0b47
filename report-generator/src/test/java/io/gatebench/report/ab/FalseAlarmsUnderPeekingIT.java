/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.ab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

import org.junit.jupiter.api.Test;

import io.gatebench.report.ab.SpendingLevels.Look;

/**
 * Simulates measurements in turns with a known effect, stops each as soon as it is decided, and counts what was called.
 *
 * <p>The noise is that of the built-in gateway on a processor of its own: 3.2 % from start to start and 2 % from window to
 * window; and that of a virtual machine, which is slow in some seconds. Seeded: it gives the same figures each time. More runs, and the table that the documents quote: {@code
 * -Dgatebench.simulation.runs=20000}.
 */
class FalseAlarmsUnderPeekingIT {

    private static final int USUAL_RUNS = 8000;
    private static final int RUNS = Integer.getInteger("gatebench.simulation.runs", USUAL_RUNS);
    private static final double BETWEEN_STARTS = 0.032;
    private static final double WITHIN_A_START = 0.02;
    private static final int PAIRS = 2;
    private static final double DEVIATION =
            Math.sqrt(2 * BETWEEN_STARTS * BETWEEN_STARTS + 2 * WITHIN_A_START * WITHIN_A_START / PAIRS);
    /** What starts of the virtual machine differ by, beside what their pairs do. */
    private static final double BETWEEN_KNOWN_STARTS = 0.02;

    private static final double QUIET_SECOND = 0.05;
    private static final double SLOW_SECOND = 0.2;
    private static final double SLOW_PART = 0.2;
    private static final int MIN_PAIRS = 4;
    private static final int MAX_PAIRS = 16;
    private static final double LOSS = 0.05;
    private static final double ALPHA = 0.05;
    /** Of the four figures throughput alone. */
    private static final double OF_THROUGHPUT = 0.4 * ALPHA;
    /** A call that holds in 5 % of the cases is counted more often than this in one of a thousand test runs. */
    private static final double CHANCE = 3.1 * Math.sqrt(ALPHA * (1 - ALPHA) / RUNS);

    /** What came of many measurements of one kind. */
    private record Count(double slower, double faster, double same, double missed, double naive, int median, int p95) {

        double called() {
            return slower + faster;
        }
    }

    /** Noise from one start to the next, in units of its standard deviation. */
    private interface Noise {
        double next(RandomGenerator random, int start);
    }

    private static final Noise QUIET = (random, start) -> random.nextGaussian();
    /** A neighbour that comes for three starts of seven and makes what is measured meanwhile three times as noisy. */
    private static final Noise NEIGHBOUR = (random, start) -> random.nextGaussian() * (start % 7 < 3 ? 3 : 1);

    /** The numbers of starts whose pairs end when they are known, as {@link AbJudge#needsMoreWindows} says. */
    private static final Noise UNTIL_KNOWN = (random, start) -> {
        double ofStart = BETWEEN_KNOWN_STARTS * random.nextGaussian();
        List<Double> pairs = new ArrayList<>();
        Optional<HodgesLehmann> known = Optional.empty();
        while (pairs.size() < MIN_PAIRS
                || pairs.size() < MAX_PAIRS && known.orElseThrow().error() > LOSS / 2) {
            for (int i = 0; i < 2; i++) {
                double deviation = random.nextDouble() < SLOW_PART ? SLOW_SECOND : QUIET_SECOND;
                pairs.add(ofStart + deviation * random.nextGaussian());
            }
            known = HodgesLehmann.of(pairs.stream().mapToDouble(Double::doubleValue));
        }
        return known.orElseThrow().value() / DEVIATION;
    };

    @Test
    void callsADifferenceWhereThereIsNoneInAtMostFivePercent() {
        for (int starts : new int[] {7, 12, 24}) {
            Count count = simulate(starts, 0, QUIET);

            assertThat(count.called()).as("called within %d starts", starts).isLessThan(ALPHA + CHANCE);
        }
    }

    @Test
    void everyLooksIntervalHoldsTheTruthInNinetyFiveOfAHundredMeasurements() {
        for (int starts : new int[] {7, 12, 24}) {
            Count count = simulate(starts, LOSS, QUIET);

            assertThat(count.missed()).as("missed within %d starts", starts).isLessThan(ALPHA + CHANCE);
        }
    }

    @Test
    void aTestThatIsRepeatedAtEveryLookBreaksThatPromise() {
        assertThat(simulate(24, 0, QUIET).naive()).isGreaterThan(3 * ALPHA);
    }

    @Test
    void findsALossOfTenPercentWithinTenStartsAndOneOfFiveWithinTwentyFour() {
        Count ten = simulate(24, 0.10, QUIET);
        Count five = simulate(24, 0.05, QUIET);

        assertThat(ten.slower()).isGreaterThan(0.95);
        assertThat(ten.p95()).isLessThanOrEqualTo(10);
        assertThat(five.slower()).isGreaterThan(0.95);
        assertThat(five.median()).isLessThanOrEqualTo(14);
    }

    @Test
    void theSmallerALossTheLongerItTakes() {
        Count before = simulate(24, 0.30, QUIET, OF_THROUGHPUT);
        for (double loss : new double[] {0.20, 0.10, 0.07, 0.05, 0.03}) {
            Count count = simulate(24, loss, QUIET, OF_THROUGHPUT);

            assertThat(count.slower())
                    .as("called slower with a loss of %s", loss)
                    .isLessThanOrEqualTo(before.slower());
            assertThat(count.median()).as("starts with a loss of %s", loss).isGreaterThanOrEqualTo(before.median());
            before = count;
        }
    }

    @Test
    void theMoreStartsFitIntoTheTimeTheSurerALossIsFound() {
        for (double loss : new double[] {0.10, 0.05}) {
            double least = 0;
            for (int starts : loss < 0.10 ? new int[] {12, 16, 20, 24} : new int[] {4, 5, 6, 7, 8, 9}) {
                Count count = simulate(starts, loss, QUIET, OF_THROUGHPUT);

                assertThat(count.slower())
                        .as("a loss of %s called within %d starts", loss, starts)
                        .isGreaterThan(least);
                least = count.slower();
            }
            assertThat(least).as("a loss of %s", loss).isGreaterThan(0.9);
        }
    }

    @Test
    void aNeighbourThatComesAndGoesCostsTimeAndRaisesNoAlarms() {
        Count quiet = simulate(24, 0, QUIET);
        Count loud = simulate(24, 0, NEIGHBOUR);

        assertThat(loud.called()).isLessThan(ALPHA + CHANCE);
        assertThat(loud.same()).isLessThan(quiet.same());
    }

    @Test
    void startsThatAreMeasuredUntilTheyAreKnownKeepThatPromise() {
        for (int starts : new int[] {4, 5, 8, 12}) {
            assertThat(simulate(starts, 0, UNTIL_KNOWN).called())
                    .as("called within %d starts", starts)
                    .isLessThan(ALPHA + CHANCE);
        }
    }

    @Test
    void startsThatAreMeasuredUntilTheyAreKnownFindALoss() {
        assertThat(simulate(4, 0.10, UNTIL_KNOWN, OF_THROUGHPUT).slower()).isGreaterThan(0.8);
        assertThat(simulate(5, 0.10, UNTIL_KNOWN, OF_THROUGHPUT).slower()).isGreaterThan(0.9);
        assertThat(simulate(12, 0.05, UNTIL_KNOWN, OF_THROUGHPUT).slower()).isGreaterThan(0.8);
    }

    private static Count simulate(int most, double loss, Noise noise) {
        return simulate(most, loss, noise, ALPHA);
    }

    private static Count simulate(int most, double loss, Noise noise, double alpha) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(21);
        double truth = Math.log1p(-loss);
        double[] quantiles = quantiles(most, alpha);
        double[] naively = new double[quantiles.length];
        Arrays.setAll(naively, look -> PairedInterval.quantile(look + PairedInterval.MIN_STARTS, alpha));
        int slower = 0;
        int faster = 0;
        int same = 0;
        int missed = 0;
        int naive = 0;
        List<Integer> ends = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            List<Double> differences = new ArrayList<>();
            boolean decided = false;
            boolean miss = false;
            boolean alarm = false;
            for (int start = 1; start <= most; start++) {
                differences.add(truth + DEVIATION * noise.next(random, start));
                if (start < PairedInterval.MIN_STARTS) {
                    continue;
                }
                int look = start - PairedInterval.MIN_STARTS;
                PairedInterval interval = PairedInterval.at(differences, quantiles[look]);
                miss |= truth < interval.low() || truth > interval.high();
                PairedInterval alone = PairedInterval.at(differences, naively[look]);
                alarm |= truth < alone.low() || truth > alone.high();
                if (!decided) {
                    decided = true;
                    if (interval.high() < 0) {
                        slower++;
                    } else if (interval.low() > 0) {
                        faster++;
                    } else if (interval.low() > Math.log1p(-LOSS)) {
                        same++;
                    } else {
                        decided = false;
                    }
                    if (decided) {
                        ends.add(start);
                    }
                }
            }
            missed += miss ? 1 : 0;
            naive += alarm ? 1 : 0;
        }
        int[] sorted = ends.stream().mapToInt(Integer::intValue).sorted().toArray();
        Count count = new Count(
                (double) slower / RUNS,
                (double) faster / RUNS,
                (double) same / RUNS,
                (double) missed / RUNS,
                (double) naive / RUNS,
                sorted[sorted.length / 2],
                sorted[sorted.length * 95 / 100]);
        if (RUNS > USUAL_RUNS) {
            System.out.printf(Locale.ROOT, "at most %d starts, loss %.2f, level %.2f: %s%n", most, loss, alpha, count);
        }
        return count;
    }

    private static double[] quantiles(int most, double alpha) {
        List<Look> looks = new ArrayList<>();
        for (int start = PairedInterval.MIN_STARTS; start <= most; start++) {
            looks.add(new Look(start, (double) start / most));
        }
        double[] levels = PairedInterval.levels(looks, alpha);
        double[] quantiles = new double[levels.length];
        Arrays.setAll(quantiles, look -> PairedInterval.quantile(looks.get(look).starts(), levels[look]));
        return quantiles;
    }
}
