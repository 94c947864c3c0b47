/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Counts of the kernel at one moment of this process's threads and of the processors that they may run on.
 *
 * @param waitedNanos by thread, how long it was ready to run and had no processor
 * @param idleTicks how long those processors were idle, waiting for input and output included
 * @param allTicks how long they were there
 */
record OwnScheduling(Map<Long, Long> waitedNanos, long idleTicks, long allTicks) {

    /** Names of threads with work of the JVM beside the users' threads; their waiting delays no request by itself. */
    private static final List<String> OWN_WORK = List.of("C1 ", "C2 ", "GC ", "G1 ", "VM ", "ZWorker", "gatebench-");

    private static final int IDLE = 4;
    private static final int IO_WAIT = 5;
    /** The guests' time behind it is part of the user time. */
    private static final int STEAL = 8;

    OwnScheduling {
        waitedNanos = Map.copyOf(waitedNanos);
    }

    /**
     * Reads it, if this is a Linux that says it.
     *
     * @param proc the directory {@code /proc}
     */
    static Optional<OwnScheduling> read(Path proc) {
        try {
            Map<Long, Long> waited = new HashMap<>();
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(proc.resolve("self/task"))) {
                for (Path thread : threads) {
                    thread(thread).ifPresent(nanos -> waited.put(Long.parseLong(name(thread)), nanos));
                }
            }
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
            return waited.isEmpty() || all == 0 ? Optional.empty() : Optional.of(new OwnScheduling(waited, idle, all));
        } catch (IOException | RuntimeException e) {
            // Another system, or a kernel with other files: the load generator is judged by the rest.
            return Optional.empty();
        }
    }

    private static String name(Path thread) {
        return String.valueOf(thread.getFileName());
    }

    private static Optional<Long> thread(Path directory) {
        try {
            String name = Files.readString(directory.resolve("comm"));
            if (OWN_WORK.stream().anyMatch(name::startsWith)) {
                return Optional.empty();
            }
            return Optional.of(Long.parseLong(
                    Files.readString(directory.resolve("schedstat")).strip().split(" ")[1]));
        } catch (IOException e) {
            // It has ended.
            return Optional.empty();
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

    /** Returns how long all threads together have waited since then; threads that have ended are missing. */
    double waitedMillisSince(OwnScheduling earlier) {
        return waitedNanos.entrySet().stream()
                        .mapToLong(thread ->
                                Math.max(0, thread.getValue() - earlier.waitedNanos.getOrDefault(thread.getKey(), 0L)))
                        .sum()
                / 1e6;
    }

    /** Returns how much of the processors was idle since then, in %. */
    OptionalDouble idlePercentSince(OwnScheduling earlier) {
        long all = allTicks - earlier.allTicks;
        return all <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(100.0 * Math.max(0, idleTicks - earlier.idleTicks) / all);
    }
}
