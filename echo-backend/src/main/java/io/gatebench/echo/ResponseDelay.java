/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * The wait between the last byte of a request and the first byte of its response.
 *
 * <p>Immutable. A distribution draws from two uniform numbers that the caller derives from a seed and the number of the
 * request, so that equal seeds give equal delays. A drawn delay is never negative (a normal deviate below zero counts as
 * zero) and never above {@link #MAX}.
 *
 * @since 0.1
 */
public final class ResponseDelay {

    /** The longest delay that can be asked for or drawn: one hour. */
    public static final Duration MAX = Duration.ofHours(1);

    private static final long MAX_NANOS = MAX.toNanos();
    /** The 99th percentile of the standard normal distribution. */
    private static final double Z99 = 2.3263478740408408;

    private static final ResponseDelay NONE = new ResponseDelay(Shape.FIXED, 0, 0);

    private enum Shape {
        FIXED,
        UNIFORM,
        NORMAL,
        LOGNORMAL
    }

    private final Shape shape;
    private final long first;
    private final long second;

    private ResponseDelay(Shape shape, long firstNanos, long secondNanos) {
        this.shape = shape;
        this.first = firstNanos;
        this.second = secondNanos;
    }

    /** Returns the delay of zero. */
    public static ResponseDelay none() {
        return NONE;
    }

    /**
     * Returns a delay that is the same for every request.
     *
     * @throws IllegalArgumentException if it is negative or above {@link #MAX}
     */
    public static ResponseDelay fixed(Duration delay) {
        long nanos = checked("delay", delay);
        return nanos == 0 ? NONE : new ResponseDelay(Shape.FIXED, nanos, 0);
    }

    /**
     * Returns a delay that is equally likely anywhere from {@code least} up to, not including, {@code most}.
     *
     * @throws IllegalArgumentException if one is out of range or {@code most} is below {@code least}
     */
    public static ResponseDelay uniform(Duration least, Duration most) {
        long low = checked("uniform delay", least);
        long high = checked("uniform delay", most);
        if (high < low) {
            throw new IllegalArgumentException(
                    "uniform delay must go from the shorter to the longer, but was " + text(low) + "-" + text(high));
        }
        return new ResponseDelay(Shape.UNIFORM, low, high);
    }

    /**
     * Returns a delay that is normally distributed; deviates below zero count as zero.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public static ResponseDelay normal(Duration mean, Duration standardDeviation) {
        return new ResponseDelay(
                Shape.NORMAL, checked("mean delay", mean), checked("standard deviation", standardDeviation));
    }

    /**
     * Returns a log-normally distributed delay that is given by its median and its 99th percentile.
     *
     * <p>mu = ln(p50), sigma = (ln(p99) - ln(p50)) / 2.3263.
     *
     * @throws IllegalArgumentException if one is out of range, the median is zero or above the 99th percentile
     */
    public static ResponseDelay lognormal(Duration p50, Duration p99) {
        long median = checked("p50 of the delay", p50);
        long high = checked("p99 of the delay", p99);
        if (median == 0) {
            throw new IllegalArgumentException("p50 of a lognormal delay must be above zero, but was 0");
        }
        if (high < median) {
            throw new IllegalArgumentException("p99 of a lognormal delay must not be below its p50, but was p50="
                    + text(median) + ",p99=" + text(high));
        }
        return new ResponseDelay(Shape.LOGNORMAL, median, high);
    }

    /**
     * Reads a delay as it is written on the command line or in the {@code echo-delay} header: {@code 30ms}, {@code
     * uniform:20ms-40ms}, {@code normal:30ms,5ms} (mean, standard deviation) or {@code lognormal:p50=20ms,p99=200ms}.
     *
     * <p>Units are {@code ns us ms s m}; a number without one is milliseconds.
     *
     * @throws IllegalArgumentException if the text is none of these, naming the text
     */
    public static ResponseDelay parse(String text) {
        String trimmed = text.strip();
        int colon = trimmed.indexOf(':');
        if (colon < 0) {
            return fixed(duration(trimmed, text));
        }
        String[] values = trimmed.substring(colon + 1).split("[,-]", -1);
        if (values.length != 2) {
            throw malformed(text);
        }
        String left = values[0].strip();
        String right = values[1].strip();
        return switch (trimmed.substring(0, colon).toLowerCase(Locale.ROOT)) {
            case "uniform" -> uniform(duration(left, text), duration(right, text));
            case "normal" -> normal(duration(left, text), duration(right, text));
            case "lognormal" ->
                lognormal(duration(valueOf("p50=", left, text), text), duration(valueOf("p99=", right, text), text));
            default -> throw malformed(text);
        };
    }

    private static String valueOf(String name, String value, String whole) {
        if (!value.startsWith(name)) {
            throw malformed(whole);
        }
        return value.substring(name.length());
    }

    private static Duration duration(String text, String whole) {
        Duration duration = Amounts.duration(text).orElseThrow(() -> malformed(whole));
        if (duration.compareTo(MAX) > 0) {
            throw new IllegalArgumentException("delay must be between 0 and 1h, but was '" + text + "'");
        }
        return duration;
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException("'" + text + "' is no delay; write for example 30ms, uniform:20ms-40ms,"
                + " normal:30ms,5ms or lognormal:p50=20ms,p99=200ms");
    }

    private static long checked(String what, Duration value) {
        if (value.isNegative() || value.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(what + " must be between 0 and 1h, but was " + value);
        }
        return value.toNanos();
    }

    boolean isDrawn() {
        return shape != Shape.FIXED;
    }

    /**
     * Returns the delay in nanoseconds for two independent uniform numbers of [0, 1).
     *
     * <p>Normal deviates by the Box-Muller transform: sqrt(-2 ln(1 - u)) cos(2 pi v).
     */
    long nanos(double u, double v) {
        return switch (shape) {
            case FIXED -> first;
            case UNIFORM -> first + (long) ((second - first) * u);
            case NORMAL -> clamp(first + second * deviate(u, v));
            case LOGNORMAL -> {
                double mu = Math.log(first);
                double sigma = (Math.log(second) - mu) / Z99;
                yield clamp(Math.exp(mu + sigma * deviate(u, v)));
            }
        };
    }

    private static double deviate(double u, double v) {
        return Math.sqrt(-2 * Math.log(1 - u)) * Math.cos(2 * Math.PI * v);
    }

    private static long clamp(double nanos) {
        return (long) Math.max(0, Math.min(MAX_NANOS, nanos));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ResponseDelay that
                && shape == that.shape
                && first == that.first
                && second == that.second;
    }

    @Override
    public int hashCode() {
        return Objects.hash(shape, first, second);
    }

    /** Returns the text that {@link #parse} reads as this delay. */
    @Override
    public String toString() {
        return switch (shape) {
            case FIXED -> text(first);
            case UNIFORM -> "uniform:" + text(first) + "-" + text(second);
            case NORMAL -> "normal:" + text(first) + "," + text(second);
            case LOGNORMAL -> "lognormal:p50=" + text(first) + ",p99=" + text(second);
        };
    }

    private static String text(long nanos) {
        if (nanos % 1_000_000 == 0) {
            return nanos / 1_000_000 + "ms";
        }
        return nanos % 1_000 == 0 ? nanos / 1_000 + "us" : nanos + "ns";
    }
}
