/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;

/** The CPU time that processes of this machine, and its processors, have used up to this moment. */
public final class CpuTime {

    private static final Path STAT = Path.of("/proc/stat");
    /** User, nice, system, idle, iowait, irq, softirq, steal; guests are part of user. */
    private static final int KINDS = 8;

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

    /** Returns the CPU time of processes and of all that descends from them and lives; zero of those that have ended. */
    public static Duration ofTrees(Collection<Long> roots) {
        return roots.stream()
                .flatMap(root -> ProcessHandle.of(root).stream())
                .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .distinct()
                .flatMap(process -> process.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Returns what the processors have done since the start of the machine; empty where there is no {@code /proc}. */
    public static Optional<Machine> ofMachine() {
        try {
            if (!Files.isReadable(STAT)) {
                return Optional.empty();
            }
            String[] words = Files.readAllLines(STAT).get(0).trim().split("\\s+");
            long all = 0;
            for (int i = 1; i <= KINDS && i < words.length; i++) {
                all += Long.parseLong(words[i]);
            }
            return Optional.of(new Machine(all, words.length > KINDS ? Long.parseLong(words[KINDS]) : 0));
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }
}
