/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.gatebench.model.MeasurementWindow;

/** Reads a unified log into the figures of the JVM run that was asked for; the last one unless told otherwise. */
final class RunReader implements LogListener {

    private final GcLogOptions options;
    private final LogClock clock = new LogClock();
    private final boolean keepEvents;
    private RunFigures current;
    private RunFigures chosen;
    private long chosenOrigin = Decorations.NONE;
    private boolean chosenUptimeKnown;
    private boolean chosenStamped;
    private int runs = 1;
    private int chosenRun = 1;
    private long chosenInside;
    private boolean resolved;
    private boolean constructed;

    private RunReader(GcLogOptions options, boolean keepEvents) {
        this.options = options;
        this.keepEvents = keepEvents;
        this.current = new RunFigures(keepEvents);
        this.chosen = current;
    }

    static RunReader read(List<LogFile> files, GcLogOptions options, boolean keepEvents) {
        RunReader reader = new RunReader(options, keepEvents);
        UnifiedLogParser parser = new UnifiedLogParser(reader, reader.clock, reader::nextHealth);
        for (LogFile file : files) {
            file.read(new LogFile.LineTaker() {
                @Override
                public boolean take(byte[] b, int start, int end, boolean terminated) {
                    parser.accept(b, start, end, terminated);
                    reader.current.health.lastLineCut = !terminated;
                    return true;
                }

                @Override
                public int skip(byte[] b, ByteBuffer words, int start, int limit) {
                    int next = parser.skip(b, words, start, limit);
                    if (next > start) {
                        reader.current.health.lastLineCut = false;
                    }
                    return next;
                }

                @Override
                public void beforeRefill() {
                    parser.stampLastLine();
                }

                @Override
                public void overlong() {
                    reader.current.health.overlongLines++;
                }
            });
        }
        parser.finish();
        reader.keep();
        return reader;
    }

    private ParserHealth nextHealth() {
        if (constructed) {
            keep();
            runs++;
            current = new RunFigures(keepEvents);
            resolved = false;
        }
        constructed = true;
        return current.health;
    }

    /** Keeps the run that was asked for; or the one that is inside the window longest, or the last one. */
    private void keep() {
        boolean keep = true;
        if (options.run().isPresent()) {
            keep = options.run().getAsInt() == runs;
        } else if (options.window().isPresent() && current.health.lastNanos != Collection.UNKNOWN) {
            long inside = run().inside(current.health.firstNanos, current.health.lastNanos);
            keep = inside > 0 && inside >= chosenInside || chosenInside == 0;
            chosenInside = Math.max(chosenInside, inside);
        }
        if (keep) {
            chosen = current;
            chosenRun = runs;
            chosenOrigin = clock.originEpochMillis();
            chosenUptimeKnown = clock.uptimeKnown();
            chosenStamped = clock.stamped();
        }
    }

    /** Returns which JVM start the figures are of, from 1. */
    int chosenRun() {
        return chosenRun;
    }

    RunFigures chosen() {
        return chosen;
    }

    int runs() {
        return runs;
    }

    long originEpochMillis() {
        return chosenOrigin;
    }

    boolean uptimeKnown() {
        return chosenUptimeKnown;
    }

    boolean stamped() {
        return chosenStamped;
    }

    /** Places the window on the log's clock, which is known once the first line was read. */
    private RunFigures run() {
        if (!resolved) {
            resolved = true;
            long origin = clock.originEpochMillis();
            place(current, options, origin, clock.uptimeKnown());
        }
        return current;
    }

    /** Restricts the figures to the window, if one was asked for; returns whether it could be placed. */
    static boolean place(RunFigures figures, GcLogOptions options, long origin, boolean uptimeKnown) {
        if (options.uptimeWindow().isPresent()) {
            GcLogOptions.UptimeWindow window = options.uptimeWindow().get();
            figures.restrict(window.start().toNanos(), window.end().toNanos());
            return uptimeKnown;
        }
        if (options.window().isEmpty()) {
            return true;
        }
        MeasurementWindow window = options.window().get();
        if (origin == Decorations.NONE && options.started().isEmpty()) {
            return false;
        }
        Instant zero = origin != Decorations.NONE
                ? Instant.ofEpochMilli(origin)
                : options.started().get();
        figures.restrict(nanos(zero, window.start()), nanos(zero, window.end()));
        return true;
    }

    static long nanos(Instant from, Instant to) {
        Duration duration = Duration.between(from, to);
        // Further away than a log can be; saturates instead of overflowing.
        if (Math.abs(duration.getSeconds()) > 1_000_000_000L) {
            return duration.isNegative() ? Long.MIN_VALUE / 2 : Long.MAX_VALUE / 2;
        }
        return duration.toNanos();
    }

    @Override
    public void jvmStarted() {
        resolved = false;
    }

    @Override
    public void collection(Collection collection) {
        run().collection(collection);
        if (collection.pause() && collection.full() && collection.afterBytes() == Collection.UNKNOWN) {
            run().fullWithoutHeap(collection.startNanos(), collection.cause());
        }
    }

    @Override
    public void afterFull(long startNanos, double bytes, String cause) {
        run().afterFull(startNanos, bytes, cause);
    }

    @Override
    public void concurrent(long endNanos, long durationNanos) {
        run().concurrent(endNanos, durationNanos);
    }

    @Override
    public void safepoint(long endNanos, long waitNanos, long totalNanos) {
        run().safepoint(endNanos, waitNanos, totalNanos);
    }

    @Override
    public void oldGeneration(long endNanos, long beforeBytes, long afterBytes) {
        run().oldGeneration(endNanos, beforeBytes, afterBytes);
    }

    @Override
    public void count(Event event, long timeNanos, long number) {
        run().count(event, timeNanos, number);
    }

    @Override
    public void fact(Fact fact, String value) {
        current.facts.merge(
                fact, value, (old, fresh) -> fact == Fact.COLLECTOR && old.length() > fresh.length() ? old : fresh);
    }
}
