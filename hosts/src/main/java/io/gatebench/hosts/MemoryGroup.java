/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import io.gatebench.model.DataSize;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.ForwardingProcess;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.ProcessSpec;

/**
 * A limit on the memory of a process and its children, by a control group of its host, of version 1 or 2.
 *
 * <p>The group is made by the process itself before it becomes what was to be started, and removed when that is stopped.
 * Its name ends with the run, so that what a killed program leaves is removed by its guard and by {@code hosts clean}, and
 * nothing of another run.
 *
 * @since 0.1
 */
public final class MemoryGroup {

    private static final Duration QUICK = Duration.ofSeconds(20);

    /**
     * Looks upward from the group of a new process for the first one below which another can be made and entered: rights are
     * given to parts of the tree, and of version 2 a group that holds processes has no groups with limits below it.
     */
    private static final String FIND = """
            try() {
              group=$1/gatebench-memory-$$
              mkdir "$group" 2>/dev/null || return 1
              { [ -w "$group/memory.limit_in_bytes" ] || [ -w "$group/memory.max" ]; } \\
                && sh -c 'echo $$ >"$0/cgroup.procs"' "$group" 2>/dev/null
              found=$?
              rmdir "$group" || { sleep 0.2; rmdir "$group"; }
              return $found
            }
            while IFS=: read -r _ controllers place; do
              case ,$controllers, in
              *,memory,*) base=/sys/fs/cgroup/memory ;;
              ,,) base=/sys/fs/cgroup ;;
              *) continue ;;
              esac
              place=${place%/}
              while :; do
                if try "$base$place"; then echo "$base$place"; exit 0; fi
                [ -n "$place" ] || break
                place=${place%/*}
              done
            done </proc/self/cgroup
            exit 1
            """;

    /** {@code hosts clean} may remove a group that holds no process yet. */
    private static final String ENTER = """
            group=$0${GATEBENCH_RUN:+-$GATEBENCH_RUN} limit=$1; shift
            turns=5
            until mkdir -p "$group" && { echo "$limit" >"$group/memory.limit_in_bytes" || echo "$limit" >"$group/memory.max"; } \\
                && echo $$ >"$group/cgroup.procs"; do
              turns=$((turns - 1))
              [ "$turns" -gt 0 ] || { echo "the memory cannot be limited by the control group $group"; exit 125; }
            done 2>/dev/null
            { echo "$limit" >"$group/memory.memsw.limit_in_bytes" || echo 0 >"$group/memory.swap.max"; } 2>/dev/null
            exec "$@"
            """;

    private static final String KILLS =
            "sed -n 's/^oom_kill //p' \"$0\"*/memory.oom_control \"$0\"*/memory.events 2>/dev/null";

    private static final String REMOVE = """
            turns=10
            for group in "$0"*; do
              while [ -d "$group" ] && ! rmdir "$group" 2>/dev/null && [ "$turns" -gt 0 ]; do
                turns=$((turns - 1))
                sleep 0.1
              done
            done
            """;

    private MemoryGroup() {}

    /** Returns why the memory of processes cannot be limited on a host; empty if it can. */
    public static Optional<String> hindrance(Host host) {
        try {
            return parent(host).isPresent()
                    ? Optional.empty()
                    : Optional.of("no control group for memory can be made there, which takes root or a group that was"
                            + " handed over");
        } catch (HostException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static Optional<String> parent(Host host) {
        CommandResult answer = host.run(List.of("/bin/sh", "-c", FIND), QUICK);
        return answer.exitCode() == 0 ? Optional.of(answer.output().strip()) : Optional.empty();
    }

    /**
     * Starts a process within the limit that it has.
     *
     * @throws HostException if the host cannot limit it
     */
    static HostProcess start(Host host, ProcessSpec spec) {
        DataSize limit = spec.memory().orElseThrow();
        String group = parent(host)
                        .orElseThrow(() -> new HostException("the memory of " + spec.name() + " cannot be limited on "
                                + host.name() + ": no control group can be made there"))
                + "/gatebench-memory-" + UUID.randomUUID().toString().substring(0, 8);
        List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", ENTER, group, String.valueOf(limit.bytes())));
        command.addAll(spec.executed());
        return new Limited(
                host.start(new ProcessSpec(spec.name(), command, spec.environment(), spec.directory())),
                host,
                group,
                limit);
    }

    /** A process in its group; its number is that of the shell that made the group and became the process. */
    private static final class Limited implements ForwardingProcess {

        private final HostProcess process;
        private final Host host;
        /** The first part of the name of the group. */
        private final String group;

        private final DataSize limit;
        private volatile long kills;

        private Limited(HostProcess process, Host host, String group, DataSize limit) {
            this.process = process;
            this.host = host;
            this.group = group;
            this.limit = limit;
        }

        /** The group is gone when the process was stopped; what it had counted then stays. */
        private long kills() {
            host.run(List.of("/bin/sh", "-c", KILLS, group), QUICK)
                    .output()
                    .lines()
                    .filter(line -> line.matches("[0-9]{1,18}"))
                    .mapToLong(Long::parseLong)
                    .max()
                    .ifPresent(counted -> kills = counted);
            return kills;
        }

        @Override
        public HostProcess process() {
            return process;
        }

        @Override
        public Optional<String> whyEnded() {
            return kills() == 0
                    ? Optional.empty()
                    : Optional.of("out of memory: the kernel ended it at its memory limit of " + limit);
        }

        @Override
        public Optional<String> losses() {
            long counted = kills();
            return counted == 0
                    ? Optional.empty()
                    : Optional.of("out of memory: the kernel ended " + counted
                            + (counted == 1 ? " process" : " processes") + " of it at its memory limit of " + limit
                            + "; give it more, or the gateway fewer workers");
        }

        @Override
        public void stop(Duration grace) {
            kills();
            process.stop(grace);
            host.run(List.of("/bin/sh", "-c", REMOVE, group), QUICK);
        }
    }
}
