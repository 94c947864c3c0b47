/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.gatebench.load.LoadGeneratorMain;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.model.FailureReason;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ProcessReport;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.runner.fake.FakeEnvironment;
import io.gatebench.runner.fake.FakeGateway;
import io.gatebench.runner.fake.FakeHost;
import io.gatebench.runner.fake.FakeProcess;
import io.gatebench.runner.fake.FakeProduct;
import io.gatebench.runner.plan.PlanBuilder;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunListener;
import io.gatebench.spi.role.RoleJars;
import io.gatebench.spi.role.RoleStartException;

/** A gateway with replicas on processes that a test plans; what load generators leave is merged in {@code ReplicasIT}. */
class ReplicasTest extends OnFakes {

    private final List<FakeHost> gatewayHosts = new ArrayList<>();
    private final List<FakeHost> generators = new ArrayList<>();
    private final List<URI> targets = new ArrayList<>();
    private FakeGateway second;

    @BeforeEach
    void makeHosts() {
        // The same server by another name.
        second = new FakeGateway(
                URI.create("http://localhost:" + server.getAddress().getPort()));
        for (int number = 1; number <= 2; number++) {
            gatewayHosts.add(new FakeHost("gateway-" + number, directory.resolve("gateway-" + number)));
            FakeHost generator = new FakeHost("load-" + number, directory.resolve("load-" + number));
            int ending = number;
            generator.program("JMeter Server " + number, spec -> {
                FakeProcess process = new FakeProcess(spec.name(), LoadGeneratorMain.READY + "\n");
                // The clock has one event for each instant.
                clock.after(MINUTE.plusMillis(ending), () -> {
                    targets.add(LoadRequest.read(Path.of(spec.directory()).resolve("request.json"))
                            .target());
                    write(Path.of(spec.directory()), measured(100, 0).orElseThrow());
                    process.end(0);
                });
                return process;
            });
            generators.add(generator);
        }
    }

    private TestCaseResult run(int cell) {
        PlanInput input = new PlanInput();
        input.option(PlanKey.PRODUCT, FakeProduct.NAME);
        input.option(PlanKey.SCENARIO, "first");
        input.option(PlanKey.USERS, "4");
        input.option(PlanKey.RESTART, "case");
        input.option(PlanKey.GATEWAY_REPLICAS, "1,2");
        RunPlan plan =
                new PlanBuilder(List.of(new FakeProduct(gateway))).limited().build(input);
        ResultsDirectory results = ResultsDirectory.create(
                directory.resolve("results"),
                new RunManifest(
                        1,
                        "id",
                        "1",
                        FakeGateway.NAME,
                        RunManifest.Variant.INTEGRATION,
                        plan.plan(),
                        "kubernetes",
                        2,
                        1,
                        NOW,
                        Optional.empty(),
                        Map.of(),
                        List.of(),
                        List.of()));
        RunContext context = new RunContext(
                plan.plan(),
                new FakeEnvironment(
                        "kubernetes",
                        Map.of(
                                NodeRole.GATEWAY, List.copyOf(gatewayHosts),
                                NodeRole.BACKEND, List.of(host),
                                NodeRole.LOAD_GENERATOR, List.copyOf(generators)),
                        true),
                new RoleJars(directory.resolve("jars")),
                directory,
                plan.gatewayPort(),
                plan.backendPort(),
                clock,
                new RunListener() {});
        try (CaseRunner runner = new CaseRunner(
                context,
                Replicas.of(context, gateway, () -> second),
                results,
                interruption,
                new LoadSettings(plan.httpClient(), plan.payload(), plan.load(), 0, false))) {
            return runner.run(
                    plan.plan().scenarios().get(0), plan.plan().testCases().get(cell), 1, Optional.empty());
        }
    }

    private static List<ProcessReport> gateways(TestCaseResult result) {
        List<ProcessReport> all = result.fold(
                TestCaseResult.Completed::processes, TestCaseResult.Failed::processes, skipped -> List.of());
        return all.stream()
                .filter(process -> process.role() == NodeRole.GATEWAY)
                .toList();
    }

    private void failed(TestCaseResult result, FailureReason reason, String detail) {
        assertThat(result).isInstanceOfSatisfying(TestCaseResult.Failed.class, failed -> {
            assertThat(failed.reason()).isEqualTo(reason);
            assertThat(failed.detail()).contains(detail);
        });
        assertThat(gatewayHosts).flatExtracting(FakeHost::started).noneMatch(FakeProcess::isAlive);
    }

    @Test
    void getTheLoadInTurnAndAreReportedOneByOne() {
        TestCaseResult result = run(1);

        assertThat(targets).extracting(URI::getHost).containsExactlyInAnyOrder("127.0.0.1", "localhost");
        assertThat(gateways(result)).extracting(ProcessReport::host).containsExactly("gateway-1", "gateway-2");
        assertThat(gateways(result))
                .extracting(ProcessReport::name)
                .containsExactly(FakeGateway.NAME + " 1", FakeGateway.NAME + " 2");
        assertThat(gateways(result)).extracting(ProcessReport::directory).containsExactly("gateway-1", "gateway-2");
    }

    @Test
    void areNotStartedInACaseOfOneGateway() {
        TestCaseResult result = run(0);

        assertThat(second.starts()).isZero();
        assertThat(gatewayHosts.get(1).started()).isEmpty();
        assertThat(targets).extracting(URI::getHost).containsExactly("127.0.0.1", "127.0.0.1");
        assertThat(gateways(result)).extracting(ProcessReport::name).containsExactly(FakeGateway.NAME);
    }

    @Test
    void failTheCaseIfOneOfThemEnds() {
        clock.after(
                Duration.ofSeconds(20),
                () -> gatewayHosts.get(1).last(FakeGateway.NAME).end(137));

        failed(
                run(1),
                FailureReason.PROCESS_DIED,
                FakeGateway.NAME + " on gateway-2 ended while the load ran (exit code 137)");
    }

    @Test
    void areStoppedIfOneOfThemDoesNotStart() {
        second.beforeStart(() -> {
            throw new RoleStartException("the second one does not start");
        });

        failed(run(1), FailureReason.START, "the second one does not start");
        assertThat(gatewayHosts.get(0).started()).isNotEmpty();
    }
}
