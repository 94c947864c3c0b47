/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.gatebench.model.MeasurementWindow;

/** Collects the figures of the JVM run in a unified log that was asked for; the last one unless told otherwise. */
final class RunReader implements LogListener {

    private final GcLogOptions options;
    private final LogClock clock;
    private final boolean keepEvents;
    private JvmGcAccumulator current;
    private JvmGcAccumulator chosen;
    private long chosenOrigin = Decorations.NONE;
    private boolean chosenUptimeKnown;
    private boolean chosenStamped;
    private int runs;
    private int chosenRun = 1;
    private long chosenInside;
    private boolean resolved;

    private RunReader(GcLogOptions options, LogClock clock, boolean keepEvents) {
        this.options = options;
        this.clock = clock;
        this.keepEvents = keepEvents;
        this.current = new JvmGcAccumulator(keepEvents);
        this.chosen = current;
    }

    /**
     * Reads a log once for all that is wanted of it.
     *
     * @param wanted what each of the readers that are returned collects
     * @param keepEvents whether the first one keeps every collection
     */
    static List<RunReader> read(List<LogFile> files, List<GcLogOptions> wanted, boolean keepEvents) {
        LogClock clock = new LogClock();
        List<RunReader> readers = new ArrayList<>();
        for (GcLogOptions options : wanted) {
            readers.add(new RunReader(options, clock, keepEvents && readers.isEmpty()));
        }
        LogListener listener = readers.size() == 1 ? readers.get(0) : new LogListeners(readers);
        Lines lines = new Lines(listener, clock, readers);
        files.forEach(file -> file.readParts(lines));
        lines.finish();
        readers.forEach(RunReader::keep);
        return readers;
    }

    /** Hands the lines of a log to its parser. */
    private static final class Lines implements LogFile.LineTaker {
        private final List<RunReader> readers;
        private final UnifiedLogParser parser;
        private ParserHealth health = new ParserHealth();

        Lines(LogListener listener, LogClock clock, List<RunReader> readers) {
            this.readers = readers;
            this.parser = new UnifiedLogParser(listener, clock, this::nextHealth);
        }

        private ParserHealth nextHealth() {
            health = new ParserHealth();
            readers.forEach(reader -> reader.nextRun(health));
            return health;
        }

        void finish() {
            parser.finish();
        }

        @Override
        public boolean take(byte[] b, int start, int end, boolean terminated) {
            parser.accept(b, start, end, terminated);
            health.lastLineCut = !terminated;
            return true;
        }

        @Override
        public int skip(LogBytes content, int start, int limit) {
            int next = parser.skip(content, start, limit);
            if (next > start) {
                health.lastLineCut = false;
            }
            return next;
        }

        @Override
        public void passOver(byte[] b, int start, int end) {
            parser.passOver(b, start, end);
            health.lastLineCut = false;
        }

        @Override
        public void beforeRefill() {
            parser.stampLastLine();
        }

        @Override
        public void overlong() {
            health.overlongLines++;
        }
    }

    private void nextRun(ParserHealth health) {
        if (runs > 0) {
            keep();
        }
        runs++;
        current = new JvmGcAccumulator(keepEvents, health);
        if (runs == 1) {
            chosen = current;
        }
        resolved = false;
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

    JvmGcAccumulator chosen() {
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
    private JvmGcAccumulator run() {
        if (!resolved) {
            resolved = true;
            long origin = clock.originEpochMillis();
            place(current, options, origin, clock.uptimeKnown());
        }
        return current;
    }

    /** Restricts the figures to the window, if one was asked for; returns whether it could be placed. */
    static boolean place(JvmGcAccumulator figures, GcLogOptions options, long origin, boolean uptimeKnown) {
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
