/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Model by which requests follow each other.
 *
 * <p>In the closed model a user sends its next request when the answer to the last one has come. In the open model
 * requests start at their time whatever the server does, and response times count from that intended start.
 *
 * @param kind closed or open
 * @param levels users (closed) or requests per second (open) from a time of the test on, in order of time, the first at
 *     zero; empty in the closed model for the users of the test case, started within its ramp-up
 * @param thinkTime wait between an answer and the next request of the same user; closed model only
 * @param pacing least time between two starts of the same user; closed model only
 * @since 0.1
 */
public record LoadModel(Kind kind, List<Level> levels, Duration thinkTime, Duration pacing) {

    /** The two kinds of load. */
    public enum Kind {
        /** A fixed number of users, each waiting for its answer. */
        CLOSED,
        /** A rate of requests that does not depend on the answers. */
        OPEN
    }

    /**
     * A level that holds from a time on.
     *
     * @param at when it begins, from the start of the test
     * @param value users or requests per second, zero or more
     * @param ramp the time in which the level is reached evenly from the one before (from zero for the first)
     */
    public record Level(Duration at, double value, Duration ramp) {
        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if something is negative or not finite
         */
        public Level {
            if (at.isNegative() || ramp.isNegative() || !(value >= 0) || Double.isInfinite(value)) {
                throw new IllegalArgumentException("a load level needs a time, a value and a ramp of zero or more: "
                        + at + ", " + value + ", " + ramp);
            }
        }

        /** Returns a level that holds at once. */
        public static Level of(Duration at, double value) {
            return new Level(at, value, Duration.ZERO);
        }
    }

    /**
     * Copies the list and checks it.
     *
     * @throws IllegalArgumentException if levels are out of order or overlap, an open model has no rate or has think
     *     time or pacing, or a time is negative
     */
    public LoadModel {
        levels = List.copyOf(levels);
        if (thinkTime.isNegative() || pacing.isNegative()) {
            throw new IllegalArgumentException("think time and pacing must not be negative");
        }
        if (kind == Kind.OPEN) {
            if (levels.stream().noneMatch(level -> level.value() > 0)) {
                throw new IllegalArgumentException("an open load model needs a rate above 0 requests per second");
            }
            if (!thinkTime.isZero() || !pacing.isZero()) {
                throw new IllegalArgumentException(
                        "think time and pacing belong to the closed model; an open model is given by its rate alone");
            }
        }
        for (int i = 0; i < levels.size(); i++) {
            Duration begin = levels.get(i).at();
            Duration earliest = i == 0
                    ? Duration.ZERO
                    : levels.get(i - 1).at().plus(levels.get(i - 1).ramp());
            if (i == 0 && !begin.isZero() || begin.compareTo(earliest) < 0) {
                throw new IllegalArgumentException("load level " + (i + 1) + " begins at " + begin + " but must begin "
                        + (i == 0 ? "at zero" : "when the one before is reached, " + earliest));
            }
        }
    }

    /** Returns the closed model without think time: the one of the published results. */
    public static LoadModel closed() {
        return new LoadModel(Kind.CLOSED, List.of(), Duration.ZERO, Duration.ZERO);
    }

    /** Returns the open model with one rate. */
    public static LoadModel constantRate(double requestsPerSecond) {
        return steppedRate(List.of(Level.of(Duration.ZERO, requestsPerSecond)));
    }

    /** Returns the open model with a rate that changes. */
    public static LoadModel steppedRate(List<Level> rates) {
        return new LoadModel(Kind.OPEN, rates, Duration.ZERO, Duration.ZERO);
    }

    /** Returns the closed model with a number of users that changes. */
    public static LoadModel steppedUsers(List<Level> users) {
        return new LoadModel(Kind.CLOSED, users, Duration.ZERO, Duration.ZERO);
    }

    /** Returns levels that rise from {@code first} by {@code increment} every {@code hold}, {@code steps} in all. */
    public static List<Level> staircase(double first, double increment, int steps, Duration hold) {
        return java.util.stream.IntStream.range(0, steps)
                .mapToObj(step -> Level.of(hold.multipliedBy(step), first + step * increment))
                .toList();
    }

    /** Returns levels of {@code base} with one peak of that length. */
    public static List<Level> spike(double base, double peak, Duration at, Duration length) {
        return List.of(Level.of(Duration.ZERO, base), Level.of(at, peak), Level.of(at.plus(length), base));
    }

    /** Returns this model with a wait between an answer and the next request. */
    public LoadModel withThinkTime(Duration time) {
        return new LoadModel(kind, levels, time, pacing);
    }

    /** Returns this model with a least time between two starts of one user. */
    public LoadModel withPacing(Duration time) {
        return new LoadModel(kind, levels, thinkTime, time);
    }

    /** Returns how many users the model needs at once when the test case has that many. */
    public int users(int usersOfTestCase) {
        if (kind == Kind.OPEN || levels.isEmpty()) {
            return usersOfTestCase;
        }
        return Math.max(1, (int)
                Math.ceil(levels.stream().mapToDouble(Level::value).max().orElse(usersOfTestCase)));
    }

    /** Returns whether each user has a request under way all the time, but for the ramp-up: the published model. */
    public boolean closedWithoutThinkTime() {
        return kind == Kind.CLOSED && levels.isEmpty() && thinkTime.isZero() && pacing.isZero();
    }

    /** Returns whether rate or users change while the test runs, but for the ramp-up. */
    public boolean changes() {
        return levels.size() > 1;
    }

    /** Returns the model in words, e.g. {@code open, 100 requests/s from 0s, 300 requests/s from 60s}. */
    public String describe() {
        StringBuilder text = new StringBuilder(kind.name().toLowerCase(Locale.ROOT));
        for (Level level : levels) {
            text.append(", ")
                    .append(number(level.value()))
                    .append(kind == Kind.OPEN ? " requests/s" : " users")
                    .append(" from ")
                    .append(seconds(level.at()));
            if (!level.ramp().isZero()) {
                text.append(" within ").append(seconds(level.ramp()));
            }
        }
        if (!thinkTime.isZero()) {
            text.append(", think time ").append(seconds(thinkTime));
        }
        if (!pacing.isZero()) {
            text.append(", pacing ").append(seconds(pacing));
        }
        return text.toString();
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }

    private static String seconds(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
    }
}
