/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.CentralProcessor.TickType;
import oshi.hardware.GlobalMemory;
import oshi.software.os.OSProcess;
import oshi.software.os.OperatingSystem;

/**
 * Writes a snapshot of this machine each second where there is no {@code /proc}: what OSHI knows of every system, in the
 * form that {@code snapshots.sh} has, so that one reader reads both. What OSHI does not know is absent.
 */
final class LocalSnapshots implements AutoCloseable {

    private static final int TICKS = 1000;
    private static final int KIB = 1024;
    private static final long LAST_SECONDS = 5;

    private final SystemInfo system = new SystemInfo();
    private final ConcurrentHashMap<Long, Long> started = new ConcurrentHashMap<>();
    private final PrintWriter out;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "gatebench-metrics");
        thread.setDaemon(true);
        return thread;
    });

    LocalSnapshots(Path file) throws IOException {
        out = new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.US_ASCII));
        out.println("gatebench-snapshots 2");
        out.println("tick " + TICKS);
        timer.scheduleAtFixedRate(this::snapshot, 0, 1, TimeUnit.SECONDS);
    }

    void watch(long pid) {
        started.putIfAbsent(pid, (long) started.size() + 1);
    }

    private void snapshot() {
        Instant now = Instant.now();
        OperatingSystem os = system.getOperatingSystem();
        out.printf(Locale.ROOT, "@ %d.%09d%n", now.getEpochSecond(), now.getNano());
        section("/proc/uptime");
        // That of the system is in whole seconds, and rates are changes of counters for changes of this.
        out.println(System.nanoTime() / 1e9);
        host();
        Map<Long, Long> watched = Map.copyOf(started);
        section("trees");
        watched.keySet().forEach(pid -> out.println(pid + " " + pid));
        for (OSProcess process :
                os.getProcesses(watched.keySet().stream().map(Long::intValue).toList())) {
            process(process, watched);
        }
        out.println("@end");
        out.flush();
    }

    private void host() {
        CentralProcessor processor = system.getHardware().getProcessor();
        double[] load = processor.getSystemLoadAverage(3);
        if (load[0] >= 0) {
            section("/proc/loadavg");
            out.println(load[0] + " " + load[1] + " " + load[2]);
        }
        section("/proc/stat");
        long[] ticks = processor.getSystemCpuLoadTicks();
        out.print("cpu");
        for (TickType type : List.of(
                TickType.USER,
                TickType.NICE,
                TickType.SYSTEM,
                TickType.IDLE,
                TickType.IOWAIT,
                TickType.IRQ,
                TickType.SOFTIRQ,
                TickType.STEAL)) {
            out.print(" " + ticks[type.getIndex()]);
        }
        out.println();
        for (int i = 0; i < processor.getLogicalProcessorCount(); i++) {
            out.println("cpu" + i + " 0");
        }
        GlobalMemory memory = system.getHardware().getMemory();
        section("/proc/meminfo");
        out.println("MemTotal: " + memory.getTotal() / KIB);
        out.println("MemAvailable: " + memory.getAvailable() / KIB);
    }

    private void process(OSProcess process, Map<Long, Long> watched) {
        long pid = process.getProcessID();
        section("/proc/" + pid + "/stat");
        // Of the 20 places behind the name, those that are read: state, parent, page faults, CPU times and start.
        out.println(pid + " (process) R " + process.getParentProcessID() + " 0 0 0 0 0 " + process.getMinorFaults()
                + " 0 " + process.getMajorFaults() + " 0 "
                + process.getUserTime() + " " + process.getKernelTime() + " 0 0 0 0 0 0 " + watched.get(pid));
        section("/proc/" + pid + "/status");
        out.println("VmRSS: " + process.getResidentMemory() / KIB);
        out.println("Threads: " + process.getThreadCount());
    }

    private void section(String name) {
        out.println("==> " + name + " <==");
    }

    @Override
    public void close() {
        timer.shutdown();
        try {
            if (!timer.awaitTermination(LAST_SECONDS, TimeUnit.SECONDS)) {
                timer.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        out.close();
    }
}
