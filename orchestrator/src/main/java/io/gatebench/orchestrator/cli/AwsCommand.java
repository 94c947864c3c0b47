/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudListener;
import io.gatebench.model.cloud.CloudProvider;
import io.gatebench.model.cloud.CloudResource;
import io.gatebench.runner.detached.DetachedRun;
import io.gatebench.runner.detached.DetachedWatch;
import io.gatebench.runner.run.PlugIns;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.host.HostException;

/** {@code aws}: looks after runs that go on in AWS, looks for what runs have left there, and removes it. */
@Command(
        name = "aws",
        description =
                "Follow and fetch runs that were left to themselves in AWS; list what runs have left there, or remove"
                        + " it.")
final class AwsCommand {

    private static final int STATUS_LINES = 5;

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    private final Clock clock = Clock.systemUTC();

    /** Returns the provider of this name, which is a plug-in beside the program's jar. */
    static CloudProvider provider() {
        return PlugIns.aws()
                .orElseThrow(() -> CommandException.usage(
                        "AWS is not there: put environment-aws.jar of the same build or release beside orchestrator.jar,"
                                + " or add io.gatebench:gatebench-environment-aws to the class path"));
    }

    @Command(name = "list", description = "Show every resource that carries the tag of a run, with its price.")
    int list(
            @Mixin HelpOption helpOfList,
            @Option(
                            names = "--region",
                            split = ",",
                            paramLabel = "<region>",
                            description = "Where to look; by default the region of the AWS configuration.")
                    @Nullable
                    List<String> regions,
            @Option(names = "--run", paramLabel = "<id>", description = "Only this run.") @Nullable String run) {
        List<CloudResource> found =
                CloudOptions.told(() -> provider().list(orEmpty(regions), Optional.ofNullable(run)));
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
                            paramLabel = "<region>",
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
            CloudOptions.told(() -> provider.list(orEmpty(regions), Optional.empty()))
                    .forEach(resource -> tell(err, line(resource)));
            Confirmation.ask(console, "Remove all runs of the account, also those of others", "nothing was removed");
        }
        List<CloudResource> left = new ArrayList<>();
        CloudOptions.told(() -> {
            if (expired) {
                overdue(provider.list(orEmpty(regions), Optional.ofNullable(run)))
                        .forEach(id -> left.addAll(provider.teardown(orEmpty(regions), Optional.of(id), held(err))));
            } else {
                left.addAll(provider.teardown(orEmpty(regions), Optional.ofNullable(run), held(err)));
            }
            return left;
        });
        return removed(left);
    }

    /** Returns who is told of a removal, which a signal does not break off from now on. */
    private CloudListener held(PrintWriter err) {
        Ending ending = ((GatebenchCommand) spec.root().userObject()).ending();
        ending.hold(err);
        return CloudOptions.line(err, ending);
    }

    /** Says what could not be removed. */
    private int removed(List<CloudResource> left) {
        left.forEach(resource -> spec.commandLine().getOut().println(line(resource)));
        spec.commandLine().getOut().flush();
        tell(
                spec.commandLine().getErr(),
                left.isEmpty()
                        ? "Nothing is left."
                        : left.size() + " resources could not be removed; they go on costing money");
        return (left.isEmpty() ? ExitStatus.OK : ExitStatus.ENVIRONMENT).code();
    }

    @Command(
            name = "attach",
            description = "Follow a run that was started with --detach to its end, and end as it does.")
    int attach(
            @Mixin HelpOption helpOfAttach,
            @Option(names = "--run", paramLabel = "<id>", required = true, description = "The run.") String run) {
        PrintWriter err = spec.commandLine().getErr();
        return reached(run, (left, watch) -> {
            tell(err, "Ctrl-C ends the watching, not the run.");
            DetachedRun.State state = watch.follow(line -> tell(err, line));
            spec.commandLine().getOut().print(watch.output());
            spec.commandLine().getOut().flush();
            tell(err, "The results can be fetched " + left.fetchable() + ": aws fetch --run " + run);
            return state.exitCode().orElseThrow(() -> new CommandException(ExitStatus.ENVIRONMENT, gone(left)));
        });
    }

    @Command(name = "status", description = "Say how far a run is that was started with --detach.")
    int status(
            @Mixin HelpOption helpOfStatus,
            @Option(names = "--run", paramLabel = "<id>", required = true, description = "The run.") String run) {
        PrintWriter out = spec.commandLine().getOut();
        return reached(run, (left, watch) -> {
            DetachedRun.State state = watch.state();
            out.println("run " + run + " on " + left.host() + " (" + left.address() + "): "
                    + switch (state.phase()) {
                        case PREPARING -> "looks at its machines";
                        case MEASURING -> "measures";
                        case ENDED -> "ended with exit code " + state.exitCode().orElseThrow();
                        case GONE -> "broke off";
                    });
            out.println("results: can be fetched " + left.fetchable());
            watch.lastLines(STATUS_LINES).forEach(line -> out.println("  " + line));
            out.flush();
            return ExitStatus.OK.code();
        });
    }

    @Command(
            name = "fetch",
            description =
                    "Bring the results of an ended run here that was started with --detach, compare every file, and"
                            + " remove its machines.")
    int fetch(
            @Mixin HelpOption helpOfFetch,
            @Option(names = "--run", paramLabel = "<id>", required = true, description = "The run.") String run,
            @Option(
                            names = "--results",
                            paramLabel = "<dir>",
                            description = "Where they go; by default where the run was started with.")
                    @Nullable
                    Path results,
            @Option(names = "--keep", description = "Leave the machine with the results to its time.") boolean keep) {
        PrintWriter err = spec.commandLine().getErr();
        Path target = reached(run, (left, watch) -> {
            Path chosen = results == null ? Path.of(left.results()) : results;
            if (Files.exists(chosen)) {
                throw CommandException.usage(
                        "the results directory " + chosen + " exists; name another one with --results");
            }
            if (!watch.state().isOver()) {
                throw CommandException.usage(
                        "the run " + run + " is not at its end; 'aws attach --run " + run + "' follows it there");
            }
            Path part = chosen.resolveSibling(chosen.getFileName() + ".part");
            int files = watch.fetch(part);
            move(part, chosen);
            tell(err, files + " files are here as they are there: " + chosen);
            return chosen;
        });
        spec.commandLine().getOut().println(target);
        spec.commandLine().getOut().flush();
        if (keep) {
            return ExitStatus.OK.code();
        }
        return removed(CloudOptions.told(() -> provider().teardown(List.of(), Optional.of(run), held(err))));
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new CommandException(ExitStatus.ENVIRONMENT, "the results are in " + from + ": " + e, e);
        }
    }

    private static String gone(DetachedRun left) {
        return "the run broke off on " + left.host()
                + ": the machine was started anew, or its memory or disk was full; what it has measured can be fetched";
    }

    /** Action on the machine on which a run goes on. */
    private interface Visit<T> {

        T of(DetachedRun left, DetachedWatch watch);
    }

    private <T> T reached(String run, Visit<T> visit) {
        PrintWriter err = spec.commandLine().getErr();
        try {
            DetachedRun left = DetachedRun.read(provider().records(run));
            try (DetachedWatch watch = left.connect(line -> tell(err, line))) {
                return visit.of(left, watch);
            } catch (HostException e) {
                throw new CommandException(
                        ExitStatus.ENVIRONMENT,
                        e.getMessage() + "; the machine ends itself when its time is over: 'aws list --run " + run
                                + "' shows what there is",
                        e);
            }
        } catch (EnvironmentException e) {
            throw new CommandException(ExitStatus.USAGE, e.getMessage(), e);
        } catch (CloudException e) {
            throw new CommandException(e.isUsage() ? ExitStatus.USAGE : ExitStatus.ENVIRONMENT, e.getMessage(), e);
        }
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
}
