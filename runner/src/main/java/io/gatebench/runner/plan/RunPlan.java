/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

import io.gatebench.hosts.environment.HostRequirements;
import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.PayloadOptions;
import io.gatebench.model.GatewayRestart;
import io.gatebench.model.NodeRole;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.TestTiming;
import io.gatebench.report.threshold.Thresholds;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.Product;

/**
 * A plan that was found to be sound, with what is needed to run it.
 *
 * @param plan what is measured
 * @param product the product
 * @param gateway the gateway that is measured
 * @param furtherGateway makes another gateway of the same kind, for test cases that are measured at the same time
 *     elsewhere
 * @param results where the results go, if the user said
 * @param httpClient which client the load generator uses
 * @param payload how payloads are made
 * @param load how requests follow each other
 * @param probeEvery one probe goes along for so many samples; 0 for no probe
 * @param gatewayPort the port that the gateway must have, if the user said
 * @param backendPort the port that the back end must have, if the user said
 * @param thresholds conditions that the figures must meet
 * @param keepFailedRows whether a test case of which every request fails runs to its end and has a row in the report
 * @param stopOnFailure whether no test case is tried any more after one that failed
 * @param notes what was left out of the product's own choice, and why
 * @param keep whether what was set up in the gateway stays
 */
public record RunPlan(
        PerfPlan plan,
        Product product,
        Gateway gateway,
        Supplier<Gateway> furtherGateway,
        Optional<Path> results,
        HttpClientKind httpClient,
        PayloadOptions payload,
        LoadModel load,
        int probeEvery,
        OptionalInt gatewayPort,
        OptionalInt backendPort,
        Thresholds thresholds,
        boolean keepFailedRows,
        boolean stopOnFailure,
        List<String> notes,
        boolean keep) {

    /** Time after which the rule ended that of the built-in gateway on two processors; on a slower machine it took up to 89 s. */
    private static final Duration WARM_UP_OF_A_NEW_GATEWAY = Duration.ofSeconds(76);
    /** The same, of 23 and 31 s; on the slower machine it took 20 to 48 s. */
    private static final Duration WARM_UP_OF_A_KEPT_GATEWAY = Duration.ofSeconds(27);

    private static final Duration OVERHEAD_OF_A_KEPT_GATEWAY = Duration.ofSeconds(3);

    /** Copies the list. */
    public RunPlan {
        notes = List.copyOf(notes);
    }

    /** Returns the number of test cases, repeats counted. */
    public int cells() {
        return plan.testCases().size() * plan.repeats();
    }

    /** Returns the time that all test cases need, start and stop of the roles included; an estimate. */
    public Duration estimate() {
        return estimate(cells());
    }

    /** Returns the time that so many test cases need, start and stop of the roles included; an estimate. */
    public Duration estimate(int count) {
        if (count == 0) {
            return Duration.ZERO;
        }
        long fresh = plan.restart() == GatewayRestart.CASE
                ? count
                : Math.min(
                        count,
                        plan.matrix().heaps().size()
                                * plan.matrix().gatewayCpus().size()
                                * Math.max(1, plan.matrix().gatewayMemory().size())
                                * plan.matrix().gatewayReplicas().size()
                                * (plan.restart() == GatewayRestart.NEVER
                                        ? 1L
                                        : plan.scenarios().size()));
        List<Integer> replicas = plan.matrix().gatewayReplicas();
        // They are started one after the other.
        Duration start = gateway.overheadPerCase()
                .multipliedBy(replicas.stream().mapToInt(Integer::intValue).sum())
                .dividedBy(replicas.size());
        Duration all = test(WARM_UP_OF_A_NEW_GATEWAY)
                .plus(start)
                .multipliedBy(fresh)
                .plus(test(WARM_UP_OF_A_KEPT_GATEWAY)
                        .plus(OVERHEAD_OF_A_KEPT_GATEWAY)
                        .multipliedBy(count - fresh));
        // Scenarios of steps have no control run.
        long direct = plan.scenarios().stream()
                .filter(scenario -> scenario.steps().isEmpty())
                .count();
        return plan.controlRun()
                ? all.plus(test(WARM_UP_OF_A_KEPT_GATEWAY)
                        .plusSeconds(5)
                        .multipliedBy(count)
                        .multipliedBy(direct)
                        .dividedBy(plan.scenarios().size()))
                : all;
    }

    /** Returns what the plan demands of the hosts. */
    public HostRequirements demands() {
        Map<NodeRole, Integer> ports = new EnumMap<>(NodeRole.class);
        gatewayPort.ifPresent(port -> ports.put(NodeRole.GATEWAY, port));
        backendPort.ifPresent(port -> ports.put(NodeRole.BACKEND, port));
        return new HostRequirements(
                Map.of(
                        NodeRole.GATEWAY,
                        product.usesHeap() ? plan.matrix().heaps() : List.of(),
                        NodeRole.BACKEND,
                        List.of(plan.backendHeap()),
                        NodeRole.LOAD_GENERATOR,
                        List.of(plan.loadGeneratorHeap())),
                ports,
                plan.matrix().gatewayReplicas());
    }

    private Duration test(Duration untilSteady) {
        TestTiming timing = plan.timing();
        return timing.untilSteady() && untilSteady.compareTo(timing.warmUp()) < 0
                ? untilSteady.plus(timing.measurement())
                : timing.duration();
    }
}
