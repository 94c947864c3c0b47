/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

import io.gatebench.hosts.ClockOffset;
import io.gatebench.hosts.SshHost;
import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.HostException;

/** Looks at a host before anything is started on it. */
final class Preflight {

    /** A jar, its logs and some test cases: what a small run needs. */
    static final long MIN_DISK_KIBIBYTES = 512L * 1024;

    /** A load of thousands of connections needs a file for each. */
    static final long MIN_OPEN_FILES = 4096;

    /** From this on the response times of two hosts can no longer be laid side by side. */
    static final Duration MAX_CLOCK_OFFSET = Duration.ofSeconds(1);

    /** Largest share that a quiet neighbour takes; more blurs the figures. */
    static final double MAX_STEAL_PERCENT = 2;

    private static final Duration QUICK = Duration.ofSeconds(30);
    private static final int MIN_JAVA = 17;

    private Preflight() {}

    /**
     * Findings on one host.
     *
     * @param problems what must be changed before a run
     * @param warnings what a reader of the figures must know
     * @param clock how far its clock is ahead
     * @param lines what else is worth showing
     * @param reached whether it answered at all
     */
    record Finding(
            List<String> problems, List<String> warnings, ClockOffset clock, List<String> lines, boolean reached) {

        static Finding unreachable(String problem) {
            return new Finding(List.of(problem), List.of(), ClockOffset.NONE, List.of(), false);
        }
    }

    static Finding check(SshHost host, Set<NodeRole> roles, HostRequirements demands) {
        List<String> problems = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        Map<String, String> facts = host.facts();
        ClockOffset clock = ClockOffset.NONE;
        try {
            clock = host.clockOffset();
            if (clock.offset().abs().minus(clock.uncertainty()).compareTo(MAX_CLOCK_OFFSET) > 0) {
                warnings.add("its clock is " + seconds(clock.offset()) + " off the one of this machine; the windows of"
                        + " logs and metrics are shifted by that, and each row says so");
            }
            lines.add("clock offset " + seconds(clock.offset()) + " +- " + seconds(clock.uncertainty()));
            disk(host, problems, lines);
            if (java(host, problems, lines)) {
                problems.addAll(RoleChecks.problems(host, roles, demands));
            }
            memory(facts, roles, demands, problems, lines);
            steal(host, warnings, lines);
        } catch (HostException e) {
            problems.add(e.getMessage());
        }
        openFiles(facts, roles, warnings);
        String governor = facts.getOrDefault("governor", "");
        if (!governor.isEmpty() && !governor.equals("performance")) {
            warnings.add(
                    "its CPU governor is '" + governor + "': the clock rate follows the load and blurs the figures");
        }
        String addresses = " " + facts.getOrDefault("addresses", "") + " ";
        if (host.address().matches("[0-9.]+")
                && !addresses.isBlank()
                && !addresses.contains(" " + host.address() + " ")) {
            problems.add("the address " + host.address() + ", at which its roles would listen, is none of its own ("
                    + addresses.trim() + "); name the right one as role-address");
        }
        return new Finding(problems, warnings, clock, lines, true);
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.3f s", duration.toNanos() / 1e9);
    }

    /** Returns whether there is a Java now that can be asked; one that is installed for the run comes later. */
    private static boolean java(SshHost host, List<String> problems, List<String> lines) {
        if (host.javaArchive().isPresent()) {
            lines.add("java from " + host.javaArchive().get());
            return false;
        }
        if (host.facts().getOrDefault("java", "").isEmpty()) {
            problems.add("there is no java command; name one as java, or an archive as install-java");
            return false;
        }
        int version = host.javaFeatureVersion();
        lines.add("java " + version + " (" + host.java() + ")");
        if (version < MIN_JAVA) {
            problems.add("its Java is " + (version == 0 ? "of an unknown version" : String.valueOf(version)) + " ("
                    + host.java() + ") but " + MIN_JAVA
                    + " or newer is needed; name another as java, or an archive as install-java");
            return false;
        }
        return true;
    }

    /** A JVM starts with a heap that the machine does not have, and is killed or swapped out later. */
    private static void memory(
            Map<String, String> facts,
            Set<NodeRole> roles,
            HostRequirements demands,
            List<String> problems,
            List<String> lines) {
        String text = facts.getOrDefault("memory-available", "");
        if (!text.matches("\\d{1,15}")) {
            return;
        }
        long available = Long.parseLong(text) * 1024;
        long needed = roles.stream()
                .mapToLong(role -> demands.heaps().getOrDefault(role, List.of()).stream()
                        .mapToLong(DataSize::bytes)
                        .max()
                        .orElse(0))
                .sum();
        lines.add("available memory " + (available >> 20) + " MiB");
        if (needed > available) {
            problems.add("its roles get heaps of " + (needed >> 20) + " MiB together but only " + (available >> 20)
                    + " MiB of memory are available");
        }
    }

    private static void steal(SshHost host, List<String> warnings, List<String> lines) {
        OptionalDouble steal = host.stealPercent();
        if (steal.isEmpty()) {
            return;
        }
        lines.add(String.format(Locale.ROOT, "steal %.1f %%", steal.getAsDouble()));
        if (steal.getAsDouble() > MAX_STEAL_PERCENT) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "its hypervisor gave %.1f %% of its processor time to others in one second before the run",
                    steal.getAsDouble()));
        }
    }

    private static void openFiles(Map<String, String> facts, Set<NodeRole> roles, List<String> warnings) {
        String limit = facts.getOrDefault("open-files", "");
        if (limit.matches("\\d{1,18}") && Long.parseLong(limit) < MIN_OPEN_FILES && !roles.isEmpty()) {
            warnings.add("a process may have only " + limit + " open files; more than about "
                    + Math.max(1, Long.parseLong(limit) - 200) + " connections will fail");
        }
    }

    private static void disk(SshHost host, List<String> problems, List<String> lines) {
        CommandResult free = host.run(
                List.of(
                        "sh",
                        "-c",
                        "d=$1; while [ ! -d \"$d\" ]; do d=$(dirname \"$d\"); done; df -Pk \"$d\" | tail -n 1",
                        "sh",
                        host.baseDirectory()),
                QUICK);
        String[] words = free.output().trim().split("\\s+");
        if (words.length < 4 || !words[3].matches("\\d+")) {
            problems.add("the free space at " + host.baseDirectory() + " cannot be told: "
                    + free.errorOutput().trim());
            return;
        }
        long kibibytes = Long.parseLong(words[3]);
        lines.add("free space " + kibibytes / 1024 + " MiB at " + host.baseDirectory());
        if (kibibytes < MIN_DISK_KIBIBYTES) {
            problems.add("only " + kibibytes / 1024 + " MiB are free at " + host.baseDirectory() + " but "
                    + MIN_DISK_KIBIBYTES / 1024 + " MiB are needed");
        }
    }
}
