/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudOffer;
import io.gatebench.model.cloud.CloudProvider;
import io.gatebench.model.cloud.CloudRequest;
import io.gatebench.orchestrator.plan.Durations;
import io.gatebench.orchestrator.plan.RunPlan;

/** The options of machines that are created for a run. */
final class CloudOptions {

    /** The name of the environment. */
    static final String AWS = "aws";

    private static final double SECONDS_PER_HOUR = 3600;

    @Option(
            names = "--aws",
            paramLabel = "<file.yaml>",
            description = "The settings of the machines in AWS: region, types, limits.")
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

    @Option(names = "--yes", description = "Create the machines without asking.")
    private boolean yes;

    boolean isGiven() {
        return settings != null;
    }

    Duration keep() {
        try {
            return keep == null ? Duration.ZERO : Durations.parse(keep, "s");
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitStatus.USAGE, "--keep-for " + e.getMessage(), e);
        }
    }

    /** Checks all that costs nothing, shows what would be created and at what price, and asks. */
    CloudOffer offer(RunPlan plan, PrintWriter err) {
        CloudProvider provider = AwsCommand.provider();
        try {
            CloudOffer offer = provider.prepare(
                    new CloudRequest(
                            settings,
                            plan.estimate(),
                            1,
                            Optional.ofNullable(maxCost),
                            Optional.ofNullable(maxHours)
                                    .map(hours -> Duration.ofSeconds(Math.round(hours * SECONDS_PER_HOUR))),
                            keep()),
                    line -> {
                        err.println(line);
                        err.flush();
                    });
            offer.lines().forEach(err::println);
            err.flush();
            confirm();
            return offer;
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitStatus.USAGE, e.getMessage(), e);
        } catch (CloudException e) {
            throw new CommandException(e.isUsage() ? ExitStatus.USAGE : ExitStatus.ENVIRONMENT, e.getMessage(), e);
        }
    }

    private void confirm() {
        if (yes) {
            return;
        }
        Console console = System.console();
        if (console == null) {
            throw new CommandException(
                    ExitStatus.USAGE, "nobody can be asked here whether to create these machines; say --yes");
        }
        String answer = console.readLine("Create these machines? [y/N] ");
        if (answer == null || !answer.trim().equalsIgnoreCase("y")) {
            throw new CommandException(ExitStatus.USAGE, "nothing was created");
        }
    }
}
