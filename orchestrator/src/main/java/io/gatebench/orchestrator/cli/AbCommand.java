/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.gateways.http.UrlProduct;
import io.gatebench.hosts.SteadyClock;
import io.gatebench.hosts.environment.HostsEnvironment;
import io.gatebench.hosts.environment.HostsFile;
import io.gatebench.hosts.environment.HostsPlan;
import io.gatebench.hosts.environment.LocalPreflight;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.report.ab.AbJudge;
import io.gatebench.report.ab.AbWriter;
import io.gatebench.report.results.ReportException;
import io.gatebench.runner.plan.PlanBuilder;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.runner.run.AbPlaces;
import io.gatebench.runner.run.AbRun;
import io.gatebench.runner.run.AbRun.Contestant;
import io.gatebench.runner.run.Interruption;
import io.gatebench.runner.run.Launcher;
import io.gatebench.runner.run.ShutdownHook;
import io.gatebench.settings.Durations;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.Product;

/** {@code ab}: measures two gateways in turns and says whether the second is slower. */
@Command(
        name = "ab",
        sortOptions = false,
        abbreviateSynopsis = true,
        description = {
            "Measure two gateways in turns, and say whether B is slower than A.",
            "Both are started anew again and again, until it is known or the time is over. A gateway is the name of a product"
                    + " (its built-in gateway), the YAML file of any HTTP gateway, that of a commit (git:<ref>:<file>), or a URL;"
                    + " behind it may stand, after commas,"
                    + " options of 'run' as key=value: heap, gateway-memory, gateway-home, gateway-url, gateway-config, gateway-port,"
                    + " cpus."
        },
        footerHeading = "%nExit codes: 0, and 4 when B is slower.%nExamples:%n",
        footer = {
            "  ./gatebench ab --a old.yaml --b new.yaml --scenario passthrough",
            "  ./gatebench ab --a apim --b apim,heap=256M --max-time 30m",
            "  ./gatebench ab --a git:v1.2:gateway.yaml --b git:HEAD:gateway.yaml --build 'mvn -q package'",
            "  ./gatebench ab --a http://localhost:8080/orders --b http://localhost:8081/orders",
            "  ./gatebench ab --a old.yaml --b new.yaml --hosts hosts.yaml --interleave hosts"
        })
final class AbCommand implements Callable<Integer> {

    private enum Format {
        TABLE,
        JSON
    }

    private enum Interleave {
        HOSTS
    }

    private static final Set<PlanKey> OF_A_GATEWAY = EnumSet.of(
            PlanKey.HEAP,
            PlanKey.GATEWAY_MEMORY,
            PlanKey.GATEWAY_HOME,
            PlanKey.GATEWAY_URL,
            PlanKey.GATEWAY_CONFIG,
            PlanKey.GATEWAY_PORT,
            PlanKey.CPUS);

    /** The length of a test stands for nothing here, but must be longer than any warm-up. */
    private static final String ANY_DURATION = "24h";

    private static final int USUAL_SIZE = 1024;
    /** A on one host and B on the other, and the other way round. */
    private static final int ARRANGEMENTS = 2;

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Option(names = "--a", required = true, paramLabel = "<gateway>", description = "What is known: the build before.")
    private String a;

    @Option(
            names = "--b",
            required = true,
            paramLabel = "<gateway>",
            description = "What is judged: the build with the change.")
    private String b;

    @Option(
            names = "--build",
            paramLabel = "<command>",
            description = "Builds a commit in its checkout, by the shell; its time is not part of --max-time.")
    private @Nullable String build;

    @Option(
            names = "--scenario",
            paramLabel = "<name,..>",
            description = "The scenarios; * stands for any characters (default: the first one).")
    private @Nullable String scenario;

    @Option(names = "--users", paramLabel = "<n,..>", description = "Concurrent users (default: ${DEFAULT-VALUE}).")
    private String users = "50";

    @Option(
            names = "--message-size",
            paramLabel = "<bytes,..>",
            description = "Request payloads (default: 1024 where the scenario has a size).")
    private @Nullable String messageSize;

    @Option(
            names = "--backend-delay",
            paramLabel = "<time,..>",
            description = "Waits that the back end adds; a bare number is milliseconds (default: ${DEFAULT-VALUE}).")
    private String backendDelay = "0";

    @Option(names = "--heap", paramLabel = "<size>", description = "Heap of both gateways (default: the product's).")
    private @Nullable String heap;

    @Option(
            names = "--gateway-cpus",
            paramLabel = "<n>",
            description =
                    "Processors that the gateways share, e.g. 1; all: with the other roles, too (default: auto, half"
                            + " of them).")
    private @Nullable String gatewayCpus;

    @Option(
            names = "--gateway-memory",
            paramLabel = "<size>",
            description =
                    "Memory that each gateway, or its container, is limited to, e.g. 512M (default: what its file says).")
    private @Nullable String gatewayMemory;

    @Option(
            names = "--warm-up",
            paramLabel = "<time>|auto:<limit>",
            description = "Load on each gateway after its start, before the first window (default: ${DEFAULT-VALUE}).")
    private String warmUp = "auto:60s";

    @Option(
            names = "--window",
            paramLabel = "<time>",
            description = "Length of a window; each start has 8 to 32 of them (default: ${DEFAULT-VALUE}).")
    private String window = "1s";

    @Option(
            names = "--max-time",
            paramLabel = "<time>",
            description = "Ends at the latest when no further start fits into this time (default: ${DEFAULT-VALUE}).")
    private String maxTime = "30m";

    @Option(
            names = "--loss",
            paramLabel = "<percent>",
            description = "Loss that 'no-difference' rules out; else it is 'undecided' (default: ${DEFAULT-VALUE} %%).")
    private String lossPercent = "5";

    @Option(
            names = "--min-change",
            paramLabel = "<percent>",
            description = "Smaller differences are no difference (default: ${DEFAULT-VALUE} %%).")
    private double smallestChangePercent = AbJudge.DEFAULT_SMALLEST_CHANGE_PERCENT;

    @Option(
            names = "--false-alarms",
            paramLabel = "<rate>",
            description =
                    "Chance that two equal gateways are called different in any figure (default: ${DEFAULT-VALUE}).")
    private double falseAlarms = AbJudge.DEFAULT_FALSE_ALARMS;

    @Option(
            names = "--profile",
            description =
                    "Start both once more at the end, with the flight recorder of the JVM, and list the methods that took"
                            + " another part of the time; on this machine.")
    private boolean profile;

    @Option(
            names = "--hosts",
            paramLabel = "<file.yaml>",
            description = "Measure on the hosts of this file instead of this machine: both gateways on one of them.")
    private @Nullable Path hosts;

    @Option(
            names = "--accept-new-host-keys",
            description = "Accept and keep the keys of hosts that are not known yet; a changed key never.")
    private boolean acceptNewHostKeys;

    @Option(
            names = "--interleave",
            paramLabel = "hosts",
            description =
                    "hosts: the file names two hosts for the gateway; A and B have one each and change places in each"
                            + " start, so that what differs between the machines cancels out.")
    private @Nullable Interleave interleave;

    @Option(
            names = "--results",
            paramLabel = "<dir>",
            description = "Where words and windows go; must be new or empty (default: results/ab-<time>).")
    private @Nullable Path results;

    @Option(
            names = "--format",
            paramLabel = "<format>",
            description = "What is printed: table or json (default: table).")
    private Format format = Format.TABLE;

    @Option(names = "--quiet", description = "Print nothing but the result.")
    private boolean quiet;

    private final Clock clock = new SteadyClock();

    @Override
    public Integer call() {
        PrintWriter err = spec.commandLine().getErr();
        if (results != null) {
            Launcher.requireNew(results, "");
        }
        Optional<HostsPlan> there = hostsPlan();
        List<CommitBuild> commits = new ArrayList<>();
        Interruption interruption = new Interruption();
        try (ShutdownHook hook = new ShutdownHook(interruption, PATIENCE, kept -> ForcedEnd.asInterrupted())) {
            try {
                AbRun.Settings settings = settings(commits);
                hook.add();
                ForcedEnd.atSecondInterruption();
                return measured(settings, there, interruption, err);
            } finally {
                commits.forEach(CommitBuild::close);
            }
        }
    }

    private Optional<HostsPlan> hostsPlan() {
        if (hosts == null) {
            if (interleave != null) {
                throw new CommandException(ExitStatus.USAGE, "--interleave hosts needs the hosts: --hosts hosts.yaml");
            }
            return Optional.empty();
        }
        HostsPlan plan = HostsFile.read(hosts, acceptNewHostKeys, Optional.empty(), ARRANGEMENTS);
        int gateways = plan.roles().get(NodeRole.GATEWAY).size();
        if (interleave != null && gateways < ARRANGEMENTS) {
            throw new CommandException(
                    ExitStatus.USAGE,
                    "--interleave hosts lets A and B change places between two hosts, but " + hosts + " names "
                            + gateways + " for the gateway; name two, as in gateway: [one, other]");
        }
        return Optional.of(plan);
    }

    private int measured(
            AbRun.Settings settings, Optional<HostsPlan> there, Interruption interruption, PrintWriter err) {
        Path directory = results == null ? Launcher.newResults("ab", clock) : results;
        try {
            Launcher.requireNew(directory, "");
            for (Contestant one : List.of(settings.a(), settings.b())) {
                LocalPreflight.check(one.plans().get(0).demands(), directory, there.isEmpty());
            }
            AbRun.Outcome outcome = measure(settings, directory, there, interruption, err);
            AbWriter writer = new AbWriter();
            PrintWriter out = spec.commandLine().getOut();
            out.print(format == Format.JSON ? writer.json(outcome.result()) : writer.table(outcome.result()));
            out.flush();
            if (!quiet) {
                outcome.result().notes().forEach(note -> err.println("note: " + note));
                err.println("Report: " + directory.resolve(AbWriter.PAGE_FILE) + ", every window: "
                        + directory.resolve(AbWriter.WINDOWS_FILE));
            }
            outcome.failure().ifPresent(err::println);
            err.flush();
            if (interruption.isRequested()) {
                return ExitStatus.INTERRUPTED.code();
            }
            if (outcome.failure().isPresent()) {
                return ExitStatus.FAILED_CELLS.code();
            }
            return (outcome.result().slower() ? ExitStatus.THRESHOLD : ExitStatus.OK).code();
        } catch (ReportException | EnvironmentException e) {
            throw new CommandException(ExitStatus.ENVIRONMENT, e.getMessage(), e);
        }
    }

    private AbRun.Outcome measure(
            AbRun.Settings settings,
            Path directory,
            Optional<HostsPlan> there,
            Interruption interruption,
            PrintWriter err) {
        try (AbRun run = new AbRun(
                settings, directory, work -> places(work, there, settings, err), clock, line -> tell(line, err))) {
            return run.execute(interruption);
        }
    }

    private AbPlaces places(Path work, Optional<HostsPlan> there, AbRun.Settings settings, PrintWriter err) {
        if (there.isEmpty()) {
            return AbPlaces.local(work);
        }
        // What B demands beyond A is found when it is started.
        HostsEnvironment opened = HostsEnvironment.open(
                there.get(),
                settings.a().plans().get(0).demands(),
                Launcher.newId(),
                clock,
                line -> tell("note: " + line, err));
        return interleave == null ? AbPlaces.shared(opened) : AbPlaces.swapped(opened);
    }

    private void tell(String line, PrintWriter err) {
        if (!quiet) {
            err.println(line);
            err.flush();
        }
    }

    private AbRun.Settings settings(List<CommitBuild> commits) {
        if (build != null && !(a + b).contains(CommitBuild.PREFIX)) {
            throw new CommandException(ExitStatus.USAGE, "--build builds a commit, but neither --a nor --b names one");
        }
        return ImportInputs.usage(() -> {
            Contestant known = contestant("--a", a, commits);
            Contestant judged = contestant("--b", b, commits);
            return new AbRun.Settings(
                    known,
                    judged,
                    Durations.parse(window, "s"),
                    AbRun.LEAD_IN,
                    Durations.parse(maxTime, "s"),
                    new AbJudge(
                            falseAlarms,
                            percent(lossPercent),
                            smallestChangePercent,
                            known.cases().size()),
                    profile);
        });
    }

    /** Takes {@code 5} and {@code 5%}. */
    private static double percent(String text) {
        try {
            return Double.parseDouble(text.replaceFirst("\\s*%$", ""));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--loss must be a percentage such as 5 or 2.5% but was '" + text + "'");
        }
    }

    private Contestant contestant(String option, String text, List<CommitBuild> commits) {
        String[] words = text.split(",");
        String what = words[0].strip();
        if (what.startsWith(CommitBuild.PREFIX)) {
            PrintWriter err = spec.commandLine().getErr();
            CommitBuild commit = CommitBuild.of(option, what, build, line -> tell(line, err));
            commits.add(commit);
            what = commit.file().toString();
        }
        PlanInput input = new PlanInput();
        List<Product> products = new ArrayList<>(ProductRegistry.load().products());
        if (what.matches("(?i)https?://.*")) {
            Product product = UrlProduct.at(URI.create(what));
            products.removeIf(known -> known.name().equals(product.name()));
            products.add(product);
            put(input, PlanKey.PRODUCT, product.name(), option);
        } else if (what.matches("(?i).*\\.ya?ml")) {
            put(input, PlanKey.PRODUCT, "http", option);
            put(input, PlanKey.GATEWAY_CONFIG, what, option);
        } else {
            put(input, PlanKey.PRODUCT, what, option);
        }
        input.option(PlanKey.HEAP, heap);
        input.option(PlanKey.GATEWAY_MEMORY, gatewayMemory);
        for (String word : Arrays.asList(words).subList(1, words.length)) {
            put(input, word.strip(), option);
        }
        input.option(PlanKey.SCENARIO, scenario);
        input.option(PlanKey.USERS, users);
        input.option(PlanKey.MESSAGE_SIZE, messageSize);
        input.option(PlanKey.BACKEND_DELAY, backendDelay);
        input.option(PlanKey.GATEWAY_CPUS, gatewayCpus);
        input.option(PlanKey.WARM_UP, warmUp);
        put(input, PlanKey.RAMP_UP, "0", option);
        put(input, PlanKey.DURATION, ANY_DURATION, option);
        put(input, PlanKey.RESTART, "case", option);
        // A gateway is prepared for one host.
        List<RunPlan> plans = Stream.generate(() -> new PlanBuilder(products).build(input))
                .limit(interleave == null ? 1 : ARRANGEMENTS)
                .toList();
        return new Contestant(text, plans, cases(plans.get(0)));
    }

    private static void put(PlanInput input, PlanKey key, String value, String option) {
        input.put(key, new PlanInput.Entry(List.of(value), option));
    }

    private static void put(PlanInput input, String word, String option) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        PlanKey key = OF_A_GATEWAY.stream()
                .filter(known -> known.key().equals(name))
                .findFirst()
                .orElseThrow(() -> new PlanException(List.of(option + ": '" + name
                        + "' is nothing that a gateway can have of its own; known are "
                        + OF_A_GATEWAY.stream().map(PlanKey::key).collect(Collectors.joining(", ")))));
        if (equals < 0) {
            throw new PlanException(List.of(option + ": '" + word + "' needs a value: " + word + "=.."));
        }
        put(input, key, word.substring(equals + 1), option);
    }

    /** Of a matrix that the user did not choose one case is enough: each takes minutes. */
    private List<TestCase> cases(RunPlan plan) {
        List<TestCase> all = plan.plan().testCases();
        return all.stream()
                .filter(testCase -> scenario != null
                        || testCase.scenario().equals(all.get(0).scenario()))
                .filter(testCase -> messageSize != null || testCase.message().equals(usual(all, testCase)))
                .filter(testCase -> testCase.heap().equals(all.get(0).heap()))
                .toList();
    }

    private static MessageLevel usual(List<TestCase> all, TestCase of) {
        List<MessageLevel> levels = all.stream()
                .filter(testCase -> testCase.scenario().equals(of.scenario()))
                .map(TestCase::message)
                .distinct()
                .toList();
        return levels.contains(MessageLevel.bytes(USUAL_SIZE)) ? MessageLevel.bytes(USUAL_SIZE) : levels.get(0);
    }
}
