/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.gatebench.report.ab.AbFigure;
import io.gatebench.report.ab.AbJudge;
import io.gatebench.report.ab.AbWindow;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.runner.fake.FakeEnvironment;
import io.gatebench.runner.fake.FakeGateway;
import io.gatebench.runner.fake.FakeHost;
import io.gatebench.runner.fake.FakeProcess;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.role.JvmRole;
import io.gatebench.spi.role.RoleStartException;

/** When two gateways start, and on which processors. */
class AbGatewaysTest extends OnFakes {

    private static final double MICROS_OF_A_SERVER = 20;
    private static final double MICROS_OF_A_WATCHER = 1;

    private final Map<Side, List<Integer>> processors = new EnumMap<>(Side.class);
    private FakeHost hostOfB;
    /** What happens when a gateway starts, and what when it has started. */
    private Consumer<Side> starting = side -> {};

    private Consumer<Side> started = side -> {};

    /** Two processors, which processes can be given. */
    private static CommandResult twoProcessors(List<String> command) {
        return new CommandResult(0, command.get(0).equals("sh") ? "cpu 0 0 0\ncpu 1 0 1\n" : "", "");
    }

    private AbGateways gateways() {
        putBackend(directory.resolve("r/.work/jars"));
        host.program(FakeGateway.NAME, spec -> {
            Side side = spec.directory().contains("/a/") ? Side.A : Side.B;
            synchronized (processors) {
                processors.put(side, spec.processors());
            }
            started.accept(side);
            return new FakeProcess(spec.name(), "");
        });
        hostOfB = hostOfB == null ? host : hostOfB;
        RunPlan a = plan(Side.A);
        RunPlan b = plan(Side.B);
        PortClaims claims = new PortClaims();
        return new AbGateways(
                new AbRun.Settings(
                        new AbRun.Contestant("a.yaml", List.of(a), a.plan().testCases()),
                        new AbRun.Contestant("b.yaml", List.of(b), b.plan().testCases()),
                        AbRun.WINDOW,
                        AbRun.LEAD_IN,
                        Duration.ofHours(1),
                        new AbJudge(0.05, 5, 1, 1),
                        false),
                directory.resolve("r"),
                work -> new AbPlaces(
                        List.of(Map.of(
                                Side.A, new FakeEnvironment(new HostPart(host, "a", claims)),
                                Side.B, new FakeEnvironment(new HostPart(hostOfB, "b", claims)))),
                        List.of()),
                clock,
                new JvmRole(clock));
    }

    private RunPlan plan(Side side) {
        FakeGateway contestant = new FakeGateway(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        contestant.beforeStart(() -> starting.accept(side));
        gateway = contestant;
        return plan();
    }

    /** Starts go on when the other gateway starts as well. */
    private void startsMeet() {
        CyclicBarrier both = new CyclicBarrier(Side.values().length);
        starting = side -> {
            try {
                both.await(1, TimeUnit.MINUTES);
            } catch (Exception e) {
                throw new RoleStartException(side + " started alone: " + e);
            }
        };
    }

    /** A start fails while the other gateway starts. */
    private void startsDoNotMeet() {
        AtomicInteger under = new AtomicInteger();
        starting = side -> assertThat(under.incrementAndGet()).isEqualTo(1);
        started = side -> under.decrementAndGet();
    }

    private static AbWindow window(Side side, double micros) {
        return new AbWindow(
                1,
                side,
                false,
                NOW,
                1,
                0,
                Map.of(AbFigure.CPU_PER_REQUEST, micros),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                Optional.empty());
    }

    private static void start(AbGateways gateways, Side first) {
        gateways.start(0, 0, first, "start-1", gateways.backend(0)).values().forEach(running -> running.stop());
    }

    @ParameterizedTest
    @EnumSource(Side.class)
    void bothStartAtOnceOnOtherProcessorsWhenTheirProcessesHaveServed(Side first) {
        host.commands(AbGatewaysTest::twoProcessors);
        try (AbGateways gateways = gateways()) {
            startsDoNotMeet();
            start(gateways, first);
            assertThat(processors).containsOnly(Map.entry(Side.A, List.of(0)), Map.entry(Side.B, List.of(0)));

            gateways.wereStarted(Stream.of(Side.values())
                    .map(side -> window(side, MICROS_OF_A_SERVER))
                    .toList());
            startsMeet();
            started = side -> {};
            start(gateways, first);

            assertThat(processors).containsOnly(Map.entry(first, List.of(0)), Map.entry(first.other(), List.of(1)));
        }
    }

    @ParameterizedTest
    @EnumSource(Side.class)
    void oneStartsAfterTheOtherWhereWhatServesIsNotFound(Side watched) {
        host.commands(AbGatewaysTest::twoProcessors);
        startsDoNotMeet();
        try (AbGateways gateways = gateways()) {
            gateways.wereStarted(
                    List.of(window(watched.other(), MICROS_OF_A_SERVER), window(watched, MICROS_OF_A_WATCHER)));
            start(gateways, Side.A);

            assertThat(processors).containsOnly(Map.entry(Side.A, List.of(0)), Map.entry(Side.B, List.of(0)));
        }
    }

    @Test
    void oneStartsAfterTheOtherWhereProcessesCannotBeGivenProcessors() {
        startsDoNotMeet();
        try (AbGateways gateways = gateways()) {
            gateways.wereStarted(List.of(window(Side.A, MICROS_OF_A_SERVER), window(Side.B, MICROS_OF_A_SERVER)));
            start(gateways, Side.A);

            assertThat(processors).containsOnly(Map.entry(Side.A, List.of()), Map.entry(Side.B, List.of()));
        }
    }

    @Test
    void bothStartAtOnceOnMachinesOfTheirOwn() {
        hostOfB = new FakeHost("other", directory.resolve("other"));
        startsMeet();
        try (AbGateways gateways = gateways()) {
            start(gateways, Side.A);
        }

        assertThat(host.last(FakeGateway.NAME).isAlive()).isFalse();
        assertThat(hostOfB.last(FakeGateway.NAME).isAlive()).isFalse();
    }

    @ParameterizedTest
    @EnumSource(Side.class)
    void ofTwoThatStartAtOnceNoneIsLeftWhereOneFails(Side failing) {
        hostOfB = new FakeHost("other", directory.resolve("other"));
        startsMeet();
        Consumer<Side> meet = starting;
        starting = side -> {
            meet.accept(side);
            if (side == failing) {
                throw new RoleStartException("out of luck");
            }
        };
        try (AbGateways gateways = gateways()) {
            assertThatThrownBy(() -> start(gateways, Side.A))
                    .isInstanceOf(RoleStartException.class)
                    .hasMessage(failing + " (" + failing.name().toLowerCase(Locale.ROOT)
                            + ".yaml) cannot be measured: out of luck");

            assertThat((failing == Side.A ? hostOfB : host)
                            .last(FakeGateway.NAME)
                            .isAlive())
                    .isFalse();
        }
    }
}
