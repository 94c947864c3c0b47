/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.gatebench.spi.host.Host;

/**
 * The CPU time that the compilers of JVMs have used up to this moment: what is not compiled yet is slower than it will be.
 *
 * <p>The kernel tells it of each thread, whose name it cuts after 15 characters.
 */
public final class CompilerTime {

    /** Of a processor: a JVM that compiles much uses 50 % and more where it can, until hardly anything is left. */
    public static final double CALM_PERCENT = 5;

    /** Threads of HotSpot, of Graal in HotSpot, and of OpenJ9. */
    private static final List<String> THREADS =
            List.of("C1 CompilerThre", "C2 CompilerThre", "JVMCI", "JIT Compilation");

    private static final Duration LOOK = Duration.ofSeconds(20);
    /** User and system time, counted from the state, which stands behind the name. */
    private static final int USER_TICKS = 11;

    private static final int SYSTEM_TICKS = 12;

    private CompilerTime() {}

    /**
     * Returns that of processes and of all that descends from them; empty where there is no such thread or no {@code /proc}.
     *
     * @throws io.gatebench.spi.host.HostException if the host cannot be asked
     */
    public static Optional<Duration> ofTrees(Host host, Collection<Long> roots) {
        Set<Long> processes = CpuTime.trees(host, roots);
        if (processes.isEmpty()) {
            return Optional.empty();
        }
        String files = processes.stream()
                .map(pid -> "/proc/" + pid + "/task/[0-9]*/stat")
                .collect(Collectors.joining(" "));
        List<String> lines = host.run(
                        List.of(
                                "sh",
                                "-c",
                                "getconf CLK_TCK 2>/dev/null || echo 100; cat " + files + " 2>/dev/null || true"),
                        LOOK)
                .output()
                .lines()
                .toList();
        return lines.isEmpty()
                ? Optional.empty()
                : ofThreads(lines.subList(1, lines.size()), Double.parseDouble(lines.get(0)));
    }

    /**
     * Returns the share of a processor, in percent.
     *
     * @param before what had been used at first
     * @param after what had been used at last
     * @param time what passed in between, or the part of it that counts
     */
    public static double percent(Duration before, Duration after, Duration time) {
        return 100.0 * after.minus(before).toNanos() / time.toNanos();
    }

    /** Adds up the compilers among lines of {@code /proc/PID/task/TID/stat}. */
    static Optional<Duration> ofThreads(List<String> lines, double ticksPerSecond) {
        List<String> compilers = lines.stream()
                .filter(line -> THREADS.stream().anyMatch(name -> line.contains(" (" + name)))
                .toList();
        if (compilers.isEmpty()) {
            return Optional.empty();
        }
        long ticks = 0;
        for (String line : compilers) {
            String[] words = line.substring(line.lastIndexOf(") ") + 2).split(" ");
            ticks += Long.parseLong(words[USER_TICKS]) + Long.parseLong(words[SYSTEM_TICKS]);
        }
        return Optional.of(Duration.ofNanos(Math.round(1e9 * ticks / ticksPerSecond)));
    }
}
