/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Counts of the kernel at one moment of the processors that this process may run on.
 *
 * @param idleTicks how long they were idle, waiting for input and output included
 * @param allTicks how long they were there
 */
record OwnScheduling(long idleTicks, long allTicks) {

    private static final int IDLE = 4;
    private static final int IO_WAIT = 5;
    /** The guests' time behind it is part of the user time. */
    private static final int STEAL = 8;

    /**
     * Reads it, if this is a Linux that says it.
     *
     * @param proc the directory {@code /proc}
     */
    static Optional<OwnScheduling> read(Path proc) {
        try {
            Set<Integer> own = processors(Files.readAllLines(proc.resolve("self/status")));
            long idle = 0;
            long all = 0;
            for (String line : Files.readAllLines(proc.resolve("stat"))) {
                String[] words = line.split(" +");
                if (words[0].matches("cpu\\d+") && own.contains(Integer.parseInt(words[0].substring(3)))) {
                    for (int i = 1; i < words.length && i <= STEAL; i++) {
                        long ticks = Long.parseLong(words[i]);
                        all += ticks;
                        // The kernel books a thread's waiting in io_uring as input and output, though nothing is done.
                        idle += i == IDLE || i == IO_WAIT ? ticks : 0;
                    }
                }
            }
            return all == 0 ? Optional.empty() : Optional.of(new OwnScheduling(idle, all));
        } catch (IOException | RuntimeException e) {
            // Another system, or a kernel with other files: the load generator is judged by the rest.
            return Optional.empty();
        }
    }

    /**
     * Returns how long the calling thread was ready to run and had no processor in its life, in nanoseconds, if this is a Linux
     * that says it. The count of another thread would lack what that one waits for just then.
     *
     * @param proc the directory {@code /proc}
     */
    static OptionalLong waitedNanosOfThisThread(Path proc) {
        try {
            String counts = Files.readString(proc.resolve("thread-self/schedstat"));
            return OptionalLong.of(Long.parseLong(counts.strip().split(" ")[1]));
        } catch (IOException | RuntimeException e) {
            return OptionalLong.empty();
        }
    }

    /** Reads a list such as {@code 0-3,8}. */
    private static Set<Integer> processors(List<String> status) {
        Set<Integer> processors = new HashSet<>();
        for (String line : status) {
            if (line.startsWith("Cpus_allowed_list:")) {
                for (String range :
                        line.substring(line.indexOf(':') + 1).strip().split(",")) {
                    String[] ends = range.split("-");
                    for (int i = Integer.parseInt(ends[0]); i <= Integer.parseInt(ends[ends.length - 1]); i++) {
                        processors.add(i);
                    }
                }
            }
        }
        return processors;
    }

    /** Returns how much of the processors was idle since then, in %. */
    OptionalDouble idlePercentSince(OwnScheduling earlier) {
        long all = allTicks - earlier.allTicks;
        return all <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(100.0 * Math.max(0, idleTicks - earlier.idleTicks) / all);
    }
}
