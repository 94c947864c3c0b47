/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

import org.junit.jupiter.api.Test;

import io.gatebench.model.SecondOfLoad;

/**
 * The rule on series whose steady part is known. What it does to each kind of them stands in the documents, from the
 * same figures.
 */
class SteadyStateTest {

    private static final Path DOCUMENT = Path.of("../docs/concepts/warm-up.md");
    private static final int USERS = 50;
    private static final int LENGTH = 120;
    private static final int SERIES = 200;

    /**
     * Series of one kind.
     *
     * @param name what stands in the documents
     * @param noise standard deviation of a second, in parts of the level
     * @param steadyFrom the second from which on the level stays
     * @param level requests per second
     */
    private record Kind(String name, double noise, int steadyFrom, IntToDoubleFunction level) {

        List<SecondOfLoad> series(long seed) {
            Random random = new Random(seed);
            List<SecondOfLoad> seconds = new ArrayList<>();
            for (int second = 0; second < LENGTH; second++) {
                double rate = Math.max(1, level.applyAsDouble(second) * (1 + noise * random.nextGaussian()));
                seconds.add(second(second, Math.round(rate)));
            }
            return seconds;
        }

        Outcome outcome() {
            int tooEarly = 0;
            int never = 0;
            List<Integer> late = new ArrayList<>();
            for (int seed = 0; seed < SERIES; seed++) {
                int end = end(series(seed));
                if (end < 0) {
                    never++;
                } else if (end < steadyFrom) {
                    tooEarly++;
                } else {
                    late.add(end - steadyFrom);
                }
            }
            late.sort(null);
            return new Outcome(
                    100.0 * tooEarly / SERIES,
                    100.0 * never / SERIES,
                    late.isEmpty() ? -1 : late.get(late.size() / 2),
                    late.isEmpty() ? -1 : late.get(late.size() * 95 / 100));
        }
    }

    private record Outcome(double tooEarlyPercent, double neverPercent, int lateMedian, int late95) {

        String row(Kind kind) {
            return String.format(
                    Locale.ROOT,
                    "| %s | %d | %.1f | %.1f | %s | %s |",
                    kind.name(),
                    kind.steadyFrom(),
                    tooEarlyPercent,
                    neverPercent,
                    lateMedian < 0 ? "-" : lateMedian,
                    late95 < 0 ? "-" : late95);
        }
    }

    private static final Kind STEADY = new Kind("steady, noise 3.8 %", 0.038, 0, second -> 4087);
    private static final Kind NOISY = new Kind("steady, noise 10 %", 0.10, 0, second -> 4087);
    /** The course that was recorded on two processors which all roles share, as a curve. */
    private static final Kind FREE = new Kind(
            "recorded course, roles share processors",
            0.038,
            38,
            second -> second < 36
                    ? 136 + (2848 - 136) * second / 36.0
                    : second < 38 ? 2848 + (3824 - 2848) * (second - 36) / 2.0 : 4087);
    /** The same with processors of their own. */
    private static final Kind CONFINED = new Kind(
            "recorded course, processors of their own",
            0.02,
            47,
            second -> second < 45
                    ? 90 + (2331 - 90) * second / 45.0
                    : second < 47 ? 2331 + (3153 - 2331) * (second - 45) / 2.0 : 3350);

    private static final Kind SLOW =
            new Kind("climb by 1 % a second", 0.03, 60, second -> 2000 * Math.pow(1.01, Math.min(60, second)));
    private static final Kind FAST =
            new Kind("climb by 2 % a second", 0.03, 60, second -> 2000 * Math.pow(1.02, Math.min(60, second)));
    private static final Kind FALL =
            new Kind("fall by 2 % a second", 0.03, 60, second -> 6000 * Math.pow(0.98, Math.min(60, second)));
    private static final Kind ASYMPTOTE =
            new Kind("approach of a level, 12 s", 0.03, 36, second -> 4000 * (1 - Math.exp(-(second + 1) / 12.0)));
    private static final Kind DIPS =
            new Kind("collector takes 25 % each fifth second", 0.02, 0, second -> second % 5 == 4 ? 3000 : 4000);
    private static final Kind SAWTOOTH =
            new Kind("sawtooth of 21 % in 8 s", 0.02, 0, second -> 4000 * (1 - 0.03 * (second % 8)));
    private static final Kind STALL =
            new Kind("one stall of 2 s", 0.03, 0, second -> second == 14 || second == 15 ? 400 : 4000);
    private static final Kind PLATEAU_8 = plateau(8);
    private static final Kind PLATEAU_15 = plateau(15);
    private static final Kind PLATEAU_25 = plateau(25);

    private static Kind plateau(int seconds) {
        return new Kind(
                "two plateaus, the first for " + seconds + " s",
                0.03,
                6 + seconds,
                second -> second < 6 ? 2000 * second / 6.0 : second < 6 + seconds ? 2000 : 3500);
    }

    private static final List<Kind> KINDS = List.of(
            STEADY,
            NOISY,
            FREE,
            CONFINED,
            SLOW,
            FAST,
            FALL,
            ASYMPTOTE,
            DIPS,
            SAWTOOTH,
            STALL,
            PLATEAU_8,
            PLATEAU_15,
            PLATEAU_25);

    /** A closed load without think time: the users are always in the system. */
    private static SecondOfLoad second(int second, long samples) {
        double mean = 1000.0 * USERS / Math.max(1, samples);
        return new SecondOfLoad(second, samples, 0, mean, mean, mean, mean, USERS);
    }

    private static int end(List<SecondOfLoad> series) {
        for (int second = 1; second <= series.size(); second++) {
            if (SteadyState.reachedBy(series.subList(0, second)).isPresent()) {
                return second;
            }
        }
        return -1;
    }

    @Test
    void neverTakesAClimbOrAFallForTheEnd() {
        for (Kind kind : List.of(FREE, CONFINED, FAST, FALL, PLATEAU_8)) {
            assertThat(kind.outcome().tooEarlyPercent()).as(kind.name()).isZero();
        }
        assertThat(SLOW.outcome().tooEarlyPercent()).isLessThanOrEqualTo(5);
        assertThat(ASYMPTOTE.outcome().tooEarlyPercent()).isLessThanOrEqualTo(5);
    }

    @Test
    void seesTheEndSoonAfterwardsWhateverDipsAndStallsThereAre() {
        for (Kind kind : List.of(STEADY, FREE, CONFINED, FAST, FALL, DIPS, STALL, PLATEAU_8)) {
            assertThat(kind.outcome().neverPercent()).as(kind.name()).isZero();
            assertThat(kind.outcome().late95()).as(kind.name()).isLessThanOrEqualTo(SteadyState.SECONDS + 10);
        }
    }

    @Test
    void looksAtTheMeanToo() {
        // At a given rate the requests per second are the same from the start on.
        List<SecondOfLoad> series = new ArrayList<>();
        for (int second = 0; second < 60; second++) {
            double mean = Math.max(5, 50 - second);
            series.add(new SecondOfLoad(second, 100, 0, mean, mean, mean, mean, USERS));
        }
        assertThat(end(series)).isBetween(46, 60);
    }

    @Test
    void findsNothingInALoadThatHardlyAnswers() {
        List<SecondOfLoad> none = new ArrayList<>();
        List<SecondOfLoad> some = new ArrayList<>();
        for (int second = 0; second < 60; second++) {
            none.add(second(second, 0));
            some.add(second(second, second % 3 == 0 ? 1 : 0));
        }
        assertThat(end(none)).isNegative();
        assertThat(end(some)).isNegative();
        assertThat(SteadyState.reachedBy(List.of())).isEmpty();
    }

    /** The seconds of a first test case on a shared machine, of which its 20 s of warm-up were the first. */
    @Test
    void wouldNotHaveBegunTheWindowInTheMiddleOfACompiler() {
        long[] recorded = {
            90, 193, 310, 407, 520, 640, 760, 870, 960, 1050, 1130, 1200, 1270, 1310, 1348, 1400, 1470, 1540, 1600,
            1644, 1767, 1794, 1888, 1725, 1788, 1924, 2356, 2278, 2603, 3059
        };
        List<SecondOfLoad> series = new ArrayList<>();
        for (int second = 0; second < recorded.length; second++) {
            series.add(second(second, recorded[second]));
        }
        assertThat(end(series)).isNegative();
    }

    @Test
    void saysWhatItFound() {
        List<SecondOfLoad> series = STEADY.series(1);

        assertThat(SteadyState.reachedBy(series.subList(0, end(series))))
                .hasValueSatisfying(text -> assertThat(text)
                        .matches("over the last 15 s the requests per second drifted by -?\\d\\.\\d % and the mean"
                                + " response time by -?\\d\\.\\d %"));
    }

    @Test
    void theDocumentHoldsTheFigures() throws IOException {
        List<String> rows = KINDS.stream().map(kind -> kind.outcome().row(kind)).toList();
        String text = Files.readString(DOCUMENT);
        assertThat(text)
                .as("the rows that belong there:\n%s", String.join("\n", rows))
                .contains(rows);
    }
}
