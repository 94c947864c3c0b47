/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import io.gatebench.hosts.environment.ClusterProvider;
import io.gatebench.hosts.environment.ClusterProvider.Left;
import io.gatebench.runner.run.PlugIns;
import io.gatebench.spi.EnvironmentException;

/** {@code kubernetes}: looks for what runs have in a cluster, and removes it. */
@Command(name = "kubernetes", description = "List what runs have in a Kubernetes cluster, or remove it.")
final class KubernetesCommand {

    static final String NAME = PlugIns.KUBERNETES;

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    /** Returns the provider of this name, which is a jar of its own. */
    static ClusterProvider provider() {
        return PlugIns.kubernetes()
                .orElseThrow(() -> CommandException.usage(
                        "this program has no Kubernetes; put environment-kubernetes.jar of the same release beside"
                                + " orchestrator.jar"));
    }

    @Command(name = "list", description = "Show what each run has in the cluster.")
    int list(
            @Mixin HelpOption helpOfList,
            @Option(
                            names = "--kubernetes",
                            paramLabel = "<file.yaml>",
                            description =
                                    "The settings of runs; the cluster of kubectl, with all namespaces, if absent.")
                    @Nullable
                    Path settings,
            @Option(names = "--run", paramLabel = "<id>", description = "Only this run.") @Nullable String run) {
        List<Left> found = call(() -> provider().list(Optional.ofNullable(settings), Optional.ofNullable(run)));
        PrintWriter out = spec.commandLine().getOut();
        found.forEach(left -> out.println(line(left)));
        out.flush();
        if (found.isEmpty()) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("Nothing is there.");
            err.flush();
        }
        return ExitStatus.OK.code();
    }

    private static String line(Left left) {
        return left.run() + "  " + left.place() + "  " + left.objects() + "  " + (left.inUse() ? "in use" : "left")
                + left.deadline().map(end -> "  until " + end).orElse("");
    }

    @Command(name = "clean", description = "Remove what one run, or all runs that have ended, left in the cluster.")
    int clean(
            @Mixin HelpOption helpOfClean,
            @Option(
                            names = "--kubernetes",
                            paramLabel = "<file.yaml>",
                            description =
                                    "The settings of runs; the cluster of kubectl, with all namespaces, if absent.")
                    @Nullable
                    Path settings,
            @Option(names = "--run", paramLabel = "<id>", description = "Only this run.") @Nullable String run,
            @Option(names = "--force", description = "Also what a run uses just now.") boolean force,
            @Option(names = "--yes", description = "Remove all runs without asking.") boolean yes) {
        if (run == null && !yes) {
            Console console = Confirmation.terminal(
                    "name a run with --run (kubernetes list shows them), or say --yes for all that is left");
            Confirmation.ask(
                    console,
                    "Remove " + (force ? "all runs of the cluster, also those of others" : "what all ended runs left"),
                    "nothing was removed");
        }
        List<Left> left = call(() -> provider().clean(Optional.ofNullable(settings), Optional.ofNullable(run), force));
        PrintWriter err = spec.commandLine().getErr();
        left.forEach(one ->
                err.println("still there: " + line(one) + (one.inUse() ? "; --force removes it all the same" : "")));
        if (left.isEmpty()) {
            err.println("Nothing is left.");
        }
        err.flush();
        return (left.isEmpty() ? ExitStatus.OK : ExitStatus.ENVIRONMENT).code();
    }

    private static <T> T call(Supplier<T> work) {
        try {
            return work.get();
        } catch (EnvironmentException e) {
            throw new CommandException(ExitStatus.ENVIRONMENT, e.getMessage(), e);
        }
    }
}
