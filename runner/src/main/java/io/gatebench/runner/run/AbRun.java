/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.Trust;
import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.report.ab.AbCase;
import io.gatebench.report.ab.AbJudge;
import io.gatebench.report.ab.AbResult;
import io.gatebench.report.ab.AbVerdict;
import io.gatebench.report.ab.AbWindow;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.report.ab.AbWriter;
import io.gatebench.report.ab.FrameShares;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleStartException;

/**
 * Measures two gateways in turns, fresh start by fresh start, until it is known whether B is slower, or the
 * time is over.
 *
 * <p>Of each start both gateways run at the same time, on the same processors, before the same back end, and one at a time is
 * loaded, by one load generator that lives as long as the measurement. The results directory holds after each start all
 * that was measured until then.
 */
public final class AbRun implements AutoCloseable {

    /** The length of a window unless the user says otherwise. */
    public static final Duration WINDOW = Duration.ofSeconds(1);
    /** Part of each load that does not count: its connections are opened, and the processor's caches filled again. */
    public static final Duration LEAD_IN = Duration.ofMillis(500);

    private static final Duration MIN_WINDOW = Duration.ofSeconds(1);
    /** Two starts in which nothing could be compared are no accident. */
    private static final int FRUITLESS_STARTS = 2;

    /** A load while the flight recorder runs: a thousand samples of each thread that is busy. */
    private static final TestTiming RECORDED =
            new TestTiming(Duration.ofSeconds(20), Duration.ofSeconds(1), Duration.ZERO);

    private final Settings settings;
    private final Path directory;
    private final Clock clock;
    private final RandomGenerator random;
    private final Consumer<String> progress;
    private final JvmRole starter;
    private final AbWriter writer = new AbWriter();
    private final AbGateways gateways;
    private final List<List<AbCase.Start>> starts = new ArrayList<>();
    private final WindowMeter meter;
    private final WarmUpInTurns warmUp;
    private final WindowsInTurns windows;
    private @Nullable List<String> differences;
    private int number;
    private boolean anySound;
    private Optional<String> trouble = Optional.empty();
    private Duration took = Duration.ZERO;
    private Optional<FrameShares> frames = Optional.empty();

    /**
     * Settings of what is measured, and how.
     *
     * @param a what is known
     * @param b what is judged
     * @param window the length of a window
     * @param leadIn the part of each load before its window
     * @param longest how long the whole may take
     * @param judge by which it is decided when it is enough
     * @param profile whether one more start records which methods run
     */
    public record Settings(
            Contestant a,
            Contestant b,
            Duration window,
            Duration leadIn,
            Duration longest,
            AbJudge judge,
            boolean profile) {

        /**
         * Checks that both are measured alike.
         *
         * @throws IllegalArgumentException if their cases differ in more than heap and memory, their users do not wait for answers,
         *     the window is too short, or not even one start of each case fits into the time
         */
        public Settings {
            List<String> ofA = a.cases().stream().map(Settings::withoutMemory).toList();
            List<String> ofB = b.cases().stream().map(Settings::withoutMemory).toList();
            if (!ofA.equals(ofB)) {
                throw new IllegalArgumentException("A and B are not measured alike: A has the cases " + ofA + ", B has "
                        + ofB + "; name what both have with --scenario, --users and --message-size");
            }
            for (Contestant one : List.of(a, b)) {
                if (!one.plan().load().closedWithoutThinkTime()) {
                    throw new IllegalArgumentException("two gateways are measured in turns by users that wait for their"
                            + " responses, but the load of " + one.name() + " is another: "
                            + one.plan().load().describe());
                }
            }
            if (window.compareTo(MIN_WINDOW) < 0) {
                throw new IllegalArgumentException(
                        "the window must be at least 1s but was " + window.toMillis() + "ms");
            }
            Duration least = least(a, window.plus(leadIn));
            if (longest.compareTo(least) < 0) {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "the time for all starts (--max-time) must be at least %s, which warm-ups and windows of one start%s take alone, but was %s; give"
                                + " more, or a shorter warm-up or window",
                        seconds(least),
                        a.cases().size() > 1 ? " of each of the " + a.cases().size() + " cases" : "",
                        seconds(longest)));
            }
        }

        /** Returns what one start of each case takes without the time that nobody knows before: that of the processes. */
        private static Duration least(Contestant of, Duration load) {
            TestTiming timing = of.plan().plan().timing();
            Duration steady = WarmUpInTurns.SLICE.multipliedBy(WarmUpInTurns.ALIKE);
            Duration warmUp = timing.untilSteady() && timing.warmUp().compareTo(steady) > 0 ? steady : timing.warmUp();
            return warmUp.multipliedBy(Side.values().length)
                    .plus(WindowsInTurns.least(load))
                    .multipliedBy((long) of.plans().size() * of.cases().size());
        }

        private static String seconds(Duration time) {
            return (time.toMillis() + 999) / 1000 + "s";
        }

        private static String withoutMemory(TestCase testCase) {
            String id = testCase.id().replace("/" + testCase.heap() + "_heap", "");
            return testCase.gatewayMemory()
                    .map(memory -> id.replace("/" + memory + "_memory", ""))
                    .orElse(id);
        }

        Contestant of(Side side) {
            return side == Side.A ? a : b;
        }
    }

    /**
     * One of the two gateways.
     *
     * @param name how the user calls it
     * @param plans where it comes from and what it serves: the same plan for each host that it is started on, as a gateway is
     *     prepared for one
     * @param cases the cases of the plan that are measured
     */
    public record Contestant(String name, List<RunPlan> plans, List<TestCase> cases) {

        /** Copies the lists. */
        public Contestant {
            plans = List.copyOf(plans);
            cases = List.copyOf(cases);
        }

        RunPlan plan() {
            return plans.get(0);
        }

        TestScenario scenario(int index) {
            return plan().plan().scenarios().stream()
                    .filter(scenario -> scenario.name().equals(cases.get(index).scenario()))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /**
     * Outcome of the measurement.
     *
     * @param result what was measured
     * @param failure why it could not go on, if it could not
     */
    public record Outcome(AbResult result, Optional<String> failure) {}

    /**
     * Makes the results directory.
     *
     * @param directory a directory that is empty or not there
     * @param opened gives the hosts; what runs on this machine has its files in the directory that it is given
     * @param progress is told in a line what has come of each start
     * @throws PlanException if the plan wants processors that there are not, or a gateway that runs already on two hosts;
     *     nothing was made
     * @throws io.gatebench.spi.EnvironmentException if the hosts cannot be used
     */
    public AbRun(
            Settings settings,
            Path directory,
            Function<Path, AbPlaces> opened,
            Clock clock,
            Consumer<String> progress) {
        this(
                settings,
                directory,
                opened,
                clock,
                RandomGeneratorFactory.of("L64X128MixRandom").create(),
                progress);
    }

    AbRun(
            Settings settings,
            Path directory,
            Function<Path, AbPlaces> opened,
            Clock clock,
            RandomGenerator random,
            Consumer<String> progress) {
        this.settings = settings;
        this.directory = directory;
        this.clock = clock;
        this.random = random;
        this.progress = progress;
        this.starter = new JvmRole(clock);
        this.meter = new WindowMeter(clock);
        this.warmUp = new WarmUpInTurns(settings.a().plan().plan().timing());
        this.gateways = new AbGateways(settings, directory, opened, clock, starter);
        this.windows = new WindowsInTurns(settings, gateways, meter, clock, random);
        settings.a().cases().forEach(testCase -> starts.add(new ArrayList<>()));
    }

    /**
     * Measures until it is decided, the time is over, or the user ends it.
     *
     * @throws io.gatebench.report.results.ReportException if the results cannot be written
     */
    public Outcome execute(Interruption interruption) {
        Instant began = clock.instant();
        @Nullable String failure = null;
        try {
            gateways.initialize();
            RunContext run = gateways.run();
            Host loadGenerator = run.environment().host(NodeRole.LOAD_GENERATOR);
            try (WindowLoads loads = new WindowLoads(
                    run,
                    List.of("-cp", run.jars().loadGeneratorOn(loadGenerator)),
                    starter,
                    interruption,
                    gateways.loads(),
                    gateways.processors(settings.a().cases().get(0), NodeRole.LOAD_GENERATOR, loadGenerator))) {
                untilDecided(began, loads, interruption);
                if (!anySound && !interruption.isRequested()) {
                    throw nothingMeasured();
                }
                if (settings.profile() && !interruption.isRequested()) {
                    frames = profile(loads);
                }
            }
        } catch (RoleStartException | HostException | LoadException e) {
            failure = e.getMessage();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory for the load generator", e);
        }
        gateways.remove();
        took = Duration.between(began, clock.instant());
        AbResult result = result();
        writer.write(result, directory);
        writer.writePage(result, directory);
        return new Outcome(result, Optional.ofNullable(failure));
    }

    private void untilDecided(Instant began, WindowLoads loads, Interruption interruption) {
        AllowedTime time = new AllowedTime(
                began,
                settings.longest(),
                starts.size(),
                gateways.arrangements(),
                WindowsInTurns.least(settings.window().plus(settings.leadIn())));
        int fruitless = 0;
        boolean open = true;
        while (open && !interruption.isRequested()) {
            open = false;
            for (int index = 0; index < starts.size(); index++) {
                if (AbJudge.isDecided(settings.judge().judge(measured(index)))) {
                    continue;
                }
                // Without a single start the time would have been for nothing.
                if (number > 0 && !time.fitsAnother(clock.instant())) {
                    return;
                }
                open = true;
                WindowsInTurns.Measured measured = WindowsInTurns.Measured.NOTHING;
                try {
                    measured = start(index, loads, time);
                    trouble = measured.windows().stream()
                            .flatMap(window -> window.invalid().stream())
                            .findFirst();
                } catch (RoleStartException e) {
                    // A port may be gone at the last moment: the next start tells whether it is more.
                    trouble = Optional.of(String.valueOf(e.getMessage()));
                }
                gateways.wereStarted(measured.windows());
                Instant end = clock.instant();
                took = Duration.between(began, end);
                if (!measured.windows().isEmpty()) {
                    starts.get(index).add(new AbCase.Start(time.fraction(end), measured.windows(), measured.whole()));
                    writer.write(result(), directory);
                    tell(index);
                }
                boolean sound = measured.windows().stream()
                        .anyMatch(window -> window.invalid().isEmpty());
                anySound |= sound;
                fruitless = sound ? 0 : fruitless + 1;
                trouble.ifPresent(why -> progress.accept("start " + number + ": " + why));
                if (fruitless == FRUITLESS_STARTS && !interruption.isRequested()) {
                    throw nothingMeasured();
                }
            }
        }
    }

    private RoleStartException nothingMeasured() {
        return new RoleStartException("no window could be used: " + trouble.orElse("there was none"));
    }

    private AbCase measured(int index) {
        return new AbCase(settings.a().cases().get(index), starts.get(index));
    }

    private void tell(int index) {
        AbVerdict verdict = settings.judge().judge(measured(index)).get(0);
        progress.accept(String.format(
                Locale.ROOT,
                "%s, start %d, %d s: throughput B / A %s%s, %s",
                settings.a().cases().get(index).id(),
                starts.get(index).size(),
                took.toSeconds(),
                verdict.ratio().isPresent()
                        ? String.format(Locale.ROOT, "%.3f", verdict.ratio().getAsDouble())
                        : "-",
                verdict.low().isPresent()
                        ? String.format(
                                Locale.ROOT,
                                " (%.3f to %.3f)",
                                verdict.low().getAsDouble(),
                                verdict.high().getAsDouble())
                        : "",
                verdict.outcome().word()));
    }

    /**
     * Returns the windows of one start: of each arrangement, one after the other. Of several all must be sound, else what the
     * machines do would not cancel out.
     */
    private WindowsInTurns.Measured start(int index, WindowLoads loads, AllowedTime time) {
        number++;
        List<AbWindow> all = new ArrayList<>();
        WindowsInTurns.Measured last = WindowsInTurns.Measured.NOTHING;
        for (int at = 0; at < gateways.arrangements(); at++) {
            Instant before = clock.instant();
            last = start(index, at, all.size() / Side.values().length, loads, time);
            if (last.windows().isEmpty()) {
                return last;
            }
            time.tookBesideWindows(Duration.between(before, clock.instant()).minus(last.took()));
            all.addAll(last.windows());
        }
        if (gateways.arrangements() == 1) {
            return last;
        }
        if (all.size() != gateways.arrangements() * last.windows().size()) {
            return WindowsInTurns.Measured.NOTHING;
        }
        Optional<String> unsound =
                all.stream().flatMap(window -> window.invalid().stream()).findFirst();
        return new WindowsInTurns.Measured(
                all.stream()
                        .map(window -> unsound.map(why -> window.orInvalid("of another window: " + why))
                                .orElse(window))
                        .toList(),
                Map.of(),
                last.took());
    }

    /**
     * Returns the windows of fresh gateways in one arrangement; fewer if the user ends it.
     *
     * @param pairs how many pairs there are of the other arrangement already, which this one needs as well; 0 if there is none
     */
    private WindowsInTurns.Measured start(int index, int at, int pairs, WindowLoads loads, AllowedTime time) {
        Instant began = clock.instant();
        return withGateways(index, at, loads, running -> {
                    if (differences == null) {
                        differences = Differences.of(
                                running,
                                Map.of(Side.A, gateways.keys(at, Side.A), Side.B, gateways.keys(at, Side.B)),
                                Map.of(
                                        Side.A, gateways.gateway(at, Side.A).versions(),
                                        Side.B, gateways.gateway(at, Side.B).versions()));
                    }
                    Instant warm = clock.instant();
                    return windows.measure(
                            pairs,
                            running,
                            gateways.hosts(at),
                            time.endOfWindows(warm, Duration.between(began, warm), gateways.arrangements() - 1 - at),
                            (side, timing) -> loads.send(request(index, side, running.get(side), timing)));
                })
                .orElse(WindowsInTurns.Measured.NOTHING);
    }

    /** Does something with fresh gateways that are warm, and stops them; empty if the user ended the warm-up. */
    private <T> Optional<T> withGateways(
            int index, int at, WindowLoads loads, Function<Map<Side, RunningGateway>, T> work) {
        Map<Side, RunningGateway> running = new EnumMap<>(Side.class);
        List<LentProcessors> lent = new ArrayList<>();
        Side first = random.nextBoolean() ? Side.A : Side.B;
        try {
            running.putAll(gateways.start(index, at, first, place(), gateways.backend(index)));
            running.forEach((side, gateway) -> lent.add(gateways.lendProcessors(index, at, side, gateway)));
            int all = settings.a().cases().get(index).users();
            WarmUpInTurns.Loads sent =
                    (side, timing, users) -> loads.send(request(index, side, running.get(side), timing, users));
            if (!warmUp.await(running, gateways.hosts(at), first, loads.process(), all, sent)) {
                return Optional.empty();
            }
            lent.forEach(LentProcessors::giveBack);
            if (!warmUp.settle(first, all, sent)) {
                return Optional.empty();
            }
            return Optional.of(work.apply(running));
        } finally {
            running.values().forEach(RunningGateway::stop);
            gateways.removeFiles(at, place());
        }
    }

    /** One more start, of which no figure counts: what records costs the gateway time. */
    private Optional<FrameShares> profile(WindowLoads loads) {
        number++;
        progress.accept("one more start, with the flight recorder");
        try {
            return withGateways(0, 0, loads, running -> recorded(running, loads))
                    .flatMap(known -> known);
        } catch (RoleStartException e) {
            gateways.note("Methods were not recorded: " + e.getMessage());
            return Optional.empty();
        }
    }

    private Optional<FrameShares> recorded(Map<Side, RunningGateway> running, WindowLoads loads) {
        for (Side side : Side.values()) {
            Optional<FlightRecording> recording = FlightRecording.of(running.get(side));
            if (recording.isEmpty()) {
                gateways.note(
                        "Methods were not recorded: " + gateways.named(side) + " is no JVM of this machine that can.");
                return Optional.empty();
            }
            if (loads.send(request(0, side, running.get(side), RECORDED)).isEmpty()
                    || !recording.get().end(recording(side))) {
                gateways.note(
                        "Methods were not recorded: that of " + gateways.named(side) + " did not come to its end.");
                return Optional.empty();
            }
        }
        try {
            return Optional.of(FrameShares.of(recording(Side.A), recording(Side.B)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the recordings in " + directory, e);
        }
    }

    private Path recording(Side side) {
        return directory.resolve(side.name().toLowerCase(Locale.ROOT) + ".jfr");
    }

    private String place() {
        return "start-" + number;
    }

    private LoadRequest request(int index, Side side, RunningGateway running, TestTiming timing) {
        return request(
                index,
                side,
                running,
                timing,
                settings.of(side).cases().get(index).users());
    }

    private LoadRequest request(int index, Side side, RunningGateway running, TestTiming timing, int users) {
        Contestant contestant = settings.of(side);
        TestCase of = contestant.cases().get(index);
        RunPlan plan = contestant.plan();
        return new LoadSettings(plan.httpClient(), plan.payload(), LoadModel.closed(), 0, false)
                .apply(LoadRequest.of(
                        contestant.scenario(index),
                        running.target(),
                        new TestCase(of.scenario(), of.heap(), users, of.message(), of.backendDelay()),
                        timing,
                        running.tokens()))
                .withTrust(Trust.ofGateway(running.target()));
    }

    private AbResult result() {
        List<AbCase> cases = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            cases.add(measured(i));
        }
        return new AbResult(
                settings.a().name(),
                settings.b().name(),
                took.toSeconds(),
                settings.judge(),
                cases,
                allNotes(),
                frames);
    }

    private List<String> allNotes() {
        List<String> all = gateways.notes();
        if (differences != null) {
            all.addAll(differences);
        }
        all.addAll(warmUp.notes());
        all.addAll(meter.notes());
        for (int i = 0; i < starts.size(); i++) {
            all.add(neighbour(i));
        }
        return all;
    }

    private String neighbour(int index) {
        String of = settings.a().cases().get(index).id() + ": ";
        return settings.judge()
                .neighbour(measured(index))
                .map(effect -> String.format(
                        Locale.ROOT,
                        "%sthroughput beside the idle gateway is %.3f of that while it stands still (%.3f to %.3f, %d"
                                + " starts); what its memory takes from the caches is in both.",
                        of,
                        effect.ratio(),
                        effect.low(),
                        effect.high(),
                        effect.starts()))
                .orElse(of + "what the idle gateway does to the loaded one is not known: "
                        + (meter.stoodStill()
                                ? "too few starts tell it."
                                : "no gateway of these can be made to stand still."));
    }

    /** Stops what still runs and removes keys, tokens and unpacked jars; the results stay. */
    @Override
    public void close() {
        gateways.close();
    }
}
