/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.gatebench.jtl.JtlReader;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.LoadResult;
import io.gatebench.model.SecondOfLoad;

/** Each load model against a server that keeps its own count of what arrives when. */
class LoadModelsIT {

    private static final double SECOND = 1e9;

    /** The driver stamps its start by the wall clock and goes on by the monotonic one, by which the server stamps. */
    private static final double CLOCKS = 0.005;

    @TempDir
    Path directory;

    private record Request(long start, long elapsed) {}

    private LoadResult run(EchoFixture server, int users, double seconds, double rampUp, LoadModel model) {
        LoadRequest request = LoadRequest.of(
                        Scenarios.echo(),
                        server.uri(),
                        Scenarios.users(users),
                        Scenarios.timing(seconds, Math.min(seconds - 0.1, Math.max(rampUp, 0.1)), rampUp))
                .withModel(model)
                .withJtl(Path.of("samples.jtl"));
        return new JMeterLoadDriver().run(request, directory, LoadProgress.none());
    }

    /**
     * A run beside which a thread of the test's own did something again and again.
     *
     * @param late what that came too late by at most, in seconds: what this machine keeps everybody waiting for
     */
    private record Watched(LoadResult run, double late) {

        /** Returns by how many seconds each of these times of the server is after the start of the run, in order. */
        List<Double> times(Collection<Long> nanos) {
            long begun = EchoFixture.nanosAt(run.started());
            return nanos.stream().map(at -> (at - begun) / SECOND).sorted().toList();
        }
    }

    private Watched watched(EchoFixture server, int users, double seconds, double rampUp, LoadModel model) {
        try (Witness witness = new Witness(server.uri(), 1, Duration.ofMillis(10))) {
            LoadResult run = run(server, users, seconds, rampUp, model);
            long late = witness.seenDuring(run).stream()
                    .mapToLong(Witness.Seen::lateNanos)
                    .max()
                    .orElseThrow();
            return new Watched(run, late / SECOND);
        }
    }

    private Map<String, List<Request>> requestsPerUser() throws Exception {
        Map<String, List<Request>> users = new HashMap<>();
        new JtlReader()
                .read(
                        directory.resolve("samples.jtl"),
                        row -> users.computeIfAbsent(row.text("threadName"), name -> new ArrayList<>())
                                .add(new Request(row.timestampMillis(), row.elapsedMillis())));
        return users;
    }

    /** Returns the requests that came in each second since the first, by the server's clock. */
    private static long[] arrivalsPerSecond(EchoFixture server, int seconds) {
        long[] counts = new long[seconds];
        long first = Collections.min(server.arrivals);
        for (long arrival : server.arrivals) {
            counts[(int) Math.min(seconds - 1, (arrival - first) / (long) SECOND)]++;
        }
        return counts;
    }

    @Test
    void thinkTimeIsWaitedAfterEachAnswer() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = 20;
            run(server, 3, 2, 0, LoadModel.closed().withThinkTime(Duration.ofMillis(80)));

            Map<String, List<Request>> users = requestsPerUser();
            assertThat(users).hasSize(3);
            assertThat(users.values()).allSatisfy(requests -> {
                // A user cannot have sent more than its cycles fit into the test.
                assertThat(requests).hasSizeBetween(5, 21);
                for (int i = 1; i < requests.size(); i++) {
                    Request before = requests.get(i - 1);
                    // Times of a JTL are whole milliseconds.
                    assertThat(requests.get(i).start() - before.start() - before.elapsed())
                            .isGreaterThanOrEqualTo(79);
                }
            });
            assertThat(server.requests.get())
                    .isEqualTo(users.values().stream().mapToLong(List::size).sum());
        }
    }

    @Test
    void pacingIsTheLeastTimeBetweenTwoStartsOfAUser() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = 20;
            LoadResult run = run(server, 2, 2, 0, LoadModel.closed().withPacing(Duration.ofMillis(100)));

            assertThat(requestsPerUser().values()).hasSize(2).allSatisfy(requests -> {
                assertThat(requests).hasSizeBetween(5, 20);
                for (int i = 1; i < requests.size(); i++) {
                    assertThat(requests.get(i).start() - requests.get(i - 1).start())
                            .isGreaterThanOrEqualTo(99);
                }
            });
            assertThat(run.corrected().orElseThrow().expectedIntervalMillis()).isEqualTo(100);
            assertThat(run.method().orElseThrow().model()).isEqualTo("closed, pacing 100ms");
        }
    }

    /** The look at a connection that was idle for more than a second takes a millisecond at least: no response may hold it. */
    @ParameterizedTest
    @ValueSource(strings = {"closed", "open"})
    void noResponseTimeHoldsTheLookAtAnIdleConnection(String model) throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            // In the open model 20 users take turns: each is idle for 1.3 s.
            LoadResult run = run(
                    server,
                    20,
                    5,
                    1.2,
                    model.equals("closed")
                            ? LoadModel.closed().withThinkTime(Duration.ofMillis(1100))
                            : LoadModel.constantRate(15));

            assertThat(run.measurement().get(0).all().count()).isGreaterThan(20);
            assertThat(run.measurement().get(0).all().minMillis()).isLessThan(1);
            assertThat(run.measurement().get(0).errors()).isZero();
        }
    }

    @Test
    void usersStartWithinTheRampUpAndEndWithTheDuration() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = 10;
            Watched watched = watched(server, 10, 4, 2, LoadModel.closed());

            LoadResult run = watched.run();
            double late = watched.late();
            List<Double> starts = watched.times(server.firstOfConnection.values());
            assertThat(starts).hasSize(10);
            for (int i = 0; i < 10; i++) {
                assertThat(starts.get(i)).isGreaterThan(i * 0.2 - CLOCKS);
            }
            assertThat(starts.get(0)).isLessThan(0.1 + late);
            assertThat(starts.get(9)).isLessThan(2.4 + late);
            assertThat(Collections.max(watched.times(server.arrivals))).isLessThan(4.2 + late);
            assertThat(run.series().stream().mapToLong(SecondOfLoad::samples).sum())
                    .isEqualTo(server.requests.get());
            assertThat(run.facts()).containsEntry("unfinished.samples", "0");
        }
    }

    @Test
    void usersComeInStepsAndGo() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = 10;
            // Steps in the middle of a second: the users of a second are those at its end.
            List<LoadModel.Level> levels = List.of(
                    LoadModel.Level.of(Duration.ZERO, 1),
                    LoadModel.Level.of(Duration.ofMillis(1500), 3),
                    LoadModel.Level.of(Duration.ofMillis(2500), 5),
                    LoadModel.Level.of(Duration.ofMillis(3500), 2));
            LoadResult run = run(server, 5, 5, 0, LoadModel.steppedUsers(levels));

            assertThat(run.series().stream().limit(4).map(SecondOfLoad::users)).containsExactly(1, 3, 5, 2);
            // At most a request per 10 ms and user, by the server's count.
            long[] arrivals = arrivalsPerSecond(server, 5);
            double[] users = {1, 2, 4, 3.5, 2};
            for (int i = 0; i < 5; i++) {
                assertThat((double) arrivals[i]).isLessThanOrEqualTo(users[i] * 105 + 5);
            }
            assertThat(arrivals[2]).isGreaterThan(arrivals[0]);
            assertThat(server.firstOfConnection).hasSize(5);
            assertThat(run.method().orElseThrow().model())
                    .isEqualTo(
                            "closed, 1 users from 0s, 3 users from 1500ms, 5 users from 2500ms, 2 users from 3500ms");
        }
    }

    @Test
    void aSpikeOfTheRateArrivesAsPlanned() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            List<LoadModel.Level> rates =
                    new ArrayList<>(LoadModel.spike(20, 150, Duration.ofSeconds(1), Duration.ofSeconds(1)));
            rates.add(LoadModel.Level.of(Duration.ofSeconds(3), 0));
            Watched watched = watched(server, 20, 5, 0, LoadModel.steppedRate(rates));

            LoadResult run = watched.run();
            assertThat(server.requests.get()).isEqualTo(190);
            List<Double> arrivals = watched.times(server.arrivals);
            for (int i = 0; i < 190; i++) {
                // The spike is the 150 requests after the first 20.
                double due = i < 20 ? i / 20.0 : i < 170 ? 1 + (i - 20) / 150.0 : 2 + (i - 170) / 20.0;
                assertThat(arrivals.get(i)).isBetween(due - CLOCKS, due + 0.16 + watched.late());
            }
            assertThat(run.open().orElseThrow().intended())
                    .isEqualTo(run.open().orElseThrow().started());
        }
    }

    @Test
    void stepsOfTheRateAddUpToTheirIntegral() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            List<LoadModel.Level> rates = new ArrayList<>(LoadModel.staircase(20, 30, 3, Duration.ofSeconds(1)));
            rates.add(LoadModel.Level.of(Duration.ofSeconds(3), 0));
            run(server, 20, 5, 0, LoadModel.steppedRate(rates));
            assertThat(server.requests.get()).isEqualTo(20 + 50 + 80);
        }
    }
}
