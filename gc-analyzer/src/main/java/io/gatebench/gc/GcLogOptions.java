/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

import io.gatebench.model.MeasurementWindow;

/**
 * Choice of the part of a log that is asked for, with what the caller knows that the log does not tell.
 *
 * @param window the part of the run that counts; empty for the whole run
 * @param uptimeWindow the same by the JVM's uptime, for logs without wall-clock stamps; at most one of the two is given
 * @param started when the JVM was started; ties a log without wall-clock stamps to the window, and bounds the run
 * @param stopped when the JVM had stopped; without it a JDK 8 log ends with its last collection
 * @param run which JVM start in the log, from 1; empty for the last one
 * @param compat whether the figures by the published formulas are wanted; they take most of the time. A JDK 8 log has them
 *     either way, as what reads it gives them
 * @since 0.1
 */
public record GcLogOptions(
        Optional<MeasurementWindow> window,
        Optional<UptimeWindow> uptimeWindow,
        Optional<Instant> started,
        Optional<Instant> stopped,
        OptionalInt run,
        boolean compat) {

    /** Stands for the end of a window that has none. */
    static final Duration FOREVER = Duration.ofDays(3650);

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if {@code stopped} is not after {@code started} or {@code run} is below 1
     */
    public GcLogOptions {
        if (window.isPresent() && uptimeWindow.isPresent()) {
            throw new IllegalArgumentException("give the window by instants or by uptime, not both");
        }
        if (started.isPresent() && stopped.isPresent() && !started.get().isBefore(stopped.get())) {
            throw new IllegalArgumentException(
                    "the JVM must have stopped after it started: " + started.get() + " to " + stopped.get());
        }
        if (run.isPresent() && run.getAsInt() < 1) {
            throw new IllegalArgumentException("JVM starts are counted from 1 but run was " + run.getAsInt());
        }
    }

    /** Returns the options for the whole log of the last JVM in it, without the published formulas. */
    public static GcLogOptions defaults() {
        return new GcLogOptions(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), OptionalInt.empty(), false);
    }

    /** Returns the same with a window. */
    public GcLogOptions withWindow(MeasurementWindow wanted) {
        return new GcLogOptions(Optional.of(wanted), Optional.empty(), started, stopped, run, compat);
    }

    /** Returns the same with a window by the JVM's uptime. */
    public GcLogOptions withUptimeWindow(UptimeWindow wanted) {
        return new GcLogOptions(Optional.empty(), Optional.of(wanted), started, stopped, run, compat);
    }

    /** Returns whether only a part of the run is asked for. */
    boolean windowed() {
        return window.isPresent() || uptimeWindow.isPresent();
    }

    /** Returns the same with the time of the JVM's start. */
    public GcLogOptions withStarted(Instant when) {
        return new GcLogOptions(window, uptimeWindow, Optional.of(when), stopped, run, compat);
    }

    /** Returns the same with the time of the JVM's end. */
    public GcLogOptions withStopped(Instant when) {
        return new GcLogOptions(window, uptimeWindow, started, Optional.of(when), run, compat);
    }

    /** Returns the same for one of several JVM starts, from 1. */
    public GcLogOptions withRun(int number) {
        return new GcLogOptions(window, uptimeWindow, started, stopped, OptionalInt.of(number), compat);
    }

    /** Returns the same with the figures by the published formulas, which take most of the time for large logs. */
    public GcLogOptions withCompat() {
        return new GcLogOptions(window, uptimeWindow, started, stopped, run, true);
    }

    /** Returns the same without the figures by the published formulas. */
    public GcLogOptions withoutCompat() {
        return new GcLogOptions(window, uptimeWindow, started, stopped, run, false);
    }

    /**
     * A part of a run by the JVM's uptime.
     *
     * @param start its start
     * @param end its end, after the start
     */
    public record UptimeWindow(Duration start, Duration end) {
        /**
         * Checks the order.
         *
         * @throws IllegalArgumentException if the window is empty or begins before the JVM
         */
        public UptimeWindow {
            if (start.isNegative() || start.compareTo(end) >= 0) {
                throw new IllegalArgumentException("the window must not be empty: " + start + " to " + end);
            }
        }

        /** Returns whether the window has no end of its own. */
        boolean isOpen() {
            return end.minus(start).compareTo(FOREVER) >= 0;
        }
    }
}
