/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes the durations of options and plan files. */
public final class Durations {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|min|h|)");

    private Durations() {}

    /**
     * Reads {@code 500ms}, {@code 30s}, {@code 15m} or {@code 2h}.
     *
     * @param unit the unit of a number without one: {@code ms} or {@code s}
     * @throws IllegalArgumentException if the text is no such duration
     */
    public static Duration parse(String text, String unit) {
        Matcher matcher = TEXT.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "must be a whole number with a unit ms, s, m or h, e.g. 30s, but was '" + text + "'");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2).isEmpty() ? unit : matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofMinutes(number);
        };
    }

    /** Returns a form for people: {@code 1h 02m}, {@code 3m 05s}, {@code 12s}. */
    public static String readable(Duration duration) {
        long seconds = Math.max(0, duration.toSeconds());
        if (seconds >= 3600) {
            return String.format(Locale.ROOT, "%dh %02dm", seconds / 3600, seconds % 3600 / 60);
        }
        return seconds >= 60 ? String.format(Locale.ROOT, "%dm %02ds", seconds / 60, seconds % 60) : seconds + "s";
    }
}
