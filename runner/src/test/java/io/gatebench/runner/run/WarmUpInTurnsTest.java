/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.model.DataSize;
import io.gatebench.model.LoadResult;
import io.gatebench.model.NodeRole;
import io.gatebench.model.TestTiming;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.runner.fake.FakeHost;
import io.gatebench.runner.fake.FakeProcess;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.RoleProcess;

class WarmUpInTurnsTest {

    private static final TestTiming UNTIL_STEADY =
            new TestTiming(Duration.ofMinutes(2), Duration.ofSeconds(40), Duration.ZERO, true);

    @TempDir
    private Path directory;

    private final List<String> sent = new ArrayList<>();
    private final Map<Long, Duration> compiled = new HashMap<>();

    private RoleProcess jvm(NodeRole role, Host host) {
        return new RoleProcess(
                role,
                role.name(),
                host,
                new FakeProcess(role.name(), ""),
                List.of(),
                DataSize.parse("1G"),
                ".",
                Optional.empty());
    }

    /**
     * Warms up.
     *
     * @param millis what the compiler of each gateway uses in the load of a number; nothing where there is none
     */
    private WarmUpInTurns warmUp(TestTiming timing, Function<Integer, Optional<Integer>> millis) {
        FakeHost host = new FakeHost(directory);
        RoleProcess generator = jvm(NodeRole.LOAD_GENERATOR, host);
        Map<Side, RunningGateway> running = new HashMap<>();
        for (Side side : Side.values()) {
            running.put(
                    side,
                    new RunningGateway(
                            URI.create("http://127.0.0.1:1"),
                            Optional.of(jvm(NodeRole.GATEWAY, host)),
                            List.of(),
                            Optional.empty(),
                            Map.of()));
        }
        WarmUpInTurns warmUp = new WarmUpInTurns(
                timing,
                (at, pids) -> millis.apply(0)
                        .map(any -> compiled.getOrDefault(pids.iterator().next(), Duration.ZERO)));
        boolean ended = warmUp.await(
                running, Map.of(Side.A, host, Side.B, host), Side.B, generator, 50, (side, load, users) -> {
                    long pid =
                            running.get(side).process().orElseThrow().process().pid();
                    sent.add(side + " " + users);
                    millis.apply((sent.size() - 1) / 2)
                            .ifPresent(used -> compiled.merge(pid, Duration.ofMillis(used), Duration::plus));
                    return OnFakes.measured(sent.size() < 6 ? sent.size() : 1000, 0);
                });
        assertThat(ended).isTrue();
        return warmUp;
    }

    @Test
    void fewUsersComeUntilTheCompilersAreDoneAndThenAllOfThem() {
        List<Integer> millis = List.of(1000, 1000, 600, 200, 100);
        WarmUpInTurns warmUp = warmUp(UNTIL_STEADY, load -> Optional.of(millis.get(load)));

        // Loads 0 and 1 compile much, 2 does not; with all users something is left to do in load 3, and not in 4.
        assertThat(sent).containsExactly("B 2", "A 2", "B 2", "A 2", "B 2", "A 2", "B 50", "A 50", "B 50", "A 50");
        assertThat(warmUp.notes()).isEmpty();
    }

    @Test
    void saysWhatACompilerStillDidWhenTheTimeWasOver() {
        WarmUpInTurns warmUp = warmUp(UNTIL_STEADY, load -> Optional.of(1000));

        assertThat(sent).hasSize(40).endsWith("A 50").contains("B 50");
        assertThat(warmUp.notes())
                .singleElement()
                .asString()
                .startsWith("In 1 of 1 starts a compiler still used more than 5 % of a processor")
                .contains("at most 50 %");
    }

    @Test
    void aGatewayWithoutACompilerHasToBeAsFastInThreeLoads() {
        warmUp(UNTIL_STEADY, load -> Optional.empty());

        // The first five loads are slow.
        assertThat(sent).hasSize(12).doesNotContain("A 2", "B 2");
    }

    @Test
    void aGivenLengthIsThatOfTheLoadsOnEach() {
        warmUp(new TestTiming(Duration.ofSeconds(9), Duration.ofSeconds(5), Duration.ZERO), load -> Optional.of(0));

        assertThat(sent).containsExactly("B 2", "A 2", "B 50", "A 50", "B 50", "A 50");
    }

    private List<String> settled(WarmUpInTurns warmUp, Optional<LoadResult> result) {
        sent.clear();
        boolean ended = warmUp.settle(Side.B, 50, (side, load, users) -> {
            sent.add(side + " " + users + " " + load.duration().toSeconds());
            return result;
        });
        assertThat(ended).isEqualTo(result.isPresent());
        return sent;
    }

    @Test
    void gatewaysThatCompileSettleWithAllUsers() {
        WarmUpInTurns warmUp = warmUp(UNTIL_STEADY, load -> Optional.of(0));

        assertThat(settled(warmUp, OnFakes.measured(1, 0))).containsExactly("B 50 3", "A 50 3");
        assertThat(settled(warmUp, Optional.empty())).containsExactly("B 50 3");
    }

    @Test
    void othersDoNotAndNoneDoesAfterAGivenLength() {
        assertThat(settled(warmUp(UNTIL_STEADY, load -> Optional.empty()), OnFakes.measured(1, 0)))
                .isEmpty();
        TestTiming given = new TestTiming(Duration.ofSeconds(9), Duration.ofSeconds(5), Duration.ZERO);

        assertThat(settled(warmUp(given, load -> Optional.of(0)), OnFakes.measured(1, 0)))
                .isEmpty();
    }
}
