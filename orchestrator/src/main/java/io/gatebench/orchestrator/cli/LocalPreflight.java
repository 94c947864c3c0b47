/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.gatebench.model.DataSize;
import io.gatebench.orchestrator.host.CommandResult;
import io.gatebench.orchestrator.host.LocalHost;
import io.gatebench.orchestrator.plan.PlanException;
import io.gatebench.orchestrator.plan.RunPlan;

/** Checks on this machine what a plan demands of it, before anything is started. */
final class LocalPreflight {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String NOWHERE = System.getProperty("os.name").startsWith("Windows") ? "NUL" : "/dev/null";

    private LocalPreflight() {}

    /**
     * Starts and ends a JVM with each heap, and looks whether demanded ports are free.
     *
     * @throws PlanException with every problem
     */
    static void check(RunPlan plan) {
        Set<DataSize> heaps = new LinkedHashSet<>();
        if (plan.product().usesHeap()) {
            heaps.addAll(plan.plan().matrix().heaps());
        }
        heaps.add(plan.plan().backendHeap());
        heaps.add(plan.plan().loadGeneratorHeap());
        List<String> problems = new ArrayList<>();
        try (LocalHost host = new LocalHost(Path.of("."))) {
            for (DataSize heap : heaps) {
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
                            .map(l -> l.replaceFirst("^#\\s*", ""))
                            .filter(l -> !l.isBlank() && !l.startsWith("Error: Could not create"))
                            .findFirst()
                            .orElse("exit code " + result.exitCode());
                    problems.add("the JVM refuses a heap of " + heap + ": " + words);
                }
            }
            plan.gatewayPort().ifPresent(port -> port(host, port, "gateway", problems));
            plan.backendPort().ifPresent(port -> port(host, port, "backend", problems));
        }
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
    }

    private static void port(LocalHost host, int port, String role, List<String> problems) {
        if (!host.isPortFree(port)) {
            problems.add("--" + role + "-port " + port + " is taken on " + host.address()
                    + "; free it, or drop the option and a free port is chosen");
        }
    }
}
