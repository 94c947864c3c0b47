/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.DataSize;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.RunRules;

/** A process that is stopped by a signal for two seconds of a window of ten: the verdict must name second and length. */
@EnabledOnOs(OS.LINUX)
class StandstillIT {

    private static final Duration STALL = Duration.ofSeconds(2);
    private static final Pattern TEXT =
            Pattern.compile("nothing was answered for ([0-9.]+) s from second ([0-9.]+) of the window on");
    /** How far a shared machine may move what is seen from when the signal was sent. */
    private static final Offset<Double> MOVED = Offset.offset(0.5);

    @TempDir
    private Path directory;

    private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    private final ConcurrentLinkedQueue<Instant> signals = new ConcurrentLinkedQueue<>();
    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() {
        later.shutdownNow();
        started.forEach(Process::destroyForcibly);
    }

    private Process serve(int port, int delayMillis) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.gatebench.echo.EchoServerMain",
                        "--port",
                        Integer.toString(port),
                        "--delay",
                        delayMillis + "ms")
                .redirectErrorStream(true)
                .redirectOutput(new File(directory.toFile(), "echo.log"))
                .start();
        started.add(process);
        awaitPort(process, port);
        return process;
    }

    private void awaitPort(Process process, int port) throws IOException {
        Instant limit = Instant.now().plusSeconds(60);
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException e) {
                assertThat(process.isAlive()).as("the echo ended").isTrue();
                assertThat(Instant.now()).as("the echo does not listen").isBefore(limit);
                LockSupport.parkNanos(50_000_000);
            }
        }
    }

    private void signal(Process process, String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
            signals.add(Instant.now());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void theVerdictNamesSecondAndLength() throws Exception {
        requireSecondAndLength("closed", 30, 5);
    }

    @ParameterizedTest
    @CsvSource({"closed, 0, 0", "open, 0, 7", "open, 30, 5"})
    @Tag("full")
    void theVerdictNamesSecondAndLengthOfOtherLoads(String model, int delayMillis, int secondOfWindow)
            throws Exception {
        requireSecondAndLength(model, delayMillis, secondOfWindow);
    }

    private void requireSecondAndLength(String model, int delayMillis, int secondOfWindow) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Process server = serve(port, delayMillis);
        TestScenario scenario = new TestScenario(
                "echo",
                "Echo",
                "An echo.",
                false,
                "POST",
                "/",
                Map.of(),
                PayloadKind.JSON_ARRAY,
                TokenKind.NONE,
                ResponseCheck.okContaining("{size}B"),
                List.of());
        int users = model.equals("closed") ? 20 : 600;
        TestCase testCase = new TestCase(
                "echo", DataSize.parse("1G"), users, MessageLevel.bytes(1024), Duration.ofMillis(delayMillis));
        Duration warmUp = Duration.ofSeconds(2);
        LoadRequest request = LoadRequest.of(
                        scenario,
                        URI.create("http://127.0.0.1:" + port),
                        testCase,
                        new TestTiming(warmUp.plusSeconds(10), warmUp, Duration.ZERO))
                .withModel(model.equals("closed") ? LoadModel.closed() : LoadModel.constantRate(200));

        LoadResult load = new JMeterLoadDriver().run(request, directory, second -> {
            // A second is told when the one after it is over.
            if (second.second() == secondOfWindow + warmUp.toSeconds() - 2) {
                signal(server, "STOP");
                later.schedule(() -> signal(server, "CONT"), STALL.toMillis(), TimeUnit.MILLISECONDS);
            }
        });

        List<String> said = RunRules.judge(new TestCaseResult.Completed(
                        testCase,
                        1,
                        load.started(),
                        load.window().end(),
                        load,
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        Map.of()))
                .stream()
                .filter(finding -> finding.rule() == Rule.STANDSTILL)
                .map(Finding::text)
                .toList();
        // A machine that keeps the load generator itself waiting stands still at other times, too.
        Assumptions.assumeTrue(
                load.health().schedulingDelayMaxMillis().value().orElse(0) < MOVED.value * 1000,
                "the load generator had to wait for a processor");
        assertThat(said).hasSize(1);
        Matcher text = TEXT.matcher(said.get(0));
        assertThat(text.matches()).as(said.get(0)).isTrue();
        Instant stopped = signals.remove();
        Instant continued = signals.remove();
        double begin = Math.max(0, seconds(load.window().start(), stopped));
        double end = Math.min(10, seconds(load.window().start(), continued));
        assertThat(Double.parseDouble(text.group(2))).isCloseTo(begin, MOVED);
        assertThat(Double.parseDouble(text.group(1))).isCloseTo(end - begin, MOVED);
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e9;
    }
}
