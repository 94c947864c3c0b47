/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.gatebench.model.PerfPlan;
import io.gatebench.model.TestScenario;
import io.gatebench.settings.Durations;

/** Says in words how two plans differ; test cases of the one cannot stand beside test cases of the other. */
public final class PlanDifference {

    private final PerfPlan before;
    private final PerfPlan now;
    private final List<String> lines = new ArrayList<>();

    private PlanDifference(PerfPlan before, PerfPlan now) {
        this.before = before;
        this.now = now;
    }

    /** Returns one line for each difference, none for equal plans. */
    public static List<String> between(PerfPlan before, PerfPlan now) {
        return new PlanDifference(before, now).lines();
    }

    /**
     * Returns one line for each difference in how a plan is measured, which {@link PerfPlan} does not say.
     *
     * @param before what was given at first
     * @param now what is given now; what is not given has not changed
     */
    public static List<String> measurementSettings(PlanInput before, PlanInput now) {
        List<String> lines = new ArrayList<>();
        for (PlanKey key : List.of(
                PlanKey.HTTP_CLIENT,
                PlanKey.PAYLOAD_COMPAT,
                PlanKey.PAYLOAD_VARIANTS,
                PlanKey.PAYLOAD_FILE,
                PlanKey.RATE,
                PlanKey.USER_LEVELS,
                PlanKey.THINK_TIME,
                PlanKey.PACING,
                PlanKey.PROBE_EVERY,
                PlanKey.GATEWAY_CONFIG,
                PlanKey.GATEWAY_URL,
                PlanKey.GATEWAY_HOME,
                PlanKey.CPUS)) {
            now.get(key)
                    .map(PlanInput.Entry::values)
                    .flatMap(values -> line(
                            key.key(),
                            before.get(key)
                                    .map(entry -> (Object) absolute(key, entry.values()))
                                    .orElse("the default"),
                            absolute(key, values)))
                    .ifPresent(lines::add);
        }
        return lines;
    }

    private static List<String> absolute(PlanKey key, List<String> values) {
        return key.isPath() ? values.stream().map(PlanFile::absolute).toList() : values;
    }

    private List<String> lines() {
        compare(PlanKey.PRODUCT, PerfPlan::product);
        compare(PlanKey.PROFILE, PerfPlan::profile);
        compare(
                PlanKey.SCENARIO,
                plan -> plan.scenarios().stream().map(TestScenario::name).toList());
        compareScenarios();
        compare(PlanKey.HEAP, plan -> plan.matrix().heaps());
        compare(PlanKey.GATEWAY_CPUS, plan -> plan.matrix().gatewayCpus());
        compare(PlanKey.GATEWAY_MEMORY, plan -> plan.matrix().gatewayMemory());
        compare(PlanKey.GATEWAY_REPLICAS, plan -> plan.matrix().gatewayReplicas());
        compare(PlanKey.USERS, plan -> plan.matrix().users());
        compare(PlanKey.MESSAGE_SIZE, plan -> plan.matrix().messageSizes());
        compare(PlanKey.QUERY, plan -> plan.matrix().queries());
        compare(PlanKey.ELEMENTS, plan -> plan.matrix().elements());
        compare(
                PlanKey.BACKEND_DELAY,
                plan -> plan.matrix().backendDelays().stream()
                        .map(delay -> delay.toMillis() + "ms")
                        .toList());
        compare(PlanKey.DURATION, plan -> Durations.readable(plan.timing().duration()));
        compare(PlanKey.WARM_UP, plan -> WarmUp.text(plan.timing()));
        compare(PlanKey.RAMP_UP, plan -> Durations.readable(plan.timing().rampUp()));
        compare(PlanKey.REPEAT, PerfPlan::repeats);
        compare(PlanKey.RESTART, plan -> plan.restart().optionName());
        compare(PlanKey.CONTROL_RUN, PerfPlan::controlRun);
        compare(PlanKey.BACKEND_HEAP, PerfPlan::backendHeap);
        compare(PlanKey.LOAD_GENERATOR_HEAP, PerfPlan::loadGeneratorHeap);
        if (lines.isEmpty() && !before.equals(now)) {
            lines.add("the plans differ: " + before + " and " + now);
        }
        return lines;
    }

    private void compareScenarios() {
        Set<String> changed = new LinkedHashSet<>();
        for (TestScenario scenario : now.scenarios()) {
            before.scenarios().stream()
                    .filter(other -> other.name().equals(scenario.name()) && !other.equals(scenario))
                    .forEach(other -> changed.add(scenario.name()));
        }
        if (!changed.isEmpty()) {
            lines.add("scenario: what is sent or checked has changed in "
                    + changed.stream().sorted().collect(Collectors.joining(", ")));
        }
    }

    private void compare(PlanKey key, Function<PerfPlan, Object> part) {
        line(key.key(), part.apply(before), part.apply(now)).ifPresent(lines::add);
    }

    /** Returns the line for one value, or empty if it has not changed. */
    public static Optional<String> line(String what, Object before, Object now) {
        return Objects.equals(before, now) ? Optional.empty() : Optional.of(what + ": was " + before + ", is " + now);
    }
}
