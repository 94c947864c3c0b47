/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import io.gatebench.model.MeasuredValue;

/**
 * The stretch of time that figures refer to.
 *
 * @param seconds its length, or why it is not known
 * @param endKnown whether the end is known and not only the last thing that was logged
 * @param failure why there can be no figures at all, if so
 */
record Timeline(MeasuredValue seconds, boolean endKnown, Optional<String> failure) {

    private static final long UNKNOWN = Collection.UNKNOWN;
    private static final double SECOND = 1e9;
    /** Largest distance of the caller's clock from the log's. */
    private static final long TOLERANCE_NANOS = 1_000_000_000L;

    /** A window that ends this long after the log has no end of its own. */
    private static final long OPEN_ENDED_NANOS = 30L * 86_400 * TOLERANCE_NANOS;

    static Timeline of(
            JvmGcAccumulator run,
            GcLogOptions options,
            long originEpochMillis,
            boolean stamped,
            boolean uptimeKnown,
            boolean startSeen,
            List<String> notes) {
        boolean several = run.health.backwardJumps > 0 && run.health.disorderedStarts;
        if (several) {
            return failed("the lines are out of order and the log holds several JVM starts; they cannot be told apart");
        }
        if (!stamped || run.health.lastNanos == UNKNOWN) {
            if (options.windowed()) {
                return failed("the log has no time stamps, so that a window cannot be placed");
            }
            return new Timeline(
                    MeasuredValue.absent("the log has no time stamps; decorate it with uptime"),
                    false,
                    Optional.empty());
        }
        Instant zero = originEpochMillis != Decorations.NONE
                ? Instant.ofEpochMilli(originEpochMillis)
                : options.started().orElse(null);
        long begin = startSeen ? 0 : run.health.firstNanos;
        if (!startSeen) {
            notes.add(String.format(
                    Locale.ROOT, "The log does not hold the JVM's start; it begins %.3f s after it.", begin / SECOND));
        }
        long last = Math.max(run.health.lastNanos, run.lastPauseEnd);
        long end = last;
        boolean endKnown = run.health.exitSeen;
        if (options.started().isPresent() && originEpochMillis != Decorations.NONE && startSeen) {
            long started = RunReader.nanos(zero, options.started().get());
            if (started > run.health.firstNanos + TOLERANCE_NANOS) {
                notes.add("The start that was given lies after the first line of the log and was not used.");
            } else if (!uptimeKnown || Math.abs(started) <= 60 * TOLERANCE_NANOS) {
                begin = started;
            }
        }
        if (options.stopped().isPresent() && zero != null) {
            long stopped = RunReader.nanos(zero, options.stopped().get());
            if (stopped < last - TOLERANCE_NANOS) {
                notes.add("The end that was given lies before the last line of the log and was not used.");
            } else {
                end = Math.max(stopped, last);
                endKnown = true;
            }
        }
        if (options.windowed()) {
            if (options.uptimeWindow().isPresent() && !uptimeKnown) {
                return failed("the log does not tell the JVM's uptime; give the window by instants");
            }
            if (options.window().isPresent() && zero == null) {
                return failed("the log has no wall-clock stamps, so that the window cannot be placed;"
                        + " log with utctime or give the time the JVM was started");
            }
            return window(run, begin, last, end, endKnown, startSeen, notes);
        }
        if (end <= begin) {
            return new Timeline(
                    MeasuredValue.absent("the log spans no time: its first and last stamp are the same"),
                    endKnown,
                    Optional.empty());
        }
        return new Timeline(MeasuredValue.of((end - begin) / SECOND), endKnown, Optional.empty());
    }

    private static Timeline window(
            JvmGcAccumulator run,
            long begin,
            long last,
            long end,
            boolean endKnown,
            boolean startSeen,
            List<String> notes) {
        long from = run.from();
        long to = run.to();
        if (to <= begin || from >= end && endKnown || from > last + 3600 * TOLERANCE_NANOS) {
            return failed(String.format(
                    Locale.ROOT,
                    "the window lies outside the log: it reaches from %.3f s to %.3f s after the JVM's start, the log from"
                            + " %.3f s to %.3f s",
                    from / SECOND,
                    to / SECOND,
                    begin / SECOND,
                    end / SECOND));
        }
        long first = Math.max(from, begin);
        if (first > from) {
            notes.add(String.format(
                    Locale.ROOT,
                    "The %s %.3f s after the window's start; only the rest of the window counts.",
                    startSeen ? "JVM started" : "log begins",
                    (first - from) / SECOND));
        }
        boolean broken = run.health.lastLineCut || run.health.endsInsidePause;
        boolean open = to > end + OPEN_ENDED_NANOS;
        long until = endKnown || broken || open ? Math.min(to, end) : to;
        if (until < to && !open) {
            notes.add(String.format(
                    Locale.ROOT,
                    "The %s %.3f s before the window's end; only the part until then counts.",
                    endKnown ? "JVM ended" : "log breaks off",
                    (to - until) / SECOND));
        } else if (!open && last < to - (to - from) / 4) {
            notes.add(String.format(
                    Locale.ROOT,
                    "The last line of the log lies %.3f s before the window's end; if the JVM had ended, GC throughput is"
                            + " lower than it says.",
                    (to - last) / SECOND));
        }
        if (until <= first) {
            return failed("the window lies outside what is left of the log");
        }
        return new Timeline(MeasuredValue.of((until - first) / SECOND), endKnown, Optional.empty());
    }

    private static Timeline failed(String reason) {
        return new Timeline(MeasuredValue.absent(reason), false, Optional.of(reason));
    }
}
