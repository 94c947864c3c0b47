/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.function.Supplier;

/**
 * Reads unified logs ({@code -Xlog}, JDK 9 and later) of every collector, line by line, in constant memory.
 *
 * <p>The truth about a pause is the line at level info that ends it: {@code GC(n) Pause ... ms} with the tag {@code gc}, or
 * with {@code gc,phases} for ZGC. Lines are told apart by their tags and words, never by columns. What a line says is read
 * by the reader of its kind; this class finds the message and the JVM run it belongs to.
 */
final class UnifiedLogParser {

    private static final long UNKNOWN = Collection.UNKNOWN;
    private static final long SECOND = 1_000_000_000L;
    private static final int MAX_DIGITS = 18;
    /** {@code "] GC("} as the first five bytes of a word. */
    private static final long COLLECTION_FOLLOWS = 0x284347205DL;

    private static final long FIVE_BYTES = 0xFFFFFFFFFFL;

    private final LogListener listener;
    private final Supplier<ParserHealth> healthOfNextRun;
    private final LogLine line;
    private final PauseName.Known names = new PauseName.Known();
    private final int[] after = new int[1];
    private final int[] passed = new int[2];

    private ParserHealth health;
    private CollectionNumbers numbers;
    private CollectorState collector;
    private HeapReader heap;
    private PauseReader pauses;
    private CycleReader cycles;
    private JvmReader jvm;
    private SafepointReader safepoints;

    /** Position of the last line's message behind its decorations: most often the next line's begins there too. */
    private int usualOffset;

    /**
     * Creates a parser.
     *
     * @param healthOfNextRun called once per JVM start found in the log, before anything of it is told
     */
    UnifiedLogParser(LogListener listener, LogClock clock, Supplier<ParserHealth> healthOfNextRun) {
        this.listener = listener;
        this.healthOfNextRun = healthOfNextRun;
        this.health = healthOfNextRun.get();
        this.line = new LogLine(clock, health);
        begin();
    }

    private void begin() {
        numbers = new CollectionNumbers(health);
        collector = new CollectorState(listener);
        heap = new HeapReader(listener, collector);
        pauses = new PauseReader(line, listener, health, collector, heap, names);
        cycles = new CycleReader(line, listener, health, collector, heap, pauses);
        jvm = new JvmReader(listener, collector, heap);
        safepoints = new SafepointReader(line, listener);
    }

    /**
     * Passes over whole lines that tell nothing: those that belong to the collection of the line before, have their
     * decorations as that had them, and begin with words that no reader knows. Most lines of a log are so.
     *
     * @return the index of the first line that {@link #accept} must see, or of the first that is not complete
     */
    int skip(LogBytes content, int start, int limit) {
        int next = pass(content, start, limit, limit, usualOffset, numbers.last(), passed);
        if (next > start) {
            passOver(content.bytes, passed[0], passed[1]);
        }
        return next;
    }

    /** Turns to a line that was passed over, of which only the stamp may be wanted. */
    void passOver(byte[] b, int from, int to) {
        line.passOver(b, from, to);
    }

    /**
     * Passes over lines without the state of a parser.
     *
     * @param border where a line that begins here or later is left alone
     * @param offset where the message of the line before began, 0 if that is not known
     * @param last the number of its collection
     * @param passed gets the first and the last index of the last line that was passed over
     */
    static int pass(LogBytes content, int start, int border, int limit, int offset, long last, int[] passed) {
        byte[] b = content.bytes;
        int from = start;
        while (offset > 0 && from < border) {
            int p = from + offset + 3;
            if (p + MAX_DIGITS > limit
                    || b[from] != '['
                    || (content.wordAt(p - 5) & FIVE_BYTES) != COLLECTION_FOLLOWS) {
                break;
            }
            long id = 0;
            int most = p + MAX_DIGITS - 3;
            while (p < most && Bytes.digit(b[p])) {
                id = id * 10 + (b[p] - '0');
                p++;
            }
            if (id != last || b[p] != ')' || b[p + 1] != ' ' || !dull(b, from + offset - 2, p + 2, limit)) {
                break;
            }
            int newline = content.indexOfNewline(p, limit);
            if (newline < 0) {
                break;
            }
            passed[0] = from;
            passed[1] = newline;
            from = newline + 1;
        }
        return from;
    }

    /**
     * Returns whether a collection's line tells nothing that any reader wants: most lines of a log are so.
     *
     * @param bracket where the tags end
     * @param r where the words begin
     */
    private static boolean dull(byte[] b, int bracket, int r, int end) {
        byte second = r + 1 < end ? b[r + 1] : 0;
        return switch (b[r]) {
            case 'C' -> dullMarking(b, bracket, r, end);
            case 'D', 'G', 'O', 'T', 'Y', 'y' -> false;
            case 'P' -> second == 'h' || second == 'o';
            case 'H' -> second == 'u';
            case 'M' -> second == 'e';
            case 'A' -> second == 'r' || second == 'g';
            case ' ' -> dullIndented(b, r + 1, end);
            default -> true;
        };
    }

    /** G1 tells the steps of its marking under a tag of their own; only the whole cycle counts, and that it failed. */
    private static boolean dullMarking(byte[] b, int bracket, int r, int end) {
        int tags = bracket;
        while (tags > 0 && b[tags - 1] == ' ') {
            tags--;
        }
        return Bytes.endsWith(b, 0, tags, "[gc,marking")
                && Bytes.startsWith(b, r, end, "Concurrent ")
                && !Bytes.startsWith(b, r, end, "Concurrent Mark Abort")
                && !Bytes.startsWith(b, r, end, "Concurrent Mode Failure");
    }

    private static boolean dullIndented(byte[] b, int from, int end) {
        int word = Bytes.skipSpaces(b, from, end);
        byte second = word + 1 < end ? b[word + 1] : 0;
        byte first = word < end ? b[word] : 0;
        return switch (first) {
            case 'C' -> second != 'a';
            case 'P' -> second != 'r' || word + 2 < end && b[word + 2] != 'o';
            case 'g', 'r' -> false;
            default -> true;
        };
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
        Decorations scanner = line.scanner();
        int message = scanner.scan(b, start, to);
        if (message < 0) {
            return;
        }
        int from = start;
        if (scanner.groups() == 0 && !plainMessage(b, start, to)
                || scanner.groups() > 0 && message < to && b[message] == '[') {
            int embedded = scanner.find(b, scanner.groups() == 0 ? start : message, to);
            if (embedded < 0 && scanner.groups() == 0) {
                return;
            }
            if (embedded >= 0) {
                from = embedded;
            }
            message = scanner.scan(b, from, to);
        }
        usualOffset = from == start ? message - start : 0;
        line.set(b, from, to);
        if (health.firstNanos == UNKNOWN && scanner.groups() > 0) {
            line.stamp();
        }
        if (message + 3 < to && b[message] == 'G' && b[message + 1] == 'C' && b[message + 2] == '(') {
            int close = Bytes.afterDigits(b, message + 3, to);
            if (close + 2 > to || b[close] != ')') {
                return;
            }
            long id = Bytes.whole(b, message + 3, close);
            if (id >= 0) {
                number(id);
                collectionLine(b, id, close + 2, to, terminated);
            }
        } else if (message < to) {
            plainLine(b, message, to);
        }
    }

    /** Takes the stamp of the last line before its bytes are overwritten. */
    void stampLastLine() {
        line.stampBeforeItIsLost();
    }

    /** Ends the log. */
    void finish() {
        stampLastLine();
        finishRun();
    }

    private void finishRun() {
        heap.flush();
        pauses.finish();
        numbers.finish();
    }

    private void nextRun() {
        finishRun();
        health = healthOfNextRun.get();
        line.nextRun(health);
        begin();
        listener.jvmStarted();
    }

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

    /** Follows the numbers of the collections: zero again is another JVM. */
    private void number(long id) {
        if (id == 0 && numbers.greatest() > 0 && health.backwardJumps == 0) {
            long uptime = line.head().uptimeNanos();
            if (uptime != Decorations.NONE && health.lastNanos != UNKNOWN && uptime < health.lastNanos - SECOND) {
                nextRun();
            }
        }
        if (numbers.add(id)) {
            pauses.begins(id);
        }
    }

    private void collectionLine(byte[] b, long id, int from, int to, boolean terminated) {
        if (from >= to) {
            return;
        }
        switch (b[from]) {
            case 'Y', 'O', 'y' -> {
                if (from + 3 < to && b[from + 1] == ':') {
                    generationLine(b, id, from + 3, to, terminated);
                } else if (Bytes.startsWith(b, from, to, "Old regions: ")) {
                    heap.oldRegions(b, id, from + 13, to);
                }
            }
            case 'P' -> {
                if (Bytes.startsWith(b, from, to, "Pause ")) {
                    pauses.pause(b, id, from, to, terminated);
                } else if (Bytes.startsWith(b, from, to, "PSYoungGen: ") || Bytes.startsWith(b, from, to, "ParNew: ")) {
                    heap.generation(b, id, from, to, true);
                } else if (Bytes.startsWith(b, from, to, "ParOldGen: ")) {
                    heap.generation(b, id, from, to, false);
                } else if (Bytes.equals(b, from, to, "Promotion failed")) {
                    count(LogListener.Event.EVACUATION_FAILURE);
                }
            }
            case 'C' -> {
                if (Bytes.startsWith(b, from, to, "Concurrent ")) {
                    cycles.concurrent(b, id, from, to, numbers.greatest());
                } else if (Bytes.startsWith(b, from, to, "CMS: ")) {
                    heap.generation(b, id, from, to, false);
                } else if (Bytes.startsWith(b, from, to, "Cannot finish degeneration")) {
                    pauses.upgradeToFull(id);
                }
            }
            case 'D' -> {
                if (Bytes.startsWith(b, from, to, "DefNew: ")) {
                    heap.generation(b, id, from, to, true);
                }
            }
            case 'T' -> {
                if (Bytes.startsWith(b, from, to, "Tenured: ")) {
                    heap.generation(b, id, from, to, false);
                } else if (Bytes.startsWith(b, from, to, "To-space exhausted")) {
                    count(LogListener.Event.EVACUATION_FAILURE);
                }
            }
            case 'H' -> heap.block(b, id, from, to);
            case 'G', 'M' -> cycle(b, id, from, to);
            case 'A' -> {
                if (Bytes.startsWith(b, from, to, "Allocation Stall (")) {
                    count(LogListener.Event.ALLOCATION_STALL);
                } else if (Bytes.startsWith(b, from, to, "At end of ")) {
                    cycles.endOfCycle(b, id, from, to);
                }
            }
            case ' ' -> indented(b, id, from, to);
            default -> {}
        }
    }

    private void cycle(byte[] b, long id, int from, int to) {
        if (Bytes.startsWith(b, from, to, "Garbage Collection (")) {
            cycles.cycle(b, id, from, to, 19, "cycle");
        } else if (Bytes.startsWith(b, from, to, "Minor Collection (")) {
            cycles.cycle(b, id, from, to, 17, "minor cycle");
        } else if (Bytes.startsWith(b, from, to, "Major Collection (")) {
            cycles.cycle(b, id, from, to, 17, "major cycle");
        }
    }

    /** A line of one generation of ZGC. */
    private void generationLine(byte[] b, long id, int from, int to, boolean terminated) {
        if (Bytes.startsWith(b, from, to, "Pause ")) {
            pauses.pause(b, id, from, to, terminated);
        } else if (Bytes.startsWith(b, from, to, "Concurrent ")) {
            cycles.concurrent(b, id, from, to, numbers.greatest());
        } else if (b[from] == ' ') {
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
                    cycles.capacities(b, word + 10, to);
                }
            }
            case 'P' -> {
                if (Bytes.startsWith(b, word, to, "Promoted: ")) {
                    long promoted = Bytes.lastSize(b, word + 10, to, after);
                    if (promoted >= 0) {
                        listener.oldGeneration(line.stamp(), 0, promoted);
                    }
                }
            }
            case 'g' -> {
                if (Bytes.startsWith(b, word, to, "garbage-first heap")) {
                    heap.usedInBlock(b, id, word, to);
                }
            }
            case 'r' -> {
                if (Bytes.startsWith(b, word, to, "region size ")) {
                    heap.regionSize(Bytes.size(b, word + 12, to, after));
                }
            }
            default -> {}
        }
    }

    private void plainLine(byte[] b, int m, int to) {
        switch (b[m]) {
            case 'U' -> {
                if (Bytes.startsWith(b, m, to, "Using ")) {
                    using(b, m + 6, to);
                }
            }
            case 'S' -> {
                if (Bytes.startsWith(b, m, to, "Safepoint \"")) {
                    safepoints.safepoint(b, m, to);
                }
            }
            case 'T' -> {
                if (SafepointReader.stopped(b, m, to)) {
                    safepoints.totalTime(b, m, to);
                } else if (Bytes.startsWith(b, m, to, "Trigger") && Bytes.indexOf(b, m, to, "GC request (") > 0) {
                    pauses.collectionAskedFor();
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
            case 'H' -> {
                if (to - m == 4) {
                    health.exitSeen |= line.head().tagsEndWith("exit");
                } else {
                    fact(b, m, to);
                }
            }
            case 'M' -> {
                if (!Bytes.startsWith(b, m, to, "Minimum heap ") || atStart()) {
                    fact(b, m, to);
                }
            }
            case 'G', 'I', 'V' -> fact(b, m, to);
            default -> {}
        }
    }

    /** Other parts of a JVM have versions and capacities too. */
    private void fact(byte[] b, int m, int to) {
        if (!line.head().tagsKnown() || line.head().tagsStartWith("gc")) {
            jvm.fact(b, m, to);
        }
    }

    /** A JVM tells its heap before it names its collector; returns whether the line can belong to a start. */
    private boolean atStart() {
        long uptime = line.head().uptimeNanos();
        if (numbers.seen()
                && uptime != Decorations.NONE
                && health.lastNanos != UNKNOWN
                && uptime < health.lastNanos
                && health.backwardJumps == 0) {
            nextRun();
        }
        return !numbers.seen();
    }

    /** The JVM names its collector when it starts. */
    private void using(byte[] b, int from, int to) {
        String name = JvmReader.collector(b, from, to);
        Decorations head = line.head();
        if (name.isEmpty() || head.tagsKnown() && !head.tagsAre("gc")) {
            return;
        }
        boolean earlier = head.uptimeNanos() != Decorations.NONE
                && health.lastNanos != UNKNOWN
                && head.uptimeNanos() < health.lastNanos;
        if ((numbers.seen() || collector.starts > 0 && earlier) && health.backwardJumps == 0) {
            nextRun();
        } else if (collector.starts > 0 && !numbers.seen()) {
            health.repeatedLines++;
            return;
        }
        collector.starts++;
        health.disorderedStarts |= collector.starts > 1;
        health.startSeen = true;
        line.stamp();
        collector.named(name);
    }

    private void count(LogListener.Event event) {
        listener.count(event, line.stamp(), 1);
    }
}
