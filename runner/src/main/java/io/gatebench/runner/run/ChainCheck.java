/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.LoadResult;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.host.FileTrees;
import io.gatebench.spi.host.Host;

/**
 * Sends requests through the whole chain before a run on several hosts: from each load generator through the gateway to
 * the back end, one user each, for a second. What hinders them would otherwise hinder every test case.
 */
final class ChainCheck {

    private static final String DIRECTORY = ".check";
    private static final TestTiming SHORT = new TestTiming(Duration.ofSeconds(1), Duration.ZERO, Duration.ZERO);

    private final RunContext run;
    private final Replicas replicas;
    private final Path directory;
    private final Interruption interruption;
    private final LoadSettings settings;

    /**
     * Creates the check.
     *
     * @param results where its logs are kept if it fails
     * @param part which of the sets of hosts that measure side by side, for the name of its directory
     */
    ChainCheck(
            RunContext run,
            Replicas replicas,
            Path results,
            String part,
            Interruption interruption,
            LoadSettings settings) {
        this.run = run;
        this.replicas = replicas;
        this.directory = results.resolve(DIRECTORY + part);
        this.interruption = interruption;
        this.settings = settings.closed();
    }

    /**
     * Checks the chain; does nothing where all roles share a host.
     *
     * @param end when the run is planned to end; tokens must be valid until then
     * @throws EnvironmentException if a request did not come through, or the tokens end too early
     */
    void run(Instant end) {
        long hosts = Arrays.stream(NodeRole.values())
                .flatMap(role -> run.environment().hosts(role).stream())
                .map(Host::name)
                .distinct()
                .count();
        if (hosts < 2) {
            return;
        }
        run.listener().step("checking the way through all hosts");
        remove();
        TestCase first = run.plan().testCases().get(0);
        int users = run.environment().hosts(NodeRole.LOAD_GENERATOR).size();
        PerfPlan plan = shortPlan(first, users);
        RunContext shortRun = new RunContext(
                plan,
                run.environment(),
                run.jars(),
                run.secrets(),
                run.gatewayPort(),
                run.backendPort(),
                run.clock(),
                run.listener());
        ResultsDirectory scratch = ResultsDirectory.create(directory, info(plan));
        TestCaseResult result = new CaseRunner(
                        shortRun, replicas, scratch, interruption, settings, "check", Optional.of(end))
                .run(plan.scenarios().get(0), plan.testCases().get(0), 1, Optional.empty());
        Optional<String> problem = result.fold(
                done -> withoutSuccess(scratch.caseDirectory(done.testCase(), 1))
                        .map(none -> "no request came through all hosts before the run: " + none),
                // It need not be the way: the gateway may not start, or a token end too early.
                failed -> Optional.of("the check of all hosts before the run failed: " + failed.detail()),
                skipped -> Optional.of(skipped.why()));
        if (problem.isPresent() && !interruption.isRequested()) {
            throw new EnvironmentException(List.of(problem.get() + "\n(logs: " + directory + ")"));
        }
        remove();
    }

    /** One load generator that fails could hide behind the successes of the others. */
    private Optional<String> withoutSuccess(Path cell) {
        List<Host> generators = run.environment().hosts(NodeRole.LOAD_GENERATOR);
        for (int i = 0; i < generators.size(); i++) {
            Path part = cell.resolve(LoadGenerators.part("load", i, generators.size()));
            LoadResult load = LoadRunFile.read(part.resolve(JMeterLoadDriver.LOAD_FILE));
            if (load.measurement().stream().allMatch(label -> label.samples() == label.errors())) {
                return Optional.of("none from " + generators.get(i).name() + ": " + FailureList.text(load.failures()));
            }
        }
        return Optional.empty();
    }

    private PerfPlan shortPlan(TestCase first, int users) {
        TestScenario scenario = run.plan().scenarios().stream()
                .filter(candidate -> candidate.name().equals(first.scenario()))
                .findFirst()
                .orElseThrow();
        ParameterMatrix all = run.plan().matrix();
        ParameterMatrix one = new ParameterMatrix(
                List.of(first.heap()),
                List.of(users),
                all.messageSizes().stream().limit(1).toList(),
                all.queries().stream().limit(1).toList(),
                all.elements().stream().limit(1).toList(),
                List.of(first.backendDelay()),
                List.of(GatewayCpus.AUTO),
                List.of(),
                List.of(replicas.size()));
        return new PerfPlan(
                run.plan().product(),
                run.plan().profile(),
                List.of(scenario),
                one,
                SHORT,
                1,
                false,
                run.plan().backendHeap(),
                run.plan().loadGeneratorHeap());
    }

    private RunManifest info(PerfPlan plan) {
        return new RunManifest(
                RunManifest.SCHEMA_VERSION,
                "check",
                "",
                replicas.first().applicationName(),
                RunManifest.Variant.GATEWAY,
                plan,
                run.environment().name(),
                run.environment().hosts(NodeRole.LOAD_GENERATOR).size(),
                1,
                run.clock().instant(),
                Optional.empty(),
                Map.of(),
                List.of(),
                List.of());
    }

    private void remove() {
        try {
            FileTrees.delete(directory);
        } catch (IOException e) {
            throw new ReportException("cannot remove " + directory + ": " + e.getMessage(), e);
        }
    }
}
