/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

import io.gatebench.model.HostMetric;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MeasurementWindow;

/**
 * The metrics of one host, computed from snapshots of its counters.
 *
 * <p>Names and meanings are those of {@code sar} 12.6 as the published CSV has them: a rate is the change of a counter
 * between the first and the last snapshot of the window divided by the time between them, a level is the mean of the
 * snapshots in the window. Disks are added up, their utilisation is that of the busiest. A count of the window, as the task
 * clock is one, is the rate times the length of the window, so that all of them are of one window. The process stands for
 * all that it started. Immutable.
 */
public final class HostMetrics {

    private static final Duration MAX_STEP = Duration.ofSeconds(5);
    private static final String NOT_KNOWN = "the kernel of this host does not count it";

    private final List<Snapshot> snapshots;
    private final double ticksPerSecond;
    private final long networkMegabits;
    private final String boot;

    private HostMetrics(List<Snapshot> snapshots, double ticksPerSecond, long networkMegabits, String boot) {
        this.snapshots = List.copyOf(snapshots);
        this.ticksPerSecond = ticksPerSecond;
        this.networkMegabits = networkMegabits;
        this.boot = boot;
    }

    /**
     * Reads the snapshots that a {@link MetricsCollector} left.
     *
     * @param file the log of the collector
     * @param loopback whether the roles talk over the loopback interface, as they do on one machine: its traffic is
     *     then counted, else that of the network cards
     * @throws IOException if the file cannot be read
     */
    public static HostMetrics read(Path file, boolean loopback) throws IOException {
        return read(file, loopback, List.of());
    }

    /**
     * Reads the snapshots that a {@link MetricsCollector} left.
     *
     * @param file the log of the collector
     * @param loopback whether the roles talk over the loopback interface, as they do on one machine
     * @param sets the processors that processes were given
     * @throws IOException if the file cannot be read
     */
    public static HostMetrics read(Path file, boolean loopback, Collection<List<Integer>> sets) throws IOException {
        SnapshotFile read = SnapshotFile.read(file, loopback, sets);
        return new HostMetrics(read.snapshots(), read.ticksPerSecond(), read.networkMegabits(), read.boot());
    }

    /**
     * Returns the figures of a window.
     *
     * @param window the window by the clock of the load generator
     * @param clockOffset how far the clock of this host is ahead of that clock
     * @param pid the process whose own figures are wanted too, if any
     * @return a figure for each published column without the name of the process, and for each further one; absent
     *     ones say why
     */
    public Map<String, MeasuredValue> average(MeasurementWindow window, Duration clockOffset, OptionalLong pid) {
        return average(window, clockOffset, pid, List.of(), List.of());
    }

    /**
     * Returns the figures of a window.
     *
     * @param window the window by the clock of the load generator
     * @param clockOffset how far the clock of this host is ahead of that clock
     * @param pid the process whose own figures are wanted too, if any
     * @param processors the processors that it was given, one of the sets that were read; empty for all
     * @param sharers the processes of the run that were given the same ones
     * @return a figure for each published column without the name of the process, and for each further one; absent
     *     ones say why
     */
    public Map<String, MeasuredValue> average(
            MeasurementWindow window,
            Duration clockOffset,
            OptionalLong pid,
            List<Integer> processors,
            Collection<Long> sharers) {
        return new Calculation(inside(window, clockOffset), seconds(window)).all(pid, processors, sharers);
    }

    /** Returns the name of the programs that took the most processor time of those that are no part of the run, if known. */
    public Optional<String> busiestOther(MeasurementWindow window, Duration clockOffset) {
        return new Calculation(inside(window, clockOffset), seconds(window)).busiestOther();
    }

    /** Returns whether these are metrics of the same machine, which has several names. */
    public boolean ofSameMachine(HostMetrics other) {
        return !boot.isEmpty() && boot.equals(other.boot);
    }

    private List<Snapshot> inside(MeasurementWindow window, Duration clockOffset) {
        Instant from = window.start().plus(clockOffset);
        Instant to = window.end().plus(clockOffset);
        return snapshots.stream()
                .filter(s -> !s.time().isBefore(from) && s.time().isBefore(to))
                .toList();
    }

    private static double seconds(MeasurementWindow window) {
        return Duration.between(window.start(), window.end()).toNanos() / 1e9;
    }

    /**
     * Returns the figures of all that was collected.
     *
     * @param pid the process whose own figures are wanted too, if any
     */
    public Map<String, MeasuredValue> average(OptionalLong pid) {
        return figures(snapshots, pid);
    }

    /** Returns what a reader of the window's figures must know, e.g. that no snapshot was taken for some time. */
    public List<String> notes(MeasurementWindow window, Duration clockOffset) {
        List<String> notes = new ArrayList<>();
        Instant last = window.start().plus(clockOffset);
        List<Instant> times = new ArrayList<>();
        inside(window, clockOffset).forEach(snapshot -> times.add(snapshot.time()));
        times.add(window.end().plus(clockOffset));
        for (Instant time : times) {
            Duration step = Duration.between(last, time);
            if (step.compareTo(MAX_STEP) > 0) {
                notes.add("the host metrics have no snapshot for " + step.toSeconds() + " s of the window");
            }
            last = time;
        }
        return notes;
    }

    /**
     * Writes one line per snapshot and one column per figure, as CSV with a header; absent figures are empty.
     *
     * @param pid the process whose own figures are wanted too, if any
     * @throws IOException if the file cannot be written
     */
    public void writeSeries(Path file, OptionalLong pid) throws IOException {
        try (BufferedWriter writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            boolean header = false;
            for (int i = 1; i < snapshots.size(); i++) {
                Map<String, MeasuredValue> figures = figures(snapshots.subList(i - 1, i + 1), pid);
                if (!header) {
                    writer.write("epochMillis");
                    for (String name : figures.keySet()) {
                        writer.write("," + name);
                    }
                    writer.write('\n');
                    header = true;
                }
                writer.write(String.valueOf(snapshots.get(i).time().toEpochMilli()));
                for (MeasuredValue figure : figures.values()) {
                    writer.write("," + figure.fold(HostMetrics::number, reason -> ""));
                }
                writer.write('\n');
            }
        }
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? String.valueOf((long) value)
                : String.format(Locale.ROOT, "%.3f", value);
    }

    private Map<String, MeasuredValue> figures(List<Snapshot> of, OptionalLong pid) {
        return new Calculation(of, Double.NaN).all(pid, List.of(), List.of());
    }

    private final class Calculation {
        private final List<Snapshot> of;
        private final double seconds;
        private final double windowSeconds;
        private final String unusable;
        private final Map<String, MeasuredValue> figures = new LinkedHashMap<>();

        /**
         * Makes the calculation.
         *
         * @param windowSeconds the length of the window; if it is not known, NaN, it is the time between the snapshots
         */
        private Calculation(List<Snapshot> of, double windowSeconds) {
            this.of = of;
            this.seconds = of.size() < 2
                    ? 0
                    : of.get(of.size() - 1).uptimeSeconds() - of.get(0).uptimeSeconds();
            this.windowSeconds = Double.isNaN(windowSeconds) ? seconds : windowSeconds;
            if (of.isEmpty()) {
                unusable = "no snapshot of the host's counters lies in the window";
            } else if (of.size() < 2) {
                unusable = "only one snapshot of the host's counters lies in the window";
            } else if (seconds <= 0) {
                unusable = "the host was restarted in the window";
            } else {
                unusable = "";
            }
        }

        private Map<String, MeasuredValue> all(OptionalLong pid, List<Integer> processors, Collection<Long> sharers) {
            level(HostMetric.RUN_QUEUE, "tasks.running");
            level(HostMetric.TASKS, "tasks.all");
            level(HostMetric.LOAD_1, "load.1");
            level(HostMetric.LOAD_5, "load.5");
            level(HostMetric.LOAD_15, "load.15");
            level(HostMetric.BLOCKED, "procs_blocked");
            cpu();
            memory();
            blockDevice();
            io();
            rate(HostMetric.TASKS_CREATED, "processes", 1);
            rate(HostMetric.CONTEXT_SWITCHES_PER_SECOND, "ctxt", 1);
            level(HostMetric.UNUSED_DIRECTORY_ENTRIES, "dentry.unused");
            level(HostMetric.FILE_HANDLES, "file.used");
            level(HostMetric.INODE_HANDLERS, "inode.used");
            level(HostMetric.PSEUDO_TERMINALS, "pty");
            network();
            pid.ifPresent(this::throttling);
            pid.ifPresent(this::memoryLimit);
            rate(HostMetric.RETRANSMITTED, "tcp.retransmitted", 1);
            // The counters of pressure are microseconds: one second of each second is 100 %.
            rate(HostMetric.PRESSURE_CPU, "pressure.cpu", 1e-4);
            rate(HostMetric.PRESSURE_IO, "pressure.io", 1e-4);
            rate(HostMetric.PRESSURE_MEMORY, "pressure.memory", 1e-4);
            pid.ifPresent(this::process);
            if (pid.isPresent() && !processors.isEmpty()) {
                ownProcessors(pid.getAsLong(), processors);
            }
            pid.ifPresent(process -> otherPrograms(processors, sharers));
            return figures;
        }

        private void otherPrograms(List<Integer> processors, Collection<Long> sharers) {
            OptionalDouble ticks = betweenReadings(OtherPrograms.TICKS);
            double taken = ticks.orElse(0);
            if (!processors.isEmpty()) {
                // It is not known on which processors they ran: no more than the run has left of these.
                double ofRun = sharers.stream()
                        .mapToDouble(sharer -> changeOrZero("pid." + sharer + ".cpuTicks"))
                        .sum();
                taken = Math.min(taken, Math.max(0, changeOrZero(SnapshotFile.SET + processors + ".busy") - ofRun));
            }
            double number = processors.isEmpty() ? mean("cpus").orElse(1) : processors.size();
            put(
                    HostMetric.OTHER_PROGRAMS,
                    when(ticks, 100 * taken / ticksPerSecond / seconds / number),
                    "fewer than two readings of all processes lie in the window, or not all of this host can be seen");
        }

        private Optional<String> busiestOther() {
            List<Snapshot> readings = of.stream()
                    .filter(s -> s.value(OtherPrograms.TICKS).isPresent())
                    .toList();
            if (readings.size() < 2) {
                return Optional.empty();
            }
            // One that is not in the first reading was started after it.
            Map<String, Double> before = readings.get(0).values();
            return readings.get(readings.size() - 1).values().entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith(OtherPrograms.NAMED))
                    .filter(entry -> entry.getValue() > before.getOrDefault(entry.getKey(), 0.0))
                    .max(Comparator.comparingDouble((Map.Entry<String, Double> entry) ->
                                    entry.getValue() - before.getOrDefault(entry.getKey(), 0.0))
                            .thenComparing(Map.Entry.comparingByKey()))
                    .map(entry -> entry.getKey().substring(OtherPrograms.NAMED.length()));
        }

        private void ownProcessors(long pid, List<Integer> processors) {
            String set = SnapshotFile.SET + processors;
            OptionalDouble idle = change(set + ".idle");
            OptionalDouble ticks = change("pid." + pid + ".cpuTicks");
            put(HostMetric.SET_SIZE, OptionalDouble.of(processors.size()), NOT_KNOWN);
            put(
                    HostMetric.SET_IDLE,
                    when(idle, percent(idle.orElse(0), idle.orElse(0) + changeOrZero(set + ".busy"))),
                    "the host does not count the time of each processor");
            put(
                    HostMetric.PROCESS_CPU_OF_SET,
                    when(ticks, 100 * ticks.orElse(0) / ticksPerSecond / seconds / processors.size()),
                    "the process did not live through the window");
        }

        private void put(HostMetric metric, OptionalDouble value, String reason) {
            if (!unusable.isEmpty()) {
                figures.put(metric.header(), MeasuredValue.absent(unusable));
            } else if (value.isPresent() && Double.isFinite(value.getAsDouble())) {
                figures.put(metric.header(), MeasuredValue.of(value.getAsDouble()));
            } else {
                figures.put(metric.header(), MeasuredValue.absent(reason));
            }
        }

        private OptionalDouble mean(String key) {
            return of.stream()
                    .map(s -> s.value(key))
                    .filter(OptionalDouble::isPresent)
                    .mapToDouble(OptionalDouble::getAsDouble)
                    .average();
        }

        private void level(HostMetric metric, String key) {
            put(metric, mean(key), NOT_KNOWN);
        }

        /** The change of a counter; empty if it is not there, or was set back. */
        private OptionalDouble change(String key) {
            if (of.size() < 2) {
                return OptionalDouble.empty();
            }
            OptionalDouble first = of.get(0).value(key);
            OptionalDouble last = of.get(of.size() - 1).value(key);
            if (first.isEmpty() || last.isEmpty() || last.getAsDouble() < first.getAsDouble()) {
                return OptionalDouble.empty();
            }
            return OptionalDouble.of(last.getAsDouble() - first.getAsDouble());
        }

        private double changeOrZero(String key) {
            return change(key).orElse(0);
        }

        private void rate(HostMetric metric, String key, double factor) {
            OptionalDouble change = change(key);
            put(metric, when(change, change.orElse(0) * factor / seconds), NOT_KNOWN);
        }

        private void cpu() {
            double user = changeOrZero("cpu.user");
            double nice = changeOrZero("cpu.nice");
            double system = changeOrZero("cpu.system") + changeOrZero("cpu.irq") + changeOrZero("cpu.softirq");
            // Kernels let this one run backwards now and then; sar takes that for 0 as well.
            double wait = changeOrZero("cpu.iowait");
            double steal = changeOrZero("cpu.steal");
            double idle = changeOrZero("cpu.idle");
            double all = user + nice + system + wait + steal + idle;
            share(HostMetric.CPU_USER, user, all);
            share(HostMetric.CPU_NICE, nice, all);
            share(HostMetric.CPU_SYSTEM, system, all);
            share(HostMetric.CPU_IO_WAIT, wait, all);
            share(HostMetric.CPU_STEAL, steal, all);
            share(HostMetric.CPU_IDLE, idle, all);
        }

        private void share(HostMetric metric, double part, double all) {
            put(metric, when(all > 0, 100 * part / all), "no time passed between the snapshots");
        }

        private void memory() {
            level(HostMetric.MEMORY_FREE, "mem.MemFree");
            level(HostMetric.MEMORY_AVAILABLE, "mem.MemAvailable");
            OptionalDouble total = mean("mem.MemTotal");
            // Systems without /proc tell what can be had at once, and not what is free or holds a cache.
            double left = total.orElse(0)
                    - mean("mem.MemFree")
                            .orElseGet(() -> mean("mem.MemAvailable").orElse(0))
                    - mean("mem.Buffers").orElse(0)
                    - mean("mem.Cached").orElse(0)
                    - mean("mem.Slab").orElse(0);
            double used = Math.max(0, left);
            put(HostMetric.MEMORY_USED, when(total, used), NOT_KNOWN);
            put(HostMetric.MEMORY_USED_PERCENT, when(total, 100 * used / total.orElse(0)), NOT_KNOWN);
            level(HostMetric.MEMORY_BUFFERS, "mem.Buffers");
            level(HostMetric.MEMORY_CACHED, "mem.Cached");
            level(HostMetric.MEMORY_COMMIT, "mem.Committed_AS");
            OptionalDouble commit = mean("mem.Committed_AS");
            double most = total.orElse(0) + mean("mem.SwapTotal").orElse(0);
            put(
                    HostMetric.MEMORY_COMMIT_PERCENT,
                    when(commit.isPresent() && total.isPresent(), 100 * commit.orElse(0) / most),
                    NOT_KNOWN);
            level(HostMetric.MEMORY_ACTIVE, "mem.Active");
            level(HostMetric.MEMORY_INACTIVE, "mem.Inactive");
            level(HostMetric.MEMORY_DIRTY, "mem.Dirty");
        }

        private void disk(HostMetric metric, double value) {
            put(metric, when(change("disk.reads"), value), "this host shows no block device");
        }

        private void blockDevice() {
            double transfers = transfers();
            disk(HostMetric.DISK_TRANSFERS, transfers / seconds);
            disk(HostMetric.DISK_READ, changeOrZero("disk.readSectors") / 2 / seconds);
            disk(HostMetric.DISK_WRITTEN, changeOrZero("disk.writeSectors") / 2 / seconds);
            disk(HostMetric.DISK_DISCARDED, changeOrZero("disk.discardSectors") / 2 / seconds);
            double kilobytes = (changeOrZero("disk.readSectors")
                            + changeOrZero("disk.writeSectors")
                            + changeOrZero("disk.discardSectors"))
                    / 2;
            disk(HostMetric.DISK_REQUEST_SIZE, transfers == 0 ? 0 : kilobytes / transfers);
            disk(HostMetric.DISK_QUEUE, changeOrZero("disk.queueMillis") / 1000 / seconds);
            double millis = changeOrZero("disk.readMillis")
                    + changeOrZero("disk.writeMillis")
                    + changeOrZero("disk.discardMillis");
            disk(HostMetric.DISK_TIME, transfers == 0 ? 0 : millis / transfers);
            double busiest = of.isEmpty()
                    ? 0
                    : of.get(0).values().keySet().stream()
                            .filter(key -> key.startsWith("disk.") && key.endsWith(".busyMillis"))
                            .mapToDouble(this::changeOrZero)
                            .max()
                            .orElse(0);
            disk(HostMetric.DISK_UTILIZATION, Math.min(100, busiest / 10 / seconds));
        }

        private double transfers() {
            return changeOrZero("disk.reads") + changeOrZero("disk.writes") + changeOrZero("disk.discards");
        }

        private void io() {
            disk(HostMetric.IO_TRANSFERS, transfers() / seconds);
            disk(HostMetric.IO_READS, changeOrZero("disk.reads") / seconds);
            disk(HostMetric.IO_WRITES, changeOrZero("disk.writes") / seconds);
            disk(HostMetric.IO_DISCARDS, changeOrZero("disk.discards") / seconds);
            disk(HostMetric.IO_BLOCKS_READ, changeOrZero("disk.readSectors") / seconds);
            disk(HostMetric.IO_BLOCKS_WRITTEN, changeOrZero("disk.writeSectors") / seconds);
            disk(HostMetric.IO_BLOCKS_DISCARDED, changeOrZero("disk.discardSectors") / seconds);
        }

        private void network() {
            rate(HostMetric.NETWORK_RECEIVED_PACKETS, "net.rxPackets", 1);
            rate(HostMetric.NETWORK_TRANSMITTED_PACKETS, "net.txPackets", 1);
            rate(HostMetric.NETWORK_RECEIVED, "net.rxBytes", 1 / 1024.0);
            rate(HostMetric.NETWORK_TRANSMITTED, "net.txBytes", 1 / 1024.0);
            rate(HostMetric.NETWORK_RECEIVED_COMPRESSED, "net.rxCompressed", 1);
            rate(HostMetric.NETWORK_TRANSMITTED_COMPRESSED, "net.txCompressed", 1);
            rate(HostMetric.NETWORK_RECEIVED_MULTICAST, "net.rxMulticast", 1);
            // The busier direction, as sar has it for a card that sends and receives at once.
            double bits = 8 * Math.max(changeOrZero("net.rxBytes"), changeOrZero("net.txBytes")) / seconds;
            put(
                    HostMetric.NETWORK_UTILIZATION,
                    when(networkMegabits > 0, 100 * bits / (networkMegabits * 1e6)),
                    "the network card does not tell its speed");
        }

        /** Of several limits that hold for a process, its own group's and those above, that which held it back most. */
        private void throttling(long pid) {
            String prefix = "pid." + pid + "." + SnapshotFile.GROUP;
            String groups = of.isEmpty()
                    ? ""
                    : of.get(of.size() - 1).values().keySet().stream()
                            .filter(key -> key.startsWith(prefix))
                            .map(key -> SnapshotFile.GROUP + key.substring(prefix.length()) + ".")
                            .max(Comparator.comparingDouble((String key) -> changeOrZero(key + "throttledMillis"))
                                    .thenComparingDouble(key -> -limit(key).orElse(Double.MAX_VALUE))
                                    .thenComparing(Comparator.naturalOrder()))
                            .orElse("");
            OptionalDouble periods = change(groups + "nr_periods");
            double throttled = changeOrZero(groups + "nr_throttled");
            String unlimited = "no CPU limit was set for the control group of the process";
            put(HostMetric.CPU_LIMIT, limit(groups), unlimited);
            put(HostMetric.THROTTLED_PERIODS, when(periods, percent(throttled, periods.orElse(0))), unlimited);
            double periodSeconds = mean(groups + "periodMicros").orElse(0) / 1e6;
            put(
                    HostMetric.THROTTLED_TIME,
                    when(periods, Math.min(100, percent(throttled * periodSeconds, seconds))),
                    unlimited);
            put(HostMetric.THROTTLED_MILLIS, ofWindow(change(groups + "throttledMillis")), unlimited);
        }

        private void memoryLimit(long pid) {
            String prefix = "pid." + pid + "." + SnapshotFile.GROUP;
            String group = of.stream()
                    .flatMap(snapshot -> snapshot.values().keySet().stream())
                    .filter(key -> key.startsWith(prefix))
                    .map(key -> SnapshotFile.GROUP + key.substring(prefix.length()) + ".")
                    .filter(key -> mean(key + "memoryLimitBytes").isPresent())
                    .min(Comparator.comparingDouble(
                            key -> mean(key + "memoryLimitBytes").orElseThrow()))
                    .orElse("");
            String unlimited = "no memory limit was set for the control group of the process";
            put(HostMetric.MEMORY_LIMIT, kilobytes(mean(group + "memoryLimitBytes")), unlimited);
            put(HostMetric.MEMORY_OF_LIMIT, kilobytes(mean(group + "memoryBytes")), unlimited);
        }

        private static OptionalDouble kilobytes(OptionalDouble bytes) {
            return when(bytes, bytes.orElse(0) / 1024);
        }

        private OptionalDouble limit(String group) {
            OptionalDouble quota = mean(group + "quotaMicros");
            OptionalDouble period = mean(group + "periodMicros");
            return when(quota.isPresent() && period.isPresent(), quota.orElse(0) / period.orElse(0));
        }

        private static double percent(double part, double all) {
            return all == 0 ? 0 : 100 * part / all;
        }

        private void process(long pid) {
            String key = "pid." + pid + ".";
            String gone = "the process did not live through the window";
            OptionalDouble ticks = change(key + "cpuTicks");
            double cpuSeconds = ticks.orElse(0) / ticksPerSecond;
            double processors = mean("cpus").orElse(1);
            put(HostMetric.PROCESS_CPU, when(ticks, 100 * cpuSeconds / seconds), gone);
            put(HostMetric.PROCESS_CPU_OF_HOST, when(ticks, 100 * cpuSeconds / seconds / processors), gone);
            put(HostMetric.PROCESS_RESIDENT, mean(key + "resident"), gone);
            put(
                    HostMetric.PROCESS_RESIDENT_LARGEST,
                    of.isEmpty()
                            ? OptionalDouble.empty()
                            : of.get(of.size() - 1).value(key + "residentPeak"),
                    gone);
            put(HostMetric.PROCESS_PROPORTIONAL, mean(key + "proportional"), proportionalMissing(key));
            put(HostMetric.PROCESSES, mean(key + "processes"), gone);
            put(HostMetric.PROCESS_THREADS, mean(key + "threads"), gone);
            put(HostMetric.TASK_CLOCK, ofWindow(when(ticks, 1000 * cpuSeconds)), gone);
            String few = "fewer than two readings of the process's threads lie in the window";
            put(HostMetric.CONTEXT_SWITCHES, ofWindow(betweenReadings(key + "switches")), few);
            put(HostMetric.CPU_MIGRATIONS, ofWindow(betweenReadings(key + "migrations")), few + ", or " + NOT_KNOWN);
            OptionalDouble waiting = betweenReadings(key + "waitNanos");
            put(
                    HostMetric.PROCESS_WAITING,
                    when(waiting, waiting.orElse(0) / 1e7 / seconds),
                    few + ", or " + NOT_KNOWN);
            put(HostMetric.PAGE_FAULTS, ofWindow(change(key + "faults")), gone);
        }

        private String proportionalMissing(String key) {
            return mean(key + "processes").orElse(0) > 1
                    ? "no reading of the processes' shared memory lies in the window, or it may not be read"
                    : "it is one process: its resident memory is all there is to say";
        }

        /** Scales a change between the first and the last snapshot to the whole window. */
        private OptionalDouble ofWindow(OptionalDouble change) {
            return when(change, change.orElse(0) * windowSeconds / seconds);
        }

        /**
         * The change of a counter that only some snapshots hold, scaled to the time between the first and the last
         * snapshot. Threads that end take their counts with them, so that it can be too low, never too high.
         */
        private OptionalDouble betweenReadings(String key) {
            List<Snapshot> holding =
                    of.stream().filter(s -> s.value(key).isPresent()).toList();
            if (holding.size() < 2) {
                return OptionalDouble.empty();
            }
            Snapshot first = holding.get(0);
            Snapshot last = holding.get(holding.size() - 1);
            double change = last.value(key).getAsDouble() - first.value(key).getAsDouble();
            double span = last.uptimeSeconds() - first.uptimeSeconds();
            return when(change >= 0 && span > 0, change * seconds / span);
        }

        private static OptionalDouble when(OptionalDouble present, double value) {
            return when(present.isPresent(), value);
        }

        private static OptionalDouble when(boolean known, double value) {
            return known ? OptionalDouble.of(value) : OptionalDouble.empty();
        }
    }
}
