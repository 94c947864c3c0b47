/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.gatebench.gc.internal.GcViewer;
import io.gatebench.gc.internal.GcViewer.Reading;
import io.gatebench.gc.internal.GcViewer.Stop;
import io.gatebench.model.GcStatistics;

/** Reads a JDK 8 log: the events from GCViewer, what it does not tell from a scan of our own. */
final class Jdk8Reader {

    private static final long UNKNOWN = Collection.UNKNOWN;
    private static final double SECOND = 1e9;

    private final JvmGcAccumulator run;
    private final Jdk8Scan.Run scanned;
    private final int runs;
    private final Optional<String> failure;
    private Optional<Reading> reading = Optional.empty();
    private int chosen = 1;

    private Jdk8Reader(Jdk8Scan.Run scanned, int runs, Optional<String> failure, boolean keepEvents) {
        this.run = new JvmGcAccumulator(keepEvents);
        this.scanned = scanned;
        this.runs = runs;
        this.failure = failure;
    }

    /**
     * Reads a log once for all that is wanted of it.
     *
     * @param wanted what each of the readers that are returned collects
     * @param keepEvents whether the first one keeps every collection
     */
    static List<Jdk8Reader> read(List<LogFile> files, List<GcLogOptions> wanted, boolean keepEvents) {
        Optional<String> tooLarge = Compat.tooLarge(files);
        Jdk8Scan scan = new Jdk8Scan();
        if (tooLarge.isEmpty()) {
            files.forEach(file -> scan(scan, file));
        }
        Map<Integer, Reading> readings = new HashMap<>();
        List<Jdk8Reader> readers = new ArrayList<>();
        for (GcLogOptions options : wanted) {
            readers.add(
                    tooLarge.isPresent()
                            ? failed(scan, tooLarge.get())
                            : of(files, scan, readings, options, keepEvents && readers.isEmpty()));
        }
        return readers;
    }

    private static Jdk8Reader of(
            List<LogFile> files,
            Jdk8Scan scan,
            Map<Integer, Reading> readings,
            GcLogOptions options,
            boolean keepEvents) {
        int runs = scan.runs().size();
        int wanted = options.run().orElseGet(() -> scan.runInside(options));
        if (wanted > runs) {
            return failed(scan, "JVM start " + wanted + " was asked for but the log holds " + runs);
        }
        Jdk8Scan.Run scanned = scan.runs().get(wanted - 1);
        Jdk8Reader reader = new Jdk8Reader(scanned, runs, Optional.empty(), keepEvents);
        reader.chosen = wanted;
        try {
            int endLine = wanted == runs ? Integer.MAX_VALUE : scan.runs().get(wanted).firstLine;
            Reading read =
                    readings.computeIfAbsent(wanted, run -> read(files, scan, runs == 1, scanned.firstLine, endLine));
            reader.reading = Optional.of(read);
            reader.fill(read, options);
        } catch (GcViewer.Unreadable e) {
            return failed(scan, "GCViewer cannot read this JDK 8 log: " + e.getMessage());
        }
        reader.run.health.lastLineCut = scan.endedCut() && wanted == runs && scanned.pausesNotEnded > 0;
        return reader;
    }

    private static void scan(Jdk8Scan scan, LogFile file) {
        int before = scan.lines();
        try {
            file.read(scan);
        } catch (Jdk8Scan.OddLineException e) {
            throw new GcLogException(
                    "'" + file.path() + "', line " + (scan.lines() - before + 1) + ": " + e.getMessage(), e);
        }
    }

    private static Reading read(List<LogFile> files, Jdk8Scan scan, boolean whole, int firstLine, int endLine) {
        try {
            return whole && files.stream().noneMatch(LogFile::wide)
                    ? GcViewer.get().read(files.stream().map(LogFile::path).toList(), Compat.mostBytes())
                    : part(files, firstLine, endLine);
        } catch (GcViewer.Unreadable e) {
            if (!scan.endedCut() || endLine < scan.lines()) {
                throw e;
            }
            // It may only be the last line, cut in its middle, that cannot be read.
            return part(files, firstLine, scan.lines() - 1);
        }
    }

    private static Jdk8Reader failed(Jdk8Scan scan, String reason) {
        return new Jdk8Reader(scan.runs().get(0), scan.runs().size(), Optional.of(reason), false);
    }

    /** GCViewer reads plain files only: one of several JVM starts, and what is in UTF-16, is copied out for it. */
    private static Reading part(List<LogFile> files, int firstLine, int endLine) {
        try {
            Path copy = Files.createTempFile("gatebench-gc", ".log");
            try {
                try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(copy))) {
                    int[] line = {0};
                    for (LogFile file : files) {
                        file.read((b, start, end, terminated) -> {
                            if (line[0] >= firstLine && line[0] < endLine) {
                                try {
                                    out.write(b, start, end - start);
                                    out.write('\n');
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            }
                            line[0]++;
                            return line[0] < endLine;
                        });
                    }
                }
                return GcViewer.get().read(List.of(copy), Compat.mostBytes());
            } finally {
                Files.deleteIfExists(copy);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new GcLogException("cannot copy a part of the GC log for GCViewer: " + e.getMessage(), e);
        }
    }

    private void fill(Reading read, GcLogOptions options) {
        RunReader.place(run, options, scanned.originEpochMillis, true);
        run.health.startSeen = scanned.headerSeen && !scanned.rotated;
        run.health.firstNanos = scanned.firstNanos;
        run.health.lastNanos = scanned.lastNanos;
        for (Stop stop : read.stops()) {
            if (!stop.type().startsWith("Total time for which")) {
                stop(stop);
            }
        }
        run.health.pausesNotUnderstood = Math.max(0, scanned.pauses - run.health.pausesUnderstood);
        read.phases()
                .forEach(phase ->
                        run.concurrent(Math.round(phase.endSeconds() * SECOND), Math.round(phase.seconds() * SECOND)));
        scanned.stops.forEach(s -> run.safepoint(s[0], s[1], s[2]));
        facts();
        scanned.counted.forEach(counted -> run.count(counted.event(), counted.nanos(), 1));
    }

    private void stop(Stop stop) {
        run.health.pausesUnderstood++;
        long start = Math.round(stop.startSeconds() * SECOND);
        long nanos = Math.max(0, Math.round(stop.pauseSeconds() * SECOND));
        String cause = cause(stop.type());
        long before = stop.beforeBytes() < 0 ? UNKNOWN : stop.beforeBytes();
        long after = stop.afterBytes() < 0 ? UNKNOWN : stop.afterBytes();
        long capacity = stop.capacityBytes() <= 0 ? UNKNOWN : stop.capacityBytes();
        boolean full = stop.full();
        String kind = kind(stop, full);
        run.collection(new Collection(kind, cause, true, full, start, nanos, before, after, capacity));
        if (full && after != UNKNOWN) {
            run.afterFull(start, after, cause);
        } else if (full) {
            run.fullWithoutHeap(start, cause);
        } else if (stop.oldAfterBytes() >= 0 && stop.oldBeforeBytes() >= 0 && kind.equals("young")) {
            run.oldGeneration(start, stop.oldBeforeBytes(), stop.oldAfterBytes());
        }
    }

    private static String kind(Stop stop, boolean full) {
        String type = stop.type().toLowerCase(Locale.ROOT);
        if (full) {
            return "full";
        }
        if (stop.remark() || type.contains("remark")) {
            return "remark";
        }
        if (type.contains("cleanup")) {
            return "cleanup";
        }
        if (type.contains("mixed")) {
            return "mixed";
        }
        // G1 marks initially within a young collection; CMS has a pause of its own for it.
        return stop.initialMark() && !type.contains("young") ? "initial mark" : "young";
    }

    private static String cause(String type) {
        int open = type.indexOf('(');
        int depth = 0;
        for (int i = Math.max(open, 0); i < type.length() && open >= 0; i++) {
            depth += type.charAt(i) == '(' ? 1 : type.charAt(i) == ')' ? -1 : 0;
            if (depth == 0) {
                return type.substring(open + 1, i);
            }
        }
        return "";
    }

    private void facts() {
        if (!scanned.jdk.isEmpty()) {
            run.facts.put(LogListener.Fact.JDK, scanned.jdk);
        }
        if (!scanned.collector.isEmpty()) {
            run.facts.put(LogListener.Fact.COLLECTOR, scanned.collector);
        }
        if (scanned.initialHeap != UNKNOWN) {
            run.facts.put(LogListener.Fact.HEAP_INITIAL, Long.toString(scanned.initialHeap));
        }
        if (scanned.maximumHeap != UNKNOWN) {
            run.facts.put(LogListener.Fact.HEAP_MAXIMUM, Long.toString(scanned.maximumHeap));
        }
    }

    JvmGcAccumulator run() {
        return run;
    }

    int runs() {
        return runs;
    }

    /** Returns which JVM start the figures are of, from 1. */
    int chosen() {
        return chosen;
    }

    Optional<String> failure() {
        return failure;
    }

    long originEpochMillis() {
        return scanned.originEpochMillis;
    }

    boolean startSeen() {
        return run.health.startSeen;
    }

    GcStatistics compat() {
        return reading.map(read -> Compat.guarded(read, read.pauseCount()))
                .orElseGet(() -> GcStatistics.absent("GCViewer could not read the log"));
    }
}
