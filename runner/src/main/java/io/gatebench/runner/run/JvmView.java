/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.gatebench.model.DataSize;
import io.gatebench.model.JvmResources;

/**
 * Processors, memory and heap that a JVM believes to have, as it says at the head of its GC log: since release 16, with the tag {@code gc+init}.
 *
 * @param present the processors of the machine
 * @param processors those that it counts as its own, which is what {@code availableProcessors} returned at its start
 * @param memory the memory that it sees
 * @param heap the most that its heap may take
 */
record JvmView(int present, int processors, DataSize memory, DataSize heap) {

    private static final int HEAD_LINES = 200;
    private static final Pattern CPUS = Pattern.compile(".*\\[gc,init *] CPUs: (\\d+) total, (\\d+) available");
    private static final Pattern MEMORY = Pattern.compile(".*\\[gc,init *] Memory: (\\d+[KMGT]?)");
    private static final Pattern HEAP = Pattern.compile(".*\\[gc,init *] (?:Heap )?Max Capacity: (\\d+[KMGT]?)");

    /** Returns what a log says; empty where it has no such lines. */
    static Optional<JvmView> read(Path log) {
        if (!Files.isRegularFile(log)) {
            return Optional.empty();
        }
        Optional<Matcher> cpus = Optional.empty();
        Optional<Matcher> memory = Optional.empty();
        try (BufferedReader reader = Files.newBufferedReader(log)) {
            for (int i = 0; i < HEAD_LINES; i++) {
                String line = reader.readLine();
                if (line == null) {
                    return Optional.empty();
                }
                cpus = cpus.or(() -> match(CPUS, line));
                memory = memory.or(() -> match(MEMORY, line));
                Optional<Matcher> heap = match(HEAP, line);
                if (heap.isPresent() && cpus.isPresent() && memory.isPresent()) {
                    return Optional.of(new JvmView(
                            Integer.parseInt(cpus.get().group(1)),
                            Integer.parseInt(cpus.get().group(2)),
                            DataSize.parse(memory.get().group(1)),
                            DataSize.parse(heap.get().group(1))));
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            // A log that cannot be read is named where its pauses are read.
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static Optional<Matcher> match(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        return matcher.matches() ? Optional.of(matcher) : Optional.empty();
    }

    /**
     * Returns it beside what the JVM must see.
     *
     * @param set how many processors it was given for itself; 0 for all
     * @param limits the limits on its processors, by the plan and as its control group says
     * @param limit the limit on its memory, if it has one
     */
    JvmResources beside(int set, Iterable<OptionalDouble> limits, Optional<DataSize> limit) {
        int planned = set == 0 ? present : Math.min(present, set);
        for (OptionalDouble one : limits) {
            // A JVM cannot count parts: a limit of one and a half is two processors to it.
            planned = Math.min(planned, (int) Math.ceil(one.orElse(present)));
        }
        return new JvmResources(processors, planned, memory, limit, heap);
    }
}
