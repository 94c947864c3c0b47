/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts.environment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import io.gatebench.model.DataSize;
import io.gatebench.model.NodeRole;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;

/** Checks on a host what a plan demands of the roles that it plays, the same for every kind of host. */
public final class RoleChecks {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    // Only on this machine can it be Windows.
    private static final String NOWHERE = System.getProperty("os.name").startsWith("Windows") ? "NUL" : "/dev/null";

    private RoleChecks() {}

    /**
     * Starts and ends a JVM with each heap, and looks whether demanded ports are free.
     *
     * @return what must be changed before a run
     * @throws io.gatebench.spi.host.HostException if the host cannot be reached
     */
    public static List<String> problems(Host host, Set<NodeRole> roles, HostRequirements demands) {
        List<String> problems = new ArrayList<>();
        roles.stream()
                .sorted()
                .flatMap(role -> demands.heaps().getOrDefault(role, List.of()).stream())
                .distinct()
                .forEach(heap -> heap(host, heap, problems));
        roles.stream().sorted().forEach(role -> port(host, role, demands, problems));
        return problems;
    }

    private static void heap(Host host, DataSize heap, List<String> problems) {
        // A JVM that cannot have its memory ends as a crash does, and would leave its report behind.
        CommandResult result = host.run(
                List.of(
                        host.java(),
                        "-Xms" + heap,
                        "-Xmx" + heap,
                        "-XX:-CreateCoredumpOnCrash",
                        "-XX:ErrorFile=" + NOWHERE,
                        "-version"),
                TIMEOUT);
        if (result.exitCode() != 0) {
            String words = (result.output() + result.errorOutput())
                    .lines()
                    .map(line -> line.replaceFirst("^#\\s*", ""))
                    .filter(line -> !line.isBlank() && !line.startsWith("Error: Could not create"))
                    .findFirst()
                    .orElse("exit code " + result.exitCode());
            problems.add("the JVM refuses a heap of " + heap + ": " + words);
        }
    }

    private static void port(Host host, NodeRole role, HostRequirements demands, List<String> problems) {
        Integer port = demands.ports().get(role);
        if (port != null && !host.isPortFree(port)) {
            problems.add("--" + role.name().toLowerCase(Locale.ROOT) + "-port " + port + " is taken on "
                    + host.address() + "; free it, or drop the option and a free port is chosen");
        }
    }
}
