/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.model.DataSize;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.GatewayRestart;
import io.gatebench.model.NodeRole;
import io.gatebench.model.RunManifest;
import io.gatebench.model.SystemInformation;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.Report;
import io.gatebench.report.ReportGenerator;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.threshold.MissedThreshold;
import io.gatebench.report.threshold.Threshold;
import io.gatebench.runner.plan.PlanDifference;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.settings.PlanException;
import io.gatebench.settings.SecretHeaders;
import io.gatebench.spi.Environment;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.Profile;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunListener;
import io.gatebench.spi.host.FileTrees;
import io.gatebench.spi.host.TemporaryDirectory;
import io.gatebench.spi.role.RoleJars;

/** A whole run: results directory, environment, matrix, report. */
public final class PerfRun implements AutoCloseable {

    private static final String SECRETS_PREFIX = "gatebench-secrets-";
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private final RunPlan plan;
    private final ResultsDirectory results;
    private final ResultsLock lock;
    private final Environment environment;
    private final CompletedCases earlier;
    private final Path work;
    private final TemporaryDirectory secrets;
    private final Clock clock;
    private final RunListener listener;

    private PerfRun(
            RunPlan plan,
            ResultsDirectory results,
            ResultsLock lock,
            Environment environment,
            CompletedCases earlier,
            Clock clock,
            RunListener listener) {
        this.plan = plan;
        this.results = results;
        this.lock = lock;
        this.environment = environment;
        this.earlier = earlier;
        this.work = work(results.root());
        this.clock = clock;
        this.listener = listener;
        try {
            Files.createDirectories(work);
            this.secrets = TemporaryDirectory.create(SECRETS_PREFIX);
        } catch (IOException e) {
            throw new ReportException("cannot create a directory for keys and tokens: " + e.getMessage(), e);
        }
    }

    /**
     * Outcome of a run.
     *
     * @param results the result of every test case
     * @param table the published table of the completed ones
     * @param notes what a reader of the figures must know
     * @param missed one sentence for each threshold that a test case did not meet
     */
    public record Outcome(List<TestCaseResult> results, String table, List<String> notes, List<String> missed) {

        /** Copies the lists. */
        public Outcome {
            results = List.copyOf(results);
            notes = List.copyOf(notes);
            missed = List.copyOf(missed);
        }
    }

    /**
     * Creates the results directory and opens the environment.
     *
     * @param environment makes the environment from a directory in which roles run
     * @throws PlanException if a token that the user gave expires before the planned end
     * @throws ReportException if the results directory exists
     */
    public static PerfRun create(
            RunPlan plan,
            Path directory,
            Function<Path, Environment> environment,
            Clock clock,
            RunListener listener,
            String toolVersion) {
        requireTokens(plan, plan.cells(), clock);
        // Hosts that cannot be used must not leave an empty results directory behind, which would stop the next try.
        Environment opened = environment.apply(work(directory));
        try {
            Map<String, String> versions = new LinkedHashMap<>(plan.gateway().versions());
            versions.put("jdk", Runtime.version().toString());
            versions.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
            opened.parts().stream()
                    .flatMap(part -> part.database().stream())
                    .findFirst()
                    .ifPresent(database -> versions.put("database", database.description()));
            List<String> notes = new ArrayList<>();
            if (plan.plan().profile().equals(Profile.QUICK.optionName())) {
                notes.add("These figures come from the quick profile: a small matrix and short windows. They show that"
                        + " everything works and are no release figures.");
            }
            if (plan.plan().restart() != GatewayRestart.CASE
                    && plan.plan().testCases().size() > 1) {
                notes.add("One gateway served several test cases ("
                        + (plan.plan().restart() == GatewayRestart.NEVER ? "all" : "all of a scenario")
                        + " where it could): memory footprints hold what earlier test cases left behind. A gateway "
                        + "for each test case, as in published results: --restart case.");
            }
            notes.addAll(loadNotes(plan));
            notes.addAll(plan.notes());
            notes.addAll(plan.gateway().notes());
            notes.addAll(opened.notes());
            notes.addAll(CpuSets.of(opened, plan.plan(), plan.gateway()).notes());
            notes.addAll(MemoryLimits.of(opened, plan.plan(), plan.gateway()));
            notes.addAll(replicaNotes(plan));
            RunManifest info = new RunManifest(
                    RunManifest.SCHEMA_VERSION,
                    Launcher.newId(),
                    toolVersion,
                    plan.gateway().applicationName(),
                    plan.product().variant(),
                    SecretHeaders.masked(plan.plan()),
                    opened.name(),
                    opened.hosts(NodeRole.LOAD_GENERATOR).size(),
                    opened.parts().size(),
                    clock.instant(),
                    Optional.empty(),
                    versions,
                    systems(opened, plan),
                    notes,
                    conditions(plan),
                    List.of());
            ResultsDirectory results = ResultsDirectory.create(directory, info);
            ResultsLock lock = ResultsLock.take(directory, owner(clock));
            return new PerfRun(plan, results, lock, opened, CompletedCases.none(), clock, listener);
        } catch (RuntimeException e) {
            closeAfter(opened, e);
            throw e;
        }
    }

    /** The gateway's machine of each stack comes first: documents number them. */
    private static List<SystemInformation> systems(Environment opened, RunPlan plan) {
        List<Environment> parts = opened.parts();
        List<SystemInformation> systems = new ArrayList<>();
        if (parts.size() == 1) {
            systems.addAll(parts.get(0).machines());
            systems.set(0, withLimit(systems.get(0), plan, parts.get(0)));
        } else {
            parts.forEach(part -> systems.add(withLimit(part.systemInformation(), plan, part)));
        }
        return systems;
    }

    private static SystemInformation withLimit(SystemInformation system, RunPlan plan, Environment where) {
        if (!plan.gateway().takesLimits() && !where.takesLimits()) {
            return system;
        }
        String limits = plan.plan().matrix().gatewayCpus().stream()
                .flatMap(cpus -> cpus.number().isPresent()
                        ? Stream.of(cpus)
                        : plan.gateway().containerCpus().stream().mapToObj(GatewayCpus::of))
                .map(GatewayCpus::toString)
                .distinct()
                .collect(Collectors.joining(", "));
        List<SystemInformation.Row> rows = new ArrayList<>(system.rows());
        if (!limits.isEmpty()) {
            rows.add(new SystemInformation.Row("Container", "Gateway", "Container CPU limit", limits));
        }
        List<DataSize> planned = plan.plan().matrix().gatewayMemory();
        String memory = (planned.isEmpty() ? plan.gateway().containerMemory().stream() : planned.stream())
                .map(DataSize::toString)
                .collect(Collectors.joining(", "));
        if (!memory.isEmpty()) {
            rows.add(new SystemInformation.Row("Container", "Gateway", "Container memory limit", memory));
        }
        return new SystemInformation(system.host(), rows);
    }

    private static List<String> replicaNotes(RunPlan plan) {
        String replicas = plan.plan().matrix().gatewayReplicas().stream()
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
        return replicas.equals("1")
                ? List.of()
                : List.of(
                        "Replicas of the gateway: " + replicas + ". Each load generator sent to one of them, by its own"
                                + " address; they had nothing in common but the back end, and each had the limits that the row"
                                + " names. The figures of a row are of all of them together: CPU time, memory and network are"
                                + " sums, throttling is that of the replica that was held back most, collections are those of"
                                + " the one with the lowest GC throughput.");
    }

    /** Returns what makes the figures others than those of the published model and payloads. */
    private static List<String> loadNotes(RunPlan plan) {
        List<String> notes = new ArrayList<>();
        LoadModel load = plan.load();
        if (!load.closedWithoutThinkTime()) {
            notes.add("The load model is not that of the published results: " + load.describe() + ". "
                    + (load.kind() == LoadModel.Kind.OPEN
                            ? "Response times count from the intended start of each request, and the users are the most"
                                    + " that may be under way. "
                            : "")
                    + "Compare these test cases with those of the same model only.");
        }
        plan.payload()
                .file()
                .ifPresent(
                        file -> notes.add(
                                "Every request sent the bytes of " + file.getFileName()
                                        + "; responses were checked by their status, and by their length where the scenario is an echo."));
        return notes;
    }

    /**
     * Opens the results directory of a run that did not come to its end, to measure what is missing there.
     *
     * <p>Test cases that were completed and are as they were written are kept; what was left of others is moved to
     * {@code .replaced} in the results directory.
     *
     * @param environment makes the environment from a directory in which roles run
     * @throws PlanException with every difference if the plan or the environment is not that of the run
     * @throws ReportException if there is no such run, or it is still going on
     */
    public static PerfRun resume(
            RunPlan plan,
            Path directory,
            Function<Path, Environment> environment,
            Clock clock,
            RunListener listener,
            String toolVersion) {
        ResultsDirectory results = ResultsDirectory.open(directory);
        ResultsLock lock = ResultsLock.take(directory, owner(clock));
        try {
            RunManifest info = results.info();
            List<String> differences =
                    new ArrayList<>(PlanDifference.between(info.plan(), SecretHeaders.masked(plan.plan())));
            PlanDifference.line(
                            "gateway", info.applicationName(), plan.gateway().applicationName())
                    .ifPresent(differences::add);
            PlanDifference.line("version of this program", info.toolVersion(), toolVersion)
                    .ifPresent(differences::add);
            refuse(directory, differences);
            Environment opened = environment.apply(work(directory));
            try {
                PlanDifference.line("environment", info.environment(), opened.name())
                        .ifPresent(differences::add);
                PlanDifference.line(
                                "number of load generators",
                                info.loadGenerators(),
                                opened.hosts(NodeRole.LOAD_GENERATOR).size())
                        .ifPresent(differences::add);
                MemoryLimits.of(opened, plan.plan(), plan.gateway());
                differences.addAll(differentSets(results, CpuSets.of(opened, plan.plan(), plan.gateway())));
                refuse(directory, differences);
                String stamp = STAMP.format(clock.instant());
                setLeftoversAside(directory, stamp);
                CompletedCases earlier = CompletedCases.of(results, info.plan(), stamp);
                requireTokens(plan, plan.cells() - earlier.count(), clock);
                earlier.redone().forEach((cell, why) -> listener.note(cell + " is measured again: " + why));
                results.writeInfo(resumed(info, clock.instant(), earlier, plan.cells(), opened, conditions(plan)));
                return new PerfRun(plan, results, lock, opened, earlier, clock, listener);
            } catch (RuntimeException e) {
                closeAfter(opened, e);
                throw e;
            }
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** A test case that was measured with other processors cannot stand beside those that are still to come. */
    private static List<String> differentSets(ResultsDirectory results, CpuSets sets) {
        for (TestCase testCase : results.info().plan().testCases()) {
            Optional<TestCaseResult> before;
            try {
                before = results.result(testCase, 1);
            } catch (ReportException e) {
                // It is measured again, and why is said then.
                continue;
            }
            if (before.isPresent() && before.get() instanceof TestCaseResult.Completed completed) {
                Optional<String> line = PlanDifference.line(
                        "processors of " + testCase.id(), completed.processors(), sets.ofRoles(testCase));
                if (line.isPresent()) {
                    return List.of(line.get());
                }
            }
        }
        return List.of();
    }

    private static void requireTokens(RunPlan plan, int cells, Clock clock) {
        if (cells == 0) {
            return;
        }
        try {
            Instant end = clock.instant().plus(plan.estimate(cells));
            plan.gateway().givenTokens(plan.plan().scenarios()).ifPresent(tokens -> tokens.checkValidUntil(end));
        } catch (LoadException e) {
            throw new PlanException(List.of(e.getMessage()));
        }
    }

    private static void refuse(Path directory, List<String> differences) {
        if (!differences.isEmpty()) {
            List<String> problems = new ArrayList<>();
            problems.add("the plan is not that of the run in " + directory
                    + ", and test cases of two plans cannot stand in one report; give the same plan, or start a new "
                    + "run");
            differences.forEach(difference -> problems.add("  " + difference));
            throw new PlanException(problems);
        }
    }

    private static void closeAfter(Environment opened, RuntimeException cause) {
        try {
            opened.close();
        } catch (RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    /** A run that was killed leaves its working directory. */
    private static void setLeftoversAside(Path directory, String stamp) {
        Path work = work(directory);
        Path cases = work.resolve("cases");
        if (Files.isDirectory(cases)) {
            CompletedCases.setAside(directory.toAbsolutePath(), cases, stamp);
        }
        delete(work);
    }

    private static RunManifest resumed(
            RunManifest info,
            Instant now,
            CompletedCases earlier,
            int cells,
            Environment environment,
            List<String> conditions) {
        RunManifest result = info.withFinished(Optional.empty())
                .withNotes(List.of("The run was taken up again at " + now.truncatedTo(ChronoUnit.SECONDS) + ": "
                        + earlier.count() + " of " + cells + " test cases had been measured before."))
                .withThresholds(conditions, List.of());
        if (!environment.isRented()) {
            return result;
        }
        // The machines of the first start are gone: the test cases of one report come from those and from these.
        List<SystemInformation> systems = new ArrayList<>(info.systems());
        environment.parts().forEach(part -> systems.add(part.systemInformation()));
        return result.withSystems(info.stacks() + environment.parts().size(), systems);
    }

    private static Path work(Path directory) {
        return directory.toAbsolutePath().resolve(".work");
    }

    private static String owner(Clock clock) {
        return System.getProperty("user.name") + ", process "
                + ProcessHandle.current().pid() + ", since "
                + clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * Runs the matrix and writes the report; see {@link #execute(Interruption, PartitionStrategy)}, which shares the
     * test cases out evenly then.
     */
    public Outcome execute(Interruption interruption) {
        return execute(interruption, PartitionStrategy.TIME);
    }

    /**
     * Runs the matrix and writes the report, also after an interruption.
     *
     * @param split how test cases are shared out if there are several sets of hosts; one that cannot be used fails its
     *     own test cases alone
     * @throws io.gatebench.spi.EnvironmentException if no hosts can serve one request together
     * @throws ReportException if a result or the report cannot be written; what was written before is kept
     */
    public Outcome execute(Interruption interruption, PartitionStrategy split) {
        List<TestCase> open = plan.plan().testCases().stream()
                .filter(testCase -> !earlier.isComplete(testCase, plan.plan().repeats()))
                .toList();
        List<Environment> parts = environment.parts();
        listener.runStarted(
                plan.cells() - earlier.count(),
                parts.size() == 1
                        ? plan.estimate(plan.cells() - earlier.count())
                        : split.estimate(plan, open, parts.size()));
        List<RunPartition> runs = new ArrayList<>();
        List<Set<TestCase>> shares = split.shares(open, parts.size());
        // Whoever has them tells that they are kept.
        shares.get(0)
                .addAll(plan.plan().testCases().stream()
                        .filter(testCase -> !open.contains(testCase))
                        .toList());
        RunListener together = parts.size() == 1 ? listener : new SerializedRunListener(listener);
        AtomicReference<@Nullable String> stopped = new AtomicReference<>();
        for (int i = 0; i < parts.size(); i++) {
            runs.add(part(
                    parts.size() == 1 ? "" : "-" + (i + 1),
                    parts.get(i),
                    shares.get(i),
                    stopped,
                    interruption,
                    together));
        }
        List<TestCaseResult> all = inOrder(RunPartition.runAll(runs));
        environment.close();
        RunManifest info = results.info();
        List<String> missed = MissedThreshold.of(info, all).stream()
                .map(MissedThreshold::text)
                .toList();
        results.writeInfo(info.withFinished(Optional.of(clock.instant())).withThresholds(info.thresholds(), missed));
        results.seal();
        listener.step("writing the report");
        ReportOptions rows =
                plan.keepFailedRows() ? ReportOptions.defaults().withFailedRows() : ReportOptions.defaults();
        // Whoever interrupts a run waits for it.
        ReportOptions options = interruption.isRequested() ? rows.withCharts(ReportOptions.Charts.NONE) : rows;
        Report report = ReportGenerator.generate(results, results.root(), options);
        report.warnings().forEach(listener::note);
        return new Outcome(all, ReportGenerator.table(results, rows), info.notes(), missed);
    }

    private RunPartition part(
            String suffix,
            Environment part,
            Set<TestCase> share,
            AtomicReference<@Nullable String> stopped,
            Interruption interruption,
            RunListener together) {
        Path ownSecrets = suffix.isEmpty() ? secrets.path() : secrets.path().resolve("stack" + suffix);
        try {
            Files.createDirectories(ownSecrets);
        } catch (IOException e) {
            throw new ReportException("cannot create a directory for keys and tokens: " + e.getMessage(), e);
        }
        RunContext context = new RunContext(
                plan.plan(),
                part,
                new RoleJars(work.resolve("jars" + suffix)),
                ownSecrets,
                plan.gatewayPort(),
                plan.backendPort(),
                clock,
                together);
        Gateway gateway = suffix.isEmpty() || suffix.equals("-1")
                ? plan.gateway()
                : plan.furtherGateway().get();
        return new RunPartition(
                suffix,
                context,
                plan,
                Replicas.of(context, gateway, plan.furtherGateway()),
                results,
                earlier,
                new MatrixRunner.Share(share, plan.stopOnFailure(), stopped),
                interruption);
    }

    /** Returns the results in the order of the plan. */
    private List<TestCaseResult> inOrder(List<TestCaseResult> measured) {
        Map<String, TestCaseResult> byCell = new HashMap<>();
        measured.forEach(result -> byCell.put(result.testCase().id() + " " + result.repeat(), result));
        List<TestCaseResult> all = new ArrayList<>();
        for (int repeat = 1; repeat <= plan.plan().repeats(); repeat++) {
            for (TestCase testCase : plan.plan().testCases()) {
                all.add(byCell.get(testCase.id() + " " + repeat));
            }
        }
        return all;
    }

    private static List<String> conditions(RunPlan plan) {
        return plan.thresholds().all().stream().map(Threshold::text).toList();
    }

    /** Stops what still runs and removes keys, tokens and unpacked jars; the results stay. */
    @Override
    public void close() {
        // Whatever cannot be stopped, the keys go, and the results directory is free for the next run.
        try (lock;
                secrets) {
            environment.close();
            FileTrees.delete(work);
        } catch (IOException e) {
            throw new ReportException("cannot remove what the run needed: " + e.getMessage(), e);
        }
    }

    private static void delete(Path directory) {
        try {
            FileTrees.delete(directory);
        } catch (IOException e) {
            throw new ReportException("cannot remove " + directory + ": " + e.getMessage(), e);
        }
    }
}
