/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatebench.hosts.metrics.Processes.Reading;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;

/**
 * The CPU time that processes of a machine, and its processors, have used up to this moment.
 *
 * <p>Another machine than this one is asked by a command of its shell.
 */
public final class CpuTime {

    private static final Path STAT = Path.of("/proc/stat");
    /** User, nice, system, idle, iowait, irq, softirq, steal; guests are part of user. */
    private static final int KINDS = 8;

    private static final Duration LOOK = Duration.ofSeconds(20);
    /** The ticks of a second, and a line for each process; some end meanwhile. */
    private static final String TABLE =
            "getconf CLK_TCK 2>/dev/null || echo 100; cat /proc/[0-9]*/stat 2>/dev/null || true";

    private CpuTime() {}

    /**
     * Time that the processors have spent with work of all kinds.
     *
     * @param all ticks of everything, idleness included
     * @param stolen ticks in which the machine below ran something else
     */
    public record Machine(long all, long stolen) {

        /** Returns the stolen part since an earlier moment in percent. */
        public double stolenPercentSince(Machine earlier) {
            long ticks = all - earlier.all;
            return ticks <= 0 ? 0 : 100.0 * (stolen - earlier.stolen) / ticks;
        }
    }

    /**
     * Returns the CPU time of processes and of all that descends from them and lives; zero of those that have ended.
     *
     * @throws io.gatebench.spi.host.HostException if the host cannot be asked
     */
    public static Duration ofTrees(Host host, Collection<Long> roots) {
        if (host.isLocal()) {
            return here(roots)
                    .flatMap(process -> process.info().totalCpuDuration().stream())
                    .reduce(Duration.ZERO, Duration::plus);
        }
        Table table = Table.of(host);
        return table.trees(roots).stream()
                .map(pid -> table.cpuTime(table.processes().get(pid)))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /**
     * Returns processes and all that descends from them, without those that have ended.
     *
     * @throws io.gatebench.spi.host.HostException if the host cannot be asked
     */
    public static Set<Long> trees(Host host, Collection<Long> roots) {
        return host.isLocal()
                ? here(roots).map(ProcessHandle::pid).collect(Collectors.toSet())
                : Table.of(host).trees(roots);
    }

    private static Stream<ProcessHandle> here(Collection<Long> roots) {
        return roots.stream()
                .flatMap(root -> ProcessHandle.of(root).stream())
                .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .distinct();
    }

    /** All processes of another host. */
    private record Table(double ticksPerSecond, Map<Long, Reading> processes) {

        static Table of(Host host) {
            List<String> lines =
                    host.run(List.of("sh", "-c", TABLE), LOOK).output().lines().toList();
            if (lines.isEmpty()) {
                throw new HostException(host.name() + " does not tell its processes");
            }
            Processes processes = new Processes();
            lines.stream().skip(1).filter(line -> line.contains(") ")).forEach(processes::stat);
            return new Table(
                    Double.parseDouble(lines.get(0)),
                    processes.byRoot().values().stream()
                            .flatMap(tree -> tree.values().stream())
                            .collect(Collectors.toMap(Reading::pid, reading -> reading)));
        }

        Set<Long> trees(Collection<Long> roots) {
            Set<Long> found = new LinkedHashSet<>();
            Deque<Long> open = new ArrayDeque<>(roots);
            while (!open.isEmpty()) {
                long pid = open.remove();
                if (processes.containsKey(pid) && found.add(pid)) {
                    processes.values().stream()
                            .filter(reading -> reading.parent() == pid)
                            .forEach(child -> open.add(child.pid()));
                }
            }
            return found;
        }

        Duration cpuTime(Reading reading) {
            return Duration.ofNanos(Math.round(1e9 * reading.all()[0] / ticksPerSecond));
        }
    }

    /**
     * Returns what the processors have done since the start of the machine; empty where there is no {@code /proc}.
     *
     * @throws io.gatebench.spi.host.HostException if the host cannot be asked
     */
    public static Optional<Machine> ofMachine(Host host) {
        try {
            if (host.isLocal() && !Files.isReadable(STAT)) {
                return Optional.empty();
            }
            List<String> lines = host.isLocal()
                    ? Files.readAllLines(STAT)
                    : host.run(List.of("cat", STAT.toString()), LOOK)
                            .output()
                            .lines()
                            .toList();
            String[] words = lines.get(0).trim().split("\\s+");
            long all = 0;
            for (int i = 1; i <= KINDS && i < words.length; i++) {
                all += Long.parseLong(words[i]);
            }
            return Optional.of(new Machine(all, words.length > KINDS ? Long.parseLong(words[KINDS]) : 0));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}
