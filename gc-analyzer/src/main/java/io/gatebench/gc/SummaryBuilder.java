/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import io.gatebench.model.GcCounts;
import io.gatebench.model.GcFinding;
import io.gatebench.model.GcHeap;
import io.gatebench.model.GcPauseKind;
import io.gatebench.model.GcSafepoints;
import io.gatebench.model.GcStatistics;
import io.gatebench.model.GcSummary;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MeasurementWindow;

/** Turns what was read into figures, or into reasons why there is none. */
final class SummaryBuilder {

    /** Below this part of understood pauses the sums are no longer worth printing. */
    static final double MIN_COVERAGE_PERCENT = 95;

    private static final long UNKNOWN = Collection.UNKNOWN;
    private static final double SECOND = 1e9;
    private static final double HOUR_SECONDS = 3600;

    private final List<LogFile> files;
    private final GcLogOptions options;
    private final List<String> notes = new ArrayList<>();

    /** Reason for which every figure of what is no GC log is absent. */
    static final String NO_LINE = "the file holds no line of a GC log";

    /** Reason for which the published formulas are absent where nobody wants them. */
    static final String NOT_ASKED = "the figures by the published formulas were not asked for";

    private SummaryBuilder(List<LogFile> files, GcLogOptions options) {
        this.files = files;
        this.options = options;
    }

    /** Reads the files once for a summary by each of the options, and for the events by the first of them. */
    static GcReading read(List<LogFile> files, List<GcLogOptions> wanted, boolean keepEvents) {
        List<LogFile> unified = of(files, LogFile.Form.UNIFIED);
        List<LogFile> old = of(files, LogFile.Form.JDK8);
        List<GcSummary> summaries = new ArrayList<>();
        List<GcEvent> events = List.of();
        if (unified.isEmpty() == old.isEmpty()) {
            String reason = unified.isEmpty() ? NO_LINE : "the files are logs of different JVMs: JDK 8 and later";
            wanted.forEach(options -> summaries.add(new SummaryBuilder(files, options).nothing(reason)));
        } else if (unified.isEmpty()) {
            List<Jdk8Reader> readers = Jdk8Reader.read(old, wanted, keepEvents);
            events = GcEvent.of(readers.get(0).run(), readers.get(0).originEpochMillis(), wanted.get(0));
            for (Jdk8Reader reader : readers) {
                summaries.add(new SummaryBuilder(files, wanted.get(summaries.size())).jdk8(old, reader));
            }
        } else {
            List<RunReader> readers = RunReader.read(unified, wanted, keepEvents);
            RunReader first = readers.get(0);
            events = GcEvent.of(first.chosen(), first.originEpochMillis(), wanted.get(0));
            // It is always of the whole log.
            GcStatistics compat = wanted.stream().anyMatch(GcLogOptions::compat)
                    ? Compat.of(unified, first.chosen().health.pausesUnderstood, first.runs())
                    : GcStatistics.absent(NOT_ASKED);
            for (RunReader reader : readers) {
                GcLogOptions options = wanted.get(summaries.size());
                summaries.add(new SummaryBuilder(files, options)
                        .unified(unified, reader, options.compat() ? compat : GcStatistics.absent(NOT_ASKED)));
            }
        }
        return new GcReading(
                summaries.get(0), summaries.size() > 1 ? Optional.of(summaries.get(1)) : Optional.empty(), events);
    }

    /** Names the files that say nothing beside those that do. */
    private void aboutForeignFiles() {
        for (LogFile file : of(files, LogFile.Form.FOREIGN)) {
            notes.add("'" + file.path().getFileName() + "' holds no line of a GC log and was left out.");
        }
    }

    /** Returns whether the published formulas were wanted, or came with what reads the log. */
    static boolean compatAsked(GcSummary summary) {
        return summary.compat().gcThroughputPercent().fold(value -> true, reason -> !reason.equals(NOT_ASKED));
    }

    private static List<LogFile> of(List<LogFile> files, LogFile.Form form) {
        return files.stream().filter(file -> file.form() == form).toList();
    }

    private List<String> names() {
        return files.stream().map(file -> file.path().toString()).toList();
    }

    private GcSummary nothing(String reason) {
        return new GcSummary(
                names(),
                Optional.empty(),
                Optional.empty(),
                options.window(),
                MeasuredValue.absent(reason),
                GcStatistics.absent(reason),
                GcStatistics.absent(reason),
                Optional.empty(),
                List.of(),
                MeasuredValue.absent(reason),
                GcSafepoints.absent(reason),
                GcHeap.absent(reason),
                GcCounts.absent(reason),
                List.of(),
                notes);
    }

    private GcSummary unified(List<LogFile> parts, RunReader reader, GcStatistics compat) {
        aboutForeignFiles();
        if (options.run().isPresent() && options.run().getAsInt() > reader.runs()) {
            return nothing(String.format(
                    Locale.ROOT,
                    "JVM start %d was asked for but the log holds %d",
                    options.run().getAsInt(),
                    reader.runs()));
        }
        JvmGcAccumulator run = reader.chosen();
        boolean startSeen = run.health.startSeen || run.health.firstCollection == 0;
        Timeline timeline = Timeline.of(
                run,
                options,
                reader.originEpochMillis(),
                reader.stamped(),
                reader.uptimeKnown(),
                startSeen || !reader.uptimeKnown(),
                notes);
        aboutRuns(reader.runs(), reader.chosenRun());
        aboutHealth(run, parts);
        return summary(run, timeline, reader.originEpochMillis(), reader.runs(), compat);
    }

    private GcSummary jdk8(List<LogFile> parts, Jdk8Reader reader) {
        aboutForeignFiles();
        if (reader.failure().isPresent()) {
            return nothing(reader.failure().get());
        }
        JvmGcAccumulator run = reader.run();
        Timeline timeline =
                Timeline.of(run, options, reader.originEpochMillis(), true, true, reader.startSeen(), notes);
        if (options.stopped().isEmpty() && !options.windowed()) {
            notes.add("A JDK 8 log does not tell when the JVM ended: the run time ends with the last collection."
                    + " Give the time the JVM was stopped for the exact one.");
        }
        aboutRuns(reader.runs(), reader.chosen());
        aboutHealth(run, parts);
        return summary(run, timeline, reader.originEpochMillis(), reader.runs(), reader.compat());
    }

    private GcSummary summary(
            JvmGcAccumulator run, Timeline timeline, long originEpochMillis, int runs, GcStatistics compat) {
        GcStatistics exact = exact(run, timeline);
        explainDifference(exact, compat);
        GcSummary bare = new GcSummary(
                names(),
                Optional.ofNullable(run.facts.get(LogListener.Fact.COLLECTOR)),
                Optional.ofNullable(run.facts.get(LogListener.Fact.JDK)),
                window(run, originEpochMillis),
                coverage(run),
                exact,
                compat,
                unsound(run, timeline).isPresent() ? Optional.empty() : run.pauses.millis(),
                unsound(run, timeline).isPresent() ? List.of() : kinds(run),
                concurrent(run),
                safepoints(run),
                heap(run, timeline),
                counts(run, timeline),
                List.of(),
                notes);
        List<GcFinding> findings = new ArrayList<>(FindingRules.apply(bare, run));
        if (runs > 1) {
            findings.add(0, restarted(runs));
        }
        return bare.withFindings(findings);
    }

    // ---- what a reader must know -------------------------------------------------------------------------------

    private static GcFinding restarted(int runs) {
        return new GcFinding(
                GcFinding.JVM_RESTARTED,
                GcFinding.Severity.WARNING,
                "The JVM was started " + runs + " times while the log was written.",
                "own rule: a log of one run holds one start");
    }

    private void aboutRuns(int runs, int chosen) {
        if (runs > 1) {
            String which = chosen == runs ? ", the last" : "";
            notes.add(String.format(
                    Locale.ROOT,
                    "The log holds %d JVM starts; these figures are those of start %d%s.",
                    runs,
                    chosen,
                    options.run().isPresent()
                            ? ""
                            : options.window().isPresent() ? ", which is in the window longest" : which));
        }
    }

    /** Returns the window by the wall clock, where that is known; an end that nobody gave is that of the log. */
    private Optional<MeasurementWindow> window(JvmGcAccumulator run, long originEpochMillis) {
        Optional<Instant> zero = originEpochMillis != Decorations.NONE
                ? Optional.of(Instant.ofEpochMilli(originEpochMillis))
                : options.started();
        options.uptimeWindow()
                .ifPresent(w -> notes.add(String.format(
                        Locale.ROOT,
                        "The window begins %.3f s after the JVM's start%s.",
                        w.start().toMillis() / 1000.0,
                        w.isOpen()
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        " and ends at %.3f s",
                                        w.end().toMillis() / 1000.0))));
        if (!options.windowed() || zero.isEmpty() || run.health.lastNanos == UNKNOWN) {
            return options.window();
        }
        Instant first = zero.get().plusNanos(run.health.firstNanos);
        Instant last = zero.get().plusNanos(run.health.lastNanos);
        Instant from = options.window()
                .map(MeasurementWindow::start)
                .orElseGet(() ->
                        zero.get().plus(options.uptimeWindow().orElseThrow().start()));
        Instant to = options.window()
                .map(MeasurementWindow::end)
                .orElseGet(() ->
                        zero.get().plus(options.uptimeWindow().orElseThrow().end()));
        Instant start = from.equals(Instant.EPOCH) && first.isAfter(from) ? first : from;
        Instant end = to.isAfter(last.plus(GcLogOptions.FOREVER.dividedBy(2))) ? last : to;
        return start.isBefore(end) ? Optional.of(new MeasurementWindow(start, end)) : options.window();
    }

    private void aboutHealth(JvmGcAccumulator run, List<LogFile> parts) {
        ParserHealth health = run.health;
        if (health.lastLineCut) {
            notes.add("The last line of the log is cut off; what it would have told is missing.");
        }
        if (health.endsInsidePause) {
            notes.add("The log ends inside a pause, which is not counted.");
        }
        if (health.repeatedLines > 0) {
            notes.add(health.repeatedLines + " repeated lines were counted once.");
        }
        if (health.backwardJumps > 0) {
            notes.add("Lines are out of order in " + health.backwardJumps
                    + " places; figures that depend on the order are left out.");
        }
        if (health.missingCollections > 0) {
            notes.add(
                    health.missingCollections
                            + " collections are missing by their numbers: a part of the log is lost, and the sums are too low.");
        }
        if (health.pausesWithoutEnd > 0) {
            notes.add(health.pausesWithoutEnd + " pauses begin in the log and do not end in it.");
        }
        if (health.overlongLines > 0) {
            notes.add(health.overlongLines + " lines were too long for a GC log and were skipped.");
        }
        for (LogFile part : parts) {
            if (part.damaged()) {
                notes.add("'" + part.path().getFileName() + "' is packed and damaged; it was read as far as possible.");
            }
        }
        if (run.cutPauses > 0) {
            notes.add(run.cutPauses + " pauses reach across the window's border and count by their part inside.");
        }
    }

    private void explainDifference(GcStatistics exact, GcStatistics compat) {
        if (exact.gcThroughputPercent().value().isEmpty()
                || compat.gcThroughputPercent().value().isEmpty()) {
            return;
        }
        double ours = exact.gcThroughputPercent().value().getAsDouble();
        double theirs = compat.gcThroughputPercent().value().getAsDouble();
        if (Math.abs(ours - theirs) <= 0.5) {
            return;
        }
        double run = exact.runTimeSeconds().value().orElse(0);
        double theirRun = compat.runTimeSeconds().value().orElse(0);
        double pause = exact.pauseTotalSeconds().value().orElse(0);
        double theirPause = compat.pauseTotalSeconds().value().orElse(0);
        notes.add(String.format(
                Locale.ROOT,
                "GC throughput is %.2f %% (exact) and %.2f %% (compat): exact sets %.3f s of pauses against %.3f s of %s, compat"
                        + " %.3f s against %.3f s from the first to the last event of the whole log.",
                ours,
                theirs,
                pause,
                run,
                options.windowed() ? "the window" : "the JVM's run",
                theirPause,
                theirRun));
    }

    // ---- figures -----------------------------------------------------------------------------------------------

    private static MeasuredValue coverage(JvmGcAccumulator run) {
        ParserHealth health = run.health;
        long lost = health.pausesNotUnderstood + health.pausesWithoutEnd + health.missingCollections;
        long all = health.pausesUnderstood + lost;
        return all == 0
                ? MeasuredValue.absent("the log holds no line that looks like a pause")
                : MeasuredValue.of(100.0 * health.pausesUnderstood / all);
    }

    /** Returns why the pauses of this log must not be added up, if so. */
    private Optional<String> unsound(JvmGcAccumulator run, Timeline timeline) {
        ParserHealth health = run.health;
        if (timeline.failure().isPresent()) {
            return timeline.failure();
        }
        if (health.cyclesWithoutPauses > 0
                && health.cyclesWithoutPauses * 100 > health.pausesUnderstood * (100 - MIN_COVERAGE_PERCENT)) {
            return Optional.of(
                    "the log has no gc,phases lines, and this collector's pauses are only there; log gc* instead of gc");
        }
        double coverage = coverage(run).value().orElse(100);
        if (coverage < MIN_COVERAGE_PERCENT) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "only %.1f %% of the pauses in the log are complete and understood, %.0f %% are needed",
                    coverage,
                    MIN_COVERAGE_PERCENT));
        }
        return Optional.empty();
    }

    private GcStatistics exact(JvmGcAccumulator run, Timeline timeline) {
        Optional<String> unsound = unsound(run, timeline);
        MeasuredValue afterMean =
                run.afterFullCount > 0 ? MeasuredValue.of(run.afterFullMean()) : MeasuredValue.absent(noFull());
        MeasuredValue afterDeviation =
                run.afterFullCount > 0 ? MeasuredValue.of(run.afterFullDeviation()) : MeasuredValue.absent(noFull());
        MeasuredValue footprint = run.footprintBytes > 0
                ? MeasuredValue.of(run.footprintBytes)
                : MeasuredValue.absent("the log tells no heap capacity after a collection");
        if (unsound.isPresent()) {
            MeasuredValue none = MeasuredValue.absent(unsound.get());
            boolean placed = timeline.failure().isEmpty();
            return new GcStatistics(
                    none,
                    placed ? timeline.seconds() : none,
                    none,
                    none,
                    placed ? MeasuredValue.of(run.fullCount) : none,
                    placed ? afterMean : none,
                    placed ? afterDeviation : none,
                    placed ? footprint : none);
        }
        double pauseSeconds = run.pauses.totalSeconds();
        MeasuredValue runTime = timeline.seconds();
        return new GcStatistics(
                throughput(run, timeline, pauseSeconds),
                runTime,
                MeasuredValue.of(pauseSeconds),
                MeasuredValue.of(run.pauses.count()),
                MeasuredValue.of(run.fullCount),
                afterMean,
                afterDeviation,
                footprint);
    }

    private String noFull() {
        return options.windowed() ? "there was no full GC in the window" : "the log holds no full GC";
    }

    private MeasuredValue throughput(JvmGcAccumulator run, Timeline timeline, double pauseSeconds) {
        MeasuredValue runTime = timeline.seconds();
        if (runTime.value().isEmpty()) {
            return runTime;
        }
        double seconds = runTime.value().getAsDouble();
        if (run.health.pausesUnderstood == 0 && !timeline.endKnown()) {
            return MeasuredValue.absent("the log holds no collection and does not tell when the JVM ended");
        }
        if (pauseSeconds > seconds) {
            return MeasuredValue.absent(String.format(
                    Locale.ROOT,
                    "the pauses add up to %.3f s but the run time in the log is only %.3f s",
                    pauseSeconds,
                    seconds));
        }
        return MeasuredValue.of(100 * (1 - pauseSeconds / seconds));
    }

    private static List<GcPauseKind> kinds(JvmGcAccumulator run) {
        return run.byKind.entrySet().stream()
                .map(kind -> new GcPauseKind(
                        kind.getKey(),
                        kind.getValue().totalSeconds(),
                        kind.getValue().millis().orElseThrow()))
                .sorted(Comparator.comparingDouble(GcPauseKind::totalSeconds)
                        .reversed()
                        .thenComparing(GcPauseKind::kind))
                .toList();
    }

    private static MeasuredValue concurrent(JvmGcAccumulator run) {
        return run.concurrentSeen
                ? MeasuredValue.of(run.concurrentNanos / SECOND)
                : MeasuredValue.absent("the log tells of no concurrent phase");
    }

    private static GcSafepoints safepoints(JvmGcAccumulator run) {
        if (run.stops.count() == 0) {
            return run.safepointsOutside > 0
                    ? new GcSafepoints(
                            MeasuredValue.of(0),
                            MeasuredValue.of(0),
                            MeasuredValue.of(0),
                            Optional.empty(),
                            Optional.empty())
                    : GcSafepoints.absent("the log has no safepoint lines; log with -Xlog:safepoint");
        }
        return new GcSafepoints(
                MeasuredValue.of(run.stops.count()),
                MeasuredValue.of(run.stops.totalSeconds()),
                MeasuredValue.of(run.waits.totalSeconds()),
                run.stops.millis(),
                run.waits.millis());
    }

    private static GcHeap heap(JvmGcAccumulator run, Timeline timeline) {
        boolean ordered = run.health.backwardJumps == 0;
        String unordered = "the lines are out of order";
        MeasuredValue seconds = timeline.seconds();
        boolean timed = seconds.value().isPresent();
        double span = seconds.value().orElse(1);
        MeasuredValue allocation;
        if (!run.allocationKnown) {
            allocation = MeasuredValue.absent("the log holds fewer than two collections with heap sizes");
        } else if (!ordered) {
            allocation = MeasuredValue.absent(unordered);
        } else {
            allocation = timed ? MeasuredValue.of(run.allocatedBytes / span) : seconds;
        }
        MeasuredValue promotion;
        if (!run.promotionKnown) {
            promotion = MeasuredValue.absent("the log does not tell the size of the old generation; log gc*");
        } else {
            promotion = timed ? MeasuredValue.of(run.promotedBytes / span) : seconds;
        }
        MeasuredValue trend = run.afterAny.known() && ordered
                ? MeasuredValue.of(run.afterAny.slopePerSecond() * HOUR_SECONDS)
                : MeasuredValue.absent(
                        ordered ? "the log holds fewer than two collections with heap sizes" : unordered);
        MeasuredValue liveSet;
        Optional<String> basis = Optional.empty();
        if (run.fullCount > 0) {
            liveSet = MeasuredValue.absent("there was a full GC; its footprint is measured, not estimated");
        } else if (run.deepCount > 0) {
            liveSet = MeasuredValue.of(run.deepSum / run.deepCount);
            basis = Optional.of(run.deepKind + " (" + run.deepCount + "), mean");
        } else if (run.leastAfter != UNKNOWN) {
            liveSet = MeasuredValue.of(run.leastAfter);
            basis = Optional.of("smallest heap after a young collection, an upper bound");
        } else {
            liveSet = MeasuredValue.absent("the log holds no collection with heap sizes");
        }
        return new GcHeap(
                bytesFact(run, LogListener.Fact.HEAP_INITIAL),
                bytesFact(run, LogListener.Fact.HEAP_MAXIMUM),
                allocation,
                promotion,
                run.afterFull,
                trend,
                liveSet,
                basis);
    }

    private static MeasuredValue bytesFact(JvmGcAccumulator run, LogListener.Fact fact) {
        String value = run.facts.get(fact);
        return value == null
                ? MeasuredValue.absent("the log does not tell; the first lines of a log with gc* do")
                : MeasuredValue.of(Long.parseLong(value));
    }

    private GcCounts counts(JvmGcAccumulator run, Timeline timeline) {
        if (timeline.failure().isPresent()) {
            return GcCounts.absent(timeline.failure().get());
        }
        return new GcCounts(
                count(run, LogListener.Event.SYSTEM_GC),
                count(run, LogListener.Event.EVACUATION_FAILURE),
                count(run, LogListener.Event.HUMONGOUS),
                count(run, LogListener.Event.CONCURRENT_FAILURE),
                count(run, LogListener.Event.ALLOCATION_STALL),
                run.fullCauses);
    }

    private static MeasuredValue count(JvmGcAccumulator run, LogListener.Event event) {
        return MeasuredValue.of(run.counts.getOrDefault(event, 0L));
    }
}
