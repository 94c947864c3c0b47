/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads sizes, rates and probabilities as people write them. */
final class Amounts {

    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*(B|kB|KB|MB|KiB|MiB|GiB)?");
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,12})?)\\s*%");
    private static final Pattern FRACTION = Pattern.compile("(0(?:\\.\\d{1,15})?|1\\.0+)");

    private static final Pattern DURATION = Pattern.compile("(\\d{1,10}(?:\\.\\d{1,9})?)\\s*(ns|us|ms|s|m|h)?");

    private Amounts() {}

    /** Reads a time: {@code 30ms}, {@code 1.5s}, {@code 500us}; units are ns us ms s m h, without one it is ms. */
    static Optional<Duration> duration(String text) {
        Matcher matcher = DURATION.matcher(text.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long unit = switch (Objects.requireNonNullElse(matcher.group(2), "ms")) {
            case "ns" -> 1L;
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "m" -> 60_000_000_000L;
            default -> 3_600_000_000_000L;
        };
        BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
        BigDecimal[] parts = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000L));
        return Optional.of(Duration.ofSeconds(parts[0].longValue(), parts[1].longValue()));
    }

    /** Reads bytes: {@code 10240}, {@code 10KiB}, {@code 1MiB}; kB and MB are powers of ten. */
    static long bytes(String text) {
        Matcher matcher = SIZE.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is no size; write for example 10240, 10KiB or 1MiB");
        }
        String unit = matcher.group(2);
        long factor = unit == null
                ? 1
                : switch (unit.toLowerCase(Locale.ROOT)) {
                    case "kb" -> 1_000L;
                    case "mb" -> 1_000_000L;
                    case "kib" -> 1L << 10;
                    case "mib" -> 1L << 20;
                    case "gib" -> 1L << 30;
                    default -> 1L;
                };
        return Math.multiplyExact(Long.parseLong(matcher.group(1)), factor);
    }

    /** Reads bytes per second: {@code 10KiB/s}; the {@code /s} may be left out. */
    static long bytesPerSecond(String text) {
        String trimmed = text.strip();
        return bytes(trimmed.endsWith("/s") ? trimmed.substring(0, trimmed.length() - 2) : trimmed);
    }

    /** Reads a probability: {@code 1%} or {@code 0.01}; a bare 1 could be either and is refused. */
    static double probability(String text) {
        String trimmed = text.strip();
        Matcher percent = PERCENT.matcher(trimmed);
        if (percent.matches()) {
            double value = new BigDecimal(percent.group(1)).movePointLeft(2).doubleValue();
            if (value <= 1) {
                return value;
            }
        } else if (FRACTION.matcher(trimmed).matches()) {
            return Double.parseDouble(trimmed);
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no rate between 0 % and 100 %; write for example 1% or 0.01");
    }
}
