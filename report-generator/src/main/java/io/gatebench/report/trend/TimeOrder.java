/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.trend;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** Reads the times that files carry, so that runs can be put in order. */
final class TimeOrder {

    private static final Pattern NUMBER = Pattern.compile("\\d{1,19}(?:\\.\\d{1,9})?");
    private static final DateTimeFormatter DATE_AND_TIME = new DateTimeFormatterBuilder()
            .appendPattern("uuuu-MM-dd[ ]['T']HH:mm[:ss]")
            .optionalStart()
            .appendFraction(ChronoField.NANO_OF_SECOND, 1, 9, true)
            .optionalEnd()
            .toFormatter(Locale.ROOT);
    private static final List<DateTimeFormatter> DATES = List.of(
            DateTimeFormatter.ISO_LOCAL_DATE,
            DateTimeFormatter.ofPattern("uuuu/MM/dd", Locale.ROOT),
            DateTimeFormatter.ofPattern("uuuuMMdd", Locale.ROOT));
    private static final double MIN_MILLIS = 1e11;
    private static final double MIN_MICROS = 1e14;

    /** Smaller numbers are rather those of builds; larger ones would be no time that a run was at. */
    private static final double EARLIEST = 5e8;

    private static final double LATEST = 1e11;
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);

    private TimeOrder() {}

    /**
     * Returns a number that ascends with time: seconds since 1970 for dates and times (those without a zone in UTC) and
     * for numbers that are seconds, milliseconds or microseconds since 1970; a smaller number is itself; else empty.
     */
    static OptionalDouble parse(String cell) {
        String text = cell.strip();
        if (text.length() == 8 && text.chars().allMatch(Character::isDigit)) {
            OptionalDouble date = date(text);
            if (date.isPresent()) {
                return date;
            }
        }
        if (NUMBER.matcher(text).matches()) {
            double number = Double.parseDouble(text);
            return OptionalDouble.of(
                    number >= MIN_MICROS ? number / 1e6 : number >= MIN_MILLIS ? number / 1e3 : number);
        }
        try {
            return seconds(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException e) {
            // Not with a zone; the forms without one follow.
        }
        String plain = text.endsWith(" UTC") ? text.substring(0, text.length() - 4) : text;
        try {
            return seconds(LocalDateTime.parse(plain, DATE_AND_TIME).toInstant(ZoneOffset.UTC));
        } catch (DateTimeException e) {
            return date(plain);
        }
    }

    /** Returns a time as a date in UTC, with the time of day where it is not midnight; what is no time stays as it is. */
    static String readable(String cell) {
        OptionalDouble seconds = parse(cell);
        if (seconds.isEmpty() || seconds.getAsDouble() < EARLIEST || seconds.getAsDouble() > LATEST) {
            return cell;
        }
        LocalDateTime time = LocalDateTime.ofEpochSecond((long) seconds.getAsDouble(), 0, ZoneOffset.UTC);
        return time.toLocalTime().toSecondOfDay() == 0
                ? time.toLocalDate().toString()
                : time.toLocalDate() + " " + MINUTE.format(time);
    }

    private static OptionalDouble date(String text) {
        for (DateTimeFormatter format : DATES) {
            try {
                return seconds(LocalDate.parse(text, format)
                        .atStartOfDay(ZoneOffset.UTC)
                        .toInstant());
            } catch (DateTimeException e) {
                // The next form may fit.
            }
        }
        return OptionalDouble.empty();
    }

    private static OptionalDouble seconds(Instant instant) {
        return OptionalDouble.of(instant.getEpochSecond() + instant.getNano() / 1e9);
    }
}
