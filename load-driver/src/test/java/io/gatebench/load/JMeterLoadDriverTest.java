/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatebench.model.LoadRun;
import io.gatebench.model.SampleStatistics;

class JMeterLoadDriverTest {

    @TempDir
    Path directory;

    private static long samples(LoadRun run) {
        return java.util.stream.Stream.concat(run.warmUp().stream(), run.measurement().stream())
                .mapToLong(SampleStatistics::samples)
                .sum();
    }

    private static long errors(LoadRun run) {
        return java.util.stream.Stream.concat(run.warmUp().stream(), run.measurement().stream())
                .mapToLong(SampleStatistics::errors)
                .sum();
    }

    @ParameterizedTest
    @EnumSource(HttpClientKind.class)
    void countsExactlyWhatTheServerAnswered(HttpClientKind client) throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.failEvery = 7;
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(), server.uri(), Scenarios.users(4), Scenarios.timing(2, 0.5, 0.2))
                    .withClient(client);

            LoadRun run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());

            assertThat(samples(run)).isEqualTo(server.requests.get()).isPositive();
            assertThat(errors(run)).isEqualTo(server.failures.get()).isPositive();
            assertThat(run.failures()).containsOnlyKeys("status 500 instead of 200");
            assertThat(run.health().connectionsOpened().value().orElseThrow()).isBetween(0.0, 4.0);
            assertThat(run.series().stream().mapToLong(s -> s.samples()).sum()).isEqualTo(samples(run));
            assertThat(LoadRunFile.read(directory.resolve("load.json"))).isEqualTo(run);
            assertThat(Files.readString(directory.resolve("load.hlog")))
                    .contains("Tag=passthrough/success/measurement");
        }
    }

    @Test
    void measuresTheServersDelay() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = 50;
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(5), Scenarios.timing(2.5, 1, 0));

            LoadRun run = new JMeterLoadDriver().run(request, directory, LoadProgress.none());

            SampleStatistics figures = run.measurement().get(0);
            assertThat(figures.all().minMillis()).isGreaterThanOrEqualTo(50);
            assertThat(figures.all().p50Millis()).isCloseTo(50, within(15.0));
            assertThat(run.aborted()).isEmpty();
        }
    }
}
