/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudListener;
import io.gatebench.model.cloud.CloudOffer;
import io.gatebench.model.cloud.CloudProvider;
import io.gatebench.model.cloud.CloudRequest;
import io.gatebench.runner.detached.DetachedMachines;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.runner.run.Launcher;
import io.gatebench.runner.run.PartitionStrategy;
import io.gatebench.runner.run.PlugIns;
import io.gatebench.settings.Durations;

/** The options of machines that are created for a run. */
final class CloudOptions {

    /** The name of the environment. */
    static final String AWS = PlugIns.AWS;

    private static final double SECONDS_PER_HOUR = 3600;

    @Option(
            names = "--aws",
            paramLabel = "<file.yaml>",
            description = "The settings of the machines in AWS: region, types, limits (experimental).")
    private @Nullable Path settings;

    @Option(
            names = "--max-cost",
            paramLabel = "<usd>",
            description = "The most that the machines may cost, by the price list; nothing lives longer than that pays"
                    + " for.")
    private @Nullable Double maxCost;

    @Option(names = "--max-hours", paramLabel = "<n>", description = "The longest that anything may live.")
    private @Nullable Double maxHours;

    @Option(
            names = "--keep-for",
            paramLabel = "<time>",
            description = "Leave the machines running for this time after the run, e.g. 30m; it costs.")
    private @Nullable String keep;

    @Option(
            names = "--stacks",
            paramLabel = "<n>",
            defaultValue = "1",
            description = "How many equal sets of machines share the test cases out and measure side by side "
                    + "(default: 1).")
    private int stacks;

    @Option(
            names = "--split",
            paramLabel = "time|scenario|users|size|delay",
            description = "How the test cases are shared out among stacks: evenly by time (default), or by the values "
                    + "of one parameter.")
    private @Nullable String split;

    @Option(names = "--yes", description = "Create the machines without asking.")
    private boolean yes;

    @Option(
            names = "--detach",
            description = "Leave the run to the first load generator's machine and end; 'aws attach', 'aws status' and"
                    + " 'aws fetch' find it again.")
    private boolean detach;

    @Option(
            names = "--machines",
            paramLabel = "<file.json>",
            description =
                    "The machines that --detach has created and described; it starts the program there with" + " this.")
    private @Nullable Path machines;

    Optional<Path> settingsFile() {
        return Optional.ofNullable(settings);
    }

    boolean isGiven() {
        return settings != null || machines != null;
    }

    boolean isDetached() {
        return detach;
    }

    Duration keep() {
        try {
            return keep == null ? Duration.ZERO : Durations.parse(keep, "s");
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitStatus.USAGE, "--keep-for " + e.getMessage(), e);
        }
    }

    int stacks() {
        return stacks;
    }

    PartitionStrategy split() {
        return split == null ? PartitionStrategy.TIME : PartitionStrategy.named(split);
    }

    /** Returns the plan with a copy here of a pack that lies in the cloud's store of objects. */
    PlanInput fetched(PlanInput input, PrintWriter err) {
        return Launcher.withPack(
                input,
                "--gateway-home",
                pack -> told(() -> AwsCommand.provider().get(Optional.ofNullable(settings), pack, line(err))));
    }

    /** Puts results into the cloud's store of objects. */
    void archive(Path results, String place, PrintWriter err) {
        told(() -> {
            AwsCommand.provider().put(Optional.ofNullable(settings), results, place, line(err));
            return place;
        });
    }

    private static CloudListener line(PrintWriter err) {
        return line -> {
            err.println(line);
            err.flush();
        };
    }

    /** Returns a listener that prints, and says how much is left to whoever is asked for it. */
    static CloudListener line(PrintWriter err, Ending ending) {
        return new CloudListener() {
            @Override
            public void note(String line) {
                err.println(line);
                err.flush();
            }

            @Override
            public void removing(int left) {
                ending.removing(left);
            }
        };
    }

    /** Does what a cloud may refuse, and says so with the exit code of a wrong use or of a failure. */
    static <T> T told(Supplier<T> action) {
        try {
            return action.get();
        } catch (CloudException e) {
            throw new CommandException(e.isUsage() ? ExitStatus.USAGE : ExitStatus.ENVIRONMENT, e.getMessage(), e);
        }
    }

    /** Refuses what cannot be shared out; a stack without test cases would cost money for nothing. */
    void check(RunPlan plan) {
        PartitionStrategy chosen = split();
        if (!isGiven() && (stacks != 1 || split != null)) {
            throw CommandException.usage("--stacks and --split go with --environment aws only");
        }
        if (!isGiven() && detach) {
            throw CommandException.usage("--detach goes with --environment aws only");
        }
        if (settings != null && machines != null) {
            throw CommandException.usage("--machines names machines that exist, --aws what is to be created; drop one");
        }
        if (machines != null && (stacks != 1 || detach)) {
            throw CommandException.usage("--machines goes with neither --detach nor --stacks");
        }
        if (detach && stacks > 1) {
            throw CommandException.usage(
                    "--detach goes with one stack: nothing leads from a load generator to the machines of another"
                            + " stack; drop --stacks, or start one run for each");
        }
        chosen.hindrance(plan, stacks).ifPresent(hindrance -> {
            throw CommandException.usage(hindrance);
        });
    }

    /** Returns what machines would be created and what that would cost; the provider's service is not asked. */
    List<String> estimateCost(RunPlan plan) {
        Path file = settings;
        return file == null ? List.of() : told(() -> AwsCommand.provider().estimate(request(file, plan)));
    }

    private CloudRequest request(Path file, RunPlan plan) {
        try {
            return new CloudRequest(
                    file,
                    estimate(plan),
                    stacks,
                    Optional.ofNullable(maxCost),
                    Optional.ofNullable(maxHours)
                            .map(hours -> Duration.ofSeconds(Math.round(hours * SECONDS_PER_HOUR))),
                    keep(),
                    detach);
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitStatus.USAGE, e.getMessage(), e);
        }
    }

    /** Returns the time that the stack with the most test cases needs; an estimate. */
    Duration estimate(RunPlan plan) {
        return split().estimate(plan, plan.plan().testCases(), stacks);
    }

    /**
     * Checks all that costs nothing, shows what would be created and at what price, and asks; nothing of that where the
     * machines exist already.
     */
    CloudOffer offer(RunPlan plan, PrintWriter err, Ending ending) {
        return told(() -> {
            if (machines != null) {
                return DetachedMachines.read(machines);
            }
            CloudProvider provider = AwsCommand.provider();
            CloudOffer offer = provider.prepare(request(settings, plan), line(err, ending));
            offer.lines().forEach(err::println);
            err.flush();
            confirm();
            return offer;
        });
    }

    private void confirm() {
        if (!yes) {
            Console console =
                    Confirmation.terminal("nobody can be asked here whether to create these machines; say --yes");
            Confirmation.ask(console, "Create these machines", "nothing was created");
        }
    }
}
