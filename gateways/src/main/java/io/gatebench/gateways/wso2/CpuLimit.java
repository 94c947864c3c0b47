/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.gatebench.spi.host.Host;

/**
 * A limit on the processors of a process and all its children, by a control group of the host.
 *
 * <p>systemd makes the group where it runs; else it is made directly, which needs the right to write to the file
 * system of control groups. A host that offers neither refuses the start: an unlimited gateway must not be measured
 * in place of a limited one.
 */
final class CpuLimit {

    /** The period of the scheduler in which the quota is shared out: the kernel's own default. */
    private static final int PERIOD_MICROS = 100_000;

    private static final Duration REMOVE = Duration.ofSeconds(10);

    private static final String LIMIT = """
            quota=$1; group=$2; shift 2
            if [ -d /run/systemd/system ] && command -v systemd-run >/dev/null 2>&1; then
              user=; [ "$(id -u)" -eq 0 ] || user=--user
              exec systemd-run $user --quiet --scope --collect -p "CPUQuota=$((quota / 1000))%" -- "$@"
            fi
            for base in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpu,cpuacct; do
              if [ -w "$base" ] && [ -f "$base/cpu.cfs_quota_us" ] && mkdir "$base/$group"; then
                echo 100000 >"$base/$group/cpu.cfs_period_us" && echo "$quota" >"$base/$group/cpu.cfs_quota_us" \\
                  && echo $$ >"$base/$group/cgroup.procs" && exec "$@"
                exit 125
              fi
            done
            base=/sys/fs/cgroup
            if [ -w "$base" ] && grep -qw cpu "$base/cgroup.subtree_control" 2>/dev/null && mkdir "$base/$group"; then
              echo "$quota 100000" >"$base/$group/cpu.max" && echo $$ >"$base/$group/cgroup.procs" && exec "$@"
              exit 125
            fi
            echo "the processors cannot be limited on this host: no systemd, and no control group can be made" >&2
            exit 125
            """;

    private static final String REMOVE_GROUP = """
            for base in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpu,cpuacct /sys/fs/cgroup; do
              [ -d "$base/$0" ] && rmdir "$base/$0"
            done
            exit 0
            """;

    private final double cpus;
    private final String group = "gatebench-" + UUID.randomUUID().toString().substring(0, 8);

    CpuLimit(double cpus) {
        this.cpus = cpus;
    }

    /** Returns the command that runs another within the limit. */
    List<String> limited(List<String> command) {
        List<String> words = new ArrayList<>(List.of(
                "/bin/sh", "-c", LIMIT, "gatebench-cpus", String.valueOf(Math.round(cpus * PERIOD_MICROS)), group));
        words.addAll(command);
        return words;
    }

    /** Removes the group after its processes have ended. */
    void remove(Host host) {
        host.run(List.of("/bin/sh", "-c", REMOVE_GROUP, group), REMOVE);
    }
}
