/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.gatebench.hosts.metrics.CpuTime;
import io.gatebench.model.LoadResult;
import io.gatebench.model.SampleStatistics;
import io.gatebench.report.ab.AbFigure;
import io.gatebench.report.ab.AbWindow;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.role.RoleProcess;

/** Measures windows in which one of two gateways is loaded, and keeps what a reader must know of all of them. */
final class WindowMeter {

    private final Clock clock;
    private final Map<Side, List<Double>> idle = new EnumMap<>(Side.class);
    private double maxStolen;
    private int saturated;
    private boolean stoodStill;

    WindowMeter(Clock clock) {
        this.clock = clock;
    }

    /**
     * Result of one load.
     *
     * @param window its window
     * @param answers good and bad answers of the whole load
     */
    record Reading(AbWindow window, long answers) {}

    /**
     * Measures one window.
     *
     * @param hosts the host of each gateway
     * @param alone whether the other gateway is to stand still meanwhile; where it cannot be made to, it idles
     * @param load sends the load; gives nothing if the user ended it
     */
    Optional<Reading> measure(
            int pair,
            Side side,
            Map<Side, RunningGateway> running,
            Map<Side, Host> hosts,
            boolean alone,
            Supplier<Optional<LoadResult>> load) {
        List<Long> own = pids(running.get(side));
        List<Long> others = pids(running.get(side.other()));
        Host host = hosts.get(side);
        Host otherHost = hosts.get(side.other());
        Optional<CpuTime.Machine> machine = CpuTime.ofMachine(host);
        Duration ownBefore = CpuTime.ofTrees(host, own);
        Duration othersBefore = CpuTime.ofTrees(otherHost, others);
        Instant began = clock.instant();
        Optional<LoadResult> sent;
        boolean still;
        try (Standstill standstill = alone ? Standstill.of(running.get(side.other())) : Standstill.NONE) {
            still = standstill.holds();
            sent = load.get();
        }
        if (sent.isEmpty()) {
            return Optional.empty();
        }
        Duration passed = Duration.between(began, clock.instant());
        Duration ownCpu = CpuTime.ofTrees(host, own).minus(ownBefore);
        Duration othersCpu = CpuTime.ofTrees(otherHost, others).minus(othersBefore);
        LoadResult loadRun = sent.get();
        List<SampleStatistics> all = Stream.concat(loadRun.warmUp().stream(), loadRun.measurement().stream())
                .toList();
        // CPU time is read around the whole load, so that it is shared out over all of its requests.
        long answers = all.stream().mapToLong(SampleStatistics::samples).sum();
        long errors = all.stream().mapToLong(SampleStatistics::errors).sum();
        OptionalDouble stolen = machine.isPresent()
                ? CpuTime.ofMachine(host).stream()
                        .mapToDouble(now -> now.stolenPercentSince(machine.get()))
                        .findFirst()
                : OptionalDouble.empty();
        OptionalDouble other = others.isEmpty() || passed.isZero()
                ? OptionalDouble.empty()
                : OptionalDouble.of(100.0 * othersCpu.toNanos() / passed.toNanos());
        if (!still) {
            other.ifPresent(percent ->
                    idle.computeIfAbsent(side.other(), key -> new ArrayList<>()).add(percent));
        }
        stoodStill |= still;
        maxStolen = Math.max(maxStolen, stolen.orElse(0));
        saturated += loadRun.health().saturated() ? 1 : 0;
        AbWindow window = new AbWindow(
                pair,
                side,
                still,
                loadRun.window().start(),
                loadRun.measurement().stream()
                        .mapToLong(SampleStatistics::samples)
                        .sum(),
                errors,
                figures(loadRun, answers, ownCpu),
                other,
                stolen,
                invalid(loadRun, answers, errors));
        return Optional.of(new Reading(window, answers));
    }

    private static Map<AbFigure, Double> figures(LoadResult load, long answers, Duration cpu) {
        Map<AbFigure, Double> figures = new EnumMap<>(AbFigure.class);
        Optional<SampleStatistics> main = load.measurement().stream().findFirst();
        figures.put(
                AbFigure.THROUGHPUT,
                load.measurement().stream()
                        .mapToDouble(SampleStatistics::throughputPerSecond)
                        .sum());
        main.ifPresent(statistics -> {
            figures.put(AbFigure.P50, statistics.all().p50Millis());
            figures.put(AbFigure.P99, statistics.all().p99Millis());
        });
        figures.put(AbFigure.CPU_PER_REQUEST, answers == 0 ? 0 : cpu.toNanos() / 1e3 / answers);
        figures.values().removeIf(value -> !(value > 0));
        return figures;
    }

    private static Optional<String> invalid(LoadResult load, long answers, long errors) {
        if (load.aborted().isPresent()) {
            return load.aborted();
        }
        if (answers == 0 || load.measurement().isEmpty()) {
            return Optional.of("no response came in the window");
        }
        return errors == 0
                ? Optional.empty()
                : Optional.of(
                        errors + " of " + answers + " responses were errors: " + FailureList.text(load.failures()));
    }

    /** Returns the processes that a gateway was started as. */
    static List<Long> pids(RunningGateway gateway) {
        return Stream.concat(gateway.process().map(RoleProcess::process).stream(), gateway.helpers().stream())
                .map(HostProcess::pid)
                .toList();
    }

    /** Returns whether a gateway stood still in any window. */
    boolean stoodStill() {
        return stoodStill;
    }

    /** Returns what a reader of the figures must know. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        String neighbours = idle.entrySet().stream()
                .map(entry -> String.format(
                        Locale.ROOT,
                        "%s used %.1f %% of a processor while the other one was loaded",
                        entry.getKey(),
                        entry.getValue().stream()
                                .mapToDouble(Double::doubleValue)
                                .average()
                                .orElseThrow()))
                .collect(Collectors.joining(", "));
        if (!neighbours.isEmpty()) {
            notes.add(neighbours + ".");
        }
        if (maxStolen >= 1) {
            notes.add(String.format(
                    Locale.ROOT,
                    "Up to %.1f %% of the machine's processor time was taken away by others in a window.",
                    maxStolen));
        }
        if (saturated > 0) {
            notes.add("The load generator was itself a bottleneck in " + saturated
                    + " windows: a difference between the gateways may be larger than it seems.");
        }
        return notes;
    }
}
