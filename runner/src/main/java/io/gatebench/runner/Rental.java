/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.gatebench.hosts.environment.CloudEnvironment;
import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudOffer;
import io.gatebench.model.cloud.CloudProvider;
import io.gatebench.model.cloud.CloudRequest;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.runner.run.Launcher;
import io.gatebench.runner.run.PartitionStrategy;
import io.gatebench.runner.run.PlugIns;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.EnvironmentException;

/**
 * Machines that are created in AWS for a run and removed after it.
 *
 * @param settings region, types and limits
 * @param maxCost the most that they may cost; that of the settings if absent
 * @param maxTime the longest that anything may live; that of the settings if absent
 * @param keep how long they stay after the run
 * @param stacks how many equal sets of machines share the test cases out
 * @param split how they are shared out
 */
record Rental(
        Path settings,
        Optional<Double> maxCost,
        Optional<Duration> maxTime,
        Duration keep,
        int stacks,
        PartitionStrategy split) {

    private static CloudProvider provider() {
        return PlugIns.aws()
                .orElseThrow(() -> new PlanException(List.of("AWS is not there: add"
                        + " io.gatebench:gatebench-environment-aws to the class path, or drop aws(..)")));
    }

    /** Checks that there is what rents them, before anything else is done. */
    void check() {
        provider();
    }

    /** Returns the plan with a copy here of a pack that lies in the cloud's store of objects. */
    PlanInput fetched(PlanInput input, Consumer<String> note) {
        return Launcher.withPack(
                input, "gatewayHome", pack -> told(() -> provider().get(Optional.of(settings), pack, note::accept)));
    }

    /** Checks all that costs nothing, and says what will be created and at what price. */
    CloudOffer offer(RunPlan plan, Consumer<String> note) {
        split.hindrance(plan, stacks).ifPresent(hindrance -> {
            throw new PlanException(List.of(hindrance));
        });
        Duration estimate = split.estimate(plan, plan.plan().testCases(), stacks);
        CloudOffer offer = told(() -> provider()
                .prepare(new CloudRequest(settings, estimate, stacks, maxCost, maxTime, keep, false), note::accept));
        offer.lines().forEach(note);
        return offer;
    }

    CloudEnvironment open(CloudOffer offer, RunPlan plan, Clock clock, Consumer<String> note) {
        return CloudEnvironment.open(PlugIns.AWS, offer, plan.demands(), keep, clock, note);
    }

    /**
     * Puts the results where the settings want them.
     *
     * @throws EnvironmentException if something that costs money could not be removed
     */
    void end(CloudEnvironment rented, Path results, Consumer<String> note) {
        rented.archive()
                .ifPresent(place -> told(() -> {
                    provider().put(Optional.of(settings), results, place, note::accept);
                    return place;
                }));
        rented.leftBehind().ifPresent(left -> {
            throw EnvironmentException.leaving(List.of(left));
        });
    }

    private static <T> T told(Supplier<T> action) {
        try {
            return action.get();
        } catch (IllegalArgumentException e) {
            throw new PlanException(List.of(String.valueOf(e.getMessage())));
        } catch (CloudException e) {
            List<String> message = List.of(String.valueOf(e.getMessage()));
            throw e.isUsage() ? new PlanException(message) : new EnvironmentException(message);
        }
    }
}
