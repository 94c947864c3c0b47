/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import io.gatebench.hosts.metrics.CompilerTime;
import io.gatebench.model.LoadResult;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.TestTiming;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.RoleProcess;

/**
 * Warms up two gateways in turns, a short load each: while one is loaded, the other one's compiler works off what is waiting.
 *
 * <p>As long as a gateway compiles much, {@value #FEW_USERS} users are enough, as all of them would leave its compiler a small part of
 * the processors; then all users. A warm-up that lasts until the load is steady ends when the compilers of both, and of
 * the load generator, have little left to do. A gateway that has none has to be as fast in its last three loads.
 */
final class WarmUpInTurns {

    /** One load: long enough that opening its connections is a small part of it. */
    static final Duration SLICE = Duration.ofSeconds(2);
    /** Of the pairs of windows that came first without it, those within 6 s varied two to four times as much as later ones. */
    static final Duration SETTLING = Duration.ofSeconds(3);
    /** Number of loads that must be alike. */
    static final int ALIKE = 3;

    private static final int FEW_USERS = 2;
    /** Part of the longest warm-up after which all users come, whatever is still compiled. */
    private static final double FEW_PART = 0.75;
    /** Of the time in which it has load: a compiler that uses less is no longer held up by many users. */
    private static final double FEW_PERCENT = 30;

    private static final double ALIKE_PERCENT = 5;

    private final TestTiming timing;
    private final BiFunction<Host, List<Long>, Optional<Duration>> compilers;
    private boolean compilersSeen;
    private int starts;
    private int busyStarts;
    private double busiest;

    WarmUpInTurns(TestTiming timing) {
        this(timing, CompilerTime::ofTrees);
    }

    /**
     * Creates one with a source of its own.
     *
     * @param compilers the CPU time that the compilers of processes of a host have used
     */
    WarmUpInTurns(TestTiming timing, BiFunction<Host, List<Long>, Optional<Duration>> compilers) {
        this.timing = timing;
        this.compilers = compilers;
    }

    /** Sends a load of some users to a gateway; gives nothing if the user of the program ended it. */
    interface Loads {
        Optional<LoadResult> send(Side side, TestTiming timing, int users);
    }

    /**
     * Warms both up.
     *
     * @param hosts the host of each gateway
     * @param generator the load generator, which has to be warm as well
     * @param users all users
     * @return whether it came to its end
     */
    boolean await(
            Map<Side, RunningGateway> running,
            Map<Side, Host> hosts,
            Side first,
            RoleProcess generator,
            int users,
            Loads loads) {
        Map<Side, List<Double>> rates = new EnumMap<>(Side.class);
        Compiled before = compiled(running, hosts, generator);
        compilersSeen = !before.gateways().isEmpty();
        boolean few = compilersSeen;
        double percent = 0;
        boolean calm = false;
        for (Duration done = Duration.ZERO; !calm && done.compareTo(timing.warmUp()) < 0; done = done.plus(SLICE)) {
            Duration left = timing.warmUp().minus(done);
            Duration length = left.compareTo(SLICE) < 0 ? left : SLICE;
            few &= done.toNanos() < FEW_PART * timing.warmUp().toNanos();
            for (Side side : List.of(first, first.other())) {
                Optional<LoadResult> sent = loads.send(
                        side,
                        new TestTiming(length, Duration.ZERO, Duration.ZERO),
                        few ? Math.min(FEW_USERS, users) : users);
                if (sent.isEmpty()) {
                    return false;
                }
                rates.computeIfAbsent(side, key -> new ArrayList<>())
                        .add(sent.get().measurement().stream()
                                .mapToDouble(SampleStatistics::throughputPerSecond)
                                .sum());
            }
            Compiled after = compiled(running, hosts, generator);
            percent = after.busiestPercentSince(before, length);
            before = after;
            calm = timing.untilSteady() && !few && percent <= CompilerTime.CALM_PERCENT && alike(rates, after);
            few &= percent > FEW_PERCENT;
        }
        starts++;
        if (percent > CompilerTime.CALM_PERCENT) {
            busyStarts++;
            busiest = Math.max(busiest, percent);
        }
        return true;
    }

    /**
     * Has gateways that compile find their pace on the processors on which they are measured; does nothing after a warm-up of a
     * given length.
     *
     * @param users all users
     * @return whether it came to its end
     */
    boolean settle(Side first, int users, Loads loads) {
        TestTiming load = new TestTiming(SETTLING, Duration.ZERO, Duration.ZERO);
        return !compilersSeen
                || !timing.untilSteady()
                || Stream.of(first, first.other())
                        .allMatch(side -> loads.send(side, load, users).isPresent());
    }

    /** Returns what a reader of the figures must know. */
    List<String> notes() {
        return busyStarts == 0
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "In %d of %d starts a compiler still used more than %.0f %% of a processor at the end of the warm-up"
                                + " (at most %.0f %%): the windows vary by what it did; give a longer --warm-up.",
                        busyStarts,
                        starts,
                        CompilerTime.CALM_PERCENT,
                        busiest));
    }

    private Compiled compiled(Map<Side, RunningGateway> running, Map<Side, Host> hosts, RoleProcess generator) {
        Map<Side, Duration> gateways = new EnumMap<>(Side.class);
        running.forEach((side, gateway) -> compilers
                .apply(hosts.get(side), WindowMeter.pids(gateway))
                .ifPresent(time -> gateways.put(side, time)));
        return new Compiled(
                gateways,
                compilers.apply(generator.host(), List.of(generator.process().pid())));
    }

    private static boolean alike(Map<Side, List<Double>> rates, Compiled compiled) {
        return rates.entrySet().stream()
                .allMatch(entry -> compiled.gateways().containsKey(entry.getKey()) || alike(entry.getValue()));
    }

    private static boolean alike(List<Double> rates) {
        if (rates.size() < ALIKE) {
            return false;
        }
        List<Double> last = rates.subList(rates.size() - ALIKE, rates.size());
        double low = last.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
        double high = last.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
        return high - low <= high * ALIKE_PERCENT / 100;
    }

    /** CPU time of the compilers, of those that have any. */
    private record Compiled(Map<Side, Duration> gateways, Optional<Duration> generator) {

        /**
         * Returns the share of a processor of the compiler that used most.
         *
         * @param load the length of the load on each gateway since then
         */
        double busiestPercentSince(Compiled before, Duration load) {
            double most = gateways.entrySet().stream()
                    .mapToDouble(entry -> CompilerTime.percent(
                            before.gateways.getOrDefault(entry.getKey(), Duration.ZERO), entry.getValue(), load))
                    .max()
                    .orElse(0);
            return generator.isPresent()
                    ? Math.max(
                            most,
                            CompilerTime.percent(
                                    before.generator.orElse(Duration.ZERO),
                                    generator.get(),
                                    load.multipliedBy(Side.values().length)))
                    : most;
        }
    }
}
