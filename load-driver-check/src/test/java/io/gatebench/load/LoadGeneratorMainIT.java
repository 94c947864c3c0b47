/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.load.engine.AbortRules;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.model.LoadResult;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;
import io.gatebench.model.WarmUpEnd;

/** The load generator as the process that the orchestrator starts. */
class LoadGeneratorMainIT {

    /** Milliseconds before an answer where nothing depends on them, so that the load leaves the processors to others. */
    private static final long PACE = 5;

    @TempDir
    Path directory;

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                LoadGeneratorMain.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile())
                .start();
    }

    private int end(Process process) throws InterruptedException {
        return end(process, 180);
    }

    private int end(Process process, int seconds) throws InterruptedException {
        assertThat(process.waitFor(seconds, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private String errors() throws IOException {
        return Files.readString(directory.resolve("err"));
    }

    private String request(LoadRequest request) {
        Path file = directory.resolve("request.json");
        request.write(file);
        return file.toString();
    }

    private LoadResult result() {
        return LoadRunFile.read(directory.resolve(JMeterLoadDriver.LOAD_FILE));
    }

    private static long samples(LoadResult run) {
        return Stream.concat(run.warmUp().stream(), run.measurement().stream())
                .mapToLong(SampleStatistics::samples)
                .sum();
    }

    private static void await(java.util.function.BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + 180_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("180 s").isLessThan(deadline);
            Thread.sleep(20);
        }
    }

    @Test
    void endsWithTwoForWhatItCannotRunAndSaysWhy() throws Exception {
        assertThat(end(start())).isEqualTo(2);
        assertThat(errors()).startsWith("usage: LoadGeneratorMain <request.json> <output directory>");
        assertThat(end(start("none.json", directory.toString()))).isEqualTo(2);
        assertThat(errors()).contains("cannot read the load request none.json");
        Path broken = Files.writeString(directory.resolve("broken.json"), "{\"scenario\":\n 7}");
        assertThat(end(start(broken.toString(), directory.toString()))).isEqualTo(2);
        assertThat(errors()).contains("broken.json is no load request").contains("line 2");
        LoadRequest valid = LoadRequest.of(
                Scenarios.echo(),
                java.net.URI.create("http://127.0.0.1:1"),
                Scenarios.users(1),
                Scenarios.timing(2, 1, 0));
        assertThat(end(start(request(valid), directory.resolve("none").toString())))
                .isEqualTo(2);
        assertThat(errors()).contains("does not exist");
        assertThat(end(start(request(valid), directory.toString(), "tomorrow"))).isEqualTo(2);
        assertThat(errors()).startsWith("usage: ");
        Files.writeString(directory.resolve("start"), "tomorrow\n");
        assertThat(end(start(request(valid), directory.toString(), "held"))).isEqualTo(1);
        assertThat(errors()).contains("start is no instant such as 2026-01-31T12:00:00Z");
    }

    @Test
    void measuresTellsEachSecondAndEndsWithZero() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = PACE;
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(2), Scenarios.timing(4, 1, 0));
            assertThat(end(start(request(request), directory.toString()))).isZero();

            LoadResult run = result();
            assertThat(samples(run)).isEqualTo(server.requests.get()).isPositive();
            List<String> lines = Files.readAllLines(directory.resolve("out")).stream()
                    .filter(line -> line.startsWith("{\"second\""))
                    .toList();
            assertThat(lines).hasSizeBetween(2, 4);
            JsonNode first = JsonMapper.builder().build().readTree(lines.get(0));
            assertThat(first.get("samples").asLong())
                    .isEqualTo(run.series().get(0).samples());
            assertThat(Files.list(directory).map(path -> path.getFileName().toString()))
                    .contains("load.json", "load.hlog", "load.outcome", "series.csv");
        }
    }

    @Test
    void endsWithThreeWhenTheFirstRequestIsRefusedAndShowsNoToken() throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens.csv"), "secret-token-of-this-test\n");
        try (EchoFixture server = new EchoFixture()) {
            server.failEvery = 1;
            server.failureBody = "no access for secret-token-of-this-test";
            LoadRequest request = LoadRequest.of(
                            Scenarios.echo(TokenKind.OPAQUE),
                            server.uri(),
                            Scenarios.users(1),
                            Scenarios.timing(20, 5, 0),
                            Optional.of(tokens))
                    .withAbort(new AbortRules(Optional.empty(), Optional.empty(), true));
            assertThat(end(start(request(request), directory.toString()))).isEqualTo(3);
            assertThat(errors()).contains("aborted: the first request failed: status 500 instead of 200");
            assertThat(result().firstFailures().get(0).body()).isEqualTo("no access for ***");
            for (String file : new String[] {"load.json", "request.json", "out", "err"}) {
                assertThat(Files.readString(directory.resolve(file))).doesNotContain("secret-token");
            }
        }
    }

    @Test
    void keepsWhatWasMeasuredWhenItIsTerminated() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = PACE;
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(3), Scenarios.timing(60, 1, 0));
            Process process = start(request(request), directory.toString());
            await(() -> server.requests.get() > 200);
            process.destroy();
            end(process);
            LoadResult run = result();
            assertThat(run.aborted()).contains("stopped by a signal");
            assertThat(samples(run)).isEqualTo(server.requests.get()).isGreaterThan(200);
        }
    }

    @Test
    void holdsItsUsersBackUntilItIsTold() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = PACE;
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(4), Scenarios.timing(3, 1, 0));
            Process process = start(request(request), directory.toString(), LoadGeneratorMain.HELD);
            awaitReady();
            assertThat(server.requests.get()).isZero();
            Instant begin = Instant.now().plusSeconds(2);
            tell(begin);
            assertThat(end(process)).isZero();

            LoadResult run = result();
            assertThat(samples(run)).isEqualTo(server.requests.get()).isPositive();
            // What takes time was done before: nothing is left but to wake up.
            assertThat(run.started()).isBetween(begin, begin.plusMillis(500));
            assertThat(run.series().get(0).users()).isEqualTo(4);
        }
    }

    @Test
    void beginsAtOnceWhenTheStartIsPast() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = PACE;
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(1), Scenarios.timing(2, 1, 0));
            Process process = start(request(request), directory.toString(), LoadGeneratorMain.HELD);
            awaitReady();
            Instant told = Instant.now();
            tell(told.minusSeconds(60));
            assertThat(end(process)).isZero();
            // The figures are of the time in which the requests were sent, not of the time that was asked for.
            assertThat(result().started()).isAfterOrEqualTo(told);
        }
    }

    @Test
    void comesUpBeforeItsRequestIsThere() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = PACE;
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(1), Scenarios.timing(2, 1, 0));
            Path later = directory.resolve("later.json");
            Process process = start(later.toString(), directory.toString(), LoadGeneratorMain.EARLY);
            awaitLine(LoadGeneratorMain.WAITS);
            assertThat(process.isAlive()).isTrue();
            Files.move(Path.of(request(request)), later, StandardCopyOption.ATOMIC_MOVE);

            assertThat(end(process)).isZero();
            assertThat(samples(result())).isEqualTo(server.requests.get()).isPositive();
        }
    }

    private void awaitReady() throws InterruptedException {
        awaitLine(LoadGeneratorMain.READY);
    }

    private void awaitLine(String line) throws InterruptedException {
        Path out = directory.resolve("out");
        await(() -> {
            try {
                return Files.readString(out).contains(line);
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }

    private void tell(Instant start) throws IOException {
        tell(LoadGeneratorMain.START_FILE, start.toString());
    }

    private void tell(String name, String line) throws IOException {
        Path part = Files.writeString(directory.resolve("start.part"), line + "\n");
        Files.move(part, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    @Tag("full")
    void beginsTheWindowWhenTheLoadIsSteadyAndEndsAsMuchSooner() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            // The level that it comes to does not depend on how busy this machine is.
            server.delayMillis = 200;
            Process process = start(request(untilSteady(server, 4)), directory.toString());
            await(() -> server.requests.get() >= 4 * 5);
            server.delayMillis = 100;
            assertThat(end(process, 180)).isZero();

            LoadResult run = result();
            WarmUpEnd end = run.warmUpEnd().orElseThrow();
            assertThat(end.reason()).isEqualTo(WarmUpEnd.Reason.STEADY);
            assertThat(end.detail()).startsWith("over the last 15 s the requests per second drifted by ");
            // Fifteen seconds after the change at the soonest, and with a whole second.
            assertThat(end.took()).isBetween(Duration.ofSeconds(16), Duration.ofSeconds(119));
            assertThat(end.took().toMillis() % 1000).isZero();
            assertThat(run.window().start()).isEqualTo(run.started().plus(end.took()));
            assertThat(run.window().length()).isEqualTo(Duration.ofSeconds(3));
            assertThat(samples(run)).isEqualTo(server.requests.get());
            long inWindow = run.series().stream()
                    .skip(end.took().toSeconds())
                    .mapToLong(SecondOfLoad::samples)
                    .sum();
            assertThat(run.measurement().get(0).samples()).isEqualTo(inWindow).isPositive();
            assertThat(Files.readAllLines(directory.resolve("out"))).containsOnlyOnce(LoadGeneratorMain.WINDOW);
        }
    }

    @Test
    void oneThatIsToldBeginsItsWindowThen() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = 20;
            LoadRequest share = untilSteady(server, 4).shares(2).get(0);
            Process process = start(request(share), directory.toString(), LoadGeneratorMain.TOLD);
            await(() -> server.requests.get() > 10);
            Instant told = Instant.now().plusSeconds(3);
            tell(JMeterLoadDriver.WINDOW_FILE, told + " because it is calm");
            assertThat(end(process)).isZero();

            LoadResult run = result();
            assertThat(run.window().start()).isBetween(told.minusMillis(50), told.plusMillis(50));
            assertThat(run.window().length()).isEqualTo(Duration.ofSeconds(3));
            WarmUpEnd end = run.warmUpEnd().orElseThrow();
            assertThat(end.reason()).isEqualTo(WarmUpEnd.Reason.STEADY);
            assertThat(end.detail()).isEqualTo("because it is calm");
            assertThat(samples(run)).isEqualTo(server.requests.get());
        }
    }

    @Test
    void saysThatItsLimitEndedTheWarmUp() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            server.delayMillis = PACE;
            LoadRequest request = untilSteady(server, 2).withTiming(timing(4, 2));
            assertThat(end(start(request(request), directory.toString()))).isZero();

            WarmUpEnd end = result().warmUpEnd().orElseThrow();
            assertThat(end.reason()).isEqualTo(WarmUpEnd.Reason.LIMIT);
            assertThat(end.took()).isEqualTo(Duration.ofSeconds(2));
        }
    }

    private static LoadRequest untilSteady(EchoFixture server, int users) {
        return LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(users), timing(123, 120));
    }

    private static TestTiming timing(int duration, int warmUp) {
        return new TestTiming(Duration.ofSeconds(duration), Duration.ofSeconds(warmUp), Duration.ZERO, true);
    }

    @Test
    void endsAtOnceWhenItIsTerminatedBeforeItsStart() throws Exception {
        try (EchoFixture server = new EchoFixture()) {
            LoadRequest request =
                    LoadRequest.of(Scenarios.echo(), server.uri(), Scenarios.users(1), Scenarios.timing(60, 1, 0));
            Process process = start(request(request), directory.toString(), LoadGeneratorMain.HELD);
            awaitReady();
            process.destroy();
            end(process);
            assertThat(errors()).contains("the test was ended before its start: stopped by a signal");
            assertThat(server.requests.get()).isZero();
            assertThat(directory.resolve("load.json")).doesNotExist();
        }
    }
}
