/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;

import io.gatebench.model.LoadResult;
import io.gatebench.model.TestTiming;
import io.gatebench.report.ab.AbFigure;
import io.gatebench.report.ab.AbJudge;
import io.gatebench.report.ab.AbWindow;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;

/**
 * Measures the windows of a start: pairs in balanced order, so that what drifts evenly falls on both alike; of each two the
 * idle gateway stands still in one.
 */
final class WindowsInTurns {

    /** The order in which the gateway that is drawn to be first and the other one are loaded, in pairs. */
    private static final boolean[] FIRST_AT_TURN = {true, false, false, true};

    /** Number of pairs of windows of a start, a multiple of those of one order. */
    static final int MIN_PAIRS = 4;

    private static final int MAX_PAIRS = 16;

    private final AbJudge judge;
    private final TestTiming timing;
    private final AbGateways gateways;
    private final WindowMeter meter;
    private final Clock clock;
    private final RandomGenerator random;

    WindowsInTurns(
            AbRun.Settings settings, AbGateways gateways, WindowMeter meter, Clock clock, RandomGenerator random) {
        this.judge = settings.judge();
        this.timing = new TestTiming(settings.leadIn().plus(settings.window()), settings.leadIn(), Duration.ZERO);
        this.gateways = gateways;
        this.meter = meter;
        this.clock = clock;
        this.random = random;
    }

    /**
     * Windows of one start of the gateways.
     *
     * @param windows the windows in the order of time
     * @param whole the figures of each gateway that are known of all its windows together
     * @param took how long the windows took
     */
    record Measured(List<AbWindow> windows, Map<Side, Map<AbFigure, Double>> whole, Duration took) {
        static final Measured NOTHING = new Measured(List.of(), Map.of(), Duration.ZERO);
    }

    /** Returns what the fewest windows take. */
    static Duration least(Duration load) {
        return load.multipliedBy((long) MIN_PAIRS * Side.values().length);
    }

    /**
     * Measures until the start is known well enough; fewer windows if the user ends it.
     *
     * @param before how many pairs there are of the other arrangement already, which this one needs as well; 0 if there is none
     * @param hosts the host of each gateway
     * @param end when it has to end, except for the fewest windows
     * @param loads sends a load to a gateway; gives nothing if the user ended it
     */
    Measured measure(
            int before,
            Map<Side, RunningGateway> running,
            Map<Side, Host> hosts,
            Instant end,
            BiFunction<Side, TestTiming, Optional<LoadResult>> loads) {
        Instant began = clock.instant();
        Side first = random.nextBoolean() ? Side.A : Side.B;
        int pairAlone = 0;
        Map<Side, Allocation> allocations = Allocation.begin(running, clock);
        Map<Side, Long> answers = new EnumMap<>(Side.class);
        List<AbWindow> windows = new ArrayList<>();
        boolean more = true;
        for (int turn = 0; more; turn++) {
            int turnOfOrder = turn % FIRST_AT_TURN.length;
            int pair = turn / Side.values().length + 1;
            if (turnOfOrder == 0) {
                pairAlone = pair + random.nextInt(FIRST_AT_TURN.length / Side.values().length);
            }
            Side side = FIRST_AT_TURN[turnOfOrder] ? first : first.other();
            Optional<WindowMeter.Reading> reading = meter.measure(
                    before + pair, side, running, hosts, pair == pairAlone, () -> loads.apply(side, timing));
            if (reading.isEmpty()) {
                break;
            }
            windows.add(reading.get().window());
            answers.merge(side, reading.get().answers(), Long::sum);
            running.forEach(gateways::requireAlive);
            more = turnOfOrder < FIRST_AT_TURN.length - 1 || needsMore(windows, before, began, end);
        }
        return new Measured(
                windows, Allocation.perRequest(allocations, answers, clock), Duration.between(began, clock.instant()));
    }

    private boolean needsMore(List<AbWindow> windows, int before, Instant began, Instant end) {
        int pairs = windows.size() / Side.values().length;
        if (before > 0 || pairs < MIN_PAIRS) {
            return pairs < Math.max(before, MIN_PAIRS);
        }
        Instant now = clock.instant();
        Duration ofOrder =
                Duration.between(began, now).multipliedBy(FIRST_AT_TURN.length).dividedBy(windows.size());
        return pairs < MAX_PAIRS && !now.plus(ofOrder).isAfter(end) && judge.needsMoreWindows(windows);
    }
}
