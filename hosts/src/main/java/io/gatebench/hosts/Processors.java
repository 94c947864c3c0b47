/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.ProcessSpec;

/**
 * The processors of a host that processes can be given.
 *
 * @param all their numbers, those of one core and one socket beside each other
 * @param hindrance why processes cannot be given processors of their own here; empty if they can
 * @since 0.1
 */
public record Processors(List<Integer> all, Optional<String> hindrance) {

    private static final Duration QUICK = Duration.ofSeconds(20);

    /** Numbers with core and socket. A quota lets processes run everywhere, and all of them together less than that. */
    private static final String SCRIPT = """
            allowed=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status) || exit 1
            IFS=,
            for range in $allowed; do
              n=${range%-*}
              while [ "$n" -le "${range#*-}" ]; do
                t=/sys/devices/system/cpu/cpu$n/topology
                echo "cpu $n $(cat $t/physical_package_id 2>/dev/null || echo 0) $(cat $t/core_id 2>/dev/null || echo $n)"
                n=$((n + 1))
              done
            done
            for group in /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu/cpu.cfs_quota_us; do
              if [ -r "$group" ]; then echo "quota $(cut -d' ' -f1 "$group")"; fi
            done
            """;

    /**
     * Thread by thread where {@code taskset -a} meets one that has just ended: it stops there. Twice, as a thread that was started
     * meanwhile may be the child of one that had not been moved.
     */
    private static final String MOVE = """
            for turn in 1 2; do
              taskset -a -c -p "$1" "$2" >/dev/null 2>&1 || for thread in /proc/"$2"/task/*; do
                said=$(taskset -c -p "$1" "${thread##*/}" 2>&1 >/dev/null) || [ ! -d "$thread" ] || { echo "$said" >&2; exit 1; }
              done
            done
            if [ ! -d /proc/"$2" ]; then echo "it has ended" >&2; exit 1; fi
            """;

    /** Copies the list. */
    public Processors {
        all = List.copyOf(all);
    }

    private record Found(int number, int socket, int core) {}

    /** Looks at a host. */
    public static Processors of(Host host) {
        try {
            CommandResult answer = host.run(List.of("sh", "-c", SCRIPT), QUICK);
            if (answer.exitCode() != 0) {
                return none("its kernel does not say which there are");
            }
            List<Found> found = new ArrayList<>();
            for (String line : answer.output().lines().toList()) {
                String[] words = line.split(" ");
                if (words[0].equals("quota")) {
                    if (words[1].matches("[0-9]+")) {
                        return none("a CPU limit holds for all processes together, whichever processors they run on");
                    }
                    continue;
                }
                found.add(
                        new Found(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3])));
            }
            List<Integer> numbers = found.stream()
                    .sorted(Comparator.comparingInt(Found::socket)
                            .thenComparingInt(Found::core)
                            .thenComparingInt(Found::number))
                    .map(Found::number)
                    .toList();
            // Not from that script: the shell of busybox has a taskset of its own, where no other program finds one.
            CommandResult set = host.run(List.of("taskset", "-c", ProcessSpec.list(numbers), "true"), QUICK);
            return set.exitCode() == 0
                    ? new Processors(numbers, Optional.empty())
                    : none("it has no taskset: "
                            + set.errorOutput().lines().findFirst().orElse("it did not say why"));
        } catch (HostException | NumberFormatException | IndexOutOfBoundsException e) {
            return none(String.valueOf(e.getMessage()));
        }
    }

    private static Processors none(String why) {
        return new Processors(List.of(), Optional.of(why));
    }

    /**
     * Moves a process that runs already, with all its threads; what it starts from then on runs there too.
     *
     * @throws HostException if the host refuses, or the process has ended
     */
    public static void move(Host host, long pid, List<Integer> processors) {
        String list = ProcessSpec.list(processors);
        CommandResult answer = host.run(List.of("sh", "-c", MOVE, "sh", list, String.valueOf(pid)), QUICK);
        if (answer.exitCode() != 0) {
            throw new HostException("process " + pid + " cannot be moved to processors " + list + ": "
                    + answer.errorOutput().strip());
        }
    }
}
