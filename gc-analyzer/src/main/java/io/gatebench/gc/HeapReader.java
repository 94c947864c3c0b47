/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/**
 * Reads the heap of one JVM's collections more exactly than the line of the pause tells it: from the lines of the
 * generations, from the heap after the collection, and, for a full collection, from what follows it.
 */
final class HeapReader {

    private static final long UNKNOWN = Collection.UNKNOWN;
    /** Amount by which the sizes of one moment may differ from line to line. */
    private static final long SLACK_BYTES = 4096;

    private final LogListener listener;
    private final CollectorState collector;
    private final int[] after = new int[1];

    private long regionBytes = UNKNOWN;
    private long partsId = -1;
    private long youngAfter;
    private long youngCapacity;
    private long oldBefore;
    private long oldAfter;
    private long oldCapacity;
    private long blockId = -1;
    private long blockUsed = UNKNOWN;

    private long pendingId = -1;
    private long pendingStart;
    private double pendingBytes;
    private String pendingCause = "";
    private long pendingFloor;
    private long pendingUnit;

    HeapReader(LogListener listener, CollectorState collector) {
        this.listener = listener;
        this.collector = collector;
    }

    /** Takes G1's region size, in bytes, if it is one. */
    void regionSize(long bytes) {
        if (bytes > 0) {
            regionBytes = bytes;
        }
    }

    /** Reads {@code ParOldGen: 0K->20276K(131072K)} and {@code Tenured: 58099K(87424K)->46584K(87424K)}. */
    void generation(byte[] b, long id, int from, int to, boolean young) {
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
            collector.generationsOf("Serial");
        } else if (Bytes.startsWith(b, from, to, "PS") || Bytes.startsWith(b, from, to, "ParO")) {
            collector.generationsOf("Parallel");
        } else if (b[from] == 'P' || b[from] == 'C') {
            collector.generationsOf("CMS");
        }
        if (young) {
            youngAfter = used;
            youngCapacity = capacity;
        } else {
            oldBefore = before;
            oldAfter = used;
            oldCapacity = capacity;
        }
        if (pendingId == id + 1 && youngAfter >= 0 && oldAfter >= 0) {
            // A young collection that turned into a full one tells the sizes after it, under its own number.
            refine(pendingId, youngAfter + oldAfter);
        }
    }

    /** Reads G1's old regions, {@code 14->26} and {@code 11->0(12)}. */
    void oldRegions(byte[] b, long id, int from, int to) {
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

    /** Tells how the old generation changed in a young collection, where the log says so. */
    void promotion(long id, long end) {
        if (partsId == id && oldBefore != UNKNOWN) {
            listener.oldGeneration(end, oldBefore, oldAfter);
        }
    }

    /** Returns the heap's capacity in KiB where the log has it, or else what the pause says. */
    long capacity(long id, long rounded) {
        if (partsId == id && youngCapacity > 0 && oldCapacity > 0) {
            long sum = youngCapacity + oldCapacity;
            if (rounded == UNKNOWN || Math.abs(sum - rounded) < 2L << 20) {
                return sum;
            }
        }
        return rounded;
    }

    /** Returns the heap after this collection where the log has it in KiB, or {@link Collection#UNKNOWN}. */
    long exactUsed(long id, long floor, long unit) {
        if (partsId == id && youngAfter >= 0 && oldAfter >= 0 && fits(youngAfter + oldAfter, floor, unit)) {
            return youngAfter + oldAfter;
        }
        if (blockId == id && blockUsed >= 0 && fits(blockUsed, floor, unit)) {
            return blockUsed;
        }
        return UNKNOWN;
    }

    private static boolean fits(long exact, long floor, long unit) {
        return floor == UNKNOWN || exact >= floor - SLACK_BYTES && exact < floor + unit + SLACK_BYTES;
    }

    /** Reads the first line of the heap before or after a collection; only the one after is of use. */
    void block(byte[] b, long id, int from, int to) {
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

    /** Reads G1's line of that block. */
    void usedInBlock(byte[] b, long id, int from, int to) {
        int used = Bytes.indexOf(b, from, to, " used ");
        if (blockId != id || used < 0) {
            return;
        }
        blockUsed = Bytes.size(b, used + 6, to, after);
        refine(id, blockUsed);
    }

    /** Keeps the heap after a full collection until the log cannot tell it more exactly. */
    void full(long id, long start, long exact, long floor, long unit, String cause) {
        if (pendingId != id) {
            flush();
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

    /** Takes a more exact size of the heap after a full collection, if it fits what the collection itself said. */
    void refine(long id, long bytes) {
        if (pendingId == id && bytes >= 0 && fits(bytes, pendingFloor, pendingUnit)) {
            pendingBytes = bytes;
        }
    }

    /** Tells the heap after the last full collection unless it belongs to this one. */
    void flushUnless(long id) {
        if (pendingId != id) {
            flush();
        }
    }

    void flush() {
        if (pendingId >= 0) {
            listener.afterFull(pendingStart, pendingBytes, pendingCause);
            pendingId = -1;
        }
    }
}
