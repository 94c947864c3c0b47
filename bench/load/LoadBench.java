/* SPDX-License-Identifier: Apache-2.0 */

import static us.abstracta.jmeter.javadsl.JmeterDsl.httpSampler;
import static us.abstracta.jmeter.javadsl.JmeterDsl.testPlan;
import static us.abstracta.jmeter.javadsl.JmeterDsl.threadGroup;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import org.apache.http.entity.ContentType;
import us.abstracta.jmeter.javadsl.core.TestPlanStats;

import io.gatebench.echo.EchoServer;
import io.gatebench.echo.EchoServerConfig;
import io.gatebench.load.HttpClientKind;
import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.LoadProgress;
import io.gatebench.load.LoadRequest;
import io.gatebench.load.payload.Payloads;
import io.gatebench.model.DataSize;
import io.gatebench.model.LoadRun;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;

/** One contestant in a JVM of its own; prints requests per second and CPU microseconds per request. */
final class LoadBench {

    private LoadBench() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "serve" -> EchoServer.start(EchoServerConfig.builder()
                            .host("127.0.0.1")
                            .port(Integer.parseInt(arguments[1]))
                            .noAdmin()
                            .build())
                    .awaitClosed();
            case "stock" -> stock(URI.create(arguments[1]), Integer.parseInt(arguments[2]), seconds(arguments[3]), seconds(arguments[4]));
            default -> ours(
                    HttpClientKind.valueOf(arguments[0].toUpperCase(Locale.ROOT)),
                    URI.create(arguments[1]),
                    Integer.parseInt(arguments[2]),
                    seconds(arguments[3]),
                    seconds(arguments[4]));
        }
        System.exit(0);
    }

    private static Duration seconds(String text) {
        return Duration.ofSeconds(Long.parseLong(text));
    }

    private static void ours(HttpClientKind client, URI target, int users, Duration warmUp, Duration window)
            throws Exception {
        TestScenario scenario = new TestScenario(
                "echo", "Echo", "Echo", false, "POST", "/", Map.of(), PayloadKind.JSON_ARRAY, TokenKind.NONE,
                new ResponseCheck(200, Optional.empty(), true, false), List.of());
        TestCase testCase =
                new TestCase("echo", DataSize.parse("1G"), users, MessageLevel.bytes(1024), Duration.ZERO);
        LoadRun run = new JMeterLoadDriver()
                .run(
                        LoadRequest.of(
                                        scenario, target, testCase,
                                        new TestTiming(warmUp.plus(window), warmUp, Duration.ZERO))
                                .withClient(client),
                        Files.createTempDirectory("load-bench"),
                        LoadProgress.none());
        long samples = run.measurement().get(0).samples();
        double cpuSeconds = run.health().cpuOfMachinePercent().value().orElseThrow() / 100
                * Runtime.getRuntime().availableProcessors() * window.toSeconds();
        print(samples, run.measurement().get(0).errors(), cpuSeconds, window);
    }

    private static void stock(URI target, int users, Duration warmUp, Duration window) throws Exception {
        byte[] body = Payloads.create(PayloadKind.JSON_ARRAY, MessageLevel.bytes(1024));
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long begin = system.getProcessCpuTime();
        TestPlanStats stats = testPlan(threadGroup(
                        users, warmUp.plus(window),
                        httpSampler(target.toString()).post(new String(body), ContentType.APPLICATION_JSON)))
                .run();
        // JMeter's statistics cannot be cut at the end of the warm-up: rate and CPU are those of the whole run.
        print(
                stats.overall().samplesCount(), stats.overall().errorsCount(),
                (system.getProcessCpuTime() - begin) / 1e9, warmUp.plus(window));
    }

    private static void print(long samples, long errors, double cpuSeconds, Duration window) {
        System.out.printf(
                Locale.ROOT, "RESULT %.0f %.1f %d%n", (double) samples / window.toSeconds(),
                cpuSeconds * 1e6 / samples, errors);
    }
}
