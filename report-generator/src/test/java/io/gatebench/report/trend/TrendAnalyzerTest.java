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

import io.gatebench.report.past.History;
import io.gatebench.report.past.PastReader;

class TrendAnalyzerTest {

    private static final String HEADER = "Label,# Samples,Average,Error %,Throughput,Date,Payload,Users,Version\n";

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
            alarms += ChangePoints.find(flat, 0.05).isEmpty() ? 0 : 1;
            for (int k = 30; k < 60; k++) {
                flat[k] += Math.log(0.9);
            }
            found += ChangePoints.find(flat, 0.05).size() == 1 ? 1 : 0;
        }
        assertThat(alarms).isLessThanOrEqualTo(runs / 20);
        assertThat(found).isGreaterThanOrEqualTo(9 * runs / 10);
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
        Trend trend = new TrendAnalyzer().analyze(History.read(directory, new PastReader()), "throughput");

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
        return new TrendAnalyzer().analyze(new PastReader().read(file), value, Optional.of("Date"));
    }

    private static String day(int index) {
        return java.time.LocalDate.of(2022, 2, 8).plusDays(index).toString();
    }
}
