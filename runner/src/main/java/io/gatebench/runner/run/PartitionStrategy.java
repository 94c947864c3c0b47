/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatebench.model.TestCase;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.Suggestion;

/**
 * Ways to share out the test cases of a plan among sets of machines that measure side by side.
 *
 * <p>All repeats of a test case stay on one set.
 */
public enum PartitionStrategy {
    /** Equal numbers of neighbouring test cases: all test cases of a plan take the same time. */
    TIME(null),
    /** The scenarios are dealt out in turn. */
    SCENARIO(TestCase::scenario),
    /** The numbers of concurrent users are dealt out in turn. */
    USERS(TestCase::users),
    /** The message sizes, or queries, are dealt out in turn. */
    SIZE(TestCase::message),
    /** The back-end delays are dealt out in turn. */
    DELAY(TestCase::backendDelay);

    private final @Nullable Function<TestCase, Object> axis;

    PartitionStrategy(@Nullable Function<TestCase, Object> axis) {
        this.axis = axis;
    }

    /**
     * Returns the strategy that users call so.
     *
     * @throws PlanException if there is none
     */
    public static PartitionStrategy named(String name) {
        List<String> names =
                Stream.of(values()).map(PartitionStrategy::optionName).toList();
        return Stream.of(values())
                .filter(strategy -> strategy.optionName().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new PlanException(List.of("unknown split '" + name + "'" + Suggestion.among(name, names))));
    }

    /** Returns the name by which users call it. */
    public String optionName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns why a plan cannot be shared out among so many stacks: one without test cases would cost money for
     * nothing. Empty if it can.
     */
    public Optional<String> hindrance(RunPlan plan, int stacks) {
        if (stacks < 1) {
            return Optional.of("--stacks must be at least 1 but was " + stacks);
        }
        if (stacks > 1 && plan.gateway().isShared()) {
            return Optional.of("--stacks " + stacks
                    + " would load one gateway, which runs already, from all stacks at once; drop --stacks, or let the"
                    + " gateway be started on each stack");
        }
        long useful = shares(plan.plan().testCases(), stacks).stream()
                .filter(share -> !share.isEmpty())
                .count();
        return useful == stacks
                ? Optional.empty()
                : Optional.of("split by " + optionName() + ", the test cases of this plan give work to " + useful
                        + (useful == 1 ? " stack" : " stacks") + " but --stacks is " + stacks
                        + "; use fewer, or another --split");
    }

    /**
     * Returns the test cases of each set, each in the given order; sets may be empty if there is too little to share
     * out.
     *
     * @param cells the test cases in the order of the plan
     * @param sets the number of sets, at least 1
     */
    public List<Set<TestCase>> shares(List<TestCase> cells, int sets) {
        List<Set<TestCase>> shares = new ArrayList<>();
        IntStream.range(0, sets).forEach(i -> shares.add(new LinkedHashSet<>()));
        if (axis == null) {
            // Neighbours are compared with each other: what sets differ in should not lie between them.
            for (int i = 0; i < cells.size(); i++) {
                shares.get((int) ((long) i * sets / cells.size())).add(cells.get(i));
            }
            return shares;
        }
        List<Object> values = cells.stream().map(axis).distinct().toList();
        cells.forEach(
                cell -> shares.get(values.indexOf(axis.apply(cell)) % sets).add(cell));
        return shares;
    }

    /** Returns the time that the set with the most of those test cases needs; an estimate. */
    public Duration estimate(RunPlan plan, List<TestCase> cells, int sets) {
        return plan.estimate(largest(cells, sets) * plan.plan().repeats());
    }

    /** Returns the largest number of test cases that one set measures. */
    int largest(List<TestCase> cells, int sets) {
        return shares(cells, sets).stream().mapToInt(Set::size).max().orElse(0);
    }
}
