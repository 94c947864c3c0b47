/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.gatebench.model.NodeRole;
import io.gatebench.model.TestScenario;
import io.gatebench.report.results.ReportException;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;

/**
 * Gateways of a run, as many as the largest test case needs, each on a host and with tokens of its own. They know
 * nothing of each other: each sees an environment in which it is the only one.
 */
final class Replicas {

    private final List<Gateway> gateways;
    private final List<RunContext> contexts;

    private Replicas(List<Gateway> gateways, List<RunContext> contexts) {
        this.gateways = List.copyOf(gateways);
        this.contexts = List.copyOf(contexts);
    }

    /** Returns the only gateway of a run. */
    static Replicas one(RunContext run, Gateway gateway) {
        return new Replicas(List.of(gateway), List.of(run));
    }

    /**
     * Returns the gateways that a plan needs.
     *
     * @param first the first of them
     * @param further makes another one
     */
    static Replicas of(RunContext run, Gateway first, Supplier<Gateway> further) {
        int most = run.plan().matrix().gatewayReplicas().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(1);
        if (most == 1) {
            return one(run, first);
        }
        List<Gateway> gateways = new ArrayList<>();
        List<RunContext> contexts = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            gateways.add(i == 0 ? first : further.get());
            contexts.add(new RunContext(
                    run.plan(),
                    new EnvironmentPart(
                            run.environment(),
                            run.environment().hosts(NodeRole.GATEWAY).get(i),
                            run.environment().hosts(NodeRole.LOAD_GENERATOR)),
                    run.jars(),
                    secrets(run.secrets().resolve("replica-" + (i + 1))),
                    run.gatewayPort(),
                    run.backendPort(),
                    run.clock(),
                    run.listener()));
        }
        return new Replicas(gateways, contexts);
    }

    private static Path secrets(Path directory) {
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new ReportException("cannot create a directory for keys and tokens: " + e.getMessage(), e);
        }
    }

    int size() {
        return gateways.size();
    }

    Gateway first() {
        return gateways.get(0);
    }

    Gateway gateway(int index) {
        return gateways.get(index);
    }

    /** Returns the run as one of them sees it. */
    RunContext context(int index) {
        return contexts.get(index);
    }

    Host host(int index) {
        return contexts.get(index).environment().host(NodeRole.GATEWAY);
    }

    Path secrets(int index) {
        return contexts.get(index).secrets();
    }

    void initialize() {
        for (int i = 0; i < gateways.size(); i++) {
            gateways.get(i).initialize(contexts.get(i));
        }
    }

    /** Returns running ones as they serve another scenario; empty if one of them must be started anew for it. */
    Optional<List<RunningGateway>> serving(List<RunningGateway> running, TestScenario before, TestScenario scenario) {
        List<RunningGateway> same = new ArrayList<>();
        for (int i = 0; i < running.size(); i++) {
            gateways.get(i).serving(running.get(i), before, scenario).ifPresent(same::add);
        }
        return same.size() == running.size() ? Optional.of(same) : Optional.empty();
    }

    void remove() {
        for (int i = 0; i < gateways.size(); i++) {
            gateways.get(i).remove(contexts.get(i));
        }
    }
}
