/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.LoadWindowsMain;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.LoadRunFile;
import io.gatebench.report.ab.AbCase;
import io.gatebench.report.ab.AbJudge;
import io.gatebench.report.ab.AbResult;
import io.gatebench.report.ab.AbVerdict;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.report.compare.Comparison.Outcome;
import io.gatebench.runner.fake.FakeEnvironment;
import io.gatebench.runner.fake.FakeGateway;
import io.gatebench.runner.fake.FakeProcess;
import io.gatebench.runner.plan.RunPlan;
import io.gatebench.spi.Environment;
import io.gatebench.spi.role.RoleStartException;

/** Two gateways in turns, on two machines of which the second is slower by 30 %. */
class AbRunTest extends OnFakes {

    private static final long SAMPLES = 100_000;
    private static final double SLOW_MACHINE = 0.7;
    private static final double NOISE = 0.01;
    /** Two warm-ups of 30 s, and eight windows of a second with half a second before them. */
    private static final Duration LEAST = Duration.ofSeconds(72);

    private final Random random = new Random(7);
    /** Of gateway B, in parts of what A does on the same machine. */
    private double speed = 1;
    /** The number of the load that has an error. */
    private int broken = -1;
    /** The number of the load after which the user ends the measurement. */
    private int last = -1;
    /** Whether another program takes the port of each gateway when it starts for the first time. */
    private boolean portTaken;

    private int loads;

    /** The path of a target says whose it is: which side on which machine. */
    private static URI target(Side side, int machine, int port) {
        return URI.create("http://127.0.0.1:" + port + "/" + side + machine);
    }

    @BeforeEach
    void generateLoads() {
        host.program(LOAD_GENERATOR, spec -> {
            StringBuilder lines = new StringBuilder();
            return new FakeProcess(spec.name(), () -> {
                Path next = Path.of(spec.directory(), String.valueOf(loads + 1));
                if (Files.exists(next.resolve(LoadWindowsMain.REQUEST_FILE))) {
                    loads++;
                    if (loads == last) {
                        interruption.request();
                    }
                    LoadRequest request = LoadRequest.read(next.resolve(LoadWindowsMain.REQUEST_FILE));
                    clock.pass(request.timing().duration());
                    LoadRunFile.write(
                            next.resolve(JMeterLoadDriver.LOAD_FILE),
                            measured(samples(request.target()), loads == broken ? 1 : 0)
                                    .orElseThrow());
                    lines.append(LoadWindowsMain.DONE).append(loads).append('\n');
                }
                return lines.toString();
            });
        });
    }

    private long samples(URI target) {
        boolean b = target.getPath().startsWith("/" + Side.B);
        boolean slow = target.getPath().endsWith("2");
        return Math.round(
                SAMPLES * (b ? speed : 1) * (slow ? SLOW_MACHINE : 1) * Math.exp(NOISE * random.nextGaussian()));
    }

    private AbResult measure(List<List<Integer>> machines, Duration longest) {
        putBackend(directory.resolve("r/.work/jars"));
        List<Map<Side, Environment>> arrangements = new ArrayList<>();
        List<RunPlan> a = new ArrayList<>();
        List<RunPlan> b = new ArrayList<>();
        for (List<Integer> both : machines) {
            PortClaims claims = new PortClaims();
            arrangements.add(Map.of(
                    Side.A, new FakeEnvironment(new HostPart(host, "a", claims)),
                    Side.B, new FakeEnvironment(new HostPart(host, "b", claims))));
            a.add(plan(Side.A, both.get(0)));
            b.add(plan(Side.B, both.get(1)));
        }
        AbRun.Settings settings = new AbRun.Settings(
                new AbRun.Contestant("a", a, a.get(0).plan().testCases()),
                new AbRun.Contestant("b", b, b.get(0).plan().testCases()),
                AbRun.WINDOW,
                AbRun.LEAD_IN,
                longest,
                new AbJudge(0.05, 5, 1, 1),
                false);
        try (AbRun run = new AbRun(
                settings,
                directory.resolve("r"),
                work -> new AbPlaces(arrangements, List.of()),
                clock,
                random,
                notes::add)) {
            AbRun.Outcome outcome = run.execute(interruption);
            assertThat(outcome.failure()).as(notes.toString()).isEmpty();
            return outcome.result();
        }
    }

    private RunPlan plan(Side side, int machine) {
        FakeGateway contestant =
                new FakeGateway(target(side, machine, server.getAddress().getPort()));
        contestant.beforeStart(() -> {
            if (portTaken && contestant.starts() == 1) {
                throw new RoleStartException("Address already in use");
            }
        });
        gateway = contestant;
        return plan();
    }

    private static AbVerdict throughput(AbResult result) {
        return result.judge().judge(result.cases().get(0)).get(0);
    }

    @Test
    void aSlowMachineOfOneOfThemLooksLikeASlowGateway() {
        AbVerdict verdict = throughput(measure(List.of(List.of(1, 2)), Duration.ofHours(1)));

        assertThat(verdict.outcome()).isEqualTo(Outcome.SLOWER);
        assertThat(verdict.ratio().orElseThrow()).isBetween(0.68, 0.72);
    }

    @Test
    void aSlowMachineCancelsOutWhereTheyChangePlaces() {
        AbResult result = measure(List.of(List.of(1, 2), List.of(2, 1)), Duration.ofHours(1));

        assertThat(throughput(result).outcome()).isEqualTo(Outcome.NO_DIFFERENCE);
        assertThat(throughput(result).ratio().orElseThrow()).isBetween(0.99, 1.01);
        assertThat(result.cases().get(0).starts())
                .allSatisfy(start -> assertThat(start.windows())
                        .extracting(window -> window.pair() + " " + window.side())
                        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(1, 8)
                                .boxed()
                                .flatMap(pair -> Stream.of(pair + " A", pair + " B"))
                                .toList()));
    }

    @Test
    void aLossIsFoundWhereTheyChangePlaces() {
        speed = 0.95;

        AbVerdict verdict = throughput(measure(List.of(List.of(1, 2), List.of(2, 1)), Duration.ofHours(1)));

        assertThat(verdict.outcome()).isEqualTo(Outcome.SLOWER);
        assertThat(verdict.ratio().orElseThrow()).isBetween(0.94, 0.96);
    }

    @Test
    void startsAGatewayOnceMoreWhosePortAnotherProgramTook() {
        portTaken = true;

        AbResult result = measure(List.of(List.of(1, 1)), LEAST);

        assertThat(result.cases().get(0).starts()).hasSize(1);
        assertThat(result.notes())
                .contains("another program took a port while the gateway started; it is started once more");
    }

    @Test
    void refusesATimeThatNoStartFitsInto() {
        assertThatThrownBy(() -> measure(List.of(List.of(1, 1)), Duration.ofSeconds(5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the time for all starts (--max-time) must be at least 72s, which warm-ups and windows of one"
                                + " start take alone, but was 5s; give more, or a shorter warm-up or window");
        assertThatThrownBy(() -> measure(List.of(List.of(1, 2), List.of(2, 1)), LEAST))
                .hasMessageStartingWith("the time for all starts (--max-time) must be at least 144s");
    }

    @Test
    void aStartThatEndsAmongTheWindowsOfTheSecondArrangementCountsForNothing() {
        // The fifth of the eight windows there.
        last = 2 * 15 + 8 + 2 * 15 + 5;

        AbResult result = measure(List.of(List.of(1, 2), List.of(2, 1)), Duration.ofHours(1));

        assertThat(loads).isEqualTo(last);
        assertThat(result.cases().get(0).starts()).isEmpty();
    }

    @Test
    void aStartWithAWindowThatCannotBeUsedCountsForNothing() {
        // Two warm-ups of fifteen loads and eight windows on each machine: the last one of the second start.
        broken = 4 * (2 * 15 + 8);

        AbResult result = measure(List.of(List.of(1, 2), List.of(2, 1)), Duration.ofHours(1));

        AbCase.Start second = result.cases().get(0).starts().get(1);
        assertThat(second.windows())
                .hasSize(16)
                .allSatisfy(window -> assertThat(window.invalid().orElseThrow()).contains("1 of "));
        assertThat(throughput(result).outcome()).isEqualTo(Outcome.NO_DIFFERENCE);
    }
}
