/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import com.sun.management.OperatingSystemMXBean;
import org.HdrHistogram.Histogram;

import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.ResponseTimes;

/**
 * Watches this JVM while it sends load: its CPU time, its GC pauses, how long its threads wait for a processor and how late
 * a sleeping thread of it wakes up.
 *
 * <p>The last two are what response times may be too long by, and are judged by what part of them they are. The method of the
 * last is that of jHiccup.
 */
public final class SelfObservation implements AutoCloseable {

    /** Share of all processors above which the load generator counts as saturated. */
    static final double CPU_LIMIT_PERCENT = 85;
    /** Time that its threads waited for a processor, as a part of the mean response time, from which it is saturated. */
    static final double WAIT_LIMIT_PERCENT = 50;
    /** 99th percentile of the scheduling delay below which it is never saturated, and .. */
    static final double DELAY_LIMIT_MILLIS = 10;
    /** .. the part of the 99th percentile of the response times that it must be as well. */
    static final double DELAY_LIMIT_PERCENT = 50;
    /** Limit where the kernel does not say how long threads wait and the delay has to tell it alone: it must be the larger one. */
    static final double BLIND_DELAY_LIMIT_MILLIS = 2;
    /** Shorter windows have no share of CPU time: the counter moves in steps of 10 ms, which may be more than the window. */
    private static final long MIN_CPU_NANOS = 100_000_000L;
    /** Share of the window spent in its own GC pauses above which it counts as saturated. */
    static final double GC_LIMIT_PERCENT = 5;

    private static final long SLEEP_NANOS = 1_000_000L;

    private final Map<Thread, Long> waitedNanosBefore = new ConcurrentHashMap<>();
    private final LongAdder waitedNanos = new LongAdder();
    private final LongAdder usersThatSaidIt = new LongAdder();
    private final Thread probe;
    private final Histogram delayMicros = new Histogram(60_000_000L, 3);
    private volatile boolean closed;
    private volatile boolean inWindow;
    /** The instant at which the probe wants to run next. */
    private volatile long dueNanos = System.nanoTime();

    private long beganNanos;
    private long beganCpuNanos;
    private long beganGcMillis;
    private final Path proc;
    private Optional<OwnScheduling> began = Optional.empty();
    private Optional<OwnScheduling> ended = Optional.empty();
    private long windowNanos;
    private long cpuNanos;
    private long gcMillis;

    /** Starts the probe; the window begins with {@link #begin}. */
    public SelfObservation() {
        // Tests forbid by this property what only Linux has.
        this(Path.of(Boolean.getBoolean("gatebench.portable") ? "/nothing" : "/proc"));
    }

    SelfObservation(Path proc) {
        this.proc = proc;
        probe = new Thread(this::measure, "gatebench-scheduling-delay");
        probe.setDaemon(true);
        probe.start();
    }

    private void measure() {
        while (!closed) {
            dueNanos = System.nanoTime() + SLEEP_NANOS;
            java.util.concurrent.locks.LockSupport.parkNanos(SLEEP_NANOS);
            long late = System.nanoTime() - dueNanos;
            if (inWindow) {
                record(late);
            }
        }
    }

    private void record(long lateNanos) {
        synchronized (delayMicros) {
            delayMicros.recordValue(Math.min(60_000_000L, Math.max(0, lateNanos / 1000)));
        }
    }

    /**
     * Begins the window.
     *
     * @param lateNanos how long ago it should have begun: a delay like those of the probe, of which a load generator that hardly
     *     runs has none
     */
    public synchronized void begin(long lateNanos) {
        record(lateNanos);
        beganNanos = System.nanoTime();
        beganCpuNanos = processCpuNanos();
        beganGcMillis = collectionMillis();
        // Before files are read: where processors are short, that can wait for seconds.
        inWindow = true;
        began = OwnScheduling.read(proc);
    }

    /** Ends the window; does nothing if it has not begun or has ended. */
    public synchronized void end() {
        if (!inWindow) {
            return;
        }
        inWindow = false;
        // The probe may be waiting for a processor still.
        record(System.nanoTime() - dueNanos);
        windowNanos = System.nanoTime() - beganNanos;
        cpuNanos = processCpuNanos() - beganCpuNanos;
        gcMillis = collectionMillis() - beganGcMillis;
        ended = OwnScheduling.read(proc);
    }

    /**
     * Is told by the thread of a user that it is about to send a request: again and again until the window begins, as one that
     * began before may end in it. The last call counts. Thread-safe.
     */
    public void userBegins() {
        OwnScheduling.waitedNanosOfThisThread(proc)
                .ifPresent(nanos -> waitedNanosBefore.put(Thread.currentThread(), nanos));
    }

    /**
     * Is told by the thread of a user that it sends no more requests; does nothing if it has not begun. Thread-safe.
     *
     * <p>Where processors are short, a thread may wait for seconds, and the kernel counts that when it runs again: only the
     * thread itself knows it for sure.
     */
    public void userEnds() {
        Long before = waitedNanosBefore.remove(Thread.currentThread());
        if (before != null) {
            OwnScheduling.waitedNanosOfThisThread(proc).ifPresent(nanos -> {
                waitedNanos.add(nanos - before);
                usersThatSaidIt.increment();
            });
        }
    }

    private static long processCpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    static MeasuredValue cpuPercent(long cpuNanos, long windowNanos, int processors) {
        return windowNanos < MIN_CPU_NANOS
                ? MeasuredValue.absent("the window is too short for the counter of CPU time")
                : MeasuredValue.of(100.0 * cpuNanos / windowNanos / processors);
    }

    private static long collectionMillis() {
        long sum = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            // Concurrent cycles are no pauses, though their beans count them alike.
            if (!collector.getName().contains("Cycles") && !collector.getName().contains("Concurrent")) {
                sum += Math.max(0, collector.getCollectionTime());
            }
        }
        return sum;
    }

    /**
     * Returns what was observed.
     *
     * @param connectionsOpened connections opened in the whole test
     * @param reported the response times of the window, if there are any: what delays them little does no harm
     */
    public synchronized LoadGeneratorHealth health(long connectionsOpened, Optional<ResponseTimes> reported) {
        MeasuredValue connections = MeasuredValue.of(connectionsOpened);
        if (windowNanos == 0) {
            MeasuredValue none = MeasuredValue.absent("the test ended before the measurement window");
            return new LoadGeneratorHealth(none, none, none, none, connections, false, List.of());
        }
        MeasuredValue cpuPercent =
                cpuPercent(cpuNanos, windowNanos, Runtime.getRuntime().availableProcessors());
        double gcPercent = 100.0 * gcMillis * 1_000_000L / windowNanos;
        Histogram delays;
        synchronized (delayMicros) {
            delays = delayMicros.copy();
        }
        MeasuredValue p99;
        MeasuredValue max;
        if (delays.getTotalCount() == 0) {
            p99 = MeasuredValue.absent("the probe thread never ran in the measurement window");
            max = p99;
        } else {
            p99 = MeasuredValue.of(Math.min(delays.getValueAtPercentile(99), delays.getMaxValue()) / 1000.0);
            max = MeasuredValue.of(delays.getMaxValue() / 1000.0);
        }
        List<String> reasons = new ArrayList<>();
        cpuPercent.value().ifPresent(percent -> {
            if (percent >= CPU_LIMIT_PERCENT) {
                reasons.add(
                        text("its CPU time is %.0f %% of all processors (limit %.0f %%)", percent, CPU_LIMIT_PERCENT));
            }
        });
        if (gcPercent >= GC_LIMIT_PERCENT) {
            reasons.add(text("its GC pauses take %.1f %% of the time (limit %.0f %%)", gcPercent, GC_LIMIT_PERCENT));
        }
        if (p99.value().isEmpty()) {
            reasons.add("its probe thread never got to run");
        }
        reported.ifPresent(times -> late(reasons, p99.value(), times));
        return new LoadGeneratorHealth(
                cpuPercent, MeasuredValue.of(gcMillis), p99, max, connections, !reasons.isEmpty(), reasons);
    }

    /** The time that users' threads wait for a processor is in the response times, each of which one thread measures. */
    private void late(List<String> reasons, OptionalDouble delayP99, ResponseTimes times) {
        OptionalDouble waited = waitedMillis(times.count());
        if (waited.isPresent()) {
            double percent = 100 * waited.getAsDouble() / times.meanMillis();
            if (percent >= WAIT_LIMIT_PERCENT) {
                reasons.add(text(
                        "its threads waited for a processor for %.3f ms per request, %.0f %% of the mean response time"
                                + " (limit %.0f %%)%s",
                        waited.getAsDouble(), percent, WAIT_LIMIT_PERCENT, idle()));
            }
        }
        double limit = waited.isPresent()
                ? Math.max(DELAY_LIMIT_MILLIS, times.p99Millis() * DELAY_LIMIT_PERCENT / 100)
                : Math.max(BLIND_DELAY_LIMIT_MILLIS, times.p99Millis());
        if (delayP99.isPresent() && delayP99.getAsDouble() >= limit) {
            reasons.add(text(
                    "the 99th percentile of its scheduling delay is %.1f ms (limit %.1f ms), that of its response times"
                            + " %.1f ms",
                    delayP99.getAsDouble(), limit, times.p99Millis()));
        }
    }

    /** Returns how long the users' threads waited for a processor, per request. */
    private OptionalDouble waitedMillis(long requests) {
        return usersThatSaidIt.sum() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(waitedNanos.sum() / 1e6 / requests);
    }

    private String idle() {
        OptionalDouble percent = began.isPresent() && ended.isPresent()
                ? ended.get().idlePercentSince(began.get())
                : OptionalDouble.empty();
        return percent.isPresent()
                ? text(", while its processors were idle for %.0f %% of the time", percent.getAsDouble())
                : "";
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    @Override
    public void close() {
        closed = true;
    }
}
