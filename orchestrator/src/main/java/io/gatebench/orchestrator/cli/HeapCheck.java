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

/** Asks the JVM whether it accepts the heaps of a plan, before anything is started. */
final class HeapCheck {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private HeapCheck() {}

    /**
     * Starts and ends a JVM with each heap.
     *
     * @throws PlanException with the JVM's own words if it refuses one
     */
    static void check(RunPlan plan) {
        Set<DataSize> heaps = new LinkedHashSet<>(plan.plan().matrix().heaps());
        heaps.add(plan.plan().backendHeap());
        heaps.add(plan.plan().loadGeneratorHeap());
        List<String> problems = new ArrayList<>();
        try (LocalHost host = new LocalHost(Path.of("."))) {
            for (DataSize heap : heaps) {
                CommandResult result =
                        host.run(List.of(host.java(), "-Xms" + heap, "-Xmx" + heap, "-version"), TIMEOUT);
                if (result.exitCode() != 0) {
                    String words = (result.output() + result.errorOutput())
                            .lines()
                            .filter(l -> !l.isBlank() && !l.startsWith("Error: Could not create"))
                            .findFirst()
                            .orElse("exit code " + result.exitCode());
                    problems.add("the JVM refuses a heap of " + heap + ": " + words);
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
    }
}
