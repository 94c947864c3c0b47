/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/** Reads the lines that begin and end one JVM's stop-the-world pauses. */
final class PauseReader {

    private static final long UNKNOWN = Collection.UNKNOWN;
    /** Two stamps have a resolution of 1 ms each. */
    private static final long STAMPS_NANOS = 2_000_000L;
    /** Time that an enclosing pause has left for itself, below which it is none of its own. */
    private static final long OWN_PAUSE_NANOS = 1_000_000L;

    private static final int REMEMBERED_CYCLES = 64;

    private final LogLine line;
    private final LogListener listener;
    private final ParserHealth health;
    private final CollectorState collector;
    private final HeapReader heap;
    private final PauseName.Known names;
    private final OpenPauses open = new OpenPauses();
    private final int[] after = new int[1];

    private @Nullable Collection held;
    private long heldId = -1;
    private long cycleId = -1;
    private long cyclePauseNanos;
    private final long[] idsWithPauses = new long[REMEMBERED_CYCLES];
    private boolean fullAsked;
    private long askedId = -1;
    private long upgradedId = -1;
    private boolean youngBeforeFull;
    private long askedPauseId = -1;

    PauseReader(
            LogLine line,
            LogListener listener,
            ParserHealth health,
            CollectorState collector,
            HeapReader heap,
            PauseName.Known names) {
        this.line = line;
        this.listener = listener;
        this.health = health;
        this.collector = collector;
        this.heap = heap;
        this.names = names;
        Arrays.fill(idsWithPauses, -1);
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

    /** A collection was asked for; the next one that begins answers it. */
    void collectionAskedFor() {
        fullAsked = true;
    }

    void begins(long id) {
        if (fullAsked) {
            fullAsked = false;
            askedId = id;
        }
    }

    boolean askedFor(long id) {
        return askedId == id;
    }

    /** A degenerated collection turned into a full one. */
    void upgradeToFull(long id) {
        upgradedId = id;
    }

    boolean hasPauses(long id) {
        return idsWithPauses[(int) (id % REMEMBERED_CYCLES)] == id;
    }

    /** Returns the pauses inside a concurrent cycle so far, which are no concurrent time. */
    long pauseNanosInCycle(long id) {
        return cycleId == id ? cyclePauseNanos : 0;
    }

    void finish() {
        release();
        open.finish(health);
    }

    /** Tells the last pause, which was held back as the next one might have enclosed it. */
    void release() {
        if (held != null) {
            listener.collection(held);
            held = null;
        }
    }

    /** Reads {@code Pause Young (Normal) (G1 Evacuation Pause) 15M->4M(96M) 9.903ms} and the line that only begins it. */
    void pause(byte[] b, long id, int from, int to, boolean terminated) {
        int unit = to - 2;
        boolean ended = Bytes.endsWith(b, from, to, "ms");
        int number = unit;
        while (number > from && Bytes.decimalByte(b[number - 1])) {
            number--;
        }
        long duration = ended && b[number - 1] == ' ' ? Bytes.decimal(b, number, unit, 6) : -1;
        long end = line.stamp();
        Decorations head = line.head();
        if (head.fine()) {
            return;
        }
        if (duration < 0) {
            unended(head, id, ended, terminated);
            return;
        }
        if (head.tagsKnown() && !head.tagsAre("gc") && !head.tagsAre("gc,phases") || line.repeated()) {
            return;
        }
        open.close(id);
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
        PauseName name = names.of(b, from + "Pause ".length(), Math.max(from + "Pause ".length(), heapFrom));
        pause(id, name, end, duration, before, used, usedUnit, capacity < 0 ? UNKNOWN : capacity);
    }

    private void pause(
            long id, PauseName name, long end, long duration, long before, long used, long usedUnit, long capacity) {
        boolean degenerated = name.kind().equals("degenerated");
        boolean full = name.full() || id == upgradedId && degenerated;
        // JDK 9 and 10 call G1's concurrent start so; for CMS it changes no heap and is a kind of its own.
        String kind = name.kind().equals("initial mark") && collector.g1() && used != UNKNOWN ? "young" : name.kind();
        collector.infer(kind, name.groups());
        idsWithPauses[(int) (id % REMEMBERED_CYCLES)] = id;
        if (kind.equals("remark") || kind.equals("cleanup")) {
            cyclePauseNanos = (cycleId == id ? cyclePauseNanos : 0) + duration;
            cycleId = id;
        }
        heap.flushUnless(id);
        count(id, name, kind, full, end);
        long start = end == UNKNOWN ? UNKNOWN : end - duration;
        long own = duration;
        if (held != null && kind.equals("young") && encloses(held, id, start, duration)) {
            own = duration - held.durationNanos();
            if (own < OWN_PAUSE_NANOS) {
                held = held.from(start, duration, before);
                return;
            }
        }
        release();
        long exactUsed = heap.exactUsed(id, used, usedUnit);
        heldId = id;
        held = new Collection(
                kind,
                name.cause(),
                true,
                full,
                start,
                own,
                before,
                exactUsed != UNKNOWN ? exactUsed : used,
                heap.capacity(id, capacity));
        if (!full && kind.equals("young")) {
            heap.promotion(id, end);
        }
        if (full) {
            askedId = askedId == id ? -1 : askedId;
            heap.full(id, start, exactUsed, used, usedUnit, name.cause());
        } else if (askedId == id && degenerated) {
            heap.full(id, start, UNKNOWN, used, usedUnit, "System.gc()");
        }
    }

    /**
     * Returns whether a young collection that turned into a full one ends here, after the full one: Serial and CMS log both
     * over the same time, the full one under the next number.
     */
    private boolean encloses(Collection full, long id, long start, long duration) {
        if (!full.full() || heldId != id + 1 || duration < full.durationNanos()) {
            return false;
        }
        return start == UNKNOWN
                || full.startNanos() == UNKNOWN
                || start <= full.startNanos() + STAMPS_NANOS
                        && start + duration >= full.startNanos() + full.durationNanos() - STAMPS_NANOS;
    }

    private void count(long id, PauseName name, String kind, boolean full, long end) {
        if (name.evacuationFailed()) {
            listener.count(LogListener.Event.EVACUATION_FAILURE, end, 1);
        }
        if (name.humongous()) {
            listener.count(LogListener.Event.HUMONGOUS, end, 1);
        }
        if (kind.equals("degenerated")) {
            listener.count(LogListener.Event.CONCURRENT_FAILURE, end, 1);
        }
        if (name.cause().equals("System.gc()")) {
            // Parallel collects the young generation first, under a number and a line of its own.
            if (!full || !youngBeforeFull || id != askedPauseId + 1) {
                listener.count(LogListener.Event.SYSTEM_GC, end, 1);
            }
            youngBeforeFull = kind.equals("young");
            askedPauseId = id;
        }
    }

    private void unended(Decorations head, long id, boolean ended, boolean terminated) {
        boolean start = head.tagsKnown() ? head.tagsAre("gc,start") : !ended;
        if (start) {
            open.open(id);
        } else if (head.tagsAre("gc") && terminated) {
            health.pausesNotUnderstood++;
        }
    }
}
