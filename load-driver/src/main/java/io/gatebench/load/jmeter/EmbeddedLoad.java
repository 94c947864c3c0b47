/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.apache.jmeter.engine.StandardJMeterEngine;
import org.apache.jmeter.gui.GuiPackage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.gatebench.load.engine.AbortRules;
import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.StartSignal;
import io.gatebench.load.engine.stats.RecordedLoad;
import io.gatebench.load.engine.stats.SampleRecorder;
import io.gatebench.load.engine.stats.SteadyState;
import io.gatebench.load.jmeter.LoadSession.Runtime;
import io.gatebench.model.ResponseExcerpt;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.SecondOfLoad;
import io.gatebench.model.WarmUpEnd;

/** One test in this JVM. Can be run once. */
public final class EmbeddedLoad {

    /** Time that requests may still be under way at the end; then they are cut off and count as failed. */
    public static final Duration DRAIN = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedLoad.class);
    private static final long TICK_NANOS = 1_000_000_000L;

    private final LoadSession session;
    private final Runtime runtime;
    private final Observer observer;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread ticker;
    private final Optional<Thread> starter;
    private final Optional<Supplier<Optional<WindowStart>>> toldWindow;
    private final SideProbes probes;
    private SideProbeCount probeCount = SideProbeCount.NONE;
    private long lastSuccesses;
    private long allFailingSince = Long.MIN_VALUE;
    private long samplesThen;

    /** Is told how the test goes, by one thread, and of its users. */
    public interface Observer extends UserObserver {
        /**
         * The measurement window begins.
         *
         * @param lateNanos how long ago it should have begun
         */
        void windowBegins(long lateNanos);

        /** The measurement window ends, or the test before it. */
        void windowEnds();

        /** A second has passed. */
        void second(SecondOfLoad figures);
    }

    /**
     * Outcome of a test.
     *
     * @param started start of the test
     * @param ended when the last request had ended
     * @param recorded the samples
     * @param firstFailures the first failed answers
     * @param connectionsOpened connections opened
     * @param aborted why the test ended early, if it did
     * @param unfinished requests that were cut off at the end
     * @param intended requests that an open model asked for in the window
     * @param startedInWindow requests of an open model that were sent in the window
     * @param late those that had to wait for a free user
     * @param usersNeeded most requests under way at the same time
     * @param warmUp how the warm-up ended
     * @param probes what came of the probes that went along
     */
    public record Outcome(
            Instant started,
            Instant ended,
            RecordedLoad recorded,
            List<ResponseExcerpt> firstFailures,
            long connectionsOpened,
            Optional<String> aborted,
            int unfinished,
            long intended,
            long startedInWindow,
            long late,
            int usersNeeded,
            WarmUpEnd warmUp,
            SideProbeCount probes) {

        /** Returns the response times of the measurement window, whatever their labels. */
        public Optional<ResponseTimes> responseTimes() {
            return recorded.measured().flatMap(totals -> totals.all().figures());
        }

        /** Returns this by a clock that is behind the one by which it was taken. */
        public Outcome earlierBy(Duration behind) {
            return new Outcome(
                    started.minus(behind),
                    ended.minus(behind),
                    recorded,
                    firstFailures.stream()
                            .map(failure -> new ResponseExcerpt(
                                    failure.at().minus(behind),
                                    failure.status(),
                                    failure.headers(),
                                    failure.body(),
                                    failure.message()))
                            .toList(),
                    connectionsOpened,
                    aborted,
                    unfinished,
                    intended,
                    startedInWindow,
                    late,
                    usersNeeded,
                    warmUp,
                    probes);
        }

        /** Returns this with another reason, or none, for an early end. */
        public Outcome withAborted(Optional<String> reason) {
            return new Outcome(
                    started,
                    ended,
                    recorded,
                    firstFailures,
                    connectionsOpened,
                    reason,
                    unfinished,
                    intended,
                    startedInWindow,
                    late,
                    usersNeeded,
                    warmUp,
                    probes);
        }
    }

    /**
     * Start of a measurement window after a warm-up until the load is steady.
     *
     * @param at when it begins
     * @param why what was found, in words
     */
    public record WindowStart(Instant at, String why) {}

    /**
     * Prepares a test: reads tokens and payload, checks what the client can do.
     *
     * @param start holds all users back until it says when to begin; without one the first user to be there begins
     * @throws LoadException if a file cannot be read, or the client cannot do what is asked
     */
    public EmbeddedLoad(LoadSession session, Optional<StartSignal> start, Observer observer) {
        this(session, start, Optional.empty(), observer);
    }

    /**
     * Prepares a test that does not decide itself when its warm-up ends.
     *
     * @param window is asked each second when the window begins; empty while it is not known
     * @throws LoadException if a file cannot be read, or the client cannot do what is asked
     */
    public EmbeddedLoad(
            LoadSession session,
            Optional<StartSignal> start,
            Supplier<Optional<WindowStart>> window,
            Observer observer) {
        this(session, start, Optional.of(window), observer);
    }

    private EmbeddedLoad(
            LoadSession session,
            Optional<StartSignal> start,
            Optional<Supplier<Optional<WindowStart>>> window,
            Observer observer) {
        LoadRequest request = session.request();
        if (request.client() == HttpClientKind.JMETER
                && request.target().getScheme().equalsIgnoreCase("https")
                && !request.trust().all()) {
            throw new LoadException("JMeter's HTTP client accepts every certificate and cannot check one; trust all"
                    + " certificates, or use the fast client");
        }
        this.session = session;
        this.runtime = session.runtime();
        this.observer = observer;
        this.toldWindow = window;
        this.warmUpReason = request.timing().untilSteady() ? WarmUpEnd.Reason.LIMIT : WarmUpEnd.Reason.PLANNED;
        this.probes = new SideProbes(request, runtime);
        runtime.tell(observer);
        this.ticker = new Thread(this::tick, "gatebench-load-ticker");
        ticker.setDaemon(true);
        this.starter = start.map(signal -> {
            StartGate gate = runtime.holdUsersBack();
            Thread thread = new Thread(() -> open(gate, signal), "gatebench-load-start");
            thread.setDaemon(true);
            return thread;
        });
    }

    private void open(StartGate gate, StartSignal signal) {
        try {
            gate.openBy(signal);
        } catch (LoadException e) {
            runtime.stop(e.getMessage());
        }
    }

    /**
     * Loads what JMeter's threads would load first, and which registers a shutdown hook when it does.
     *
     * <p>A signal that comes before the first user has started would otherwise find the JVM already going down: the
     * class fails, every user's thread dies of it, and the engine waits for users that never end.
     */
    public static void prepareForSignals() {
        GuiPackage.getInstance();
    }

    /** Ends the test early. */
    public void stop(String reason) {
        runtime.stop(reason);
    }

    /**
     * Runs the test to its end.
     *
     * @param jtl where samples are written as CSV, or null
     * @throws LoadException if the engine fails
     */
    public Outcome run(@Nullable Path jtl) {
        return run(jtl, () -> LoadElements.plan(session).runIn(new LeanEngine()));
    }

    /**
     * Runs the test to its end when a controller sends its plan.
     *
     * @param jtl where samples are written as CSV, or null
     * @param engine runs the plan
     * @param keeper is given what came out, before the controller is told of it
     * @throws LoadException if the engine fails
     */
    public Outcome run(@Nullable Path jtl, RemoteEngine engine, Function<Outcome, RemoteOutcome> keeper) {
        return run(
                jtl,
                () -> engine.run(session, () -> {
                    close();
                    return keeper.apply(outcome());
                }));
    }

    /** Runs a plan, in this JVM's engine of JMeter. */
    private interface PlanRun {
        void run() throws IOException, InterruptedException, java.util.concurrent.TimeoutException;
    }

    private Outcome run(@Nullable Path jtl, PlanRun plan) {
        LoadRequest request = session.request();
        try (JtlWriter writer = jtl == null
                ? null
                : new JtlWriter(jtl, request.target().resolve(runtime.path).toString())) {
            if (writer != null) {
                runtime.writeTo(writer);
            }
            begin();
            plan.run();
        } catch (IOException | java.util.concurrent.TimeoutException e) {
            throw new LoadException("the load could not be run: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LoadException("the load was interrupted", e);
        } finally {
            close();
        }
        return outcome();
    }

    private void begin() {
        ticker.start();
        probes.start();
        starter.ifPresent(Thread::start);
    }

    private synchronized void close() {
        if (ended.getCount() == 0) {
            return;
        }
        starter.ifPresent(Thread::interrupt);
        ended.countDown();
        probeCount = probes.stop();
        join(ticker);
        runtime.close();
        observer.windowEnds();
    }

    private Outcome outcome() {
        LoadRequest request = session.request();
        Runtime.Started test = runtime.started()
                .orElseThrow(() -> new LoadException(runtime.stopReason()
                        .map(reason -> "the test was ended before its start: " + reason)
                        .orElse("JMeter ended the test before a user had started; see the log")));
        long nanos = System.nanoTime() - test.nanos();
        long duration = Math.min(runtime.endNanos(), nanos);
        return new Outcome(
                test.wall(),
                // Samples are recorded by the monotonic clock, which no one sets.
                test.wall().plusNanos(nanos),
                test.recorder().recorded(),
                new ArrayList<>(runtime.firstFailures),
                runtime.connectionsOpened.sum(),
                runtime.stopReason()
                        .or(() -> test.recorder().samples() == 0
                                ? Optional.of("no request was finished; the log of the load generator says why")
                                : Optional.empty()),
                cut,
                runtime.intendedInWindow(duration),
                runtime.startedInWindow(),
                runtime.lateInWindow(),
                runtime.mostInFlight.get(),
                new WarmUpEnd(Duration.ofNanos(runtime.windowNanos()), warmUpReason, warmUpDetail),
                probeCount);
    }

    private static void join(Thread thread) {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private volatile int cut;
    private volatile WarmUpEnd.Reason warmUpReason;
    private volatile String warmUpDetail = "";

    /**
     * Ends the warm-up with the next second if the load is steady, or at the time that was told.
     *
     * @param second the last second whose answers are known
     */
    private void endWarmUp(Runtime.Started test, int second, long nextSecond) {
        long from = nextSecond - test.nanos();
        if (warmUpReason != WarmUpEnd.Reason.LIMIT || from >= runtime.windowNanos()) {
            return;
        }
        if (toldWindow.isPresent()) {
            toldWindow.get().get().ifPresent(window -> {
                long told = Duration.between(test.wall(), window.at()).toNanos();
                endWarmUp(Math.max(told, from), window.why());
            });
            return;
        }
        int first = Math.max(
                (int) Math.ceil(session.request().timing().rampUp().toMillis() / 1000.0),
                second + 1 - SteadyState.SECONDS);
        List<SecondOfLoad> last = IntStream.rangeClosed(first, second)
                .mapToObj(test.recorder()::figuresOf)
                .toList();
        SteadyState.reachedBy(last).ifPresent(found -> endWarmUp(from, found));
    }

    private void endWarmUp(long offsetNanos, String detail) {
        if (offsetNanos < runtime.windowNanos()) {
            warmUpReason = WarmUpEnd.Reason.STEADY;
            warmUpDetail = detail;
            runtime.windowFrom(offsetNanos);
        }
    }

    private void tick() {
        try {
            while (runtime.started().isEmpty()) {
                if (ended.await(1, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
            Runtime.Started test = runtime.started().orElseThrow();
            boolean windowBegun = false;
            boolean windowEnded = false;
            long nextSecond = test.nanos() + TICK_NANOS;
            int second = 0;
            long drainEnds = Long.MAX_VALUE;
            while (true) {
                long now = System.nanoTime();
                long windowStart = test.nanos() + runtime.windowNanos();
                long end = test.nanos() + runtime.endNanos();
                if (!windowBegun && now >= windowStart && !runtime.stopped()) {
                    windowBegun = true;
                    observer.windowBegins(now - windowStart);
                }
                if (windowBegun && !windowEnded && (now >= end || runtime.stopped())) {
                    windowEnded = true;
                    observer.windowEnds();
                }
                if (now >= nextSecond) {
                    test.recorder().tick(nextSecond - 1, runtime.usersAtWork.get());
                    if (second > 0) {
                        observer.second(test.recorder().figuresOf(second - 1));
                    }
                    second++;
                    nextSecond += TICK_NANOS;
                    if (!windowBegun) {
                        endWarmUp(test, second - 2, nextSecond);
                    }
                    checkAbort(test.recorder(), now);
                }
                if (drainEnds == Long.MAX_VALUE && (now >= end || runtime.stopped())) {
                    drainEnds = now + DRAIN.toNanos();
                }
                if (now >= drainEnds) {
                    cutOff();
                    drainEnds = now + TICK_NANOS;
                }
                long wake = Math.min(nextSecond, windowEnded ? Long.MAX_VALUE : windowBegun ? end : windowStart);
                long wait = Math.max(1, Math.min(TICK_NANOS / 20, wake - now));
                if (ended.await(wait, TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void cutOff() {
        int left = runtime.inFlight();
        if (left > 0) {
            LOG.warn(
                    "{} requests were not answered within {} s after the end and are cut off", left, DRAIN.toSeconds());
            cut += left;
            runtime.cutOff("not answered within " + DRAIN.toSeconds() + " s after the end of the test");
            if (session.request().client() == HttpClientKind.JMETER) {
                StandardJMeterEngine.stopEngineNow();
            }
        }
    }

    private void checkAbort(SampleRecorder recorder, long now) {
        AbortRules rules = session.request().abort();
        long samples = recorder.samples();
        long errors = recorder.errors();
        long successes = samples - errors;
        if (successes > lastSuccesses || allFailingSince == Long.MIN_VALUE) {
            lastSuccesses = successes;
            allFailingSince = now;
            samplesThen = samples;
        }
        rules.allFailingFor()
                .filter(time -> now - allFailingSince >= time.toNanos() && samples > samplesThen)
                .ifPresent(time -> runtime.stop(
                        "all " + (samples - samplesThen) + " samples of the last " + time.toSeconds() + " s failed"));
        rules.errorPercentAbove()
                .filter(percent -> samples >= AbortRules.MINIMUM_SAMPLES && 100.0 * errors / samples > percent)
                .ifPresent(percent ->
                        runtime.stop(errors + " of " + samples + " samples failed, more than " + percent + " percent"));
    }
}
