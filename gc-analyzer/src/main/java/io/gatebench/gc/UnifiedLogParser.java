/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads unified logs ({@code -Xlog}, JDK 9 and later) of every collector, line by line, in constant memory.
 *
 * <p>The truth about a pause is the line at level info that ends it: {@code GC(n) Pause ... ms} with the tag {@code gc}, or
 * with {@code gc,phases} for ZGC. Lines are told apart by their tags and words, never by columns.
 */
final class UnifiedLogParser {

    private static final long UNKNOWN = Collection.UNKNOWN;
    private static final long SECOND = 1_000_000_000L;
    /** Stamps have a resolution of 1 ms; a pause that began this much before its predecessor encloses it. */
    private static final long NESTING_NANOS = 2_000_000L;

    private static final int REMEMBERED_LINES = 1 << 14;
    private static final int REMEMBERED_CYCLES = 64;
    private static final int MOST_MISSING = 1024;

    private final LogListener listener;
    private final Supplier<ParserHealth> healthOfNextRun;
    private final LogClock clock;
    private final Decorations head = new Decorations();
    private final int[] after = new int[1];
    private final long[] recentLines = new long[REMEMBERED_LINES];

    private ParserHealth health;

    private byte[] bytes = new byte[0];
    private int lineStart;
    private int lineEnd;
    private boolean lineStampable;

    private int starts;
    private boolean collectionsSeen;
    private long greatestId;
    private final Set<Long> missingIds = new HashSet<>();
    private final long[] open = new long[8];
    private int opened;
    private long overflowed;
    private boolean z;
    private boolean g1;
    private boolean inferred;
    private String partsCollector = "";
    private boolean shenandoah;
    private long regionBytes;

    private long lastStart;
    private long lastDuration;
    private long cycleId;
    private long cyclePauseNanos;
    private final long[] idsWithPauses = new long[REMEMBERED_CYCLES];

    private long partsId;
    private long youngAfter;
    private long youngCapacity;
    private long oldBefore;
    private long oldAfter;
    private long oldCapacity;
    private long blockId;
    private long blockUsed;
    private long cycleCapacity;
    private long upgradedId;

    private boolean fullAsked;
    private long askedId;
    private long pendingId;
    private boolean youngBeforeFull;
    private long askedPauseId;
    private long pendingStart;
    private double pendingBytes;
    private String pendingCause = "";
    private long pendingFloor;
    private long pendingUnit;

    /**
     * Creates a parser.
     *
     * @param healthOfNextRun called once per JVM start found in the log, before anything of it is told
     */
    UnifiedLogParser(LogListener listener, LogClock clock, Supplier<ParserHealth> healthOfNextRun) {
        this.listener = listener;
        this.clock = clock;
        this.healthOfNextRun = healthOfNextRun;
        this.health = healthOfNextRun.get();
        forget();
    }

    private void forget() {
        starts = 0;
        collectionsSeen = false;
        greatestId = -1;
        missingIds.clear();
        opened = 0;
        overflowed = 0;
        z = false;
        g1 = false;
        inferred = false;
        partsCollector = "";
        shenandoah = false;
        regionBytes = UNKNOWN;
        lastStart = UNKNOWN;
        lastDuration = 0;
        cycleId = -1;
        cyclePauseNanos = 0;
        Arrays.fill(idsWithPauses, -1);
        Arrays.fill(recentLines, 0);
        partsId = -1;
        blockId = -1;
        blockUsed = UNKNOWN;
        cycleCapacity = UNKNOWN;
        upgradedId = -1;
        fullAsked = false;
        askedId = -1;
        pendingId = -1;
        youngBeforeFull = false;
        askedPauseId = -1;
    }

    /** Takes one line. */
    void accept(byte[] b, int start, int end, boolean terminated) {
        int to = end;
        while (to > start && b[to - 1] == ' ') {
            to--;
        }
        if (to == start) {
            return;
        }
        bytes = b;
        int message = head.scan(b, start, to);
        if (message < 0) {
            return;
        }
        int from = start;
        if (head.groups() == 0 && !plainMessage(b, start, to)) {
            from = embedded(b, start, to);
            if (from < 0) {
                return;
            }
            message = head.scan(b, from, to);
        }
        lineStart = from;
        lineEnd = to;
        lineStampable = head.groups() > 0;
        if (health.firstNanos == UNKNOWN && lineStampable) {
            stamp();
        }
        if (message + 3 < to && b[message] == 'G' && b[message + 1] == 'C' && b[message + 2] == '(') {
            int close = Bytes.afterDigits(b, message + 3, to);
            if (close + 2 > to || b[close] != ')') {
                return;
            }
            long id = Bytes.whole(b, message + 3, close);
            if (id >= 0 && close + 2 <= to) {
                collectionLine(b, id, Math.min(close + 2, to), to, terminated);
            }
        } else {
            plainLine(b, message, to);
        }
    }

    /** Reads the stamps of the last line before its bytes are overwritten. */
    void stampLastLine() {
        if (lineStampable) {
            stamp();
            lineStampable = false;
        }
    }

    /** Ends the log. */
    void finish() {
        stampLastLine();
        finishRun();
    }

    private void finishRun() {
        flushPending();
        if (health.backwardJumps == 0) {
            if (opened > 0) {
                health.endsInsidePause = true;
                opened--;
            }
            health.pausesWithoutEnd += opened + overflowed;
        }
        health.missingCollections += missingIds.size();
        opened = 0;
    }

    private void nextRun() {
        finishRun();
        clock.restart();
        forget();
        health = healthOfNextRun.get();
        listener.jvmStarted();
    }

    // ---- recognising lines -------------------------------------------------------------------------------------

    /** Returns whether a line without decorations is one of ours. */
    private static boolean plainMessage(byte[] b, int from, int to) {
        return switch (b[from]) {
            case 'G' -> Bytes.startsWith(b, from, to, "GC(");
            case 'U' -> Bytes.startsWith(b, from, to, "Using ");
            case 'S' -> Bytes.startsWith(b, from, to, "Safepoint \"");
            case 'T' ->
                Bytes.startsWith(b, from, to, "Total time for which") || Bytes.startsWith(b, from, to, "Trigger");
            case 'H' -> Bytes.startsWith(b, from, to, "Heap ");
            case 'V' -> Bytes.startsWith(b, from, to, "Version: ");
            default -> false;
        };
    }

    /** Finds a GC line behind foreign text: a container's prefix, or output that did not end its own line. */
    private int embedded(byte[] b, int start, int to) {
        int from = Bytes.indexOf(b, start, to, '[');
        while (from >= 0) {
            if (head.scan(b, from, to) >= 0 && head.groups() > 1) {
                head.decode();
                if (head.tagsStartWith("gc") || head.tagsStartWith("safepoint")) {
                    return from;
                }
            }
            from = Bytes.indexOf(b, from + 1, to, '[');
        }
        return -1;
    }

    private void collectionLine(byte[] b, long id, int r, int to, boolean terminated) {
        number(b, id);
        if (r >= to) {
            return;
        }
        int from = r;
        byte first = b[from];
        if ((first == 'Y' || first == 'O' || first == 'y') && from + 3 < to && b[from + 1] == ':') {
            from = from + 3;
            generationLine(b, id, from, to, terminated);
            return;
        }
        switch (first) {
            case 'P' -> {
                if (Bytes.startsWith(b, from, to, "Pause ")) {
                    pause(b, id, from, to, terminated);
                } else if (Bytes.startsWith(b, from, to, "PSYoungGen: ") || Bytes.startsWith(b, from, to, "ParNew: ")) {
                    part(b, id, from, to, true);
                } else if (Bytes.startsWith(b, from, to, "ParOldGen: ")) {
                    part(b, id, from, to, false);
                } else if (Bytes.equals(b, from, to, "Promotion failed")) {
                    count(LogListener.Event.EVACUATION_FAILURE);
                }
            }
            case 'C' -> {
                if (Bytes.startsWith(b, from, to, "Concurrent ")) {
                    concurrent(b, id, from, to);
                } else if (Bytes.startsWith(b, from, to, "CMS: ")) {
                    part(b, id, from, to, false);
                } else if (Bytes.startsWith(b, from, to, "Cannot finish degeneration")) {
                    upgradedId = id;
                }
            }
            case 'D' -> {
                if (Bytes.startsWith(b, from, to, "DefNew: ")) {
                    part(b, id, from, to, true);
                }
            }
            case 'T' -> {
                if (Bytes.startsWith(b, from, to, "Tenured: ")) {
                    part(b, id, from, to, false);
                } else if (Bytes.startsWith(b, from, to, "To-space exhausted")) {
                    count(LogListener.Event.EVACUATION_FAILURE);
                }
            }
            case 'O' -> {
                if (Bytes.startsWith(b, from, to, "Old regions: ")) {
                    regions(b, id, from + 13, to);
                }
            }
            case 'H' -> heapBlock(b, id, from, to);
            case 'G', 'M' -> {
                if (Bytes.startsWith(b, from, to, "Garbage Collection (")) {
                    cycle(b, id, from, to, 19, "cycle");
                } else if (Bytes.startsWith(b, from, to, "Minor Collection (")) {
                    cycle(b, id, from, to, 17, "minor cycle");
                } else if (Bytes.startsWith(b, from, to, "Major Collection (")) {
                    cycle(b, id, from, to, 17, "major cycle");
                }
            }
            case 'A' -> {
                if (Bytes.startsWith(b, from, to, "Allocation Stall (")) {
                    count(LogListener.Event.ALLOCATION_STALL);
                } else if (Bytes.startsWith(b, from, to, "At end of ")) {
                    endOfCycle(b, id, from, to);
                }
            }
            case ' ' -> indented(b, id, from, to);
            default -> {}
        }
    }

    /** A line of one generation of ZGC. */
    private void generationLine(byte[] b, long id, int from, int to, boolean terminated) {
        if (Bytes.startsWith(b, from, to, "Pause ")) {
            pause(b, id, from, to, terminated);
        } else if (Bytes.startsWith(b, from, to, "Concurrent ")) {
            concurrent(b, id, from, to);
        } else if (from < to && b[from] == ' ') {
            indented(b, id, from, to);
        }
    }

    private void indented(byte[] b, long id, int from, int to) {
        int word = Bytes.skipSpaces(b, from, to);
        if (word == to) {
            return;
        }
        switch (b[word]) {
            case 'C' -> {
                if (Bytes.startsWith(b, word, to, "Capacity: ")) {
                    cycleCapacity = largestSize(b, word + 10, to);
                }
            }
            case 'P' -> {
                if (Bytes.startsWith(b, word, to, "Promoted: ")) {
                    long promoted = lastSize(b, word + 10, to);
                    if (promoted >= 0) {
                        listener.oldGeneration(stamp(), 0, promoted);
                    }
                }
            }
            case 'g' -> {
                if (Bytes.startsWith(b, word, to, "garbage-first heap")) {
                    usedInBlock(b, id, word, to);
                }
            }
            case 'r' -> {
                if (Bytes.startsWith(b, word, to, "region size ") && Bytes.size(b, word + 12, to, after) > 0) {
                    regionBytes = Bytes.size(b, word + 12, to, after);
                }
            }
            default -> {}
        }
    }

    private void plainLine(byte[] b, int m, int to) {
        if (m >= to) {
            return;
        }
        switch (b[m]) {
            case 'U' -> {
                if (Bytes.startsWith(b, m, to, "Using ")) {
                    using(b, m + 6, to);
                }
            }
            case 'S' -> {
                if (Bytes.startsWith(b, m, to, "Safepoint \"")) {
                    safepoint(b, m, to);
                }
            }
            case 'T' -> {
                if (Bytes.startsWith(b, m, to, "Total time for which application threads were stopped: ")) {
                    stopped(b, m + 55, to);
                } else if (Bytes.startsWith(b, m, to, "Trigger") && Bytes.indexOf(b, m, to, "GC request (") > 0) {
                    fullAsked = true;
                    if (Bytes.indexOf(b, m, to, "(System.gc())") > 0) {
                        count(LogListener.Event.SYSTEM_GC);
                    }
                }
            }
            case 'A' -> {
                if (Bytes.startsWith(b, m, to, "Allocation Stall (")) {
                    count(LogListener.Event.ALLOCATION_STALL);
                }
            }
            case 'V' -> text(b, m, to, "Version: ", LogListener.Fact.JDK);
            case 'H' -> {
                if (Bytes.startsWith(b, m, to, "Heap Region Size: ")
                        || Bytes.startsWith(b, m, to, "Heap region size: ")) {
                    long size = Bytes.size(b, m + 18, to, after);
                    regionBytes = size > 0 ? size : UNKNOWN;
                } else if (to - m == 4) {
                    head.decode();
                    health.exitSeen |= head.tagsEndWith("exit");
                } else if (Bytes.startsWith(b, m, to, "Heap address: ")) {
                    int size = Bytes.indexOf(b, m, to, "size: ");
                    int unit = Bytes.indexOf(b, m, to, " MB");
                    if (size > 0 && unit > size && Bytes.whole(b, size + 6, unit) > 0) {
                        listener.fact(
                                LogListener.Fact.HEAP_MAXIMUM, Long.toString(Bytes.whole(b, size + 6, unit) << 20));
                    }
                } else {
                    sizeFact(b, m, to, "Heap Max Capacity: ", LogListener.Fact.HEAP_MAXIMUM);
                    sizeFact(b, m, to, "Heap Initial Capacity: ", LogListener.Fact.HEAP_INITIAL);
                }
            }
            case 'M' -> {
                sizeFact(b, m, to, "Max Capacity: ", LogListener.Fact.HEAP_MAXIMUM);
                if (Bytes.startsWith(b, m, to, "Mode: Generational")) {
                    listener.fact(LogListener.Fact.COLLECTOR, "Shenandoah generational");
                }
            }
            case 'I' -> sizeFact(b, m, to, "Initial Capacity: ", LogListener.Fact.HEAP_INITIAL);
            case 'G' -> {
                if (Bytes.startsWith(b, m, to, "GC Workers for Old Generation")) {
                    z = true;
                    listener.fact(LogListener.Fact.COLLECTOR, "ZGC generational");
                }
            }
            default -> {}
        }
    }

    // ---- the JVM -----------------------------------------------------------------------------------------------

    private void using(byte[] b, int from, int to) {
        String name;
        if (Bytes.equals(b, from, to, "G1")) {
            name = "G1";
        } else if (Bytes.startsWith(b, from, to, "Parallel")) {
            name = "Parallel";
        } else if (Bytes.startsWith(b, from, to, "Serial")) {
            name = "Serial";
        } else if (Bytes.startsWith(b, from, to, "Concurrent Mark Sweep")) {
            name = "CMS";
        } else if (Bytes.startsWith(b, from, to, "The Z Garbage Collector")) {
            name = "ZGC";
        } else if (Bytes.startsWith(b, from, to, "Shenandoah")) {
            name = "Shenandoah";
        } else if (Bytes.startsWith(b, from, to, "Epsilon")) {
            name = "Epsilon";
        } else {
            return;
        }
        head.decode();
        if (head.tagsKnown() && !head.tagsAre("gc")) {
            return;
        }
        boolean earlier = head.uptimeNanos() != Decorations.NONE
                && health.lastNanos != UNKNOWN
                && head.uptimeNanos() < health.lastNanos;
        if ((collectionsSeen || starts > 0 && earlier) && health.backwardJumps == 0) {
            nextRun();
        } else if (starts > 0 && !collectionsSeen) {
            health.repeatedLines++;
            return;
        }
        starts++;
        health.disorderedStarts |= starts > 1;
        health.startSeen = true;
        z |= name.equals("ZGC");
        g1 |= name.equals("G1");
        shenandoah |= name.equals("Shenandoah");
        stamp();
        listener.fact(LogListener.Fact.COLLECTOR, name);
    }

    private void text(byte[] b, int m, int to, String key, LogListener.Fact fact) {
        if (Bytes.startsWith(b, m, to, key)) {
            String value = Bytes.text(b, m + key.length(), to);
            int parenthesis = value.indexOf(" (");
            listener.fact(fact, parenthesis > 0 ? value.substring(0, parenthesis) : value);
        }
    }

    private void sizeFact(byte[] b, int m, int to, String key, LogListener.Fact fact) {
        if (Bytes.startsWith(b, m, to, key)) {
            long size = Bytes.size(b, m + key.length(), to, after);
            if (size >= 0) {
                listener.fact(fact, Long.toString(size));
            }
        }
    }

    /** Decodes the line's stamps and keeps the log's extent; {@link #UNKNOWN} without stamps. */
    private long stamp() {
        head.scan(bytes, lineStart, lineEnd);
        head.decode();
        long time = clock.time(head);
        if (time == Decorations.NONE) {
            return UNKNOWN;
        }
        if (health.lastNanos != UNKNOWN && time < health.lastNanos - SECOND) {
            health.backwardJumps++;
        }
        health.firstNanos = health.firstNanos == UNKNOWN ? time : Math.min(health.firstNanos, time);
        health.lastNanos = Math.max(health.lastNanos, time);
        return time;
    }

    /** Follows the numbers of the collections: gaps are lost parts of the log, and zero again is another JVM. */
    private void number(byte[] b, long id) {
        if (id == greatestId) {
            return;
        }
        if (id == 0 && greatestId > 0 && health.backwardJumps == 0) {
            head.decode();
            long uptime = head.uptimeNanos();
            if (uptime != Decorations.NONE && health.lastNanos != UNKNOWN && uptime < health.lastNanos - SECOND) {
                nextRun();
            }
        }
        if (!collectionsSeen) {
            collectionsSeen = true;
            health.firstCollection = id;
            greatestId = id;
            return;
        }
        if (id < greatestId) {
            missingIds.remove(id);
            return;
        }
        for (long i = greatestId + 1; i < id; i++) {
            if (missingIds.size() >= MOST_MISSING) {
                health.missingCollections += id - i;
                break;
            }
            missingIds.add(i);
        }
        greatestId = id;
        if (fullAsked) {
            fullAsked = false;
            askedId = id;
        }
    }

    private void count(LogListener.Event event) {
        listener.count(event, stamp(), 1);
    }

    // ---- pauses ------------------------------------------------------------------------------------------------

    private void pause(byte[] b, long id, int from, int to, boolean terminated) {
        int unit = to - 2;
        boolean ended = Bytes.endsWith(b, from, to, "ms");
        int number = unit;
        while (number > from && (Bytes.digit(b[number - 1]) || b[number - 1] == '.' || b[number - 1] == ',')) {
            number--;
        }
        long duration = ended && b[number - 1] == ' ' ? Bytes.decimal(b, number, unit, 6) : -1;
        long end = stamp();
        if (head.fine()) {
            return;
        }
        if (duration < 0) {
            unended(id, ended, terminated);
            return;
        }
        if (head.tagsKnown() && !head.tagsAre("gc") && !head.tagsAre("gc,phases")) {
            return;
        }
        if (repeated(b)) {
            return;
        }
        close(id);
        health.pausesUnderstood++;
        int heapTo = number - 1;
        int heapFrom = heapTo;
        while (heapFrom > from && b[heapFrom - 1] != ' ') {
            heapFrom--;
        }
        long before = Bytes.size(b, heapFrom, heapTo, after);
        long used = UNKNOWN;
        long capacity = UNKNOWN;
        long usedUnit = 1;
        if (before >= 0 && Bytes.startsWith(b, after[0], heapTo, "->")) {
            used = Bytes.size(b, after[0] + 2, heapTo, after);
            usedUnit = used >= 0 ? Bytes.unit(b[after[0] - 1]) : 1;
            if (used >= 0 && after[0] < heapTo && b[after[0]] == '(') {
                capacity = Bytes.size(b, after[0] + 1, heapTo, after);
            }
        }
        if (used < 0) {
            before = UNKNOWN;
            used = UNKNOWN;
            heapFrom = heapTo;
        }
        int nameTo = Bytes.indexOf(b, from + 6, heapFrom, " (");
        if (nameTo < 0) {
            nameTo = heapFrom > from + 6 && b[heapFrom - 1] == ' ' ? heapFrom - 1 : heapFrom;
        }
        String name = Bytes.text(b, from + 6, nameTo);
        String groups = Bytes.text(b, nameTo, Math.max(nameTo, heapFrom));
        pause(id, name, groups, end, duration, before, used, usedUnit, capacity < 0 ? UNKNOWN : capacity);
    }

    private void pause(
            long id,
            String name,
            String groups,
            long end,
            long duration,
            long before,
            long used,
            long usedUnit,
            long capacity) {
        boolean full = name.equals("Full") || id == upgradedId && name.startsWith("Degenerated");
        String kind = kind(name, groups, used != UNKNOWN);
        infer(kind, groups);
        String cause = cause(groups);
        long start = end == UNKNOWN ? UNKNOWN : end - duration;
        long own = duration;
        if (start != UNKNOWN
                && lastStart != UNKNOWN
                && start < lastStart - NESTING_NANOS
                && end >= lastStart + lastDuration - NESTING_NANOS) {
            own = Math.max(0, duration - lastDuration);
        }
        lastStart = start;
        lastDuration = duration;
        idsWithPauses[(int) (id % REMEMBERED_CYCLES)] = id;
        if (kind.equals("remark") || kind.equals("cleanup")) {
            cyclePauseNanos = (cycleId == id ? cyclePauseNanos : 0) + duration;
            cycleId = id;
        }
        if (pendingId != id) {
            flushPending();
        }
        long exactUsed = exactUsed(id, used, usedUnit);
        listener.collection(new Collection(
                kind,
                cause,
                true,
                full,
                start,
                own,
                before,
                exactUsed != UNKNOWN ? exactUsed : used,
                capacity(id, capacity)));
        if (groups.contains("(Evacuation Failure")
                && (groups.contains("Failure)")
                        || groups.contains("Allocation)")
                        || groups.contains("Failure: Allocation"))) {
            listener.count(LogListener.Event.EVACUATION_FAILURE, end, 1);
        }
        if (groups.contains("Humongous Allocation")) {
            listener.count(LogListener.Event.HUMONGOUS, end, 1);
        }
        if (kind.equals("degenerated")) {
            listener.count(LogListener.Event.CONCURRENT_FAILURE, end, 1);
        }
        if (cause.equals("System.gc()")) {
            // Parallel collects the young generation first, under a number and a line of its own.
            if (!full || !youngBeforeFull || id != askedPauseId + 1) {
                listener.count(LogListener.Event.SYSTEM_GC, end, 1);
            }
            youngBeforeFull = kind.equals("young");
            askedPauseId = id;
        }
        if (partsId == id && oldBefore != UNKNOWN && !full && kind.equals("young")) {
            listener.oldGeneration(end, oldBefore, oldAfter);
        }
        if (full) {
            askedId = askedId == id ? -1 : askedId;
            pend(id, start, exactUsed, used, usedUnit, cause);
        } else if (askedId == id && kind.equals("degenerated")) {
            pend(id, start, UNKNOWN, used, usedUnit, "System.gc()");
        }
    }

    private void unended(long id, boolean ended, boolean terminated) {
        boolean start = head.tagsKnown() ? head.tagsAre("gc,start") : !ended;
        if (start) {
            for (int i = 0; i < opened; i++) {
                if (open[i] == id) {
                    return;
                }
            }
            if (opened == open.length) {
                System.arraycopy(open, 1, open, 0, opened - 1);
                opened--;
                overflowed++;
            }
            open[opened++] = id;
        } else if (head.tagsAre("gc") && terminated) {
            health.pausesNotUnderstood++;
        }
    }

    private void close(long id) {
        for (int i = opened - 1; i >= 0; i--) {
            if (open[i] == id) {
                System.arraycopy(open, i + 1, open, i, opened - i - 1);
                opened--;
                return;
            }
        }
    }

    private boolean repeated(byte[] b) {
        long hash = Bytes.hash(b, lineStart, lineEnd);
        int slot = (int) (hash ^ hash >>> 32) & REMEMBERED_LINES - 1;
        if (recentLines[slot] == hash) {
            health.repeatedLines++;
            return true;
        }
        recentLines[slot] = hash;
        return false;
    }

    private String kind(String name, String groups, boolean heapChanged) {
        return switch (name) {
            case "Young" -> groups.startsWith(" (Mixed)") ? "mixed" : "young";
            case "Mixed" -> "mixed";
            case "Full" -> "full";
            case "Remark" -> "remark";
            case "Cleanup" -> "cleanup";
            // JDK 9 and 10 call G1's concurrent start so; for CMS it changes no heap and is a kind of its own.
            case "Initial Mark" -> g1 && heapChanged ? "young" : "initial mark";
            case "Degenerated GC", "Degenerated" -> "degenerated";
            default -> name.toLowerCase(Locale.ROOT);
        };
    }

    /** A log whose start is lost still tells the collector by its words. */
    private void infer(String kind, String groups) {
        if (starts > 0 || inferred) {
            return;
        }
        String name = switch (kind) {
            case "mark start", "mark end", "relocate start" -> "ZGC";
            case "init mark", "final mark", "init update refs", "final update refs", "degenerated" -> "Shenandoah";
            default -> groups.contains("(G1 ") || kind.equals("mixed") ? "G1" : partsCollector;
        };
        if (!name.isEmpty()) {
            inferred = true;
            z |= name.equals("ZGC");
            g1 |= name.equals("G1");
            shenandoah |= name.equals("Shenandoah");
            listener.fact(LogListener.Fact.COLLECTOR, name);
        }
    }

    /** Returns the content of the last pair of brackets that is a cause and neither a type nor a remark. */
    private static String cause(String groups) {
        String cause = "";
        int depth = 0;
        int from = 0;
        for (int i = 0; i < groups.length(); i++) {
            char c = groups.charAt(i);
            if (c == '(') {
                if (depth == 0) {
                    from = i + 1;
                }
                depth++;
            } else if (c == ')' && depth > 0) {
                depth--;
                if (depth == 0) {
                    String group = groups.substring(from, i);
                    if (!group.startsWith("Evacuation Failure")) {
                        cause = group;
                    }
                }
            }
        }
        return switch (cause) {
            case "Normal", "Mixed", "Prepare Mixed", "Concurrent Start", "Major", "unload classes" -> "";
            default -> cause;
        };
    }

    // ---- heap --------------------------------------------------------------------------------------------------

    /** Reads {@code ParOldGen: 0K->20276K(131072K)} and {@code Tenured: 58099K(87424K)->46584K(87424K)}. */
    private void part(byte[] b, long id, int from, int to, boolean young) {
        if (partsId != id) {
            clearParts(id);
        }
        int p = Bytes.indexOf(b, from, to, ' ') + 1;
        long before = Bytes.size(b, p, to, after);
        if (before < 0) {
            return;
        }
        p = after[0];
        if (p < to && b[p] == '(') {
            p = Bytes.indexOf(b, p, to, ')') + 1;
        }
        if (p <= 0 || !Bytes.startsWith(b, p, to, "->")) {
            return;
        }
        long used = Bytes.size(b, p + 2, to, after);
        if (used < 0) {
            return;
        }
        long capacity = after[0] < to && b[after[0]] == '(' ? Bytes.size(b, after[0] + 1, to, after) : UNKNOWN;
        if (b[from] == 'D') {
            partsCollector = "Serial";
        } else if (Bytes.startsWith(b, from, to, "PS") || Bytes.startsWith(b, from, to, "ParO")) {
            partsCollector = "Parallel";
        } else if (b[from] == 'P' || b[from] == 'C') {
            partsCollector = "CMS";
        }
        if (young) {
            youngAfter = used;
            youngCapacity = capacity;
        } else {
            oldBefore = before;
            oldAfter = used;
            oldCapacity = capacity;
        }
    }

    /** Reads {@code 14->26} and {@code 11->0(12)}. */
    private void regions(byte[] b, long id, int from, int to) {
        if (regionBytes == UNKNOWN) {
            return;
        }
        if (partsId != id) {
            clearParts(id);
        }
        int p = Bytes.afterDigits(b, from, to);
        long before = Bytes.whole(b, from, p);
        if (before < 0 || !Bytes.startsWith(b, p, to, "->")) {
            return;
        }
        int q = Bytes.afterDigits(b, p + 2, to);
        long used = Bytes.whole(b, p + 2, q);
        if (used >= 0) {
            oldBefore = before * regionBytes;
            oldAfter = used * regionBytes;
        }
    }

    private void clearParts(long id) {
        partsId = id;
        youngAfter = UNKNOWN;
        youngCapacity = UNKNOWN;
        oldBefore = UNKNOWN;
        oldAfter = UNKNOWN;
        oldCapacity = UNKNOWN;
    }

    private long capacity(long id, long rounded) {
        if (partsId == id && youngCapacity > 0 && oldCapacity > 0) {
            long sum = youngCapacity + oldCapacity;
            if (rounded == UNKNOWN || Math.abs(sum - rounded) < 2L << 20) {
                return sum;
            }
        }
        return rounded;
    }

    /** Returns the heap after this collection where the log has it in KiB, or {@link #UNKNOWN}. */
    private long exactUsed(long id, long floor, long unit) {
        if (partsId == id && youngAfter >= 0 && oldAfter >= 0 && fits(youngAfter + oldAfter, floor, unit)) {
            return youngAfter + oldAfter;
        }
        if (blockId == id && blockUsed >= 0 && fits(blockUsed, floor, unit)) {
            return blockUsed;
        }
        return UNKNOWN;
    }

    private static boolean fits(long exact, long floor, long unit) {
        return floor == UNKNOWN || exact >= floor - 4096 && exact < floor + unit + 4096;
    }

    /** The heap before or after a collection, in KiB; only the one after is of use. */
    private void heapBlock(byte[] b, long id, int from, int to) {
        boolean afterwards =
                Bytes.startsWith(b, from, to, "Heap after ") || Bytes.startsWith(b, from, to, "Heap After ");
        if (afterwards
                || Bytes.startsWith(b, from, to, "Heap before ")
                || Bytes.startsWith(b, from, to, "Heap Before ")) {
            blockId = afterwards ? id : -1;
            blockUsed = UNKNOWN;
            int heap = Bytes.indexOf(b, from, to, "garbage-first heap");
            if (afterwards && heap > 0) {
                usedInBlock(b, id, heap, to);
            }
        }
    }

    private void usedInBlock(byte[] b, long id, int from, int to) {
        int used = Bytes.indexOf(b, from, to, " used ");
        if (blockId != id || used < 0) {
            return;
        }
        blockUsed = Bytes.size(b, used + 6, to, after);
        if (pendingId == id && blockUsed >= 0 && fits(blockUsed, pendingFloor, pendingUnit)) {
            pendingBytes = blockUsed;
        }
    }

    /** Keeps the heap after a full collection until the log cannot tell it more exactly. */
    private void pend(long id, long start, long exact, long floor, long unit, String cause) {
        if (pendingId != id) {
            flushPending();
        }
        if (exact == UNKNOWN && floor == UNKNOWN) {
            return;
        }
        pendingId = id;
        pendingStart = start;
        pendingCause = cause;
        pendingFloor = floor;
        pendingUnit = unit;
        // The JVM rounds down to the unit it prints; the middle of what that leaves open errs least.
        pendingBytes = exact != UNKNOWN ? exact : floor + unit / 2.0;
    }

    private void flushPending() {
        if (pendingId >= 0) {
            listener.afterFull(pendingStart, pendingBytes, pendingCause);
            pendingId = -1;
        }
    }

    private long largestSize(byte[] b, int from, int to) {
        long largest = UNKNOWN;
        int p = from;
        while (p < to) {
            if (Bytes.digit(b[p])) {
                long size = Bytes.size(b, p, to, after);
                largest = Math.max(largest, size);
                p = size >= 0 ? after[0] : Bytes.afterDigits(b, p, to);
            } else {
                p++;
            }
        }
        return largest;
    }

    private long lastSize(byte[] b, int from, int to) {
        long last = UNKNOWN;
        int p = from;
        while (p < to) {
            if (Bytes.digit(b[p])) {
                long size = Bytes.size(b, p, to, after);
                last = size >= 0 ? size : last;
                p = size >= 0 ? after[0] : Bytes.afterDigits(b, p, to);
            } else {
                p++;
            }
        }
        return last;
    }

    // ---- concurrent collectors ---------------------------------------------------------------------------------

    /** Reads {@code Major Collection (Proactive) 110M(38%)->76M(26%) 0.032s} and the line that only begins it. */
    private void cycle(byte[] b, long id, int from, int to, int bracket, String kind) {
        long end = stamp();
        if (head.fine()) {
            return;
        }
        int depth = 0;
        int close = -1;
        for (int i = from + bracket; i < to && close < 0; i++) {
            depth += b[i] == '(' ? 1 : b[i] == ')' ? -1 : 0;
            close = depth == 0 ? i : -1;
        }
        if (close < 0) {
            return;
        }
        if (!kind.equals("cycle")) {
            listener.fact(LogListener.Fact.COLLECTOR, "ZGC generational");
        }
        long before = Bytes.size(b, close + 2, to, after);
        int arrow = before >= 0 ? Bytes.indexOf(b, after[0], to, "->") : -1;
        if (arrow < 0) {
            return;
        }
        long used = Bytes.size(b, arrow + 2, to, after);
        if (used < 0 || repeated(b)) {
            return;
        }
        String cause = Bytes.text(b, from + bracket + 1, close);
        boolean full = asked(cause) && !kind.equals("minor cycle");
        if (idsWithPauses[(int) (id % REMEMBERED_CYCLES)] != id) {
            health.cyclesWithoutPauses++;
        }
        listener.collection(new Collection(kind, cause, false, full, end, UNKNOWN, before, used, cycleCapacity));
        if (cause.equals("System.gc()")) {
            listener.count(LogListener.Event.SYSTEM_GC, end, 1);
        }
        if (full) {
            flushPending();
            // ZGC counts its heap in pages of 2 MiB: whole MiB are exact.
            listener.afterFull(end, used, cause);
        }
    }

    /** Returns whether a collection has a cause that the application or a tool gave. */
    static boolean asked(String cause) {
        return switch (cause) {
            case "System.gc()",
                    "Diagnostic Command",
                    "Heap Dump Initiated GC",
                    "Heap Inspection Initiated GC",
                    "JvmtiEnv ForceGarbageCollection" -> true;
            default -> false;
        };
    }

    private void concurrent(byte[] b, long id, int from, int to) {
        if (!Bytes.endsWith(b, from, to, "ms")) {
            if (Bytes.startsWith(b, from, to, "Concurrent Mark Abort")
                    || Bytes.startsWith(b, from, to, "Concurrent Mode Failure")) {
                count(LogListener.Event.CONCURRENT_FAILURE);
            }
            return;
        }
        int number = to - 2;
        while (number > from && (Bytes.digit(b[number - 1]) || b[number - 1] == '.' || b[number - 1] == ',')) {
            number--;
        }
        long duration = Bytes.decimal(b, number, to - 2, 6);
        long end = stamp();
        if (duration < 0 || head.fine()) {
            return;
        }
        boolean whole = Bytes.startsWith(b, from, to, "Concurrent Mark Cycle")
                || Bytes.startsWith(b, from, to, "Concurrent Undo Cycle")
                || Bytes.startsWith(b, from, to, "Concurrent Cycle");
        if (head.tagsKnown() ? !head.tagsAre("gc") && !(z(b, from, to) && head.tagsAre("gc,phases")) : g1 && !whole) {
            return;
        }
        if (repeated(b)) {
            return;
        }
        long own = duration;
        if (whole && cycleId == id) {
            own = Math.max(0, duration - cyclePauseNanos);
        }
        listener.concurrent(end, own);
        if (Bytes.startsWith(b, from, to, "Concurrent cleanup")) {
            cleanup(b, id, from, number, end);
        }
    }

    private boolean z(byte[] b, int from, int to) {
        return z || idsWithPauses[(int) (greatestId % REMEMBERED_CYCLES)] == greatestId && !g1 && !shenandoah;
    }

    /** Reads {@code Concurrent cleanup 79M->52M(128M) 0.021ms}: Shenandoah frees memory here and in no pause. */
    private void cleanup(byte[] b, long id, int from, int number, long end) {
        int heapTo = number - 1;
        int heapFrom = heapTo;
        while (heapFrom > from && b[heapFrom - 1] != ' ') {
            heapFrom--;
        }
        long before = Bytes.size(b, heapFrom, heapTo, after);
        if (before < 0 || !Bytes.startsWith(b, after[0], heapTo, "->")) {
            return;
        }
        long used = Bytes.size(b, after[0] + 2, heapTo, after);
        if (used < 0) {
            return;
        }
        long unit = Bytes.unit(b[after[0] - 1]);
        long capacity = after[0] < heapTo && b[after[0]] == '(' ? Bytes.size(b, after[0] + 1, heapTo, after) : UNKNOWN;
        boolean full = askedId == id;
        listener.collection(new Collection(
                "cycle",
                full ? "System.gc()" : "",
                false,
                false,
                end,
                UNKNOWN,
                before,
                used,
                capacity < 0 ? UNKNOWN : capacity));
        if (full) {
            // A cycle cleans up twice; the second time tells what is left.
            pend(id, end, UNKNOWN, used, unit, "System.gc()");
        }
    }

    /** Reads {@code At end of GC: used: 53290K, ...}, the exact form of what the last clean-up told. */
    private void endOfCycle(byte[] b, long id, int from, int to) {
        int used = Bytes.indexOf(b, from, to, " GC: used: ");
        if (pendingId == id && used > 0) {
            long size = Bytes.size(b, used + 11, to, after);
            if (size >= 0 && fits(size, pendingFloor, pendingUnit)) {
                pendingBytes = size;
            }
        }
    }

    // ---- safepoints --------------------------------------------------------------------------------------------

    private void safepoint(byte[] b, int from, int to) {
        long wait = nanosAfter(b, from, to, "Reaching safepoint: ");
        long total = nanosAfter(b, from, to, " Total: ");
        if (wait >= 0 && total >= 0 && !repeated(b)) {
            listener.safepoint(stamp(), wait, total);
        }
    }

    private static long nanosAfter(byte[] b, int from, int to, String key) {
        int at = Bytes.indexOf(b, from, to, key);
        if (at < 0) {
            return -1;
        }
        int number = at + key.length();
        int end = Bytes.afterDigits(b, number, to);
        return Bytes.startsWith(b, end, to, " ns") ? Bytes.whole(b, number, end) : -1;
    }

    /** Reads JDK 9 to 12's {@code 0.0000946 seconds, Stopping threads took: 0.0000070 seconds}. */
    private void stopped(byte[] b, int from, int to) {
        int end = Bytes.indexOf(b, from, to, " seconds");
        int wait = Bytes.indexOf(b, from, to, "took: ");
        if (end < 0 || wait < 0 || !Bytes.endsWith(b, wait, to, " seconds")) {
            return;
        }
        long total = Bytes.decimal(b, from, end, 9);
        long waited = Bytes.decimal(b, wait + 6, to - 8, 9);
        if (total >= 0 && waited >= 0 && !repeated(b)) {
            listener.safepoint(stamp(), waited, total);
        }
    }
}
