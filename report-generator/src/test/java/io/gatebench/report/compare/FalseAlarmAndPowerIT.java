/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

import org.apache.commons.statistics.inference.MannWhitneyUTest;
import org.apache.commons.statistics.inference.TTest;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.gatebench.model.DataSize;
import io.gatebench.model.MessageLevel;
import io.gatebench.report.column.Cells;
import io.gatebench.report.column.Metric;
import io.gatebench.report.compare.Comparison.Cell;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.report.importer.CellKey;
import io.gatebench.report.importer.ImportedRun;
import io.gatebench.report.importer.ResultRow;
import io.gatebench.report.importer.RunResultRows;
import io.gatebench.report.importer.SeriesNoise;

/**
 * Simulates matrices with a known effect and counts what the comparison says of them.
 *
 * <p>Seeded: it gives the same figures each time. {@code bench/compare/run.sh} runs it with more matrices and prints its
 * table.
 */
class FalseAlarmAndPowerIT {

    private static final int MATRICES = Integer.getInteger("gatebench.simulation.matrices", 50);
    private static final int USERS = 6;
    private static final int SIZES = 4;
    private static final int SCENARIOS = 2;
    private static final int CELLS = USERS * SIZES * SCENARIOS;
    private static final int REPEATS = 5;
    private static final int AGAIN = 10;
    private static final int[] ALL_CELLS = IntStream.range(0, CELLS).toArray();
    private static final int[] EIGHT_CELLS = IntStream.range(0, 8).toArray();
    private static final int[] FIRST_CELL = {0};
    private static final double NOISE = 0.05;
    private static final double LOSS = 0.90;

    private final RunComparator comparator = new RunComparator(ComparisonOptions.defaults());
    private final StringBuilder table = new StringBuilder();
    /** All lines of the table are printed before the first of them fails. */
    private final SoftAssertions counted = new SoftAssertions();

    /**
     * What was counted over all matrices.
     *
     * @param matrices part of the matrices with any figure called faster or slower
     * @param cells part of the changed test cases whose throughput was called slower
     * @param falseCells part of the unchanged test cases whose throughput was called faster or slower
     * @param regressed part of the matrices with an overall regression
     */
    private record Counts(double matrices, double cells, double falseCells, double regressed) {}

    @Test
    void seldomRaisesAFalseAlarmAndFindsATenPercentLoss() throws IOException {
        head();
        Counts same = count("no change, noise 5 %", cell -> 1, cell -> NOISE);
        Counts unequal = count(
                "no change, noise 2 to 15 %, unequal over the test cases",
                cell -> 1, cell -> 0.02 + 0.13 * (cell % 8) / 7);
        Counts all = count("throughput -10 % in all test cases, noise 5 %", cell -> LOSS, cell -> NOISE);
        Counts half = count(
                "throughput -10 % in half of the test cases, noise 5 %",
                cell -> cell % 2 == 0 ? LOSS : 1, cell -> NOISE);
        Counts one = count("throughput -10 % in one test case, noise 5 %", cell -> cell == 7 ? LOSS : 1, cell -> NOISE);
        Counts confirmed = again("throughput -10 % in one test case, suspects repeated", cell -> cell == 7 ? LOSS : 1);
        Counts nothing = again("no change, suspects repeated", cell -> 1);
        write("false-alarm-and-power.txt");

        // A rate of 5 % over few matrices is counted with an error of its own, here its 99th percentile; the seed is
        // fixed.
        double margin = 2.3 * Math.sqrt(0.05 * 0.95 / MATRICES);
        assertThat(same.matrices()).isLessThanOrEqualTo(0.05 + margin);
        assertThat(unequal.matrices()).isLessThanOrEqualTo(0.05 + margin);
        assertThat(all.cells()).isGreaterThanOrEqualTo(0.90);
        assertThat(all.regressed()).isEqualTo(1);
        assertThat(half.falseCells()).isLessThanOrEqualTo(0.05);
        assertThat(one.cells()).isGreaterThan(0.4);
        assertThat(confirmed.cells()).isGreaterThanOrEqualTo(0.85);
        assertThat(nothing.matrices()).isLessThanOrEqualTo(0.05 + margin);
    }

    /** What is counted for the record, and promised to nobody. */
    @Test
    @Tag("full")
    void countsOtherCasesForTheRecord() throws IOException {
        head();
        count("throughput -10 % in one message size, noise 5 %", cell -> cell % SIZES == 3 ? LOSS : 1, cell -> NOISE);
        count("throughput -15 % in one test case, noise 5 %", cell -> cell == 7 ? 0.85 : 1, cell -> NOISE);
        count("throughput +10 % in one test case, noise 5 %", cell -> cell == 7 ? 1 / LOSS : 1, cell -> NOISE);
        count("no change, matrix of 1 test case", cell -> 1, cell -> NOISE, FIRST_CELL, REPEATS);
        count("throughput -10 %, matrix of 1 test case", cell -> LOSS, cell -> NOISE, FIRST_CELL, REPEATS);
        count(
                "throughput -10 % in one of 8 test cases",
                cell -> cell == 7 ? LOSS : 1, cell -> NOISE, EIGHT_CELLS, REPEATS);
        count(
                "throughput -10 % in one test case, 10 repeats",
                cell -> cell == 7 ? LOSS : 1, cell -> NOISE, ALL_CELLS, 10);
        others();
        write("false-alarm-and-power-of-other-cases.txt");
    }

    private void head() {
        table.append("cases ")
                .append(CELLS)
                .append(", repeats ")
                .append(REPEATS)
                .append(", matrices ")
                .append(MATRICES)
                .append('\n');
        table.append(String.format(
                Locale.ROOT,
                "%-62s %12s %12s %12s %12s%n",
                "case",
                "any alarm",
                "cases found",
                "false cases",
                "regression"));
    }

    private void write(String file) throws IOException {
        Files.createDirectories(Path.of("target"));
        Files.writeString(Path.of("target", file), table, StandardCharsets.UTF_8);
    }

    /**
     * What a simulated night is made of: the factor on every test case's throughput and on the 99th percentile of most
     * test cases.
     */
    private record Night(double throughput, double tail) {
        static final Night GOOD = new Night(1, 1);
    }

    /**
     * Runs without repeats: single nights with and without a history, in which the level changed at any place; short runs on a
     * noisy machine.
     */
    @Test
    @Tag("full")
    void keepsThePromiseForRunsWithoutRepeats() throws IOException {
        nights();
        shortRuns();
        write("false-alarm-and-power-of-single-runs.txt");
        counted.assertAll();
    }

    /** Two test cases, windows of 3 and of 20 s whose seconds vary so that the figures of a window do by 11 %. */
    private void shortRuns() {
        double margin = 2.3 * Math.sqrt(0.05 * 0.95 / MATRICES);
        for (int seconds : new int[] {3, 20}) {
            RandomGenerator random = random();
            int alarms = 0;
            for (int i = 0; i < MATRICES; i++) {
                Comparison.Candidate candidate = comparator
                        .compare(List.of(shortRun("A", random, seconds), shortRun("B", random, seconds)))
                        .candidates()
                        .get(0);
                alarms += candidate.regressed() || candidate.outcome() == Outcome.FASTER ? 1 : 0;
            }
            double part = 1.0 * alarms / MATRICES;
            String name = "no change, 2 test cases of " + seconds + " s, noise 11 % within a run";
            table.append(String.format(Locale.ROOT, "%-62s %12s%n", name, percent(part)));
            counted.assertThat(part).as(name).isLessThanOrEqualTo(0.05 + margin);
        }
    }

    /**
     * Three test cases that one kept gateway served: it is faster or slower by 3.2 % as a whole, each window by 1 %
     * besides.
     */
    @Test
    void findsALossBetweenTwoRunsOfOneDay() {
        assertThat(sameDay(1)).isLessThanOrEqualTo(0.05 + 2.3 * Math.sqrt(0.05 * 0.95 / MATRICES));
        assertThat(sameDay(0.85)).isGreaterThanOrEqualTo(0.9 - 2.3 * Math.sqrt(0.9 * 0.1 / MATRICES));
        assertThat(sameDay(0.80)).isGreaterThanOrEqualTo(0.95);
    }

    /** Returns the part of the pairs that differ in the direction of the effect, or at all where there is none. */
    private double sameDay(double effect) {
        RandomGenerator random = random();
        int told = 0;
        for (int i = 0; i < MATRICES; i++) {
            Comparison.Candidate candidate = comparator
                    .compare(List.of(keptGateway("A", random, 1), keptGateway("B", random, effect)))
                    .candidates()
                    .get(0);
            told += candidate.regressed() || effect == 1 && candidate.outcome() == Outcome.FASTER ? 1 : 0;
        }
        return 1.0 * told / MATRICES;
    }

    private static ImportedRun keptGateway(String name, RandomGenerator random, double effect) {
        double level = effect * Math.exp(0.032 * random.nextGaussian());
        List<ResultRow> rows = new ArrayList<>();
        for (int users : new int[] {50, 100, 200}) {
            double[] throughputs = IntStream.range(0, 15)
                    .mapToDouble(any -> 3000 * level * Math.exp(0.01 * Math.sqrt(15) * random.nextGaussian()))
                    .toArray();
            double[] means =
                    Arrays.stream(throughputs).map(one -> 1000 * users / one).toArray();
            double sum = Arrays.stream(throughputs).average().orElseThrow();
            double tail = 3 * 1000 * users / sum * Math.exp(0.06 * random.nextGaussian());
            ResultRow plain = row("kept", users, 50, sum, tail, 1, name, rows.size() + 2L);
            Cells cells = Cells.read(plain.cells());
            SeriesNoise.write(cells, Metric.THROUGHPUT, throughputs);
            SeriesNoise.write(cells, Metric.MEAN, means);
            cells.text(RunResultRows.STEADY_ON, "one machine");
            cells.text(RunResultRows.STARTED, "2026-05-04T10:00:00Z");
            cells.text(RunResultRows.KEPT_GATEWAY, "never");
            rows.add(new ResultRow(plain.key(), 1, cells.texts(), cells.numbers(), name, plain.line(), List.of()));
        }
        return new ImportedRun(name, ImportedRun.Format.RESULTS_DIRECTORY, rows, List.of(), List.of());
    }

    private static ImportedRun shortRun(String name, RandomGenerator random, int seconds) {
        List<ResultRow> rows = new ArrayList<>();
        for (int users : new int[] {50, 100}) {
            double[] throughputs = new double[seconds];
            double[] means = new double[seconds];
            double sum = 0;
            for (int second = 0; second < seconds; second++) {
                throughputs[second] = 3000 * Math.exp(0.11 * Math.sqrt(seconds) * random.nextGaussian());
                means[second] = 1000 * users / throughputs[second];
                sum += throughputs[second] / seconds;
            }
            ResultRow plain = row("short", users, 50, sum, 3000 * users / 3000.0, 1, name, rows.size() + 2L);
            Cells cells = Cells.read(plain.cells());
            SeriesNoise.write(cells, Metric.THROUGHPUT, throughputs);
            SeriesNoise.write(cells, Metric.MEAN, means);
            rows.add(new ResultRow(plain.key(), 1, cells.texts(), cells.numbers(), name, plain.line(), List.of()));
        }
        return new ImportedRun(name, ImportedRun.Format.RESULTS_DIRECTORY, rows, List.of(), List.of());
    }

    /**
     * Single runs of 32 test cases, one a night, with the noise of published nights: 5.5 % and 20.5 % in a test case,
     * of which the whole run shares a quarter of the variance in throughput, and 2.5 % in the tail.
     */
    private void nights() {
        double margin = 2.3 * Math.sqrt(0.05 * 0.95 / MATRICES);
        List<Night> good = Collections.nCopies(8, Night.GOOD);
        // The geometric mean over all test cases grows by 30 %.
        Night worse = new Night(1, Math.pow(1.3, 32.0 / 24));
        Night slower = new Night(0.85, 1);
        table.append(String.format(
                Locale.ROOT, "%n%-62s %12s %12s%n", "single nights of 32 test cases", "any alarm", "regression"));

        counted.assertThat(night("no change, no history", List.of(), Night.GOOD, Night.GOOD)[0])
                .isLessThanOrEqualTo(0.05 + margin);
        counted.assertThat(night("no change, 8 nights before", good, Night.GOOD, Night.GOOD)[0])
                .isLessThanOrEqualTo(0.05 + margin);
        counted.assertThat(night("throughput -15 % in all test cases, no history", List.of(), Night.GOOD, slower)[1])
                .isGreaterThanOrEqualTo(0.9);
        counted.assertThat(night("throughput -15 % in all test cases, 8 nights before", good, Night.GOOD, slower)[1])
                .isGreaterThanOrEqualTo(0.85);
        for (int bad = 0; bad <= 4; bad++) {
            List<Night> history = new ArrayList<>(good);
            history.addAll(Collections.nCopies(bad, worse));
            counted.assertThat(
                            night("p99 +30 %, night " + (bad + 1) + " after the change", history, Night.GOOD, worse)[1])
                    .as("night %d after the change", bad + 1)
                    .isGreaterThanOrEqualTo(0.85);
        }
        double alarms = 0;
        double found = 0;
        int places = 8;
        for (int place = 1; place <= places; place++) {
            List<Night> history = new ArrayList<>(Collections.nCopies(place, new Night(1.25, 0.7)));
            history.addAll(Collections.nCopies(9 - place, Night.GOOD));
            String name = "all figures changed after night " + place + " of 9, ";
            int matrices = MATRICES / places + 1;
            alarms += night(name + "no change since", history, Night.GOOD, Night.GOOD, matrices)[0] / places;
            found += night(name + "p99 +30 % since", history, Night.GOOD, worse, matrices)[1] / places;
        }
        counted.assertThat(alarms).isLessThanOrEqualTo(0.05 + margin);
        counted.assertThat(found).isGreaterThanOrEqualTo(0.85);
    }

    private double[] night(String name, List<Night> history, Night before, Night after) {
        return night(name, history, before, after, MATRICES);
    }

    /** Returns the parts of the comparisons with any alarm, and with a regression. */
    private double[] night(String name, List<Night> history, Night before, Night after, int matrices) {
        RandomGenerator random = random();
        int any = 0;
        int regressed = 0;
        for (int i = 0; i < matrices; i++) {
            List<ImportedRun> earlier = new ArrayList<>();
            for (Night night : history) {
                earlier.add(single("night " + earlier.size(), random, night));
            }
            Comparison.Candidate candidate = new RunComparator(
                            ComparisonOptions.defaults().withHistory(earlier))
                    .compare(List.of(single("A", random, before), single("B", random, after)))
                    .candidates()
                    .get(0);
            any += candidate.regressed() || candidate.outcome() == Outcome.FASTER ? 1 : 0;
            regressed += candidate.regressed() ? 1 : 0;
        }
        double[] parts = {1.0 * any / matrices, 1.0 * regressed / matrices};
        table.append(String.format(Locale.ROOT, "%-62s %12s %12s%n", name, percent(parts[0]), percent(parts[1])));
        return parts;
    }

    /** A night of 32 test cases; its 99th percentile changes in 24 of them. */
    private static ImportedRun single(String name, RandomGenerator random, Night night) {
        List<ResultRow> rows = new ArrayList<>();
        double shared = 0.0275 * random.nextGaussian();
        double sharedTail = 0.025 * random.nextGaussian();
        for (int cell = 0; cell < 32; cell++) {
            int users = 50 * (1 + cell / SIZES);
            int size = 50 << (4 * (cell % SIZES));
            double throughput = 3000.0
                    / (1 + cell % SIZES)
                    * night.throughput()
                    * Math.exp(shared + 0.0476 * random.nextGaussian());
            double tail = 3
                    * 1000
                    * users
                    * (1 + cell % SIZES)
                    / 3000.0
                    * (cell % SIZES == 0 ? 1 : night.tail())
                    * Math.exp(sharedTail + 0.2035 * random.nextGaussian());
            rows.add(row("nights", users, size, throughput, tail, 1, name, rows.size() + 2L));
        }
        return new ImportedRun(name, ImportedRun.Format.CSV, rows, List.of(), List.of());
    }

    private static ResultRow row(
            String scenario, int users, int size, double throughput, double tail, int repeat, String file, long line) {
        Map<String, String> cells = new LinkedHashMap<>();
        cells.put("Error %", "0");
        cells.put("Throughput (Requests/sec)", String.format(Locale.ROOT, "%.2f", throughput));
        cells.put("Average Response Time (ms)", String.format(Locale.ROOT, "%.2f", 1000 * users / throughput));
        cells.put("99th Percentile of Response Time (ms)", String.format(Locale.ROOT, "%.0f", tail));
        CellKey key = new CellKey(
                scenario,
                Optional.of(DataSize.parse("2G")),
                OptionalInt.of(users),
                Optional.of(MessageLevel.bytes(size)),
                OptionalLong.of(0),
                "");
        return new ResultRow(key, repeat, cells, file, line);
    }

    private Counts count(String name, IntToDoubleFunction effect, IntToDoubleFunction noise) {
        return count(name, effect, noise, ALL_CELLS, REPEATS);
    }

    private Counts count(
            String name, IntToDoubleFunction effect, IntToDoubleFunction noise, int[] matrix, int repeats) {
        RandomGenerator random = random();
        int matrices = 0;
        int regressed = 0;
        int found = 0;
        int changed = 0;
        int wrong = 0;
        for (int i = 0; i < MATRICES; i++) {
            Comparison.Candidate candidate = compare(random, effect, noise, matrix, repeats);
            boolean any = false;
            for (Cell cell : candidate.cells()) {
                boolean differs = cell.outcome() == Outcome.FASTER || cell.outcome() == Outcome.SLOWER;
                any |= differs;
                if (cell.metric() == Metric.THROUGHPUT) {
                    boolean isChanged = effect.applyAsDouble(cellOf(cell.key())) != 1;
                    changed += isChanged ? 1 : 0;
                    found += isChanged && cell.outcome() == Outcome.SLOWER ? 1 : 0;
                    wrong += !isChanged && differs ? 1 : 0;
                }
            }
            matrices += any ? 1 : 0;
            regressed += candidate.regressed() ? 1 : 0;
        }
        Counts counts = new Counts(
                1.0 * matrices / MATRICES,
                changed == 0 ? Double.NaN : 1.0 * found / changed,
                1.0 * wrong / Math.max(1, MATRICES * matrix.length - changed),
                1.0 * regressed / MATRICES);
        row(name, counts.matrices(), counts.cells(), counts.falseCells(), counts.regressed());
        return counts;
    }

    /** Test cases that a first comparison finds slower or suspect are measured anew, and only the new figures count. */
    private Counts again(String name, IntToDoubleFunction effect) {
        RandomGenerator random = random();
        int any = 0;
        int found = 0;
        int repeated = 0;
        for (int i = 0; i < MATRICES; i++) {
            int[] suspects = compare(random, effect, cell -> NOISE, ALL_CELLS, REPEATS).cells().stream()
                    .filter(cell -> cell.metric() == Metric.THROUGHPUT)
                    .filter(cell -> cell.suspect() || cell.outcome() == Outcome.SLOWER)
                    .mapToInt(cell -> cellOf(cell.key()))
                    .toArray();
            repeated += suspects.length;
            if (suspects.length == 0) {
                continue;
            }
            List<Cell> slower = compare(random, effect, cell -> NOISE, suspects, AGAIN).cells().stream()
                    .filter(cell -> cell.outcome() == Outcome.SLOWER)
                    .toList();
            any += slower.stream().anyMatch(cell -> effect.applyAsDouble(cellOf(cell.key())) == 1) ? 1 : 0;
            found += slower.stream()
                            .anyMatch(cell ->
                                    cell.metric() == Metric.THROUGHPUT && effect.applyAsDouble(cellOf(cell.key())) != 1)
                    ? 1
                    : 0;
        }
        Counts counts = new Counts(1.0 * any / MATRICES, 1.0 * found / MATRICES, Double.NaN, Double.NaN);
        row(
                String.format(Locale.ROOT, "%s (%.1f test cases)", name, 1.0 * repeated / MATRICES),
                counts.matrices(),
                effect.applyAsDouble(7) == 1 ? Double.NaN : counts.cells(),
                Double.NaN,
                Double.NaN);
        return counts;
    }

    private Comparison.Candidate compare(
            RandomGenerator random, IntToDoubleFunction effect, IntToDoubleFunction noise, int[] matrix, int repeats) {
        ImportedRun before = run("A", random, cell -> 1, noise, matrix, repeats);
        ImportedRun after = run("B", random, effect, noise, matrix, repeats);
        return comparator.compare(List.of(before, after)).candidates().get(0);
    }

    /**
     * The tests that look simpler, for the record: per test case alone, throughput only, corrected after
     * Benjamini-Hochberg.
     */
    private void others() {
        for (String test : List.of("Welch's t-test", "Mann-Whitney U test")) {
            for (double effect : new double[] {1, LOSS}) {
                RandomGenerator random = random();
                int any = 0;
                int found = 0;
                for (int i = 0; i < MATRICES; i++) {
                    double[] p = new double[CELLS];
                    for (int cell = 0; cell < CELLS; cell++) {
                        double[] left = logs(random, 1);
                        double[] right = logs(random, effect);
                        p[cell] = test.startsWith("Welch")
                                ? TTest.withDefaults().test(left, right).getPValue()
                                : MannWhitneyUTest.withDefaults()
                                        .test(left, right)
                                        .getPValue();
                    }
                    double[] ones = new double[CELLS];
                    Arrays.fill(ones, 1);
                    long hits = Arrays.stream(FalseDiscoveries.adjust(p, ones))
                            .filter(q -> q <= 0.05)
                            .count();
                    any += hits > 0 ? 1 : 0;
                    found += (int) hits;
                }
                row(
                        test + " per test case, throughput alone, "
                                + (effect == 1 ? "no change" : "-10 % in all test cases"),
                        1.0 * any / MATRICES,
                        effect == 1 ? Double.NaN : 1.0 * found / MATRICES / CELLS,
                        effect == 1 ? 1.0 * found / MATRICES / CELLS : 0,
                        Double.NaN);
            }
        }
    }

    private static double[] logs(RandomGenerator random, double effect) {
        double[] logs = new double[REPEATS];
        for (int i = 0; i < REPEATS; i++) {
            logs[i] = Math.log(effect) + NOISE * random.nextGaussian();
        }
        return logs;
    }

    private void row(String name, double any, double found, double wrong, double regressed) {
        table.append(String.format(
                Locale.ROOT,
                "%-62s %12s %12s %12s %12s%n",
                name,
                percent(any),
                percent(found),
                percent(wrong),
                percent(regressed)));
    }

    private static String percent(double part) {
        return Double.isNaN(part) ? "-" : String.format(Locale.ROOT, "%.2f %%", 100 * part);
    }

    private static RandomGenerator random() {
        return RandomGeneratorFactory.of("L64X128MixRandom").create(20261121);
    }

    /** A closed model: the mean response time follows from the throughput; the tail has noise of its own. */
    private static ImportedRun run(
            String name,
            RandomGenerator random,
            IntToDoubleFunction effect,
            IntToDoubleFunction noise,
            int[] matrix,
            int repeats) {
        List<ResultRow> rows = new ArrayList<>();
        for (int cell : matrix) {
            int users = 50 * (1 + cell / SIZES % USERS);
            int size = 50 << (4 * (cell % SIZES));
            for (int repeat = 1; repeat <= repeats; repeat++) {
                double throughput = 3000.0
                        / (1 + cell % SIZES)
                        * effect.applyAsDouble(cell)
                        * Math.exp(noise.applyAsDouble(cell) * random.nextGaussian());
                double tail = 3 * 1000 * users * (1 + cell % SIZES) / 3000.0 * Math.exp(0.2 * random.nextGaussian());
                String scenario = "scenario " + cell / (SIZES * USERS);
                rows.add(row(scenario, users, size, throughput, tail, repeat, name, rows.size() + 2L));
            }
        }
        return new ImportedRun(name, ImportedRun.Format.CSV, rows, List.of(), List.of());
    }

    private static int cellOf(CellKey key) {
        int scenario = Integer.parseInt(key.scenario().substring("scenario ".length()));
        int users = key.users().orElseThrow() / 50 - 1;
        int size =
                (31 - Integer.numberOfLeadingZeros(key.message().orElseThrow().value() / 50)) / 4;
        return (scenario * USERS + users) * SIZES + size;
    }
}
