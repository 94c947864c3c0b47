/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

class PerfPlanTest {

    @Test
    void expandsHeapThenScenarioThenUsersThenMessageThenDelay() {
        PerfPlan plan = plan(
                List.of(scenario("echo", PayloadKind.JSON_ARRAY), scenario("graph", PayloadKind.GRAPHQL_QUERY)),
                new ParameterMatrix(
                        List.of(DataSize.parse("1G"), DataSize.parse("2G")),
                        List.of(10, 20),
                        List.of(50),
                        List.of(1, 2),
                        List.of(),
                        List.of(Duration.ZERO, Duration.ofMillis(30))));

        List<String> ids = plan.testCases().stream().map(TestCase::id).toList();

        assertThat(ids).hasSize(2 * (2 * 1 * 2 + 2 * 2 * 2)).doesNotHaveDuplicates();
        assertThat(ids.subList(0, 6))
                .containsExactly(
                        "echo/1G_heap/10_users/50B/0ms_sleep",
                        "echo/1G_heap/10_users/50B/30ms_sleep",
                        "echo/1G_heap/20_users/50B/0ms_sleep",
                        "echo/1G_heap/20_users/50B/30ms_sleep",
                        "graph/1G_heap/10_users/1_query/0ms_sleep",
                        "graph/1G_heap/10_users/1_query/30ms_sleep");
        assertThat(ids.get(12)).startsWith("echo/2G_heap/");
    }

    @Test
    void givesEachNumberOfProcessorsCellsOfItsOwnWithinAHeap() {
        PerfPlan plan = plan(
                List.of(scenario("echo", PayloadKind.JSON_ARRAY), scenario("other", PayloadKind.JSON_ARRAY)),
                new ParameterMatrix(
                        List.of(DataSize.parse("1G")),
                        List.of(10),
                        List.of(50),
                        List.of(),
                        List.of(),
                        List.of(Duration.ZERO),
                        List.of(GatewayCpus.of(1), GatewayCpus.of(0.5), GatewayCpus.AUTO),
                        List.of(),
                        List.of(1)));

        assertThat(plan.testCases().stream().map(TestCase::id))
                .containsExactly(
                        "echo/1G_heap/10_users/50B/0ms_sleep/1_cpus",
                        "other/1G_heap/10_users/50B/0ms_sleep/1_cpus",
                        "echo/1G_heap/10_users/50B/0ms_sleep/0.5_cpus",
                        "other/1G_heap/10_users/50B/0ms_sleep/0.5_cpus",
                        "echo/1G_heap/10_users/50B/0ms_sleep",
                        "other/1G_heap/10_users/50B/0ms_sleep");
        assertThat(GatewayCpus.parse("0.5")).isEqualTo(GatewayCpus.of(0.5)).hasToString("0.5");
        assertThat(GatewayCpus.parse("all")).isEqualTo(GatewayCpus.ALL).hasToString("all");
        assertThatThrownBy(() -> GatewayCpus.parse("-1"))
                .hasMessage("must be auto, all or a number of processors but was '-1'");
    }

    @Test
    void crossesTheMemoryOfTheGatewayWithItsProcessors() {
        PerfPlan plan = plan(
                List.of(scenario("echo", PayloadKind.JSON_ARRAY)),
                new ParameterMatrix(
                        List.of(DataSize.parse("256M")),
                        List.of(10),
                        List.of(50),
                        List.of(),
                        List.of(),
                        List.of(Duration.ZERO),
                        List.of(GatewayCpus.of(0.5), GatewayCpus.AUTO),
                        List.of(DataSize.parse("512M"), DataSize.parse("1G")),
                        List.of(1)));

        assertThat(plan.testCases().stream().map(TestCase::id))
                .containsExactly(
                        "echo/256M_heap/10_users/50B/0ms_sleep/0.5_cpus/512M_memory",
                        "echo/256M_heap/10_users/50B/0ms_sleep/0.5_cpus/1G_memory",
                        "echo/256M_heap/10_users/50B/0ms_sleep/512M_memory",
                        "echo/256M_heap/10_users/50B/0ms_sleep/1G_memory");
        assertThat(plan.testCases().stream().map(TestCase::unlimited).distinct())
                .extracting(TestCase::id)
                .containsExactly("echo/256M_heap/10_users/50B/0ms_sleep");
    }

    @Test
    void crossesTheReplicasOfTheGatewayWithItsLimits() {
        PerfPlan plan = plan(
                List.of(scenario("echo", PayloadKind.JSON_ARRAY)),
                new ParameterMatrix(
                        List.of(DataSize.parse("256M")),
                        List.of(12),
                        List.of(50),
                        List.of(),
                        List.of(),
                        List.of(Duration.ZERO),
                        List.of(GatewayCpus.of(0.5), GatewayCpus.AUTO),
                        List.of(),
                        List.of(1, 4)));

        assertThat(plan.testCases().stream().map(TestCase::id))
                .containsExactly(
                        "echo/256M_heap/12_users/50B/0ms_sleep/0.5_cpus",
                        "echo/256M_heap/12_users/50B/0ms_sleep/0.5_cpus/4_replicas",
                        "echo/256M_heap/12_users/50B/0ms_sleep",
                        "echo/256M_heap/12_users/50B/0ms_sleep/4_replicas");
        assertThat(plan.testCases().stream().map(TestCase::unlimited).distinct())
                .extracting(TestCase::id)
                .containsExactly("echo/256M_heap/12_users/50B/0ms_sleep");
    }

    @Test
    void refusesTimesThatContradictEachOther() {
        assertThatThrownBy(() -> timing(120, 300, 0))
                .hasMessage("warm-up (300s) must be shorter than the duration (120s); shorten --warm-up or lengthen"
                        + " --duration");
        assertThatThrownBy(() -> timing(120, 30, 60))
                .hasMessage(
                        "ramp-up (60s) must not outlast the warm-up (30s); shorten --ramp-up or lengthen --warm-up");
        assertThat(timing(120, 60, 60).measurement()).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void figuresAreFiniteOrAbsentWithAReason() {
        assertThatThrownBy(() -> MeasuredValue.of(Double.NaN))
                .hasMessage("a measured figure must be finite but was NaN");
        assertThatThrownBy(() -> MeasuredValue.absent(" ")).hasMessage("an absent figure must say why");
        assertThat(MeasuredValue.of(2).<String>fold(v -> "m" + v, r -> r)).isEqualTo("m2.0");
        assertThat(MeasuredValue.absent("no log").<String>fold(v -> "m" + v, r -> r))
                .isEqualTo("no log");
    }

    private static TestTiming timing(int duration, int warmUp, int rampUp) {
        return new TestTiming(Duration.ofSeconds(duration), Duration.ofSeconds(warmUp), Duration.ofSeconds(rampUp));
    }

    private static PerfPlan plan(List<TestScenario> scenarios, ParameterMatrix matrix) {
        return new PerfPlan(
                "p",
                "quick",
                scenarios,
                matrix,
                timing(10, 5, 1),
                1,
                false,
                DataSize.parse("1G"),
                DataSize.parse("1G"));
    }

    private static TestScenario scenario(String name, PayloadKind payload) {
        return new TestScenario(
                name,
                name,
                name,
                false,
                "POST",
                "/" + name,
                Map.of(),
                payload,
                TokenKind.NONE,
                ResponseCheck.ok(),
                List.of());
    }
}
