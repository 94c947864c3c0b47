/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/** Reads the concurrent work of one JVM's collector: its phases, and the cycles that give memory back. */
final class CycleReader {

    private static final long UNKNOWN = Collection.UNKNOWN;

    private final LogLine line;
    private final LogListener listener;
    private final ParserHealth health;
    private final CollectorState collector;
    private final HeapReader heap;
    private final PauseReader pauses;
    private final int[] after = new int[1];
    private long capacity = UNKNOWN;

    CycleReader(
            LogLine line,
            LogListener listener,
            ParserHealth health,
            CollectorState collector,
            HeapReader heap,
            PauseReader pauses) {
        this.line = line;
        this.listener = listener;
        this.health = health;
        this.collector = collector;
        this.heap = heap;
        this.pauses = pauses;
    }

    /** Reads {@code Major Collection (Proactive) 110M(38%)->76M(26%) 0.032s} and the line that only begins it. */
    void cycle(byte[] b, long id, int from, int to, int bracket, String kind) {
        long end = line.stamp();
        if (line.head().fine()) {
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
            collector.mode("ZGC generational");
        }
        long before = Bytes.size(b, close + 2, to, after);
        int arrow = before >= 0 ? Bytes.indexOf(b, after[0], to, "->") : -1;
        if (arrow < 0) {
            return;
        }
        long used = Bytes.size(b, arrow + 2, to, after);
        if (used < 0 || line.repeated()) {
            return;
        }
        String cause = Bytes.text(b, from + bracket + 1, close);
        boolean full = PauseReader.asked(cause) && !kind.equals("minor cycle");
        if (!pauses.hasPauses(id)) {
            health.cyclesWithoutPauses++;
        }
        pauses.release();
        listener.collection(new Collection(kind, cause, false, full, end, UNKNOWN, before, used, capacity));
        if (cause.equals("System.gc()")) {
            listener.count(LogListener.Event.SYSTEM_GC, end, 1);
        }
        if (full) {
            heap.flush();
            // ZGC counts its heap in pages of 2 MiB: whole MiB are exact.
            listener.afterFull(end, used, cause);
        }
    }

    /** Reads ZGC's line of the heap's capacity during a cycle. */
    void capacities(byte[] b, int from, int to) {
        capacity = Bytes.largestSize(b, from, to, after);
    }

    void concurrent(byte[] b, long id, int from, int to, long greatestId) {
        if (!Bytes.endsWith(b, from, to, "ms")) {
            if (Bytes.startsWith(b, from, to, "Concurrent Mark Abort")
                    || Bytes.startsWith(b, from, to, "Concurrent Mode Failure")) {
                listener.count(LogListener.Event.CONCURRENT_FAILURE, line.stamp(), 1);
            }
            return;
        }
        int number = to - 2;
        while (number > from && Bytes.decimalByte(b[number - 1])) {
            number--;
        }
        long duration = Bytes.decimal(b, number, to - 2, 6);
        long end = line.stamp();
        Decorations head = line.head();
        if (duration < 0 || head.fine()) {
            return;
        }
        boolean whole = Bytes.startsWith(b, from, to, "Concurrent Mark Cycle")
                || Bytes.startsWith(b, from, to, "Concurrent Undo Cycle")
                || Bytes.startsWith(b, from, to, "Concurrent Cycle");
        boolean z = collector.z() || pauses.hasPauses(greatestId) && collector.perhapsZ();
        if (head.tagsKnown() ? !head.tagsAre("gc") && !(z && head.tagsAre("gc,phases")) : collector.g1() && !whole) {
            return;
        }
        if (line.repeated()) {
            return;
        }
        listener.concurrent(end, whole ? Math.max(0, duration - pauses.pauseNanosInCycle(id)) : duration);
        if (Bytes.startsWith(b, from, to, "Concurrent cleanup")) {
            cleanup(b, id, from, number, end);
        }
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
        long size = after[0] < heapTo && b[after[0]] == '(' ? Bytes.size(b, after[0] + 1, heapTo, after) : UNKNOWN;
        boolean full = pauses.askedFor(id);
        pauses.release();
        listener.collection(new Collection(
                "cycle",
                full ? "System.gc()" : "",
                false,
                false,
                end,
                UNKNOWN,
                before,
                used,
                size < 0 ? UNKNOWN : size));
        if (full) {
            // A cycle cleans up twice; the second time tells what is left.
            heap.full(id, end, UNKNOWN, used, unit, "System.gc()");
        }
    }

    /** Reads {@code At end of GC: used: 53290K, ...}, the exact form of what the last clean-up told. */
    void endOfCycle(byte[] b, long id, int from, int to) {
        int used = Bytes.indexOf(b, from, to, " GC: used: ");
        if (used > 0) {
            heap.refine(id, Bytes.size(b, used + 11, to, after));
        }
    }
}
