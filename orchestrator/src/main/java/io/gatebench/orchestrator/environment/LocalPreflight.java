/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

import io.gatebench.model.NodeRole;
import io.gatebench.orchestrator.host.LocalHost;
import io.gatebench.orchestrator.plan.PlanException;
import io.gatebench.orchestrator.plan.RunPlan;

/** Checks on this machine what a plan demands of it, before anything is started. */
public final class LocalPreflight {

    /** The unpacked jars of the roles, and the logs of some cells. */
    private static final long LEAST_DISK_BYTES = 256L << 20;

    private LocalPreflight() {}

    /**
     * Checks the place of the results, and the roles if they run here.
     *
     * @throws PlanException with every problem
     */
    public static void check(RunPlan plan, Path results, boolean rolesHere) {
        List<String> problems = new ArrayList<>();
        if (rolesHere) {
            try (LocalHost host = new LocalHost(Path.of("."))) {
                problems.addAll(RoleChecks.problems(host, EnumSet.allOf(NodeRole.class), Demands.of(plan)));
            }
        }
        disk(results, problems);
        if (!problems.isEmpty()) {
            throw new PlanException(problems);
        }
    }

    private static void disk(Path results, List<String> problems) {
        Path existing = results.toAbsolutePath();
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        try {
            long free = Files.getFileStore(existing).getUsableSpace();
            if (free < LEAST_DISK_BYTES) {
                problems.add("only " + (free >> 20) + " MiB are free for the results at " + existing + " but "
                        + (LEAST_DISK_BYTES >> 20) + " MiB are needed");
            }
        } catch (IOException e) {
            problems.add("the free space for the results at " + existing + " cannot be told: " + e.getMessage());
        }
    }
}
