/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.gatebench.load.engine.LoadModel.Level;
import io.gatebench.load.engine.TokenSlice;

/**
 * Due times of an open model: the n-th request is due when the integral of the rate passes n. Immutable.
 */
final class ArrivalSchedule {

    private static final double NANOS = 1e9;

    private final List<Segment> segments;
    private final double turn;

    private record Segment(double start, double length, double firstRate, double lastRate, double before) {
        private double arrivals(double time) {
            double slope = length == 0 ? 0 : (lastRate - firstRate) / length;
            return firstRate * time + slope * time * time / 2;
        }

        private double timeOf(double arrivals) {
            double slope = length == 0 || Double.isInfinite(length) ? 0 : (lastRate - firstRate) / length;
            if (slope == 0) {
                return arrivals / firstRate;
            }
            // Root of slope/2 t^2 + firstRate t - arrivals in the form that does not lose digits for small slopes.
            return 2 * arrivals / (firstRate + Math.sqrt(Math.max(0, firstRate * firstRate + 2 * slope * arrivals)));
        }
    }

    /**
     * Creates the schedule of one of several load generators.
     *
     * @param levels its share of the rates
     * @param rampUp ramp of the first level, if that has none of its own
     * @param part which load generator it is: request n of the whole is due at load generator n mod their count
     */
    ArrivalSchedule(List<Level> levels, Duration rampUp, TokenSlice part) {
        // By its own rate, request k of this load generator is due when the k-th and this fraction has arrived.
        this.turn = (double) part.index() / part.count();
        List<Segment> built = new ArrayList<>();
        double rate = 0;
        double before = 0;
        for (int i = 0; i < levels.size(); i++) {
            Level level = levels.get(i);
            double start = level.at().toNanos() / NANOS;
            double end = i + 1 < levels.size() ? levels.get(i + 1).at().toNanos() / NANOS : Double.POSITIVE_INFINITY;
            Duration ramp = i == 0 && level.ramp().isZero() ? rampUp : level.ramp();
            double rampLength = Math.min(end - start, ramp.toNanos() / NANOS);
            if (rampLength > 0) {
                Segment rising = new Segment(start, rampLength, rate, level.value(), before);
                built.add(rising);
                before += rising.arrivals(rampLength);
            }
            rate = level.value();
            double rest = end - start - rampLength;
            if (rest > 0) {
                Segment flat = new Segment(start + rampLength, rest, rate, rate, before);
                built.add(flat);
                before += rate == 0 ? 0 : rate * rest;
            }
        }
        this.segments = List.copyOf(built);
    }

    /** Returns when that request (from 0) is due, in nanoseconds from the start, or -1 if it never is. */
    long dueNanos(long request) {
        double number = request + turn;
        for (int i = segments.size() - 1; i >= 0; i--) {
            Segment segment = segments.get(i);
            if (number >= segment.before()) {
                double inside = number - segment.before();
                if (segment.firstRate() == 0 && segment.lastRate() == 0) {
                    // A later segment with arrivals would have been found before this one.
                    return -1;
                }
                if (inside == 0 && segment.firstRate() == 0) {
                    return Math.round(segment.start() * NANOS);
                }
                double time = segment.timeOf(inside);
                // Beyond its segment is what rounding makes of its very end.
                return Math.round((segment.start() + Math.min(time, segment.length())) * NANOS);
            }
        }
        return -1;
    }

    /** Returns how many requests are due before that time. */
    long arrivalsBefore(long nanos) {
        double time = nanos / NANOS;
        double arrivals = 0;
        for (Segment segment : segments) {
            if (time <= segment.start()) {
                break;
            }
            arrivals = segment.before() + segment.arrivals(Math.min(time - segment.start(), segment.length()));
        }
        return Math.max(0, (long) Math.ceil(arrivals - turn - 1e-9));
    }
}
