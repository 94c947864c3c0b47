/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.stats;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.sun.management.OperatingSystemMXBean;
import org.HdrHistogram.Histogram;

import io.gatebench.model.Figure;
import io.gatebench.model.LoadGeneratorHealth;

/**
 * Watches this JVM while it sends load: its CPU time, its GC pauses and how late a sleeping thread of it wakes up.
 *
 * <p>The last is what every response time may be too long by. The method is that of jHiccup.
 */
public final class SelfObservation implements AutoCloseable {

    /** Share of all processors above which the load generator counts as saturated. */
    static final double CPU_LIMIT_PERCENT = 85;
    /** 99th percentile of the scheduling delay above which it counts as saturated. */
    static final double DELAY_LIMIT_MILLIS = 10;
    /** Share of the window spent in its own GC pauses above which it counts as saturated. */
    static final double GC_LIMIT_PERCENT = 5;

    private static final long SLEEP_NANOS = 1_000_000L;

    private final Thread probe;
    private final Histogram delayMicros = new Histogram(60_000_000L, 3);
    private volatile boolean closed;
    private volatile boolean inWindow;
    private long beganNanos;
    private long beganCpuNanos;
    private long beganGcMillis;
    private long windowNanos;
    private long cpuNanos;
    private long gcMillis;

    /** Starts the probe; the window begins with {@link #begin}. */
    public SelfObservation() {
        probe = new Thread(this::measure, "gatebench-scheduling-delay");
        probe.setDaemon(true);
        probe.start();
    }

    private void measure() {
        while (!closed) {
            long before = System.nanoTime();
            java.util.concurrent.locks.LockSupport.parkNanos(SLEEP_NANOS);
            long late = System.nanoTime() - before - SLEEP_NANOS;
            if (inWindow) {
                synchronized (delayMicros) {
                    delayMicros.recordValue(Math.min(60_000_000L, Math.max(0, late / 1000)));
                }
            }
        }
    }

    /** Begins the window. */
    public synchronized void begin() {
        beganNanos = System.nanoTime();
        beganCpuNanos = processCpuNanos();
        beganGcMillis = collectionMillis();
        inWindow = true;
    }

    /** Ends the window; does nothing if it has not begun or has ended. */
    public synchronized void end() {
        if (!inWindow) {
            return;
        }
        inWindow = false;
        windowNanos = System.nanoTime() - beganNanos;
        cpuNanos = processCpuNanos() - beganCpuNanos;
        gcMillis = collectionMillis() - beganGcMillis;
    }

    private static long processCpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
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

    /** Returns what was observed. */
    public synchronized LoadGeneratorHealth health(long connectionsOpened) {
        Figure connections = Figure.of(connectionsOpened);
        if (windowNanos == 0) {
            Figure none = Figure.absent("the test ended before the measurement window");
            return new LoadGeneratorHealth(none, none, none, none, connections, false, List.of());
        }
        double cpuPercent =
                100.0 * cpuNanos / windowNanos / Runtime.getRuntime().availableProcessors();
        double gcPercent = 100.0 * gcMillis * 1_000_000L / windowNanos;
        Histogram delays;
        synchronized (delayMicros) {
            delays = delayMicros.copy();
        }
        Figure p99;
        Figure max;
        if (delays.getTotalCount() == 0) {
            p99 = Figure.absent("the probe thread never ran in the measurement window");
            max = p99;
        } else {
            p99 = Figure.of(Math.min(delays.getValueAtPercentile(99), delays.getMaxValue()) / 1000.0);
            max = Figure.of(delays.getMaxValue() / 1000.0);
        }
        List<String> reasons = new ArrayList<>();
        if (cpuPercent >= CPU_LIMIT_PERCENT) {
            reasons.add(
                    text("its CPU time is %.0f %% of all processors (limit %.0f %%)", cpuPercent, CPU_LIMIT_PERCENT));
        }
        if (gcPercent >= GC_LIMIT_PERCENT) {
            reasons.add(text("its GC pauses take %.1f %% of the time (limit %.0f %%)", gcPercent, GC_LIMIT_PERCENT));
        }
        p99.value()
                .ifPresentOrElse(
                        delay -> {
                            if (delay >= DELAY_LIMIT_MILLIS) {
                                reasons.add(text(
                                        "the 99th percentile of its scheduling delay is %.1f ms (limit %.0f ms)",
                                        delay, DELAY_LIMIT_MILLIS));
                            }
                        },
                        () -> reasons.add("its probe thread never got to run"));
        return new LoadGeneratorHealth(
                Figure.of(cpuPercent), Figure.of(gcMillis), p99, max, connections, !reasons.isEmpty(), reasons);
    }

    private static String text(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }

    @Override
    public void close() {
        closed = true;
    }
}
