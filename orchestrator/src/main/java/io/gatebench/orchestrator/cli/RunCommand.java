/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.hosts.SteadyClock;
import io.gatebench.hosts.environment.CloudEnvironment;
import io.gatebench.hosts.environment.HostsFile;
import io.gatebench.hosts.environment.HostsPlan;
import io.gatebench.hosts.environment.LocalPreflight;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.cloud.CloudOffer;
import io.gatebench.report.judge.Verdicts;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.verdict.Verdict;
import io.gatebench.runner.detached.DetachedRun;
import io.gatebench.runner.detached.Detachment;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.runner.run.Interruption;
import io.gatebench.runner.run.Launcher;
import io.gatebench.runner.run.PerfRun;
import io.gatebench.runner.run.ShutdownHook;
import io.gatebench.settings.Durations;
import io.gatebench.settings.Suggestion;
import io.gatebench.spi.Environment;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.RunListener;

/** {@code run}: measures and reports. */
@Command(
        name = "run",
        sortOptions = false,
        abbreviateSynopsis = true,
        description = "Measure a gateway and write the report (the default command).",
        footerHeading = "%nAll options: gatebench run --help-all%n%nExamples:%n",
        footer = {
            "  ./gatebench --product apim",
            "  ./gatebench --product apim --scenario passthrough --users 50,100",
            "  ./gatebench --product mi --profile release --estimate",
            "  ./gatebench --resume results/apim-20260131-120000"
        })
final class RunCommand implements Callable<Integer> {

    private enum Format {
        TABLE,
        MARKDOWN
    }

    private static final Duration REPORT_PATIENCE = Duration.ofSeconds(90);
    /** Machines in a cloud are removed before the program ends, which takes minutes. */
    private static final Duration REMOVAL_PATIENCE = Duration.ofMinutes(60);

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Option(names = OptionGroups.ALL, description = "Show all options.")
    private boolean helpAll;

    @Mixin
    private PlanOptions plan;

    @Option(
            names = "--environment",
            paramLabel = "local|hosts|kubernetes|aws",
            description =
                    "Where roles run: local (default), hosts, the machines of a hosts file, kubernetes, pods, or aws,"
                            + " machines; pods and machines are created for the run and removed after it.")
    private @Nullable String environment;

    @Option(
            names = "--hosts",
            paramLabel = "<file.yaml>",
            description = "The hosts, how they are reached over SSH, and their roles.")
    private @Nullable Path hosts;

    @Option(
            names = "--kubernetes",
            paramLabel = "<file.yaml>",
            description = "The cluster, and the pods of each role (experimental).")
    private @Nullable Path kubernetes;

    @Option(
            names = "--accept-new-host-keys",
            description = "Accept and keep the keys of hosts that are not known yet; a changed key never.")
    private boolean acceptNewHostKeys;

    @Option(
            names = "--resume",
            paramLabel = "<dir>",
            description = "Go on with the run in this results directory: finished test cases are kept, the others "
                    + "measured. Its plan is known; one that differs is refused.")
    private @Nullable Path resume;

    @Option(
            names = "--install-java",
            paramLabel = "<jdk.tar.gz>",
            description = "Unpack this JDK on each host whose hosts file names neither java nor install-java.")
    private @Nullable Path installJava;

    @Mixin
    private CloudOptions cloud;

    @Option(names = "--estimate", description = "Print the test cases and the time they need, and run nothing.")
    private boolean estimate;

    @Option(
            names = "--watch",
            description = "Serve the report on loopback while the run goes on, and print its address.")
    private boolean watch;

    @Option(names = "--quiet", description = "Print nothing but the table.")
    private boolean quiet;

    @Option(
            names = "--format",
            paramLabel = "table|markdown",
            description =
                    "The result: table, aligned and with verdicts, or markdown, the published table. Default: table"
                            + " on a terminal, else markdown.")
    private @Nullable Format format;

    @Option(
            names = "--color",
            paramLabel = "auto|always|never",
            defaultValue = "auto",
            description = "Colours of the table: auto (on a terminal, unless NO_COLOR is set), always or never."
                    + " Default: ${DEFAULT-VALUE}.")
    private Terminal.Colour colour;

    private final Clock clock = new SteadyClock();

    private @Nullable CloudEnvironment rented;

    @Override
    public Integer call() {
        Launcher launcher =
                new Launcher(ProductRegistry.load().products(), plan.input(), Optional.ofNullable(resume), clock);
        PlanInput fetched = cloud.fetched(launcher.input(), spec.commandLine().getErr());
        RunPlan runPlan = kubernetes == null ? launcher.plan(fetched) : planInCluster(launcher, kubernetes, fetched);
        cloud.check(runPlan);
        Optional<HostsPlan> hostsPlan = hostsPlan();
        Path results = launcher.results(runPlan);
        if (estimate) {
            LocalPreflight.check(runPlan.demands(), results, false);
            List<String> cost = cloud.estimateCost(runPlan);
            if (isLocal()) {
                LocalPreflight.checkMemory(runPlan.demands());
                Launcher.checkProcessorsHere(runPlan);
            }
            printEstimate(runPlan);
            cost.forEach(line -> spec.commandLine().getOut().println(line));
            spec.commandLine().getOut().flush();
            return ExitStatus.OK.code();
        }
        LocalPreflight.check(runPlan.demands(), results, isLocal());
        Interruption interruption = new Interruption();
        Progress listener = quiet
                ? Progress.SILENT
                : cloud.stacks() > 1
                        // One line that is rewritten has no room for what several stacks do.
                        ? new PlainProgress(spec.commandLine().getErr(), runPlan)
                        : Progress.create(
                                spec.commandLine().getErr(),
                                runPlan,
                                clock,
                                () -> spec.usageMessage().width());
        if (cloud.isDetached()) {
            if (resume != null) {
                throw CommandException.usage("--detach begins a new run; drop --resume or --detach");
            }
            Detachment.check(fetched);
        }
        Optional<CloudOffer> offer = cloud.isGiven()
                ? Optional.of(cloud.offer(runPlan, spec.commandLine().getErr(), ending()))
                : Optional.empty();
        if (cloud.isGiven()) {
            // From here on money may be spent.
            ending().hold(spec.commandLine().getErr());
        }
        if (cloud.isDetached()) {
            return detach(offer.orElseThrow(), fetched, results);
        }
        LiveFile live = new LiveFile(listener, results, runPlan, clock);
        try (ShutdownHook hook = new ShutdownHook(
                        interruption,
                        cloud.isGiven() || kubernetes != null ? REMOVAL_PATIENCE : REPORT_PATIENCE,
                        this::interrupted);
                WatchServer server = watch ? WatchServer.start(results, InetAddress.getLoopbackAddress(), 0) : null) {
            if (server != null) {
                spec.commandLine().getErr().println("Watch it at " + server.address());
                spec.commandLine().getErr().flush();
            }
            PerfRun run = open(
                    launcher,
                    runPlan,
                    results,
                    work -> environment(launcher, hostsPlan, offer, runPlan, work, listener),
                    live);
            ExitStatus status = runAndPrint(run, results, interruption, hook, listener);
            if (rented != null) {
                rented.archive()
                        .ifPresent(place ->
                                cloud.archive(results, place, spec.commandLine().getErr()));
            }
            return (rented != null && rented.leftBehind().isPresent() ? ExitStatus.ENVIRONMENT : status).code();
        }
    }

    private RunPlan planInCluster(Launcher launcher, Path settings, PlanInput fetched) {
        try {
            return launcher.planWithLimits(launcher.withGatewayOf(KubernetesCommand.provider(), settings, fetched));
        } catch (EnvironmentException e) {
            throw failed(e);
        }
    }

    private boolean isLocal() {
        return hosts == null && kubernetes == null && !cloud.isGiven();
    }

    private Ending ending() {
        return ((GatebenchCommand) spec.root().userObject()).ending();
    }

    /** Of who was told to end and has removed everything nothing failed. */
    private CommandException failed(EnvironmentException e) {
        boolean interrupted = ending().isSignalled() && !e.leavesSomething();
        return new CommandException(interrupted ? ExitStatus.INTERRUPTED : ExitStatus.ENVIRONMENT, e.getMessage(), e);
    }

    /** Leaves the run to one of its machines. */
    private int detach(CloudOffer offer, PlanInput input, Path results) {
        PrintWriter err = spec.commandLine().getErr();
        DetachedRun left;
        try {
            left = Detachment.leave(
                    offer,
                    new Detachment.DetachBundle(ownJar(), input, results, cloud.keep(), System.getenv()),
                    AwsCommand.provider()::records,
                    clock,
                    line -> {
                        err.println(line);
                        err.flush();
                    });
        } catch (EnvironmentException e) {
            throw failed(e);
        }
        spec.commandLine().getOut().println(left.run());
        spec.commandLine().getOut().flush();
        err.println("The run " + left.run() + " goes on on " + left.host() + " by itself. Its results can be fetched "
                + left.fetchable() + ", and are gone with the machine after that:");
        err.println("  aws attach --run " + left.run() + "   follows it to its end");
        err.println("  aws status --run " + left.run() + "   says how far it is");
        err.println("  aws fetch --run " + left.run() + "    brings the results here and removes everything");
        err.flush();
        return ExitStatus.OK.code();
    }

    /** Returns the packaged program that runs. */
    private static Path ownJar() {
        return OwnCommand.jar()
                .orElseThrow(() ->
                        CommandException.usage("--detach takes the program along: start it as packaged, ./gatebench"));
    }

    private PerfRun open(
            Launcher launcher,
            RunPlan runPlan,
            Path results,
            Function<Path, Environment> environments,
            RunListener listener) {
        try {
            return launcher.open(runPlan, results, environments, listener);
        } catch (ReportException e) {
            throw new CommandException(ExitStatus.USAGE, e.getMessage(), e);
        } catch (EnvironmentException e) {
            throw failed(e);
        }
    }

    private ExitStatus runAndPrint(
            PerfRun opened, Path results, Interruption interruption, ShutdownHook hook, Progress progress) {
        PerfRun.Outcome outcome;
        try (PerfRun run = opened) {
            hook.add();
            if (!cloud.isGiven()) {
                // Machines that cost money are removed however impatient the user is.
                ForcedEnd.atSecondInterruption();
            }
            outcome = run.execute(interruption, cloud.split());
        } catch (ReportException e) {
            throw new CommandException(
                    ExitStatus.ENVIRONMENT,
                    e.getMessage() + "; what was written before is kept, go on with --resume " + results
                            + " when it can be written again",
                    e);
        } catch (EnvironmentException e) {
            throw failed(e);
        } finally {
            if (!interruption.isRequested()) {
                hook.remove();
            }
        }
        progress.clear();
        RunManifest info = ResultsDirectory.open(results).info();
        List<Verdict> verdicts = Verdicts.ofResults(info, outcome.results());
        boolean terminal = Terminal.isOutput();
        boolean forPeople = format == null ? terminal : format == Format.TABLE;
        PrintWriter out = spec.commandLine().getOut();
        if (forPeople) {
            // Its colours are ours; what is foreign in it is printable.
            PrintableWriter.terminal(out)
                    .print(ResultTable.text(
                            info, outcome.results(), verdicts, Terminal.coloured(colour, System.getenv(), terminal)));
        } else {
            out.print(outcome.table());
        }
        out.flush();
        if (!quiet) {
            PrintWriter err = spec.commandLine().getErr();
            printEnd(outcome, results, err);
            if (interruption.isRequested()) {
                err.println(afterInterruption(outcome, results));
            }
            err.println(VerdictLine.text(outcome.results(), verdicts));
            err.flush();
        }
        return status(outcome, interruption);
    }

    /**
     * Names the test cases that were kept, and the command that goes on: the plan is in the results, the way to the
     * machines is not.
     */
    private String afterInterruption(PerfRun.Outcome outcome, Path results) {
        long kept = outcome.results().stream()
                .filter(TestCaseResult.Completed.class::isInstance)
                .count();
        if (kept == outcome.results().size()) {
            return "interrupted: all test cases are kept, the report may have no charts; make it again with:\n  "
                    + String.join(" ", OwnCommand.text(), "report", OwnCommand.word(results));
        }
        List<String> command = new ArrayList<>(List.of(OwnCommand.text(), "--resume", OwnCommand.word(results)));
        if (hosts != null) {
            command.addAll(List.of("--hosts", OwnCommand.word(hosts)));
        }
        if (kubernetes != null) {
            command.addAll(List.of("--kubernetes", OwnCommand.word(kubernetes)));
        }
        if (installJava != null) {
            command.addAll(List.of("--install-java", OwnCommand.word(installJava)));
        }
        cloud.settingsFile().ifPresent(file -> command.addAll(List.of("--aws", OwnCommand.word(file))));
        return "interrupted: " + kept + " of " + outcome.results().size()
                + " test cases are kept, the report has no charts; go on with:\n  " + String.join(" ", command);
    }

    private Optional<HostsPlan> hostsPlan() {
        String implied = cloud.isGiven()
                ? CloudOptions.AWS
                : kubernetes != null ? KubernetesCommand.NAME : hosts == null ? "local" : "hosts";
        String name = environment == null ? implied : environment;
        refuse(cloud.isGiven() && !name.equals(CloudOptions.AWS), "--aws goes with --environment aws only");
        refuse(
                kubernetes != null && !name.equals(KubernetesCommand.NAME),
                "--kubernetes goes with --environment kubernetes only");
        switch (name) {
            case KubernetesCommand.NAME ->
                refuse(
                        hosts != null || kubernetes == null,
                        "--environment kubernetes needs its settings, and no hosts: --kubernetes kubernetes.yaml");
            case CloudOptions.AWS ->
                refuse(
                        hosts != null || !cloud.isGiven(),
                        "--environment aws needs its settings, and no hosts: --aws aws.yaml");
            case "local" -> refuse(hosts != null, "--hosts goes with --environment hosts only");
            case "hosts" -> refuse(hosts == null, "--environment hosts needs the hosts: --hosts hosts.yaml");
            default ->
                throw CommandException.usage("unknown environment '" + name + "'"
                        + Suggestion.among(name, List.of("local", "hosts", KubernetesCommand.NAME, CloudOptions.AWS)));
        }
        return Optional.ofNullable(hosts)
                .map(file -> HostsFile.read(file, acceptNewHostKeys, Optional.ofNullable(installJava)));
    }

    private static void refuse(boolean wrong, String why) {
        if (wrong) {
            throw CommandException.usage(why);
        }
    }

    private Environment environment(
            Launcher launcher,
            Optional<HostsPlan> hostsPlan,
            Optional<CloudOffer> offer,
            RunPlan runPlan,
            Path work,
            RunListener listener) {
        if (offer.isPresent()) {
            rented = CloudEnvironment.open(
                    CloudOptions.AWS, offer.get(), runPlan.demands(), cloud.keep(), clock, listener::note);
            return rented;
        }
        if (kubernetes != null) {
            return KubernetesCommand.provider()
                    .open(kubernetes, runPlan.demands(), Launcher.newId(), clock, listener::note);
        }
        return launcher.environment(hostsPlan, runPlan, work, listener::note);
    }

    /** Ends the JVM with the documented code after the run has kept what it has, stopped its processes and written its report. */
    private void interrupted(boolean kept) {
        // What may be left in a cloud makes another code, which the one knows that holds the end back.
        if (!cloud.isGiven() || !kept) {
            ForcedEnd.asInterrupted();
        }
    }

    private void printEstimate(RunPlan runPlan) {
        PrintWriter out = spec.commandLine().getOut();
        for (TestCase testCase : runPlan.plan().testCases()) {
            out.println(testCase.id());
        }
        if (!runPlan.load().closedWithoutThinkTime()) {
            out.println("load model: " + runPlan.load().describe());
        }
        runPlan.notes().forEach(note -> out.println("note: " + note));
        out.println(runPlan.cells() + (runPlan.cells() == 1 ? " test case of " : " test cases of ")
                + (runPlan.plan().timing().untilSteady() ? "at most " : "")
                + Durations.readable(runPlan.plan().timing().duration())
                + " each, about " + Durations.readable(runPlan.estimate())
                + " in all with starting and stopping (an estimate)"
                + (cloud.stacks() == 1
                        ? ""
                        : "; about " + Durations.readable(cloud.estimate(runPlan)) + " on " + cloud.stacks()
                                + " stacks side by side"));
        out.flush();
    }

    private static void printEnd(PerfRun.Outcome outcome, Path results, PrintWriter err) {
        for (TestCaseResult result : outcome.results()) {
            Optional<String> line = result.fold(
                    completed -> Optional.empty(),
                    failed -> Optional.of("failed: " + failed.testCase().id() + ": " + failed.detail()),
                    skipped -> Optional.of("skipped: " + skipped.testCase().id() + ": " + skipped.why()));
            line.ifPresent(err::println);
        }
        outcome.missed().forEach(sentence -> err.println("threshold not met: " + sentence));
        outcome.notes().forEach(note -> err.println("note: " + note));
        err.println("Report: " + results.resolve("index.html") + " and " + results.resolve("summary.md"));
        err.flush();
    }

    private static ExitStatus status(PerfRun.Outcome outcome, Interruption interruption) {
        if (interruption.isRequested()) {
            return ExitStatus.INTERRUPTED;
        }
        if (!outcome.results().stream().allMatch(TestCaseResult.Completed.class::isInstance)) {
            return ExitStatus.FAILED_CELLS;
        }
        return outcome.missed().isEmpty() ? ExitStatus.OK : ExitStatus.THRESHOLD;
    }
}
