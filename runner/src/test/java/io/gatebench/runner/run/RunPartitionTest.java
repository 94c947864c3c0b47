/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.model.NodeRole;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.results.CaseChecksums;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.runner.plan.PlanBuilder;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.spi.Environment;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunListener;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.RoleJars;

class RunPartitionTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir
    private Path directory;

    private final Interruption interruption = new Interruption();
    private final List<String> notes = new ArrayList<>();
    private RunPlan plan;
    private ResultsDirectory results;

    @BeforeEach
    void makePlan() {
        PlanInput input = new PlanInput();
        input.put(PlanKey.PRODUCT, new PlanInput.Entry(List.of("mi"), "--product"));
        input.put(PlanKey.SCENARIO, new PlanInput.Entry(List.of("DirectProxy"), "--scenario"));
        input.put(PlanKey.USERS, new PlanInput.Entry(List.of("1", "2", "3", "4"), "--users"));
        plan = new PlanBuilder(ProductRegistry.load().products()).build(input);
        results = ResultsDirectory.create(
                directory.resolve("r"),
                new RunManifest(
                        1,
                        "id",
                        "1",
                        "Gateway",
                        RunManifest.Variant.INTEGRATION,
                        plan.plan(),
                        "aws",
                        1,
                        2,
                        NOW,
                        Optional.empty(),
                        Map.of(),
                        List.of(),
                        List.of()));
    }

    /** Machines of which nothing but their use is known. */
    private record Machines(Optional<String> problem) implements Environment {
        @Override
        public String name() {
            return "aws";
        }

        @Override
        public List<Host> hosts(NodeRole role) {
            throw new IllegalStateException("nothing is to be measured here");
        }

        @Override
        public List<String> notes() {
            return List.of();
        }

        @Override
        public void close() {}
    }

    private RunPartition part(int number, Set<TestCase> cells, String problem) {
        RunListener listener = new SerializedRunListener(new RunListener() {
            @Override
            public void note(String text) {
                notes.add(text);
            }
        });
        RunContext context = new RunContext(
                plan.plan(),
                new Machines(Optional.of(problem).filter(text -> !text.isEmpty())),
                new RoleJars(directory.resolve("jars")),
                directory,
                plan.gatewayPort(),
                plan.backendPort(),
                Clock.systemUTC(),
                listener);
        return new RunPartition(
                "-" + number,
                context,
                plan,
                Replicas.one(context, plan.furtherGateway().get()),
                results,
                CompletedCases.none(),
                new MatrixRunner.Share(cells, false, new AtomicReference<>()),
                interruption);
    }

    private Set<TestCase> cells(int from, int to) {
        return new LinkedHashSet<>(plan.plan().testCases().subList(from, to));
    }

    @Test
    void failsTheCellsOfTheStackThatCannotBeUsedAndNoOthers() {
        int all = plan.plan().testCases().size();
        List<TestCaseResult> got =
                RunPartition.runAll(List.of(part(1, Set.of(), ""), part(2, cells(all - 2, all), "no login")));

        assertThat(got)
                .hasSize(2)
                .allSatisfy(result -> assertThat(result)
                        .isInstanceOfSatisfying(
                                TestCaseResult.Failed.class,
                                failed -> assertThat(failed.detail())
                                        .isEqualTo("the stack of machines for this test case could not be used: no "
                                                + "login")));
        assertThat(results.results()).containsExactlyInAnyOrderElementsOf(got);
        assertThat(got)
                .allSatisfy(result -> assertThat(CaseChecksums.problems(results.caseDirectory(result.testCase(), 1)))
                        .isEmpty());
        assertThat(notes).containsExactly("stack 2 measures nothing: no login");
    }

    @Test
    void endsWithAllProblemsWhereNoStackCanBeUsed() {
        assertThatThrownBy(() ->
                        RunPartition.runAll(List.of(part(1, cells(0, 1), "no login"), part(2, cells(1, 2), "no java"))))
                .isInstanceOf(EnvironmentException.class)
                .hasMessageContaining("stack 1: no login")
                .hasMessageContaining("stack 2: no java");
        assertThat(results.results()).isEmpty();
    }

    @Test
    void failsNothingAfterTheUserHasEndedTheRun() {
        interruption.request();
        List<TestCaseResult> got =
                RunPartition.runAll(List.of(part(1, Set.of(), ""), part(2, cells(0, 1), "no login")));
        assertThat(got).singleElement().isInstanceOf(TestCaseResult.Skipped.class);
        assertThat(results.results()).isEmpty();
    }
}
