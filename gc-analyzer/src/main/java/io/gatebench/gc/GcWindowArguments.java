/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import io.gatebench.model.MeasurementWindow;

/**
 * Reads the times that people write on a command line.
 *
 * @since 0.1
 */
public final class GcWindowArguments {

    private static final Pattern NUMBER = Pattern.compile("\\d{1,15}(\\.\\d{1,9})?");
    private static final Pattern UPTIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)s");
    private static final double MIN_EPOCH_MILLIS = 1e11;
    private static final double MIN_EPOCH_SECONDS = 1e9;

    private static final DateTimeFormatter WITH_OFFSET = new DateTimeFormatterBuilder()
            .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
            .appendPattern("[XXX][XX][X]")
            .toFormatter(Locale.ROOT);

    private GcWindowArguments() {}

    /**
     * Returns the options for a window and what is known about the JVM.
     *
     * @param from start of the window: an ISO 8601 instant or time with offset, epoch milliseconds (100,000,000,000 and
     *     more), epoch seconds (1,000,000,000 and more), or seconds of uptime, with or without {@code s}
     * @param to end of the window, in the same form
     * @param started when the JVM was started, as an instant
     * @param stopped when it had stopped, as an instant
     * @param run which JVM start, from 1
     * @throws IllegalArgumentException if a time cannot be read or the window is empty
     */
    public static GcLogOptions options(
            @Nullable String from,
            @Nullable String to,
            @Nullable String started,
            @Nullable String stopped,
            @Nullable Integer run) {
        GcLogOptions options = GcLogOptions.defaults();
        if (run != null) {
            options = options.withRun(run);
        }
        if (started != null) {
            options = options.withStarted(instant("--started", started));
        }
        if (stopped != null) {
            options = options.withStopped(instant("--stopped", stopped));
        }
        if (from == null && to == null) {
            return options;
        }
        boolean uptime = from != null ? uptime(from) : uptime(String.valueOf(to));
        if (from != null && to != null && uptime != uptime(to)) {
            throw new IllegalArgumentException(
                    "--from and --to must both be instants or both seconds of uptime: " + from + ", " + to);
        }
        if (uptime) {
            Duration start = from == null ? Duration.ZERO : seconds(from);
            Duration end = to == null ? start.plus(GcLogOptions.FOREVER) : seconds(to);
            inOrder(start.compareTo(end) < 0, from, to);
            return options.withUptimeWindow(new GcLogOptions.UptimeWindow(start, end));
        }
        Instant start = from == null ? Instant.EPOCH : instant("--from", from);
        Instant end = to == null ? start.plus(GcLogOptions.FOREVER) : instant("--to", to);
        inOrder(start.isBefore(end), from, to);
        return options.withWindow(new MeasurementWindow(start, end));
    }

    private static void inOrder(boolean before, @Nullable String from, @Nullable String to) {
        if (!before) {
            throw new IllegalArgumentException(
                    "--from must lie before --to but they are '" + from + "' and '" + to + "'");
        }
    }

    private static boolean uptime(String text) {
        return UPTIME.matcher(text).matches()
                || NUMBER.matcher(text).matches() && Double.parseDouble(text) < MIN_EPOCH_SECONDS;
    }

    private static Duration seconds(String text) {
        String number = text.endsWith("s") ? text.substring(0, text.length() - 1) : text;
        return Duration.ofNanos(Math.round(Double.parseDouble(number) * 1e9));
    }

    private static Instant instant(String option, String text) {
        try {
            if (NUMBER.matcher(text).matches()) {
                double number = Double.parseDouble(text);
                if (number >= MIN_EPOCH_MILLIS) {
                    return Instant.ofEpochMilli(Math.round(number));
                }
                if (number >= MIN_EPOCH_SECONDS) {
                    return Instant.ofEpochMilli(Math.round(number * 1000));
                }
            } else {
                return OffsetDateTime.parse(text, WITH_OFFSET).toInstant();
            }
        } catch (DateTimeException e) {
            throw unreadable(option, text);
        }
        throw unreadable(option, text);
    }

    private static IllegalArgumentException unreadable(String option, String text) {
        return new IllegalArgumentException(
                option + " '" + text + "' is no instant; write for example 2026-11-21T02:33:00Z or epoch milliseconds");
    }
}
