/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.FailureReason;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.RunManifest;
import io.gatebench.model.ScenarioSteps;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestScenario;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.runner.fake.FakeEnvironment;
import io.gatebench.runner.fake.FakeGateway;
import io.gatebench.runner.fake.FakeProcess;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunListener;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.role.RoleJars;
import io.gatebench.spi.role.RoleStartException;

/** Each way in which a case can end, on processes that a test plans: only the requests of the probes are real. */
class CaseRunnerTest extends OnFakes {

    private RunPlan plan;
    private ResultsDirectory results;

    private CaseRunner runner() {
        plan = plan();
        results = ResultsDirectory.create(
                directory.resolve("results"),
                new RunManifest(
                        1,
                        "id",
                        "1",
                        FakeGateway.NAME,
                        RunManifest.Variant.INTEGRATION,
                        plan.plan(),
                        "local",
                        1,
                        2,
                        NOW,
                        Optional.empty(),
                        Map.of(),
                        List.of(),
                        List.of()));
        RunContext context = new RunContext(
                plan.plan(),
                new FakeEnvironment(host),
                new RoleJars(directory.resolve("jars")),
                directory,
                plan.gatewayPort(),
                plan.backendPort(),
                clock,
                new RunListener() {
                    @Override
                    public void note(String text) {
                        notes.add(text);
                    }
                });
        return new CaseRunner(
                context,
                Replicas.one(context, gateway),
                results,
                interruption,
                new LoadSettings(plan.httpClient(), plan.payload(), plan.load(), 0, false));
    }

    private TestCaseResult run() {
        try (CaseRunner runner = runner()) {
            return run(runner, 0);
        }
    }

    private TestCaseResult run(CaseRunner runner, int number) {
        return run(runner, plan.plan().scenarios().get(0), number);
    }

    private TestCaseResult run(CaseRunner runner, TestScenario scenario, int number) {
        List<TestCase> cases = plan.plan().testCases();
        return runner.run(
                scenario, cases.get(number), 1, cases.stream().skip(number + 1L).findFirst());
    }

    private void failed(TestCaseResult result, FailureReason reason, String detail) {
        assertThat(result).isInstanceOfSatisfying(TestCaseResult.Failed.class, failed -> {
            assertThat(failed.reason()).isEqualTo(reason);
            assertThat(failed.detail()).contains(detail);
        });
        assertThat(host.started())
                .as("nothing is kept after a case that failed")
                .noneMatch(FakeProcess::isAlive);
    }

    @Test
    void measures() {
        TestCaseResult result = run();

        assertThat(result).isInstanceOfSatisfying(TestCaseResult.Completed.class, completed -> {
            assertThat(completed.load().measurement().get(0).samples()).isEqualTo(100);
            assertThat(completed.processes())
                    .extracting(ProcessReport::role)
                    .containsExactlyInAnyOrder(NodeRole.BACKEND, NodeRole.GATEWAY, NodeRole.LOAD_GENERATOR);
            assertThat(completed.facts()).containsKey("gateway.url");
        });
        assertThat(host.started()).hasSize(3).noneMatch(FakeProcess::isAlive);
    }

    /** Load generators elsewhere have no files of this machine. */
    @Test
    void sendsTheRowsOfACsvToTheLoadGenerator() throws IOException {
        Path rows = Files.writeString(directory.resolve("items.csv"), "item\ntea\n");
        ScenarioSteps.Step create = new ScenarioSteps.Step(
                "create", "POST", "/first", Map.of(), Optional.of("${item}"), ResponseCheck.ok(), List.of());
        ScenarioSteps steps = new ScenarioSteps(
                List.of(new ScenarioSteps.Route("order", 1, List.of(create))),
                Optional.of(new ScenarioSteps.Data(rows, true)));
        List<String> sent = new ArrayList<>();
        loadGenerator(
                spec -> {
                    LoadRequest request =
                            LoadRequest.read(Path.of(spec.directory()).resolve("request.json"));
                    ScenarioSteps.Data data =
                            request.scenario().steps().orElseThrow().data().orElseThrow();
                    assertThat(data.file()).startsWith(Path.of(host.workDirectory()));
                    assertThat(data.unique()).isTrue();
                    sent.addAll(lines(data.file()));
                    return measured(100, 0);
                },
                0);

        try (CaseRunner runner = runner()) {
            TestScenario scenario = plan.plan().scenarios().get(0).withSteps(Optional.of(steps));
            assertThat(run(runner, scenario, 0)).isInstanceOf(TestCaseResult.Completed.class);
        }
        assertThat(sent).containsExactly("item", "tea");
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void failsIfTheBackEndEndsBeforeItIsReady() {
        host.program(BACKEND, spec -> {
            FakeProcess process = new FakeProcess(spec.name(), "");
            process.end(7);
            return process;
        });

        failed(run(), FailureReason.START, "Netty Service ended before it was ready (exit code 7)");
    }

    @Test
    void failsIfTheBackEndIsNotReadyInTime() {
        host.program(BACKEND, spec -> new FakeProcess(spec.name(), "still thinking\n"));

        failed(run(), FailureReason.START, "was not ready within 30 s; its last lines:\nstill thinking");
    }

    @Test
    void failsIfTheGatewayDoesNotStart() {
        gateway.beforeStart(() -> {
            throw new RoleStartException("no such file");
        });

        failed(run(), FailureReason.START, "no such file");
    }

    @Test
    void startsAGatewayOnceMoreWhosePortAnotherProgramTook() {
        gateway.beforeStart(() -> {
            if (gateway.starts() == 1) {
                throw new RoleStartException("Address already in use");
            }
        });

        assertThat(run()).isInstanceOf(TestCaseResult.Completed.class);
        assertThat(notes).anyMatch(note -> note.contains("another program took a port while the gateway started"));
    }

    @Test
    void failsIfTheHostIsLost() {
        gateway.beforeStart(() -> {
            throw new HostException("silent for 60 s");
        });

        failed(run(), FailureReason.HOST, "silent for 60 s");
    }

    @Test
    void saysThatTheUserEndedItAndNotThatTheHostIsLost() {
        gateway.beforeStart(() -> {
            interruption.request();
            throw new HostException("interrupted while the gateway was starting");
        });

        failed(run(), FailureReason.INTERRUPTED, "interrupted");
    }

    @Test
    void endsBeforeTheProbesIfTheUserEndsIt() {
        gateway.beforeStart(interruption::request);

        failed(run(), FailureReason.INTERRUPTED, "the run was interrupted");
    }

    @Test
    void endsWhileTheLoadRunsIfTheUserEndsIt() {
        clock.after(Duration.ofSeconds(20), interruption::request);

        failed(run(), FailureReason.INTERRUPTED, "the run was interrupted while the load ran");
    }

    @Test
    void failsIfTheGatewayAnswersAProbeWrongly() {
        status = 500;

        failed(run(), FailureReason.PROBE, "the gateway answered wrongly before the load: valid request");
    }

    @Test
    void failsIfTheGatewayEndsWhileItIsProbed() {
        server.stop(0);
        clock.after(Duration.ofSeconds(1), () -> host.last(FakeGateway.NAME).end(137));

        failed(run(), FailureReason.PROCESS_DIED, "ended while the gateway was probed (exit code 137)");
    }

    @Test
    void failsIfTheGatewayEndsWhileTheLoadRuns() {
        clock.after(Duration.ofSeconds(20), () -> host.last(FakeGateway.NAME).end(137));

        failed(run(), FailureReason.PROCESS_DIED, "Fake Gateway ended while the load ran (exit code 137)");
    }

    @Test
    void failsIfTheGatewayEndsWithTheLoad() {
        loadGenerator(
                spec -> {
                    host.last(FakeGateway.NAME).end(1);
                    return measured(100, 0);
                },
                0);

        failed(run(), FailureReason.PROCESS_DIED, "Fake Gateway ended");
    }

    @Test
    void failsIfTheLoadGeneratorDies() {
        loadGenerator(spec -> Optional.empty(), 134);

        failed(run(), FailureReason.PROCESS_DIED, "the load generator on fake ended");
    }

    @Test
    void failsIfTheLoadGeneratorDoesNotEnd() {
        host.program(LOAD_GENERATOR, spec -> new FakeProcess(spec.name(), ""));

        failed(run(), FailureReason.PROCESS_DIED, "the load generator did not end in time");
    }

    @Test
    void failsIfTheLoadIsEndedEarlyAndKeepsWhatWasMeasured() {
        loadGenerator(spec -> measured(10, 10), LoadGenerators.ABORTED_EARLY);

        TestCaseResult result = run();

        failed(result, FailureReason.LOAD, "the load was ended early");
        assertThat(((TestCaseResult.Failed) result).load()).isPresent();
    }

    @Test
    void failsIfTheLoadGeneratorLeavesNothing() {
        loadGenerator(spec -> Optional.empty(), 0);

        failed(run(), FailureReason.LOAD, "the load generator left no result");
    }

    @Test
    void failsIfAllSamplesFailed() {
        loadGenerator(spec -> measured(10, 10), 0);

        failed(
                run(),
                FailureReason.LOAD,
                "all 10 samples of the measurement window failed: 10 x 500 Internal Server Error");
    }

    @Test
    void failsIfNoSampleFellIntoTheWindow() {
        loadGenerator(spec -> measured(0, 0), 0);

        failed(run(), FailureReason.NO_SAMPLES, "no sample fell into the measurement window");
    }

    @Test
    void failsIfTheResultCannotBeRead() {
        loadGenerator(
                spec -> {
                    write(Path.of(spec.directory()), measured(1, 0).orElseThrow());
                    try {
                        Files.writeString(Path.of(spec.directory(), JMeterLoadDriver.LOAD_FILE), "{");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    return Optional.empty();
                },
                0);

        failed(run(), FailureReason.OTHER, "is no result of a load generator");
    }

    @Test
    void keepsGatewayAndBackEndForTheNextCaseWhereThePlanSaysSo() {
        users = List.of("1", "2");
        restart = "never";
        try (CaseRunner runner = runner()) {
            assertThat(run(runner, 0)).isInstanceOf(TestCaseResult.Completed.class);
            assertThat(host.last(FakeGateway.NAME).isAlive()).isTrue();
            assertThat(host.last(BACKEND).isAlive()).isTrue();

            TestCaseResult second = run(runner, 1);

            assertThat(second)
                    .isInstanceOfSatisfying(
                            TestCaseResult.Completed.class,
                            completed -> assertThat(completed.facts())
                                    .containsEntry(
                                            "gateway.served.before",
                                            plan.plan().testCases().get(0).id()));
        }
        assertThat(gateway.starts()).isEqualTo(1);
        assertThat(host.started()).noneMatch(FakeProcess::isAlive);
    }

    @Test
    void keepsNothingAfterACaseThatFailed() {
        users = List.of("1", "2");
        restart = "never";
        loadGenerator(spec -> measured(0, 0), 0);
        try (CaseRunner runner = runner()) {
            failed(run(runner, 0), FailureReason.NO_SAMPLES, "no sample");
            loadGenerator(spec -> measured(100, 0), 0);

            assertThat(run(runner, 1)).isInstanceOf(TestCaseResult.Completed.class);
        }
        assertThat(gateway.starts()).isEqualTo(2);
    }

    @Test
    void startsAGatewayAnewThatEndedBetweenTwoCases() {
        users = List.of("1", "2");
        restart = "never";
        try (CaseRunner runner = runner()) {
            assertThat(run(runner, 0)).isInstanceOf(TestCaseResult.Completed.class);
            host.last(FakeGateway.NAME).end(1);

            assertThat(run(runner, 1)).isInstanceOf(TestCaseResult.Completed.class);
        }
        assertThat(gateway.starts()).isEqualTo(2);
        assertThat(notes).anyMatch(note -> note.contains("both are started anew"));
    }
}
