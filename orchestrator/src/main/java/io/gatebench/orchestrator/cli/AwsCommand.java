/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudProvider;
import io.gatebench.model.cloud.CloudResource;

/** {@code aws}: looks for machines of runs in AWS, and removes them. */
@Command(name = "aws", description = "List what runs have left in AWS, or remove it.")
final class AwsCommand {

    private static final String NAME = "aws";

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    private final Clock clock = Clock.systemUTC();

    /** Returns the provider of this name, which only the program's own jar contains for sure. */
    static CloudProvider provider() {
        for (CloudProvider provider : ServiceLoader.load(CloudProvider.class)) {
            if (provider.name().equals(NAME)) {
                return provider;
            }
        }
        throw new CommandException(
                ExitStatus.USAGE, "this class path has no AWS; add the module environment-aws or use orchestrator.jar");
    }

    @Command(name = "list", description = "Show every resource that carries the tag of a run, with its price.")
    int list(
            @Mixin HelpOption helpOfList,
            @Option(
                            names = "--region",
                            split = ",",
                            paramLabel = "<region,..>",
                            description = "Where to look; by default the region of the AWS configuration.")
                    @Nullable
                    List<String> regions,
            @Option(names = "--run", paramLabel = "<id>", description = "Only this run.") @Nullable String run) {
        List<CloudResource> found = call(() -> provider().list(orEmpty(regions), Optional.ofNullable(run)));
        PrintWriter out = spec.commandLine().getOut();
        double perHour = 0;
        for (CloudResource resource : found) {
            out.println(line(resource));
            perHour += resource.usdPerHour().orElse(0.0);
        }
        out.flush();
        PrintWriter err = spec.commandLine().getErr();
        err.println(
                found.isEmpty()
                        ? "Nothing is there."
                        : String.format(
                                Locale.ROOT, "%d resources, about %.2f USD per hour in all", found.size(), perHour));
        err.flush();
        return ExitStatus.OK.code();
    }

    private static String line(CloudResource resource) {
        return resource.run() + "  " + resource.region() + "  " + resource.kind() + "  " + resource.id() + "  "
                + resource.state()
                + resource.usdPerHour()
                        .map(usd -> usd == 0 ? "" : String.format(Locale.ROOT, "  %.3f USD/h", usd))
                        .orElse("  price unknown")
                + resource.expiry().map(end -> "  until " + end).orElse("");
    }

    @Command(name = "teardown", description = "Remove everything of one run, of the overdue ones, or of all.")
    int teardown(
            @Mixin HelpOption helpOfTeardown,
            @Option(
                            names = "--region",
                            split = ",",
                            paramLabel = "<region,..>",
                            description = "Where to look; by default where the records of the run say, or the region of"
                                    + " the AWS configuration.")
                    @Nullable
                    List<String> regions,
            @Option(names = "--run", paramLabel = "<id>", description = "Only this run.") @Nullable String run,
            @Option(names = "--expired", description = "Only runs whose time is over.") boolean expired,
            @Option(names = "--yes", description = "Remove all runs without asking.") boolean yes) {
        PrintWriter err = spec.commandLine().getErr();
        CloudProvider provider = provider();
        if (run == null && !expired && !yes) {
            Console console = Confirmation.terminal("name a run with --run (aws list shows them), or say --expired, or"
                    + " --yes for all runs of the account");
            call(() -> provider.list(orEmpty(regions), Optional.empty()))
                    .forEach(resource -> tell(err, line(resource)));
            Confirmation.ask(console, "Remove all runs of the account, also those of others", "nothing was removed");
        }
        List<CloudResource> left = new ArrayList<>();
        call(() -> {
            if (expired) {
                overdue(provider.list(orEmpty(regions), Optional.ofNullable(run)))
                        .forEach(id -> left.addAll(
                                provider.teardown(orEmpty(regions), Optional.of(id), line -> tell(err, line))));
            } else {
                left.addAll(provider.teardown(orEmpty(regions), Optional.ofNullable(run), line -> tell(err, line)));
            }
            return left;
        });
        left.forEach(resource -> spec.commandLine().getOut().println(line(resource)));
        spec.commandLine().getOut().flush();
        tell(
                err,
                left.isEmpty()
                        ? "Nothing is left."
                        : left.size() + " resources could not be removed; they go on costing money");
        return (left.isEmpty() ? ExitStatus.OK : ExitStatus.ENVIRONMENT).code();
    }

    private Set<String> overdue(List<CloudResource> found) {
        Instant now = clock.instant();
        Set<String> runs = new TreeSet<>();
        found.stream()
                .filter(resource ->
                        resource.expiry().filter(end -> end.isBefore(now)).isPresent())
                .forEach(resource -> runs.add(resource.run()));
        return runs;
    }

    private static void tell(PrintWriter err, String line) {
        err.println(line);
        err.flush();
    }

    private static List<String> orEmpty(@Nullable List<String> regions) {
        return regions == null ? List.of() : regions;
    }

    private static List<CloudResource> call(Supplier<List<CloudResource>> action) {
        try {
            return action.get();
        } catch (CloudException e) {
            throw new CommandException(e.isUsage() ? ExitStatus.USAGE : ExitStatus.ENVIRONMENT, e.getMessage(), e);
        }
    }
}
