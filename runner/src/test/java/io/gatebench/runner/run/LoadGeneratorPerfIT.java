/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.hosts.Processors;
import io.gatebench.hosts.SteadyClock;
import io.gatebench.hosts.environment.LocalEnvironment;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestTiming;
import io.gatebench.report.ab.AbCase;
import io.gatebench.report.ab.AbJudge;
import io.gatebench.report.ab.AbResult;
import io.gatebench.report.ab.AbWindow;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.report.ab.AbWriter;
import io.gatebench.runner.fake.FakeGateway;
import io.gatebench.runner.fake.FakeProduct;
import io.gatebench.runner.plan.PlanBuilder;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunListener;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleJars;
import io.gatebench.spi.role.RoleProcess;

/**
 * Our own gate for the load generator: as it is now, in turns with that of an earlier commit, whose jar lies in the directory that the
 * system property {@code gatebench.previous} names. Both have one processor, on which they are the bottleneck, and load one
 * echo back end, so that the loaded one is what differs.
 */
class LoadGeneratorPerfIT {

    private static final String JAR = "load-generator.jar";
    private static final double LOSS_PERCENT = 5;
    /** Holds the two dozen starts that tell a loss of 5 %; fewer minutes show only that it works. */
    private static final Duration LONGEST = Duration.ofMinutes(Integer.getInteger("gatebench.minutes", 20));

    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(60);

    private static final int MIN_WINDOWS = 8;
    /** A start is short: more of them tell more than more windows. */
    private static final int MAX_WINDOWS = 16;

    @TempDir
    private Path directory;

    private final Clock clock = new SteadyClock();
    private final JvmRole starter = new JvmRole(clock);
    private final Interruption interruption = new Interruption();
    private final RandomGenerator random = RandomGenerator.getDefault();
    private final WindowMeter meter = new WindowMeter(clock);
    private final WarmUpInTurns warmUp =
            new WarmUpInTurns(new TestTiming(LONGEST_WARM_UP.plus(AbRun.WINDOW), LONGEST_WARM_UP, Duration.ZERO, true));
    private final AbJudge judge =
            new AbJudge(AbJudge.DEFAULT_FALSE_ALARMS, LOSS_PERCENT, AbJudge.DEFAULT_SMALLEST_CHANGE_PERCENT, 1);
    private final RunPlan plan = plan();

    private static RunPlan plan() {
        PlanInput input = new PlanInput();
        input.put(PlanKey.PRODUCT, new PlanInput.Entry(List.of(FakeProduct.NAME), "--product"));
        input.put(PlanKey.SCENARIO, new PlanInput.Entry(List.of("first"), "--scenario"));
        input.put(PlanKey.USERS, new PlanInput.Entry(List.of("50"), "--users"));
        input.put(PlanKey.MESSAGE_SIZE, new PlanInput.Entry(List.of("1024"), "--message-size"));
        FakeGateway gateway = new FakeGateway(URI.create("http://127.0.0.1:1"));
        return new PlanBuilder(List.of(new FakeProduct(gateway))).build(input);
    }

    @Test
    void isNotSlowerThanThatOfTheCommitBefore() throws IOException {
        String previous = System.getProperty("gatebench.previous");
        assertThat(previous)
                .as("-Dgatebench.previous=<directory>, with the jars of an earlier commit by bench/ab/jars")
                .isNotNull();
        Map<Side, Path> jars = Map.of(
                Side.A, Path.of(previous, JAR).toAbsolutePath(),
                Side.B,
                        Path.of(System.getProperty("gatebench.candidate", "../load-driver/target"), JAR)
                                .toAbsolutePath());
        Path results = Files.createDirectories(Path.of("target", "gatebench", "LoadGeneratorPerfIT"));

        AbResult result;
        try (LocalEnvironment environment = new LocalEnvironment(directory)) {
            Path roles = Files.createDirectories(directory.resolve("roles"));
            Files.copy(Path.of("../echo-backend/target/echo-backend.jar"), roles.resolve("echo-backend.jar"));
            RunContext run = new RunContext(
                    plan.plan(),
                    environment,
                    new RoleJars(roles),
                    directory,
                    OptionalInt.empty(),
                    OptionalInt.empty(),
                    clock,
                    RunListener.SILENT);
            result = measured(run, jars, results);
        }
        new AbWriter().writePage(result, results);

        assertThat(result.lossRuledOut())
                .as("no loss above %s %%:%n%s%nEvery window: %s", LOSS_PERCENT, new AbWriter().table(result), results)
                .isTrue();
    }

    private AbResult measured(RunContext run, Map<Side, Path> jars, Path results) {
        Host host = run.environment().host(NodeRole.LOAD_GENERATOR);
        List<Integer> all = Processors.of(host).all();
        List<Integer> own = all.size() < 2 ? List.of() : all.subList(0, 1);
        List<Integer> others = all.size() < 2 ? List.of() : all.subList(1, all.size());
        List<RoleProcess> backend = new ArrayList<>();
        try {
            URI target = StartedBackend.start(
                            run,
                            starter,
                            testCase(),
                            directory.resolve("backend").toString(),
                            host.address(),
                            others,
                            backend::add)
                    .url();
            List<AbCase.Start> starts = new ArrayList<>();
            Instant began = clock.instant();
            // Its windows are short beside the rest of a start, and counted as a part of it.
            AllowedTime time = new AllowedTime(began, LONGEST, 1, 1, Duration.ZERO);
            while (true) {
                Instant start = clock.instant();
                List<AbWindow> windows = windows(run, jars, starts.size(), target, own, all);
                Instant end = clock.instant();
                time.tookBesideWindows(Duration.between(start, end));
                starts.add(new AbCase.Start(time.fraction(end), windows, Map.of()));
                AbResult result = new AbResult(
                        jars.get(Side.A).toString(),
                        jars.get(Side.B).toString(),
                        Duration.between(began, end).toSeconds(),
                        judge,
                        List.of(new AbCase(testCase(), starts)),
                        List.of());
                new AbWriter().write(result, results);
                System.out.println(new AbWriter().table(result));
                if (result.decided() || !time.fitsAnother(end)) {
                    return result;
                }
            }
        } finally {
            backend.forEach(RoleProcess::stop);
        }
    }

    /** Windows of two fresh load generators. */
    private List<AbWindow> windows(
            RunContext run, Map<Side, Path> jars, int number, URI target, List<Integer> own, List<Integer> all) {
        Side first = random.nextBoolean() ? Side.A : Side.B;
        Map<Side, WindowLoads> loads = new EnumMap<>(Side.class);
        try {
            Map<Side, RunningGateway> running = new EnumMap<>(Side.class);
            Map<Side, Host> hosts = new EnumMap<>(Side.class);
            for (Side side : List.of(first, first.other())) {
                WindowLoads started = new WindowLoads(
                        run,
                        program(jars.get(side)),
                        starter,
                        interruption,
                        Files.createDirectories(directory.resolve(number + "-" + side)),
                        own);
                loads.put(side, started);
                // What the meter reads the CPU time of.
                running.put(
                        side,
                        new RunningGateway(
                                target, Optional.of(started.process()), List.of(), Optional.empty(), Map.of()));
                hosts.put(side, run.environment().host(NodeRole.LOAD_GENERATOR));
            }
            List<LentProcessors> lent = running.values().stream()
                    .map(generator -> LentProcessors.to(generator, own, all))
                    .toList();
            WarmUpInTurns.Loads sent = (side, timing, users) -> loads.get(side).send(request(target, timing, users));
            RoleProcess either = loads.get(first).process();
            assertThat(warmUp.await(running, hosts, first, either, testCase().users(), sent))
                    .isTrue();
            lent.forEach(LentProcessors::giveBack);
            assertThat(warmUp.settle(first, testCase().users(), sent)).isTrue();
            List<AbWindow> windows = new ArrayList<>();
            TestTiming window = new TestTiming(AbRun.LEAD_IN.plus(AbRun.WINDOW), AbRun.LEAD_IN, Duration.ZERO);
            do {
                for (Side side : List.of(first, first.other(), first.other(), first)) {
                    windows.add(meter.measure(
                                    windows.size() / 2 + 1,
                                    side,
                                    running,
                                    hosts,
                                    false,
                                    () -> loads.get(side)
                                            .send(request(
                                                    target, window, testCase().users())))
                            .orElseThrow()
                            .window());
                }
            } while (windows.size() < MIN_WINDOWS || windows.size() < MAX_WINDOWS && judge.needsMoreWindows(windows));
            return windows;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            loads.values().forEach(WindowLoads::close);
        }
    }

    private LoadRequest request(URI target, TestTiming timing, int users) {
        TestCase of = testCase();
        return LoadRequest.of(
                plan.plan().scenarios().get(0),
                target,
                new TestCase(of.scenario(), of.heap(), users, of.message(), of.backendDelay()),
                timing);
    }

    private TestCase testCase() {
        return plan.plan().testCases().get(0);
    }

    /** A jar that bench/ab/slower made slower is an agent of itself. */
    private static List<String> program(Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.getManifest().getMainAttributes().containsKey(new Attributes.Name("Premain-Class"))
                    ? List.of("-javaagent:" + jar, "-cp", jar.toString())
                    : List.of("-cp", jar.toString());
        }
    }
}
