/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.gatebench.hosts.metrics.CompilerTime;
import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.SecondLine;
import io.gatebench.load.engine.stats.SteadyState;
import io.gatebench.model.SecondOfLoad;

/**
 * Says when the warm-up of a test is over: the load that all load generators send together is steady, by what they tell each
 * second, and no compiler of a JVM has much left to do.
 *
 * <p>A compiler that has less than it needs of a busy processor leaves the load on a level for longer than any rule looks back.
 * One that goes on for good does not hold up the end: a load that stays steady for {@value #PATIENCE_SECONDS} s more is.
 */
final class UntilSteady {

    /** The time over which the work of compilers is taken. */
    static final Duration LOOK = Duration.ofSeconds(5);
    /** Seconds for which a load has to be found steady while a compiler works. */
    static final int PATIENCE_SECONDS = 30;

    private final int generators;
    private final int firstSecond;
    private final Clock clock;
    private final Supplier<Map<String, Duration>> compilers;
    private final Map<Integer, Sum> sums = new HashMap<>();
    private final List<SecondOfLoad> whole = new ArrayList<>();
    private @Nullable Look last;
    private @Nullable Busiest busiest;
    private int steadySeconds;

    /**
     * Creates one.
     *
     * @param generators how many load generators there are
     * @param firstSecond the first second with all users at work
     * @param compilers the CPU time that compilers have used up to now, by the names of their processes; without those that
     *     have none
     */
    UntilSteady(int generators, int firstSecond, Clock clock, Supplier<Map<String, Duration>> compilers) {
        this.generators = generators;
        this.firstSecond = firstSecond;
        this.clock = clock;
        this.compilers = compilers;
    }

    private record Sum(int parts, long samples, double millis) {

        Sum plus(long more, double mean) {
            return new Sum(parts + 1, samples + more, millis + more * mean);
        }
    }

    private record Look(Instant at, Map<String, Duration> used) {

        Optional<Busiest> busiestSince(Look before) {
            Duration time = Duration.between(before.at, at);
            return used.entrySet().stream()
                    .filter(entry -> before.used.containsKey(entry.getKey()))
                    .map(entry -> new Busiest(
                            entry.getKey(),
                            CompilerTime.percent(before.used.get(entry.getKey()), entry.getValue(), time)))
                    .max((one, other) -> Double.compare(one.percent, other.percent));
        }
    }

    private record Busiest(String name, double percent) {}

    /** Takes a line of a load generator's output; returns what was found, in words, if the warm-up is over. */
    Optional<String> reachedBy(String line) {
        if (!SecondLine.isOne(line)) {
            return Optional.empty();
        }
        try {
            SecondOfLoad told = SecondLine.read(line);
            int second = told.second();
            Sum sum = sums.getOrDefault(second, new Sum(0, 0, 0)).plus(told.samples(), told.meanMillis());
            sums.put(second, sum);
            if (sum.parts() < generators || second < firstSecond) {
                return Optional.empty();
            }
            sums.remove(second);
            double mean = sum.samples() == 0 ? 0 : sum.millis() / sum.samples();
            whole.add(new SecondOfLoad(second, sum.samples(), 0, mean, mean, mean, mean, 0));
            look();
            Optional<String> steady = SteadyState.reachedBy(whole);
            steadySeconds = steady.isPresent() ? steadySeconds + 1 : 0;
            return steady.filter(found -> isCalm() || steadySeconds > PATIENCE_SECONDS)
                    .map(found -> found + words());
        } catch (LoadException e) {
            // Whoever shows the seconds says so.
            return Optional.empty();
        }
    }

    private void look() {
        Instant now = clock.instant();
        if (last == null) {
            last = new Look(now, compilers.get());
        } else if (Duration.between(last.at, now).compareTo(LOOK) >= 0) {
            Look look = new Look(now, compilers.get());
            busiest = look.busiestSince(last).orElse(null);
            last = look;
        }
    }

    private boolean isCalm() {
        return busiest == null || busiest.percent <= CompilerTime.CALM_PERCENT;
    }

    private String words() {
        return busiest == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        isCalm()
                                ? "; no compiler used more than %.1f %% of a processor (%s)"
                                : "; a compiler still used %.1f %% of a processor (%s)",
                        busiest.percent,
                        busiest.name);
    }
}
