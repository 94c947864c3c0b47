/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.load.engine.TokenSlice;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.jmeter.RemoteOutcome;
import io.gatebench.model.LoadResult;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.TokenKind;

class SharedLoadIT {

    @TempDir
    Path directory;

    private static LoadRequest request(int users) {
        return LoadRequest.of(
                Scenarios.echo(), URI.create("http://127.0.0.1:1"), Scenarios.users(users), Scenarios.timing(2, 1, 0));
    }

    private static List<Integer> users(LoadRequest whole, int loadGenerators) {
        return whole.shares(loadGenerators).stream()
                .map(part -> part.testCase().users())
                .toList();
    }

    @Test
    void usersAreSpreadWithTheRemainderOnTheFirst() {
        assertThat(users(request(10), 3)).containsExactly(4, 3, 3);
        assertThat(users(request(3), 3)).containsExactly(1, 1, 1);
        assertThatThrownBy(() -> request(2).shares(3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("2 users cannot be spread over 3 load generators");
    }

    @Test
    void oneToAHundredSharesAreTheWholeExactly() throws Exception {
        Random random = new Random(20261122);
        for (int loadGenerators = 1; loadGenerators <= 100; loadGenerators++) {
            int users = loadGenerators + random.nextInt(2000);
            List<Integer> spread = users(request(users), loadGenerators);
            assertThat(spread.stream().mapToInt(Integer::intValue).sum()).isEqualTo(users);
            assertThat(spread.get(0) - spread.get(loadGenerators - 1)).isBetween(0, 1);

            double rate = 1 + random.nextInt(100_000);
            assertThat(request(users).withModel(LoadModel.constantRate(rate)).shares(loadGenerators).stream()
                            .mapToDouble(part -> part.model().levels().get(0).value())
                            .sum())
                    .isCloseTo(rate, offset(1e-9 * rate));

            int peak = loadGenerators + random.nextInt(5000);
            List<Double> peaks = request(users)
                    .withModel(LoadModel.steppedUsers(
                            LoadModel.spike(loadGenerators, peak, Duration.ofSeconds(1), Duration.ofSeconds(1))))
                    .shares(loadGenerators)
                    .stream()
                    .map(part -> part.model().levels().get(1).value())
                    .toList();
            assertThat(peaks.stream().mapToDouble(Double::doubleValue).sum()).isEqualTo(peak);
            assertThat(Collections.max(peaks) - Collections.min(peaks)).isBetween(0.0, 1.0);

            List<String> tokens = IntStream.range(0, loadGenerators + random.nextInt(5000))
                    .mapToObj(i -> "token-" + i)
                    .toList();
            TokenPool pool =
                    TokenPool.readCsv(Files.write(directory.resolve("tokens-" + loadGenerators + ".csv"), tokens));
            List<String> seen = new ArrayList<>();
            List<Integer> sizes = new ArrayList<>();
            for (int i = 0; i < loadGenerators; i++) {
                List<String> own = pool.slice(new TokenSlice(i, loadGenerators)).tokens();
                seen.addAll(own);
                sizes.add(own.size());
            }
            assertThat(seen).containsExactlyInAnyOrderElementsOf(tokens);
            assertThat(Collections.max(sizes) - Collections.min(sizes)).isBetween(0, 1);
        }
    }

    @Test
    void levelsOfUsersAndRatesAreSpreadToo() {
        LoadRequest users = request(7)
                .withModel(LoadModel.steppedUsers(LoadModel.spike(3, 7, Duration.ofSeconds(1), Duration.ofSeconds(1))));
        assertThat(users.shares(2).get(0).model().levels())
                .extracting(LoadModel.Level::value)
                .containsExactly(2.0, 4.0, 2.0);
        assertThat(users.shares(2).get(1).model().levels())
                .extracting(LoadModel.Level::value)
                .containsExactly(1.0, 3.0, 1.0);
        LoadRequest rate = request(6).withModel(LoadModel.constantRate(90));
        assertThat(rate.shares(3))
                .allSatisfy(
                        part -> assertThat(part.model().levels().get(0).value()).isEqualTo(30));
    }

    @Test
    void slicesOfTheTokensAreDisjointAndTheWhole() throws Exception {
        Path file = directory.resolve("tokens.csv");
        Files.write(file, IntStream.range(0, 11).mapToObj(i -> "token-" + i).toList());
        LoadRequest whole = LoadRequest.of(
                Scenarios.echo(TokenKind.OPAQUE),
                URI.create("http://127.0.0.1:1"),
                Scenarios.users(4),
                Scenarios.timing(2, 1, 0),
                Optional.of(file));
        List<String> seen = new ArrayList<>();
        for (LoadRequest part : whole.shares(4)) {
            seen.addAll(TokenPool.readCsv(file).slice(part.tokenSlice()).tokens());
        }
        Set<String> all = new HashSet<>(seen);
        assertThat(seen).hasSize(11);
        assertThat(all).hasSize(11);
    }

    @Test
    void clocksThatDifferAreTakenIntoAccount() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            LoadRequest whole = request(2).withTarget(server.uri());
            Path own = Files.createDirectory(directory.resolve("one"));
            LoadResult alone = new JMeterLoadDriver().run(whole, own, LoadProgress.none());
            Path outcome = own.resolve(JMeterLoadDriver.OUTCOME_FILE);
            Path merged = Files.createDirectory(directory.resolve("merged"));

            LoadResult run = SharedLoad.merge(
                    whole, List.of(outcome, outcome), List.of(Duration.ofSeconds(5), Duration.ofSeconds(-2)), merged);

            assertThat(run.started())
                    .isEqualTo(alone.started().truncatedTo(ChronoUnit.MILLIS).minusSeconds(5));
            assertThat(run.startSkew()).contains(Duration.ofSeconds(7));
            assertThat(samples(run)).isEqualTo(2 * samples(alone));

            aHundredWithClocksOfTheirOwn(whole, alone, OutcomeFile.read(outcome), merged);
        }
    }

    /** Pods whose clocks are wrong by up to half a minute, and which begin late by up to a second. */
    private void aHundredWithClocksOfTheirOwn(LoadRequest whole, LoadResult alone, RemoteOutcome outcome, Path merged) {
        Random random = new Random(20261123);
        List<Path> outcomes = new ArrayList<>();
        List<Duration> ahead = new ArrayList<>();
        int earliest = Integer.MAX_VALUE;
        int latest = 0;
        for (int i = 0; i < 100; i++) {
            int late = random.nextInt(1000);
            earliest = Math.min(earliest, late);
            latest = Math.max(latest, late);
            Duration clock = Duration.ofMillis(random.nextInt(60_000) - 30_000);
            Path file = directory.resolve("pod-" + i);
            OutcomeFile.write(
                    new RemoteOutcome(
                            outcome.outcome().earlierBy(clock.plusMillis(late).negated()), outcome.health()),
                    file);
            outcomes.add(file);
            ahead.add(clock);
        }

        LoadResult run = SharedLoad.merge(whole, outcomes, ahead, merged);

        assertThat(run.startSkew()).contains(Duration.ofMillis(latest - earliest));
        assertThat(run.started())
                .isEqualTo(alone.started().truncatedTo(ChronoUnit.MILLIS).plusMillis(earliest));
        assertThat(samples(run)).isEqualTo(100 * samples(alone));
        // Taken for granted that all clocks agree, the merge would call them a minute apart.
        assertThat(SharedLoad.merge(whole, outcomes, merged).startSkew().orElseThrow())
                .isGreaterThan(Duration.ofSeconds(30));
    }

    private static long samples(LoadResult run) {
        return Stream.concat(run.warmUp().stream(), run.measurement().stream())
                .mapToLong(SampleStatistics::samples)
                .sum();
    }

    private static Histogram histograms(Path file) throws Exception {
        Histogram all = new Histogram(3);
        try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
            Histogram next = (Histogram) reader.nextIntervalHistogram();
            while (next != null) {
                all.add(next);
                next = (Histogram) reader.nextIntervalHistogram();
            }
        }
        return all;
    }

    @Test
    void theMergedLoadIsTheUnionOfItsParts() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.failEvery = 9;
            LoadRequest whole = request(5).withTarget(server.uri());
            List<Path> outcomes = new ArrayList<>();
            List<LoadResult> runs = new ArrayList<>();
            Histogram union = new Histogram(3);
            for (LoadRequest part : whole.shares(2)) {
                Path own = Files.createDirectory(directory.resolve("part" + outcomes.size()));
                runs.add(new JMeterLoadDriver().run(part, own, LoadProgress.none()));
                outcomes.add(own.resolve(JMeterLoadDriver.OUTCOME_FILE));
                union.add(histograms(own.resolve(JMeterLoadDriver.HISTOGRAM_FILE)));
            }

            LoadResult merged = SharedLoad.merge(whole, outcomes, directory);

            assertThat(samples(merged)).isEqualTo(server.requests.get()).isPositive();
            assertThat(merged.failures()).containsEntry("status 500 instead of 200", server.failures.get());
            assertThat(merged.series().stream().mapToLong(SecondOfLoad::samples).sum())
                    .isEqualTo(samples(merged));
            assertThat(merged.health().connectionsOpened().value().orElseThrow())
                    .isEqualTo(5);
            assertThat(merged.health().cpuOfMachinePercent().value().orElseThrow())
                    .isEqualTo(runs.stream()
                            .mapToDouble(run ->
                                    run.health().cpuOfMachinePercent().value().orElseThrow())
                            .max()
                            .orElseThrow());
            assertThat(merged.facts()).containsEntry("load.generators", "2");
            assertThat(merged.method().orElseThrow().model()).isEqualTo("closed");
            assertThat(merged.startSkew()).isPresent();
            Histogram written = histograms(directory.resolve(JMeterLoadDriver.HISTOGRAM_FILE));
            assertThat(written.getTotalCount()).isEqualTo(union.getTotalCount());
            for (double percentile : new double[] {0, 50, 90, 99, 99.9, 100}) {
                assertThat(written.getValueAtPercentile(percentile)).isEqualTo(union.getValueAtPercentile(percentile));
            }
            assertThat(LoadRunFile.read(directory.resolve(JMeterLoadDriver.LOAD_FILE)))
                    .isEqualTo(merged);
        }
    }

    @Test
    void saysWhichPartIsMissingOrDamaged() throws Exception {
        Path none = directory.resolve("none");
        assertThatThrownBy(() -> SharedLoad.merge(request(2), List.of(none), directory))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("load generator 1 of 1 left no result");
        Path damaged = Files.write(directory.resolve("damaged"), new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        assertThatThrownBy(() -> SharedLoad.merge(request(2), List.of(damaged), directory))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("is no outcome of a load generator");
    }
}
