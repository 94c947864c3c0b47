/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A whole performance run: what is measured, with which matrix, for how long.
 *
 * @param product the product whose scenarios run
 * @param profile {@code quick}, {@code release} or the name of the plan file
 * @param scenarios the scenarios in the order in which they run
 * @param matrix the axes
 * @param timing duration, warm-up and ramp-up of every case
 * @param repeats how often each case is measured, at least 1
 * @param controlRun whether each case is also measured straight at the back end
 * @param backendHeap heap size of the back end
 * @param loadGeneratorHeap heap size of the load generator
 * @param restart when the gateway is started anew
 * @since 0.1
 */
public record PerfPlan(
        String product,
        String profile,
        List<TestScenario> scenarios,
        ParameterMatrix matrix,
        TestTiming timing,
        int repeats,
        boolean controlRun,
        DataSize backendHeap,
        DataSize loadGeneratorHeap,
        GatewayRestart restart) {

    /**
     * Copies the list and checks the range.
     *
     * @throws IllegalArgumentException if {@code repeats} is less than 1
     */
    public PerfPlan {
        scenarios = List.copyOf(scenarios);
        // Runs that were written before there was a choice started a gateway for each case.
        restart = Objects.requireNonNullElse(restart, GatewayRestart.CASE);
        if (repeats < 1) {
            throw new IllegalArgumentException("repeats must be at least 1 but was " + repeats);
        }
    }

    /** Creates a plan that starts the gateway anew for each case. */
    public PerfPlan(
            String product,
            String profile,
            List<TestScenario> scenarios,
            ParameterMatrix matrix,
            TestTiming timing,
            int repeats,
            boolean controlRun,
            DataSize backendHeap,
            DataSize loadGeneratorHeap) {
        this(
                product,
                profile,
                scenarios,
                matrix,
                timing,
                repeats,
                controlRun,
                backendHeap,
                loadGeneratorHeap,
                GatewayRestart.CASE);
    }

    /** Returns this plan with other scenarios. */
    public PerfPlan withScenarios(List<TestScenario> others) {
        return new PerfPlan(
                product, profile, others, matrix, timing, repeats, controlRun, backendHeap, loadGeneratorHeap, restart);
    }

    /**
     * Returns the test cases in the order in which they run: heap, the gateway's processors, memory and replicas,
     * scenario, users, message, delay.
     */
    public List<TestCase> testCases() {
        List<TestCase> cases = new ArrayList<>();
        for (DataSize heap : matrix.heaps()) {
            for (GatewayCpus cpus : matrix.gatewayCpus()) {
                for (Optional<DataSize> memory : memories()) {
                    for (int replicas : matrix.gatewayReplicas()) {
                        scenarios.forEach(scenario -> addCases(cases, heap, cpus, memory, replicas, scenario));
                    }
                }
            }
        }
        return List.copyOf(cases);
    }

    private List<Optional<DataSize>> memories() {
        return matrix.gatewayMemory().isEmpty()
                ? List.of(Optional.empty())
                : matrix.gatewayMemory().stream().map(Optional::of).toList();
    }

    private void addCases(
            List<TestCase> cases,
            DataSize heap,
            GatewayCpus cpus,
            Optional<DataSize> memory,
            int replicas,
            TestScenario scenario) {
        for (int users : matrix.users()) {
            for (MessageLevel message : messages(scenario)) {
                for (Duration delay : matrix.backendDelays()) {
                    cases.add(new TestCase(scenario.name(), heap, users, message, delay, cpus, memory, replicas));
                }
            }
        }
    }

    private List<MessageLevel> messages(TestScenario scenario) {
        return switch (scenario.messageKind()) {
            case SIZE_BYTES ->
                matrix.messageSizes().stream().map(MessageLevel::bytes).toList();
            case GRAPHQL_QUERY ->
                matrix.queries().stream().map(MessageLevel::query).toList();
            case ELEMENTS ->
                matrix.elements().stream().map(MessageLevel::elements).toList();
        };
    }
}
