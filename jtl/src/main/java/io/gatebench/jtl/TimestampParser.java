/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

/**
 * Reads time stamps that JMeter was told to format. The time zone is taken as UTC where the text has none: only
 * differences matter.
 */
final class TimestampParser {

    private static final List<DateTimeFormatter> FORMATS = List.of(
            format("yyyy/MM/dd HH:mm:ss.SSS"),
            format("yyyy-MM-dd HH:mm:ss.SSS"),
            format("yyyy-MM-dd HH:mm:ss,SSS"),
            format("yyyy/MM/dd HH:mm:ss"),
            format("yyyy-MM-dd HH:mm:ss"),
            format("yyyy-MM-dd'T'HH:mm:ss.SSS"),
            format("yyyy-MM-dd'T'HH:mm:ss"),
            format("MM/dd/yyyy HH:mm:ss.SSS"),
            format("MM/dd/yyyy HH:mm:ss"),
            format("MM/dd/yy HH:mm:ss"),
            format("dd.MM.yyyy HH:mm:ss.SSS"),
            format("dd.MM.yyyy HH:mm:ss"));

    private @Nullable DateTimeFormatter last;

    private static DateTimeFormatter format(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
    }

    /** Returns milliseconds since 1970, or empty if the text is no time stamp of a known form. */
    OptionalLong parse(String text) {
        String trimmed = text.strip();
        DateTimeFormatter known = last;
        if (known != null) {
            OptionalLong time = parse(trimmed, known);
            if (time.isPresent()) {
                return time;
            }
        }
        for (DateTimeFormatter candidate : FORMATS) {
            OptionalLong time = parse(trimmed, candidate);
            if (time.isPresent()) {
                last = candidate;
                return time;
            }
        }
        try {
            return OptionalLong.of(OffsetDateTime.parse(trimmed).toInstant().toEpochMilli());
        } catch (DateTimeParseException e) {
            return OptionalLong.empty();
        }
    }

    private static OptionalLong parse(String text, DateTimeFormatter format) {
        try {
            return OptionalLong.of(
                    LocalDateTime.parse(text, format).toInstant(ZoneOffset.UTC).toEpochMilli());
        } catch (DateTimeParseException e) {
            return OptionalLong.empty();
        }
    }
}
