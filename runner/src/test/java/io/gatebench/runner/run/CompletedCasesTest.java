/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.gateways.ProductRegistry;
import io.gatebench.model.DataSize;
import io.gatebench.model.FailureReason;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.model.TestTiming;
import io.gatebench.report.results.CaseChecksums;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.results.ResultsDirectory;
import io.gatebench.runner.plan.PlanDifference;

class CompletedCasesTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir
    private Path directory;

    private PerfPlan plan;
    private ResultsDirectory results;

    private static PerfPlan plan(List<Integer> users) {
        return new PerfPlan(
                "mi",
                "quick",
                ProductRegistry.load().products().stream()
                        .filter(product -> product.name().equals("mi"))
                        .findFirst()
                        .orElseThrow()
                        .scenarios()
                        .stream()
                        .limit(1)
                        .toList(),
                new ParameterMatrix(
                        List.of(DataSize.ofMebibytes(512)),
                        users,
                        List.of(500),
                        List.of(1),
                        List.of(1),
                        List.of(Duration.ZERO)),
                new TestTiming(Duration.ofSeconds(10), Duration.ofSeconds(4), Duration.ofSeconds(1)),
                1,
                false,
                DataSize.ofMebibytes(256),
                DataSize.ofMebibytes(256));
    }

    @BeforeEach
    void createResults() {
        plan = plan(List.of(1, 2, 3, 4, 5));
        results = ResultsDirectory.create(
                directory.resolve("r"),
                new RunManifest(
                        1,
                        "id",
                        "1",
                        "Gateway",
                        RunManifest.Variant.INTEGRATION,
                        plan,
                        "local",
                        1,
                        1,
                        NOW,
                        Optional.empty(),
                        Map.of(),
                        List.of(),
                        List.of()));
    }

    private Path completed(TestCase cell) throws IOException {
        Path there = Files.createDirectories(results.caseDirectory(cell, 1).resolve("load"));
        Files.writeString(there.resolve("series.csv"), "second\n1\n");
        results.write(new TestCaseResult.Completed(
                cell, 1, NOW, NOW, Loads.empty(NOW), Optional.empty(), List.of(), List.of(), Map.of()));
        CaseChecksums.write(results.caseDirectory(cell, 1));
        return results.caseDirectory(cell, 1);
    }

    @Test
    void keepsWhatIsWholeAndSetsTheRestAside() throws IOException {
        List<TestCase> cells = plan.testCases();
        completed(cells.get(0));
        Files.writeString(completed(cells.get(1)).resolve("load/series.csv"), "second\n2\n");
        Files.delete(completed(cells.get(2)).resolve("load/series.csv"));
        Files.createDirectories(results.caseDirectory(cells.get(3), 1).resolve("load"));
        results.write(new TestCaseResult.Failed(
                cells.get(4),
                1,
                NOW,
                NOW,
                FailureReason.HOST,
                "product could not be reached\nmore",
                Optional.empty(),
                List.of(),
                List.of(),
                List.of()));
        CaseChecksums.write(results.caseDirectory(cells.get(4), 1));

        CompletedCases earlier = CompletedCases.of(results, plan, "now");

        assertThat(earlier.count()).isEqualTo(1);
        assertThat(earlier.result(cells.get(0), 1)).containsInstanceOf(TestCaseResult.Completed.class);
        assertThat(earlier.redone().values())
                .containsExactly(
                        "load/series.csv is not what was written",
                        "load/series.csv is missing",
                        "it was not finished",
                        "it had failed: product could not be reached");
        assertThat(results.results()).hasSize(1);
        assertThat(results.caseDirectory(cells.get(1), 1)).doesNotExist();
        assertThat(directory.resolve("r/.replaced/now/" + cells.get(1).id() + "/load/series.csv"))
                .hasContent("second\n2");
    }

    @Test
    void checksumsAreThoseThatTheUsualToolChecks() throws IOException, InterruptedException {
        Path cell = completed(plan.testCases().get(0));
        Process check = new ProcessBuilder("sha256sum", "--check", "--strict", CaseChecksums.FILE)
                .directory(cell.toFile())
                .redirectErrorStream(true)
                .start();

        assertThat(new String(check.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                .contains("result.json: OK", "load/series.csv: OK");
        assertThat(check.waitFor()).isZero();
    }

    @Test
    void aResultsDirectoryHasOneRunAtATime() {
        ResultsLock first = ResultsLock.take(results.root(), "ann, process 1, since noon");
        assertThatThrownBy(() -> ResultsLock.take(results.root(), "bob"))
                .isInstanceOf(ReportException.class)
                .hasMessage("the results directory " + results.root()
                        + " is in use: ann, process 1, since noon; wait for its end");
        first.close();
        ResultsLock.take(results.root(), "bob").close();
        assertThat(results.root().resolve(".lock")).doesNotExist();
    }

    @Test
    void saysHowPlansDiffer() {
        PerfPlan other = new PerfPlan(
                plan.product(),
                plan.profile(),
                plan.scenarios(),
                plan(List.of(1, 2)).matrix(),
                new TestTiming(Duration.ofSeconds(20), Duration.ofSeconds(4), Duration.ofSeconds(1)),
                2,
                false,
                plan.backendHeap(),
                plan.loadGeneratorHeap());

        assertThat(PlanDifference.between(plan, plan)).isEmpty();
        assertThat(PlanDifference.between(plan, other))
                .containsExactly(
                        "users: was [1, 2, 3, 4, 5], is [1, 2]", "duration: was 10s, is 20s", "repeat: was 1, is 2");
    }
}
