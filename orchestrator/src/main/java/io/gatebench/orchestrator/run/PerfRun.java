/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

import io.gatebench.model.NodeRole;
import io.gatebench.model.RunInfo;
import io.gatebench.model.RunResult;
import io.gatebench.orchestrator.Profile;
import io.gatebench.orchestrator.environment.Environment;
import io.gatebench.orchestrator.plan.RunPlan;
import io.gatebench.orchestrator.role.RoleJars;
import io.gatebench.report.Report;
import io.gatebench.report.ReportException;
import io.gatebench.report.ReportGenerator;
import io.gatebench.report.ReportOptions;
import io.gatebench.report.past.OwnRows;
import io.gatebench.report.past.PastRow;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.report.threshold.Thresholds;

/** A whole run: results directory, environment, matrix, report. */
public final class PerfRun implements AutoCloseable {

    private final RunPlan plan;
    private final ResultsDirectory results;
    private final Environment environment;
    private final Path work;
    private final Path secrets;
    private final Clock clock;
    private final RunListener listener;

    private PerfRun(
            RunPlan plan,
            ResultsDirectory results,
            Environment environment,
            Path work,
            Path secrets,
            Clock clock,
            RunListener listener) {
        this.plan = plan;
        this.results = results;
        this.environment = environment;
        this.work = work;
        this.secrets = secrets;
        this.clock = clock;
        this.listener = listener;
    }

    /**
     * What a run came to.
     *
     * @param results the result of every cell
     * @param table the published table of the completed ones
     * @param notes what a reader of the figures must know
     * @param missed one sentence for each threshold that a cell did not meet
     */
    public record Outcome(List<RunResult> results, String table, List<String> notes, List<String> missed) {

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
     * @throws io.gatebench.report.ReportException if the results directory exists
     */
    public static PerfRun create(
            RunPlan plan,
            Path directory,
            Function<Path, Environment> environment,
            Clock clock,
            RunListener listener,
            String toolVersion) {
        Instant now = clock.instant();
        List<String> notes = new ArrayList<>();
        if (plan.plan().profile().equals(Profile.QUICK.optionName())) {
            notes.add("These figures come from the quick profile: a small matrix and short windows. They show that"
                    + " everything works and are no release figures.");
        }
        notes.addAll(plan.gateway().notes());
        RunInfo info = new RunInfo(
                RunInfo.SCHEMA_VERSION,
                UUID.randomUUID().toString().substring(0, 8),
                toolVersion,
                plan.gateway().applicationName(),
                plan.product().variant(),
                plan.plan(),
                "local",
                1,
                1,
                now,
                Optional.empty(),
                Map.of(),
                List.of(),
                notes);
        Path work = directory.toAbsolutePath().resolve(".work");
        // Hosts that cannot be used must not leave an empty results directory behind, which would stop the next try.
        Environment opened = environment.apply(work);
        ResultsDirectory results = create(directory, info, opened);
        try {
            Path secrets = Files.createTempDirectory("gatebench-secrets-");
            Map<String, String> versions = new LinkedHashMap<>(plan.gateway().versions());
            versions.put("jdk", Runtime.version().toString());
            versions.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version"));
            notes.addAll(opened.notes());
            results.writeInfo(new RunInfo(
                    info.schemaVersion(),
                    info.runId(),
                    toolVersion,
                    info.applicationName(),
                    info.variant(),
                    info.plan(),
                    opened.name(),
                    opened.hosts(NodeRole.LOAD_GENERATOR).size(),
                    1,
                    now,
                    Optional.empty(),
                    versions,
                    List.of(opened.host(NodeRole.GATEWAY).systemInformation()),
                    notes));
            return new PerfRun(plan, results, opened, work, secrets, clock, listener);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a directory for keys and tokens", e);
        }
    }

    private static ResultsDirectory create(Path directory, RunInfo info, Environment opened) {
        try {
            return ResultsDirectory.create(directory, info);
        } catch (ReportException e) {
            opened.close();
            throw e;
        }
    }

    /** Runs the matrix and writes the report, also after an interruption. */
    public Outcome execute(Interruption interruption) {
        listener.runStarted(plan.cells(), plan.estimate());
        RunContext context = new RunContext(
                plan.plan(),
                environment,
                new RoleJars(work.resolve("jars")),
                secrets,
                plan.gatewayPort(),
                plan.backendPort(),
                clock,
                listener);
        List<RunResult> all = new MatrixRunner(
                        context, plan.gateway(), results, interruption, new LoadSettings(plan.httpClient()))
                .run();
        environment.close();
        RunInfo info = results.info();
        results.writeInfo(new RunInfo(
                info.schemaVersion(),
                info.runId(),
                info.toolVersion(),
                info.applicationName(),
                info.variant(),
                info.plan(),
                info.environment(),
                info.loadGenerators(),
                info.stacks(),
                info.started(),
                Optional.of(clock.instant()),
                info.versions(),
                info.systems(),
                info.notes()));
        listener.step("writing the report");
        Report report = ReportGenerator.generate(results, results.root(), ReportOptions.defaults());
        report.warnings().forEach(listener::note);
        return new Outcome(
                all, ReportGenerator.table(results, ReportOptions.defaults()), info.notes(), missed(info, all));
    }

    private List<String> missed(RunInfo info, List<RunResult> all) {
        List<PastRow> rows = all.stream()
                .flatMap(result -> OwnRows.of(info, result).stream())
                .toList();
        return plan.thresholds().violations(rows).stream()
                .map(Thresholds.Outcome::text)
                .toList();
    }

    /** Stops what still runs and removes keys, tokens and unpacked jars; the results stay. */
    @Override
    public void close() {
        environment.close();
        delete(secrets);
        delete(work);
    }

    private static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path dir, IOException e) throws IOException {
                    Files.delete(dir);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory, e);
        }
    }
}
