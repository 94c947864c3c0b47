/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import com.sun.net.httpserver.HttpServer;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.jtl.PublishedTimes;
import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MeasurementWindow;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.SampleStatistics;
import io.gatebench.runner.fake.FakeClock;
import io.gatebench.runner.fake.FakeGateway;
import io.gatebench.runner.fake.FakeHost;
import io.gatebench.runner.fake.FakeProcess;
import io.gatebench.runner.fake.FakeProduct;
import io.gatebench.runner.plan.PlanBuilder;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.spi.host.ProcessSpec;

/** A run on processes that a test plans: only the requests of the probes are real. */
abstract class OnFakes {

    static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    static final String BACKEND = "Netty Service";
    static final String LOAD_GENERATOR = "JMeter Client";
    static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    final FakeClock clock = new FakeClock(NOW);
    final Interruption interruption = new Interruption();
    final List<String> notes = new ArrayList<>();
    HttpServer server;
    int status = 200;
    FakeHost host;
    FakeGateway gateway;
    String restart = "case";
    List<String> users = List.of("1");

    @BeforeEach
    void prepare() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        gateway = new FakeGateway(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        host = new FakeHost(directory.resolve("host"));
        host.program(BACKEND, spec -> new FakeProcess(spec.name(), "echo-backend ready port=8688 admin=none\n"));
        loadGenerator(spec -> measured(100, 0), 0);
        putBackend(directory.resolve("jars"));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Plans what a load generator leaves after a minute, and its exit code. */
    void loadGenerator(Function<ProcessSpec, Optional<LoadResult>> result, int code) {
        host.program(LOAD_GENERATOR, spec -> {
            FakeProcess process = new FakeProcess(spec.name(), "");
            clock.after(MINUTE, () -> {
                result.apply(spec).ifPresent(run -> write(Path.of(spec.directory()), run));
                process.end(code);
            });
            return process;
        });
    }

    static void write(Path there, LoadResult run) {
        try {
            Files.createDirectories(there);
            LoadRunFile.write(there.resolve(JMeterLoadDriver.LOAD_FILE), run);
            Files.write(there.resolve(JMeterLoadDriver.OUTCOME_FILE), new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Optional<LoadResult> measured(long samples, long errors) {
        MeasuredValue none = MeasuredValue.absent("nothing was observed");
        Histogram millis = new Histogram(PublishedTimes.SIGNIFICANT_DIGITS);
        millis.recordValueWithCount(5, Math.max(1, samples));
        ResponseTimes times = PublishedTimes.of(millis, 5, 5, true);
        return Optional.of(new LoadResult(
                NOW,
                new MeasurementWindow(NOW.plusSeconds(30), NOW.plusSeconds(60)),
                List.of(),
                samples == 0
                        ? List.of()
                        : List.of(new SampleStatistics(
                                "first",
                                samples,
                                errors,
                                samples / 30.0,
                                times,
                                errors == samples ? Optional.empty() : Optional.of(times),
                                errors == 0 ? Optional.empty() : Optional.of(times),
                                times,
                                0,
                                0,
                                Optional.empty(),
                                Optional.empty())),
                Optional.empty(),
                List.of(),
                new LoadGeneratorHealth(none, none, none, none, none, false, List.of()),
                errors == 0 ? Map.of() : Map.of("500 Internal Server Error", errors),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of()));
    }

    /** Returns the plan of one scenario, with a gateway that is not prepared yet. */
    RunPlan plan() {
        PlanInput input = new PlanInput();
        input.put(PlanKey.PRODUCT, new PlanInput.Entry(List.of(FakeProduct.NAME), "--product"));
        input.put(PlanKey.SCENARIO, new PlanInput.Entry(List.of("first"), "--scenario"));
        input.put(PlanKey.USERS, new PlanInput.Entry(users, "--users"));
        input.put(PlanKey.RESTART, new PlanInput.Entry(List.of(restart), "--restart"));
        return new PlanBuilder(List.of(new FakeProduct(gateway))).build(input);
    }

    /** Puts what passes for the runnable jar of the back end where a run unpacks jars to. */
    static void putBackend(Path jars) {
        try {
            Files.createDirectories(jars);
            Files.write(jars.resolve("echo-backend.jar"), new byte[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
