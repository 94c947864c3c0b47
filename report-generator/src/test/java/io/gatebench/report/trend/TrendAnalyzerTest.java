/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.report.importer.History;
import io.gatebench.report.importer.ResultsImporter;

class TrendAnalyzerTest {

    private static final String HEADER = "Label,# Samples,Average,Error %,Throughput,Date,Payload,Users,Version\n";

    private static final String HEADER_OF_FIGURES = "Throughput (Requests/sec),Average Response Time (ms)\n";

    @TempDir
    Path directory;

    @Test
    void findsTheRunAtWhichTheLevelChanged() throws Exception {
        Trend trend = trend(60, i -> i < 35 ? 3000 : 2700, 0.03);

        assertThat(trend.series()).hasSize(1);
        assertThat(trend.series().get(0).changes()).hasSize(1);
        Trend.Change change = trend.series().get(0).changes().get(0);
        assertThat(change.index()).isBetween(34, 36);
        assertThat(change.before()).isBetween(2950.0, 3050.0);
        assertThat(change.direction()).isEqualTo(Trend.Direction.WORSE);
        assertThat(change.point().time()).isEqualTo(Long.toString(1644354491L + 86400L * change.index()));
    }

    @Test
    void followsAFigureThatIsNoneOfOurs() throws Exception {
        StringBuilder csv = new StringBuilder("Date,Commit,driver-k6\n");
        for (int i = 0; i < 40; i++) {
            csv.append(String.format(
                    Locale.ROOT, "%d,c%d,%s%n", 1644354491L + 86400L * i, i, i == 5 ? "" : i < 20 ? "5.1" : "4.2"));
        }

        Trend trend = analyze(csv.toString(), "driver-k6");

        assertThat(trend.series().get(0).changes()).singleElement().satisfies(change -> {
            assertThat(change.before()).isEqualTo(5.1);
            assertThat(change.after()).isEqualTo(4.2);
        });
        assertThat(trend.excluded())
                .singleElement()
                .extracting(Trend.Excluded::reason)
                .isEqualTo("the row holds no number for the figure");
    }

    @Test
    void findsALevelThatCameAndWent() throws Exception {
        Trend trend = trend(60, i -> i >= 20 && i < 35 ? 3300 : 3000, 0.02);
        assertThat(trend.series().get(0).changes())
                .extracting(Trend.Change::direction)
                .containsExactly(Trend.Direction.BETTER, Trend.Direction.WORSE);
    }

    @Test
    void doesNotTakeSingleSpikesForChanges() throws Exception {
        for (int at : new int[] {0, 1, 17, 18, 38, 39}) {
            Trend trend = trend(40, i -> i == at ? 300 : i == 25 ? 9000 : 3000, 0.02);
            assertThat(trend.series().get(0).changes()).as("spike at %d", at).isEmpty();
        }
    }

    @Test
    void seldomSeesAChangeInNoiseAndMostlyFindsOneOfTenPercent() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(42);
        int alarms = 0;
        int found = 0;
        int runs = 500;
        for (int i = 0; i < runs; i++) {
            double[] flat =
                    random.doubles(60).map(any -> 0.05 * random.nextGaussian()).toArray();
            alarms += ChangePoints.find(flat, 0.05, 1).changes().isEmpty() ? 0 : 1;
            for (int k = 30; k < 60; k++) {
                flat[k] += Math.log(0.9);
            }
            found += ChangePoints.find(flat, 0.05, 1).changes().size() == 1 ? 1 : 0;
        }
        assertThat(alarms).isLessThanOrEqualTo(runs / 20);
        assertThat(found).isGreaterThanOrEqualTo(9 * runs / 10);
    }

    /** Counts, for {@code docs/concepts/noise.md}: false alarms, changes that are found, and places that the interval holds. */
    @Test
    void keepsItsPromisesOnTheChangesThePlacesAndTheEndOfASeries() throws Exception {
        StringBuilder table = new StringBuilder(String.format(
                Locale.ROOT,
                "%-34s %8s %12s %12s %14s %12s%n",
                "case",
                "series",
                "any change",
                "too early",
                "place within",
                "exact"));
        double[] quiet = row(table, "no change, 60 runs, 1 series", 60, 60, 1, 0);
        double[] many = row(table, "no change, 11 runs, 32 series", 11, 11, 32, 0);
        double[] tenth = row(table, "-10 % at run 30 of 60", 60, 30, 1, Math.log(0.9));
        double[] twice = row(table, "x 2 at run 7 of 11, 32 series", 11, 7, 32, Math.log(2));
        double[] third = row(table, "x 2, third run from the end of 11", 11, 8, 1, Math.log(2));
        Files.createDirectories(Path.of("target"));
        Files.writeString(Path.of("target/trend-promises.txt"), table);

        assertThat(quiet[0] + quiet[1]).isLessThanOrEqualTo(0.06);
        assertThat(many[0] + many[1]).isLessThanOrEqualTo(0.06);
        assertThat(tenth[0]).isGreaterThanOrEqualTo(0.9);
        assertThat(tenth[2]).isGreaterThanOrEqualTo(0.93);
        assertThat(twice[0]).isGreaterThanOrEqualTo(0.9);
        assertThat(third[0]).isLessThanOrEqualTo(0.02);
        assertThat(third[1]).isGreaterThanOrEqualTo(0.9);
    }

    /**
     * Simulates trends of several series of which all change at one run, with noise of 5 % and in every twentieth run a spike.
     *
     * @return parts of the trends in which the first series shows a change (without an effect: any of them), of those that say
     *     too early to tell, and of the changes whose interval holds the run
     */
    private static double[] row(StringBuilder table, String name, int runs, int at, int series, double effect) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(20261122);
        int trends = 400;
        int changed = 0;
        int early = 0;
        int within = 0;
        int exact = 0;
        for (int trend = 0; trend < trends; trend++) {
            boolean anyChange = false;
            boolean anyEarly = false;
            for (int one = 0; one < (effect == 0 ? series : 1); one++) {
                double[] values = new double[runs];
                for (int run = 0; run < runs; run++) {
                    values[run] = (run >= at ? effect : 0) + 0.05 * random.nextGaussian();
                }
                ChangePoints.Found found = ChangePoints.find(values, 0.05, series);
                anyChange |= !found.changes().isEmpty();
                anyEarly |= found.early().isPresent();
                if (effect != 0 && found.changes().size() == 1) {
                    ChangePoints.ChangePoint change = found.changes().get(0);
                    within += change.earliest() <= at && at <= change.latest() ? 1 : 0;
                    exact += change.index() == at ? 1 : 0;
                } else if (effect != 0 && found.early().isPresent()) {
                    exact += found.early().get().index() == at ? 1 : 0;
                }
            }
            changed += anyChange ? 1 : 0;
            early += anyEarly ? 1 : 0;
        }
        double[] parts = {1.0 * changed / trends, 1.0 * early / trends, 1.0 * within / Math.max(1, changed)};
        table.append(String.format(
                Locale.ROOT,
                "%-34s %8d %10.1f %% %10.1f %% %12.1f %% %10.1f %%%n",
                name,
                series,
                100 * parts[0],
                100 * parts[1],
                100 * parts[2],
                100.0 * exact / Math.max(1, changed + early)));
        return parts;
    }

    @Test
    void blamesTheRunAtWhichALevelBeganAndNoneBefore() throws Exception {
        double[] nights = {340, 352, 361, 347, 358, 344, 351, 355, 839, 1003, 963};
        Trend young = nights(nights);
        assertThat(young.series().get(0).changes()).isEmpty();
        assertThat(young.series().get(0).early()).hasValueSatisfying(change -> {
            assertThat(change.index()).isEqualTo(8);
            assertThat(change.direction()).isEqualTo(Trend.Direction.WORSE);
        });
        assertThat(new TrendWriter().markdown(young)).contains("3 of 4 runs").contains("too early to tell");
        JsonNode json = new ObjectMapper().readTree(new TrendWriter().json(young));
        assertThat(json.path("changePoints")).isEmpty();
        assertThat(json.path("tooEarly").path(0).path("index").asInt()).isEqualTo(8);
        assertThat(json.path("tooEarly").path(0).path("verdict").asText()).isEqualTo("too early to tell");

        double[] later = java.util.Arrays.copyOf(nights, 12);
        later[11] = 948;
        Trend told = nights(later);
        assertThat(told.series().get(0).early()).isEmpty();
        assertThat(told.series().get(0).changes()).singleElement().satisfies(change -> {
            assertThat(change.index()).isEqualTo(8);
            assertThat(change.earliest().time()).isEqualTo("run-9.csv");
            assertThat(change.latest().time()).isEqualTo("run-9.csv");
        });
    }

    private Trend nights(double[] values) throws Exception {
        Path runs = Files.createDirectories(directory.resolve("nights-" + values.length));
        for (int i = 0; i < values.length; i++) {
            Files.writeString(
                    runs.resolve("run-" + (i + 1) + ".csv"),
                    "Scenario Name,Concurrent Users,Error %,99th Percentile of Response Time (ms)," + HEADER_OF_FIGURES
                            + "A,100,0," + values[i] + ",1000,100\n");
        }
        return new TrendAnalyzer().analyze(History.read(runs, new ResultsImporter()), "p99");
    }

    @Test
    void listsBrokenRunsAndLeavesThemOut() throws Exception {
        StringBuilder csv = new StringBuilder(HEADER);
        for (int i = 0; i < 30; i++) {
            boolean broken = i >= 10 && i < 16;
            csv.append("HTTP Request,100000,").append(broken ? 3 : 20).append(broken ? ",98.50%," : ",0.00%,");
            csv.append(broken ? 19000 : 3000 + 10 * (i % 5))
                    .append(',')
                    .append(1644354491 + 86400 * i)
                    .append(",50,60,v\n");
        }
        csv.append("HTTP Request,100000,20,0.00%,N/A,1654354491,50,60,v\n");
        Trend trend = analyze(csv.toString(), "Throughput");

        assertThat(trend.series().get(0).changes()).isEmpty();
        assertThat(trend.excluded()).hasSize(7);
        assertThat(trend.excluded().get(0).reason()).isEqualTo("invalid: 98.5 % of the samples failed");
        assertThat(trend.excluded().get(6).reason()).isEqualTo("the row holds no number for the figure");

        JsonNode root = new ObjectMapper().readTree(new TrendWriter().json(trend));
        assertThat(root.path("changePoints").isArray()).isTrue();
        assertThat(root.path("changePoints").size()).isZero();
        assertThat(root.path("excluded").size()).isEqualTo(7);
        assertThat(root.path("excluded").path(0).path("where").asText()).isEqualTo("long.csv:12");
    }

    @Test
    void followsEachCellByItselfAndSortsByTime() throws Exception {
        StringBuilder csv = new StringBuilder(HEADER);
        for (int i = 29; i >= 0; i--) {
            csv.append("HTTP Request,100000,20,0.00%,")
                    .append(3000 + i % 3)
                    .append(",")
                    .append(day(i))
                    .append(",50,60,v\n");
            csv.append("HTTP Request,100000,66,0.00%,").append(i < 12 ? 3000 + i % 4 : 2000 + i % 4);
            csv.append(",").append(day(i)).append(",50,200,v\n");
        }
        Trend trend = analyze(csv.toString(), "throughput");

        assertThat(trend.series())
                .extracting(Trend.Series::name)
                .containsExactly("HTTP Request/60_users/50B", "HTTP Request/200_users/50B");
        assertThat(trend.series().get(0).changes()).isEmpty();
        assertThat(trend.series().get(1).changes())
                .extracting(change -> change.point().time())
                .containsExactly(day(12));
    }

    @Test
    void namesTheColumnsThereAre() {
        assertThatThrownBy(() -> analyze(HEADER + "HTTP Request,1,20,0.00%,3000,1,50,60,v\n", "Througput"))
                .hasMessageStartingWith("no row has a column 'Througput'; there are Label, # Samples, Average");
    }

    @Test
    void followsADirectoryOfRuns() throws Exception {
        for (int i = 1; i <= 16; i++) {
            Files.writeString(
                    directory.resolve("run-" + i + ".csv"),
                    "Scenario Name,Concurrent Users,Error %,Throughput (Requests/sec)\nA,100,0,"
                            + (i <= 8 ? 1000 + i % 3 : 900 + i % 3) + "\n");
        }
        Files.writeString(directory.resolve("run-17.csv"), "");
        Trend trend = new TrendAnalyzer().analyze(History.read(directory, new ResultsImporter()), "throughput");

        assertThat(trend.series().get(0).changes())
                .extracting(change -> change.point().time())
                .containsExactly("run-9.csv");
        assertThat(trend.notes()).anyMatch(note -> note.startsWith("run-17.csv: was not read as a run"));
    }

    private Trend trend(int runs, IntToDoubleFunction level, double noise) throws Exception {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(7);
        StringBuilder csv = new StringBuilder(HEADER);
        for (int i = 0; i < runs; i++) {
            double throughput = level.applyAsDouble(i) * Math.exp(noise * random.nextGaussian());
            csv.append("HTTP Request,100000,")
                    .append((int) (60000 / throughput))
                    .append(",0.00%,");
            csv.append(String.format(Locale.ROOT, "%.1f", throughput))
                    .append(',')
                    .append(1644354491L + 86400L * i);
            csv.append(",50,60,v\n");
        }
        return analyze(csv.toString(), "Throughput");
    }

    private Trend analyze(String csv, String value) throws Exception {
        Path file = directory.resolve("long.csv");
        Files.writeString(file, csv);
        return new TrendAnalyzer().analyze(new ResultsImporter().read(file), value, Optional.of("Date"));
    }

    private static String day(int index) {
        return java.time.LocalDate.of(2022, 2, 8).plusDays(index).toString();
    }
}
