/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

import com.sun.management.OperatingSystemMXBean;

import io.gatebench.hosts.LocalHost;
import io.gatebench.model.NodeRole;
import io.gatebench.settings.PlanException;

/** Checks on this machine what a plan demands of it, before anything is started. */
public final class LocalPreflight {

    /** The unpacked jars of the roles, and the logs of some test cases. */
    private static final long MIN_DISK_BYTES = 256L << 20;

    private LocalPreflight() {}

    /**
     * Checks the place of the results, and the roles if they run here.
     *
     * @throws PlanException with every problem
     */
    public static void check(HostRequirements demands, Path results, boolean rolesHere) {
        List<String> problems = new ArrayList<>();
        if (rolesHere) {
            memory(demands, memoryOfMachine(), problems);
            // A heap is tried by starting a JVM with it, which takes very long where it does not fit and yet is
            // promised.
            if (problems.isEmpty()) {
                try (LocalHost host = new LocalHost(Path.of(System.getProperty("java.io.tmpdir")))) {
                    problems.addAll(RoleChecks.problems(host, EnumSet.allOf(NodeRole.class), demands));
                }
            }
        }
        Path existing = existing(results);
        place(results, existing, problems);
        disk(existing, problems);
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
    }

    /**
     * Checks without starting anything that the heaps of the roles fit into this machine.
     *
     * @throws PlanException if they do not
     */
    public static void checkMemory(HostRequirements demands) {
        List<String> problems = new ArrayList<>();
        memory(demands, memoryOfMachine(), problems);
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
    }

    /** Looks at the memory: where the kernel promises more than there is, a JVM starts with any heap and is killed later. */
    static void memory(HostRequirements demands, OptionalLong ofMachine, List<String> problems) {
        demands.heaps().values().stream()
                .flatMap(List::stream)
                .distinct()
                .filter(heap -> ofMachine.isPresent() && heap.bytes() > ofMachine.getAsLong())
                .sorted()
                .forEach(heap -> problems.add("a heap of " + heap + " is more than the " + (ofMachine.getAsLong() >> 20)
                        + " MiB of memory that this machine has; give less with --heap, --backend-heap or"
                        + " --load-generator-heap"));
    }

    private static OptionalLong memoryOfMachine() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? OptionalLong.of(system.getTotalMemorySize())
                : OptionalLong.empty();
    }

    private static Path existing(Path results) {
        Path existing = results.toAbsolutePath();
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing;
    }

    private static void place(Path results, Path existing, List<String> problems) {
        if (!Files.isDirectory(existing)) {
            problems.add("the results directory " + results + " cannot be made: " + existing
                    + " is no directory; name another place with --results");
        } else if (!Files.isWritable(existing) || isOfTheKernel(existing)) {
            problems.add("the results directory " + results + " cannot be made: " + existing
                    + " cannot be written to; name another place with --results");
        }
    }

    /** There root may write by its rights, and yet nothing can be made. */
    private static boolean isOfTheKernel(Path existing) {
        try {
            return Set.of("proc", "sysfs", "cgroup", "cgroup2")
                    .contains(Files.getFileStore(existing).type());
        } catch (IOException e) {
            // The look at the free space says so.
            return false;
        }
    }

    private static void disk(Path existing, List<String> problems) {
        try {
            long free = Files.getFileStore(existing).getUsableSpace();
            if (free < MIN_DISK_BYTES) {
                problems.add("only " + (free >> 20) + " MiB are free for the results at " + existing + " but "
                        + (MIN_DISK_BYTES >> 20) + " MiB are needed; free some, or name another place with --results");
            }
        } catch (IOException e) {
            problems.add("the free space for the results at " + existing + " cannot be told: " + e.getMessage());
        }
    }
}
