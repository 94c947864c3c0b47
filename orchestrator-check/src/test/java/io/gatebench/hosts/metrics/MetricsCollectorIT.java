/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.hosts.LocalHost;
import io.gatebench.model.HostMetric;
import io.gatebench.model.MeasuredValue;

/** Holds the collected counters against what the test itself reads in {@code /proc} and in the control groups. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the counters are those of Linux")
class MetricsCollectorIT {

    private static final List<String> DEPENDS_ON_THE_MACHINE = List.of(
            "Network - Utilization (%)",
            "CPU Migrations",
            HostMetric.PROCESS_PROPORTIONAL.header(),
            HostMetric.PROCESS_WAITING.header(),
            HostMetric.CPU_LIMIT.header(),
            // Not of a container, which sees its own processes alone.
            HostMetric.OTHER_PROGRAMS.header());

    /** Does work that takes CPU time in the shell itself. */
    private static final String WORK = "work() { i=0; while [ $i -lt $1 ]; do i=$((i + 1)); done; }; ";

    private static final Path GROUPS = Path.of("/sys/fs/cgroup/cpu");
    private static final long PATIENCE_SECONDS = 120;

    @TempDir
    private Path directory;

    private LocalHost host;
    private MetricsCollector collector;
    private Process started;
    private BufferedWriter orders;
    private BufferedReader answers;

    @AfterEach
    void endTheProcesses() throws InterruptedException {
        if (host != null) {
            host.close();
        }
        if (started != null) {
            started.descendants().forEach(ProcessHandle::destroyForcibly);
            started.destroyForcibly();
            assertThat(started.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void collectsEveryColumnOfARealMachine() throws IOException {
        startToCollect();
        collector.watch(ProcessHandle.current().pid());
        // The threads are read in every second snapshot: a second reading is in the fifth at the latest.
        awaitSnapshots(5);
        collector.close();
        Map<String, MeasuredValue> figures = HostMetrics.read(file(), true)
                .average(OptionalLong.of(ProcessHandle.current().pid()));

        assertThat(figures.entrySet())
                .filteredOn(e -> e.getValue() instanceof MeasuredValue.Absent)
                .allMatch(e -> DEPENDS_ON_THE_MACHINE.contains(e.getKey())
                        || e.getKey().startsWith("Pressure")
                        || e.getKey().startsWith("Block Device")
                        || e.getKey().startsWith("IO")
                        || e.getKey().startsWith("CPU - Throttled")
                        || e.getKey().equals(HostMetric.MEMORY_LIMIT.header())
                        || e.getKey().equals(HostMetric.MEMORY_OF_LIMIT.header()));
        double cpu = List.of("User", "Nice", "System", "I/O Wait", "Steal", "Idle").stream()
                .mapToDouble(
                        part -> figures.get("CPU - " + part + " (%)").value().orElseThrow())
                .sum();
        assertThat(cpu).isBetween(99.999, 100.001);
        assertThat(figures.get(HostMetric.PROCESS_RESIDENT.header()).value().orElseThrow())
                .isBetween(10_000.0, 4e6);
    }

    @Test
    void saysThatItEndedBeforeItWasStopped() {
        startToCollect();
        await(() -> loop().isPresent());
        loop().orElseThrow().destroyForcibly();

        await(() -> collector.problem().isPresent());
        collector.close();

        assertThat(collector.problem()).get().asString().startsWith("the host metrics ended early");
    }

    private Optional<ProcessHandle> loop() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> commandLine(process.pid()).contains(directory.resolve("metrics") + "/"))
                .findFirst();
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // It has ended.
            return "";
        }
    }

    @Test
    void watchesAllProcessesOfAGatewayNewAndEndedOnesIncluded() throws IOException {
        // Workers that stay, children that come and go within a second, and a grandchild.
        start(WORK + """
                sleep 300 & sh -c "$0; work 300000; echo worker; sleep 300; :" "$0" &
                read go
                for child in 1 2 3 4 5 6; do (work 100000); done
                (work 200000; (work 200000))
                echo done
                read end
                """);
        awaitAnswer("worker");
        watchFromTheFirstSnapshotOn();
        long before = ticksOfTheTree();
        startToCollect();
        awaitSnapshots(1);
        long begun = ticksOfTheTree();
        order("go");
        awaitAnswer("done");
        long ended = ticksOfTheTree();
        awaitSnapshots(snapshots() + 2);
        collector.close();
        long after = ticksOfTheTree();
        Map<String, MeasuredValue> figures = HostMetrics.read(file(), true).average(OptionalLong.of(started.pid()));

        // The times of each process are cut to whole ticks.
        long cut = 10;
        assertThat(ended - begun).isGreaterThan(50);
        assertThat(value(figures, "Task clock") / 10).isBetween(ended - begun - cut * 1.0, after - before + cut * 1.0);
        assertThat(value(figures, HostMetric.PROCESS_CPU.header()) * secondsBetweenSnapshots())
                .isBetween(ended - begun - cut * 1.0, after - before + cut * 1.0);
        assertThat(value(figures, HostMetric.PROCESSES.header())).isBetween(4.0, 6.0);
        assertThat(value(figures, "Process - Threads")).isEqualTo(value(figures, HostMetric.PROCESSES.header()));
    }

    @Test
    void addsMemoryUpAndCountsSharedPagesOnce() throws IOException {
        start("sh -c 'echo worker; sleep 300; :' & sh -c 'echo worker; sleep 300; :' & read end");
        awaitAnswer("worker");
        awaitAnswer("worker");
        watchFromTheFirstSnapshotOn();
        startToCollect();
        awaitSnapshots(1);
        collector.close();
        double resident = 0;
        double proportional = 0;
        for (long pid : tree()) {
            resident += kilobytes(pid, "status", "VmRSS:");
            proportional += kilobytes(pid, "smaps_rollup", "Pss:");
        }

        assertThat(proportional).isPositive().isLessThan(resident);
        List<Snapshot> read = SnapshotFile.read(file(), true, List.of()).snapshots();
        String key = "pid." + started.pid() + ".";
        assertThat(read.get(0).value(key + "resident").orElseThrow()).isCloseTo(resident, withinPercentage(2.0));
        assertThat(read.get(0).value(key + "proportional").orElseThrow())
                .isCloseTo(proportional, withinPercentage(25.0));
    }

    @Test
    void readsTheLimitOfTheProcessesOwnControlGroup() throws IOException {
        Path above = GROUPS.resolve("gatebench-test-" + ProcessHandle.current().pid());
        Path own = above.resolve("own");
        try {
            assumeThat(made(own) && written(above.resolve("cpu.cfs_quota_us"), "5000"))
                    .as("a control group of version 1 can be made here, which takes root")
                    .isTrue();
            start("read go; ulimit -t 300; while :; do :; done");
            assertThat(written(own.resolve("cgroup.procs"), String.valueOf(started.pid())))
                    .isTrue();
            order("go");
            watchFromTheFirstSnapshotOn();
            Files.writeString(
                    directory.resolve("metrics").resolve(MetricsCollector.PIDS),
                    ProcessHandle.current().pid() + "\n",
                    StandardOpenOption.APPEND);
            Map<String, Long> before = throttling(above);
            startToCollect();
            awaitSnapshots(1);
            Map<String, Long> begun = throttling(above);
            long often = begun.get("nr_throttled") + 10;
            await(() -> throttling(above).get("nr_throttled") >= often);
            Map<String, Long> ended = throttling(above);
            awaitSnapshots(snapshots() + 2);
            collector.close();
            Map<String, Long> after = throttling(above);
            HostMetrics metrics = HostMetrics.read(file(), true);
            Map<String, MeasuredValue> figures = metrics.average(OptionalLong.of(started.pid()));

            assertThat(value(figures, HostMetric.CPU_LIMIT.header())).isEqualTo(0.05);
            double throttled =
                    value(figures, HostMetric.THROTTLED_TIME.header()) / 100 * secondsBetweenSnapshots() * 10;
            assertThat(throttled)
                    .isBetween(
                            ended.get("nr_throttled") - begun.get("nr_throttled") - 0.1,
                            after.get("nr_throttled") - before.get("nr_throttled") + 0.1);
            assertThat(value(figures, HostMetric.THROTTLED_MILLIS.header()))
                    .isBetween(
                            (ended.get("throttled_time") - begun.get("throttled_time")) / 1e6,
                            (after.get("throttled_time") - before.get("throttled_time")) / 1e6);
            // The test's own group is not this one: what it is held back by, if anything, is another figure.
            MeasuredValue ofTheTest = metrics.average(
                            OptionalLong.of(ProcessHandle.current().pid()))
                    .get(HostMetric.CPU_LIMIT.header());
            assertThat(ofTheTest).isNotEqualTo(figures.get(HostMetric.CPU_LIMIT.header()));
        } finally {
            if (started != null) {
                started.destroyForcibly();
                await(() -> !started.isAlive());
            }
            Files.deleteIfExists(own);
            Files.deleteIfExists(above);
        }
    }

    private void startToCollect() {
        host = new LocalHost(directory);
        collector = MetricsCollector.start(host, directory.resolve("metrics").toString());
    }

    private Path file() {
        return directory.resolve("metrics").resolve(MetricsCollector.FILE);
    }

    private void start(String script) throws IOException {
        started = new ProcessBuilder("sh", "-c", script, WORK.strip().replaceAll(";$", ""))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        orders = started.outputWriter(StandardCharsets.US_ASCII);
        answers = started.inputReader(StandardCharsets.US_ASCII);
    }

    private void order(String text) throws IOException {
        orders.write(text + "\n");
        orders.flush();
    }

    private void awaitAnswer(String text) throws IOException {
        assertThat(answers.readLine()).isEqualTo(text);
    }

    /** Without a snapshot before it all counters of the process are those between the first snapshot and the last. */
    private void watchFromTheFirstSnapshotOn() throws IOException {
        Files.createDirectories(directory.resolve("metrics"));
        Files.writeString(directory.resolve("metrics").resolve(MetricsCollector.PIDS), started.pid() + "\n");
    }

    private int snapshots() {
        try {
            return (int) Files.readString(file()).lines().filter("@end"::equals).count();
        } catch (IOException e) {
            return 0;
        }
    }

    private void awaitSnapshots(int count) {
        await(() -> snapshots() >= count);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("what was waited for did not come").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private double secondsBetweenSnapshots() throws IOException {
        List<Snapshot> read = SnapshotFile.read(file(), true, List.of()).snapshots();
        return read.get(read.size() - 1).uptimeSeconds() - read.get(0).uptimeSeconds();
    }

    /** Returns the CPU time of the tree by the kernel's own files: what ended children did is with their parents. */
    private long ticksOfTheTree() {
        return tree().stream()
                .mapToLong(pid -> {
                    List<String> fields = stat(pid).orElseThrow();
                    return fields.subList(11, 15).stream()
                            .mapToLong(Long::parseLong)
                            .sum();
                })
                .sum();
    }

    private Set<Long> tree() {
        Set<Long> tree = new HashSet<>(Set.of(started.pid()));
        List<Long> all = ProcessHandle.allProcesses().map(ProcessHandle::pid).toList();
        boolean grown = true;
        while (grown) {
            grown = false;
            for (long pid : all) {
                boolean child = stat(pid)
                        .filter(fields -> tree.contains(Long.parseLong(fields.get(1))))
                        .isPresent();
                grown |= child && tree.add(pid);
            }
        }
        return tree;
    }

    private static Optional<List<String>> stat(long pid) {
        try {
            String line = Files.readString(Path.of("/proc", String.valueOf(pid), "stat"));
            return Optional.of(List.of(line.substring(line.lastIndexOf(')') + 2).split(" ")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static double kilobytes(long pid, String file, String name) throws IOException {
        return Files.readAllLines(Path.of("/proc", String.valueOf(pid), file)).stream()
                .filter(line -> line.startsWith(name))
                .mapToDouble(line -> Double.parseDouble(line.split("\\s+")[1]))
                .sum();
    }

    private static boolean made(Path group) {
        try {
            Files.createDirectories(group);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean written(Path file, String text) {
        try {
            Files.writeString(file, text);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Map<String, Long> throttling(Path group) {
        try {
            return Files.readAllLines(group.resolve("cpu.stat")).stream()
                    .map(line -> line.split(" "))
                    .collect(Collectors.toMap(words -> words[0], words -> Long.parseLong(words[1])));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static double value(Map<String, MeasuredValue> figures, String name) {
        return figures.get(name).value().orElseThrow(() -> new AssertionError(name + ": " + figures.get(name)));
    }
}
