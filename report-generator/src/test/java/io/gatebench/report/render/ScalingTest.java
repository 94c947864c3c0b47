/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import io.gatebench.model.DataSize;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.SampleRuns;
import io.gatebench.report.options.ReportOptions;
import io.gatebench.report.summary.SummaryRows;
import io.gatebench.report.summary.SummaryTable;
import io.gatebench.report.verdict.Finding;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Rule;
import io.gatebench.report.verdict.Verdict;

class ScalingTest {

    private static RunManifest info(GatewayCpus... cpus) {
        return info(List.of(cpus), List.of());
    }

    private static RunManifest info(List<GatewayCpus> cpus, List<DataSize> memory) {
        return info(cpus, memory, List.of(1));
    }

    private static RunManifest info(List<GatewayCpus> cpus, List<DataSize> memory, List<Integer> replicas) {
        ParameterMatrix matrix = new ParameterMatrix(
                List.of(DataSize.parse("2G")),
                List.of(50, 100),
                List.of(50),
                List.of(),
                List.of(),
                List.of(Duration.ZERO),
                cpus,
                memory,
                replicas);
        return SampleRuns.info(
                "Gateway",
                RunManifest.Variant.GATEWAY,
                SampleRuns.plan(
                        List.of(SampleRuns.scenario("passthrough", "Passthrough", "An API.", PayloadKind.JSON_ARRAY)),
                        matrix,
                        60,
                        10),
                "local");
    }

    @Test
    void dividesByTheProcessorsOfAllReplicas() {
        RunManifest info = info(List.of(GatewayCpus.of(0.5)), List.of(), List.of(1, 4));
        List<TestCaseResult.Completed> results = new ArrayList<>();
        for (TestCase cell : info.plan().testCases()) {
            results.add(SampleRuns.completed(cell, 1, cell.gatewayReplicas() == 1 ? 100 : 300, 0));
        }

        assertThat(Scaling.limits(info)).containsExactly("0.5, 1 replica", "0.5, 4 replicas");
        assertThat(rows(info, results, List.of(Verdict.VALID, Verdict.VALID, Verdict.VALID, Verdict.VALID))
                        .get(0))
                .containsExactly(
                        "passthrough/2G_heap/50_users/50B/0ms_sleep", "100 (200), 1500 ms", "300 (150), 500 ms");
        // A test case of one gateway without a limit stands beside the others too.
        assertThat(Scaling.limits(info(List.of(GatewayCpus.AUTO), List.of(), List.of(1, 2))))
                .containsExactly("1 replica", "2 replicas");
    }

    private static TestCaseResult.Completed measured(int users, GatewayCpus cpus, int repeat, double throughput) {
        TestCase testCase = new TestCase(
                "passthrough",
                DataSize.parse("2G"),
                users,
                MessageLevel.bytes(50),
                Duration.ZERO,
                cpus,
                Optional.empty(),
                1);
        return SampleRuns.completed(testCase, repeat, throughput, 0);
    }

    private static List<List<String>> rows(
            RunManifest info, List<TestCaseResult.Completed> results, List<Verdict> ofRows) {
        SummaryTable table = SummaryRows.of(info, results, ReportOptions.defaults());
        return Scaling.rows(info, results, table, ofRows);
    }

    @Test
    void setsTheFiguresOfTheRowsBesideEachOtherWithTheirDoubts() {
        GatewayCpus one = GatewayCpus.of(1);
        GatewayCpus two = GatewayCpus.of(2);
        Verdict doubtful = Verdict.of(List.of(new Finding(Rule.NOT_STEADY, Level.DOUBTFUL, "it was not steady")));

        assertThat(Scaling.limits(info(one, two))).containsExactly("1", "2");
        assertThat(rows(
                        info(one, two),
                        List.of(
                                measured(50, one, 1, 1000),
                                measured(50, two, 1, 1500),
                                // Three repeats stand in the table with the one in the middle, not with their mean.
                                measured(100, one, 1, 900),
                                measured(100, one, 2, 1100),
                                measured(100, one, 3, 1900)),
                        List.of(Verdict.VALID, doubtful, Verdict.VALID)))
                .containsExactly(
                        List.of(
                                "passthrough/2G_heap/50_users/50B/0ms_sleep",
                                "1000 (1000), 150 ms",
                                "1500 (750), 100 ms doubtful"),
                        List.of("passthrough/2G_heap/100_users/50B/0ms_sleep", "1100 (1100), 272.7 ms", "-"));
    }

    @Test
    void hasAColumnForEachPairOfLimitsAndNoFigurePerProcessorWithoutANumber() {
        GatewayCpus half = GatewayCpus.of(0.5);
        DataSize small = DataSize.parse("512M");
        DataSize large = DataSize.parse("1G");

        assertThat(Scaling.limits(info(List.of(half, GatewayCpus.AUTO), List.of(small, large))))
                .containsExactly("0.5, 512M", "0.5, 1G", "512M", "1G");
        RunManifest ofMemory = info(List.of(GatewayCpus.AUTO), List.of(small, large));
        assertThat(rows(
                        ofMemory,
                        List.of(
                                SampleRuns.completed(limited(GatewayCpus.AUTO, small), 1, 1000, 0),
                                SampleRuns.completed(limited(GatewayCpus.AUTO, large), 1, 1500, 0)),
                        List.of(Verdict.VALID, Verdict.VALID)))
                .containsExactly(List.of("passthrough/2G_heap/50_users/50B/0ms_sleep", "1000, 150 ms", "1500, 100 ms"));
    }

    private static TestCase limited(GatewayCpus cpus, DataSize memory) {
        return new TestCase(
                "passthrough",
                DataSize.parse("2G"),
                50,
                MessageLevel.bytes(50),
                Duration.ZERO,
                cpus,
                Optional.of(memory),
                1);
    }

    @Test
    void hasNothingToSetBesideASingleNumber() {
        GatewayCpus one = GatewayCpus.of(1);

        assertThat(Scaling.limits(info(one, GatewayCpus.ALL))).isEmpty();
        assertThat(rows(info(one), List.of(measured(50, one, 1, 1000)), List.of(Verdict.VALID)))
                .isEmpty();
    }
}
