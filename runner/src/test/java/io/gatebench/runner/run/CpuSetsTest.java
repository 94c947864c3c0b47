/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import io.gatebench.model.DataSize;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.GatewayRestart;
import io.gatebench.model.NodeRole;
import io.gatebench.model.ParameterMatrix;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.PerfPlan;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;
import io.gatebench.settings.PlanException;
import io.gatebench.spi.Environment;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;

class CpuSetsTest {

    private static final String NO_LIMIT = "quota max\n";
    private static final TestScenario SCENARIO = new TestScenario(
            "echo",
            "Echo",
            "",
            false,
            "POST",
            "/echo",
            Map.of(),
            PayloadKind.JSON_ARRAY,
            TokenKind.NONE,
            new ResponseCheck(200, Optional.empty(), true, false),
            List.of());

    /** A host of which nothing is known but its processors. */
    private static Host host(String name, String answer) {
        return (Host) Proxy.newProxyInstance(
                CpuSetsTest.class.getClassLoader(),
                new Class<?>[] {Host.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "name" -> name;
                    case "run" ->
                        answer.isEmpty() && ((List<?>) arguments[0]).get(0).equals("taskset")
                                ? new CommandResult(127, "", "taskset: not found\n")
                                : new CommandResult(0, answer.isEmpty() ? threads(2) : answer, "");
                    default -> throw new IllegalStateException(method.getName());
                });
    }

    /** Numbers of a machine whose kernel counts all cores first and their second threads after them. */
    private static String threads(int processors) {
        return IntStream.range(0, processors)
                        .mapToObj(n -> "cpu " + n + " 0 " + n % Math.max(1, processors / 2) + "\n")
                        .collect(Collectors.joining())
                + NO_LIMIT;
    }

    private static Environment on(Host gateway, Host others) {
        return new Environment() {
            @Override
            public String name() {
                return "test";
            }

            @Override
            public List<Host> hosts(NodeRole role) {
                return List.of(role == NodeRole.GATEWAY ? gateway : others);
            }

            @Override
            public List<String> notes() {
                return List.of();
            }

            @Override
            public void close() {}
        };
    }

    private static Environment alone(String answer) {
        Host host = host("one", answer);
        return on(host, host);
    }

    private static PerfPlan plan(GatewayCpus... cpus) {
        return new PerfPlan(
                "apim",
                "quick",
                List.of(SCENARIO),
                new ParameterMatrix(
                        List.of(DataSize.ofMebibytes(512)),
                        List.of(10),
                        List.of(50),
                        List.of(),
                        List.of(),
                        List.of(Duration.ZERO),
                        Arrays.asList(cpus),
                        List.of(),
                        List.of(1)),
                new TestTiming(Duration.ofSeconds(9), Duration.ofSeconds(3), Duration.ofSeconds(1)),
                1,
                false,
                DataSize.ofMebibytes(64),
                DataSize.ofMebibytes(64),
                GatewayRestart.CASE);
    }

    private static List<CpuSets.Sets> sets(Environment environment, PerfPlan plan) {
        CpuSets sets = CpuSets.of(environment, plan, false, false);
        return plan.testCases().stream().map(sets::of).toList();
    }

    @Test
    void givesTheGatewayHalfOfAMachineThatItSharesAndNoCoreTwice() {
        assertThat(sets(alone(threads(2)), plan(GatewayCpus.AUTO)))
                .containsExactly(new CpuSets.Sets(List.of(0), List.of(1)));
        assertThat(sets(alone(threads(8)), plan(GatewayCpus.AUTO)))
                .containsExactly(new CpuSets.Sets(List.of(0, 4, 1, 5), List.of(2, 6, 3, 7)));
        assertThat(sets(alone("cpu 0 0 0\ncpu 2 0 2\ncpu 3 0 3\n"), plan(GatewayCpus.AUTO)))
                .containsExactly(new CpuSets.Sets(List.of(0), List.of(2, 3)));
    }

    @Test
    void leavesTheOthersTheSameProcessorsBesideEachNumber() {
        assertThat(sets(alone(threads(8)), plan(GatewayCpus.of(1), GatewayCpus.of(4), GatewayCpus.of(8))))
                .containsExactly(
                        new CpuSets.Sets(List.of(0), List.of(2, 6, 3, 7)),
                        new CpuSets.Sets(List.of(0, 4, 1, 5), List.of(2, 6, 3, 7)),
                        new CpuSets.Sets(List.of(0, 4, 1, 5, 2, 6, 3, 7), List.of()));
    }

    @Test
    void leavesAGatewayAloneThatSharesItsMachineWithNobody() {
        Environment apart = on(host("gateway", threads(8)), host("others", threads(8)));

        assertThat(sets(apart, plan(GatewayCpus.AUTO))).containsExactly(CpuSets.Sets.NONE);
        CpuSets two = CpuSets.of(apart, plan(GatewayCpus.of(2)), false, false);
        assertThat(two.ofRoles(plan(GatewayCpus.of(2)).testCases().get(0)))
                .isEqualTo(Map.of(NodeRole.GATEWAY, List.of(0, 4)));
        assertThat(two.notes()).isEmpty();
    }

    @Test
    void saysWhoSharedWhatAndWhy() {
        assertThat(CpuSets.of(alone(threads(2)), plan(GatewayCpus.AUTO), false, false)
                        .notes())
                .containsExactly(
                        "The gateway had 1 of the 2 processors of one for itself (0); what else ran there had the"
                                + " processor 1.");
        assertThat(CpuSets.of(alone(""), plan(GatewayCpus.AUTO), false, false).notes())
                .singleElement()
                .asString()
                .contains("shared the processors of one (it has no taskset: taskset: not found)");
        assertThat(CpuSets.of(alone(threads(2)), plan(GatewayCpus.AUTO), true, false)
                        .notes())
                .singleElement()
                .asString()
                .contains("(the gateway runs already)");
        assertThat(CpuSets.of(alone("cpu 0 0 0\ncpu 1 0 1\nquota 150000\n"), plan(GatewayCpus.AUTO), false, false)
                        .notes())
                .singleElement()
                .asString()
                .contains("(a CPU limit holds for all processes together, whichever processors they run on)");
        assertThat(CpuSets.of(alone("cpu 0 0 0\n"), plan(GatewayCpus.AUTO), false, false)
                        .notes())
                .singleElement()
                .asString()
                .contains("(it has one only)");
    }

    @Test
    void refusesWhatTheMachineCannotGive() {
        assertThatThrownBy(
                        () -> CpuSets.of(alone(threads(2)), plan(GatewayCpus.of(1), GatewayCpus.of(4)), false, false))
                .isInstanceOf(PlanException.class)
                .hasMessage("--gateway-cpus 4: one has 2 processor(s); give at most as many");
        assertThatThrownBy(() -> CpuSets.of(alone(""), plan(GatewayCpus.of(1)), false, false))
                .isInstanceOf(PlanException.class)
                .hasMessage("--gateway-cpus 1: processes cannot be given processors of one: it has no taskset: taskset:"
                        + " not found; leave it out, or say all");
    }

    @Test
    void leavesAllProcessorsToAContainerThatIsLimited() {
        CpuSets sets = CpuSets.of(
                alone(threads(2)), plan(GatewayCpus.of(0.5), GatewayCpus.of(4), GatewayCpus.AUTO), false, true);

        List<TestCase> cells =
                plan(GatewayCpus.of(0.5), GatewayCpus.of(4), GatewayCpus.AUTO).testCases();
        assertThat(cells.stream().map(sets::of))
                .containsExactly(CpuSets.Sets.NONE, CpuSets.Sets.NONE, new CpuSets.Sets(List.of(0), List.of(1)));
        assertThat(sets.notes())
                .anyMatch(note ->
                        note.contains("Test cases of 0.5 processor(s): the container of the gateway was limited"));
    }
}
