/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/** Events that a parser tells while it reads; every time is on the log's clock, {@link Collection#UNKNOWN} if there is none. */
interface LogListener {

    /** A JVM started: everything after this is its own. */
    void jvmStarted();

    /** A pause ended, or a cycle that changed the heap. */
    void collection(Collection collection);

    /** Heap used after a full collection, as exactly as the log tells; called once for each. */
    void afterFull(long startNanos, double bytes, String cause);

    /** A concurrent phase ended. */
    void concurrent(long endNanos, long durationNanos);

    /** A stop of the application threads, collections included. */
    void safepoint(long endNanos, long waitNanos, long totalNanos);

    /** The old generation grew or shrank in a collection that was not full. */
    void oldGeneration(long endNanos, long beforeBytes, long afterBytes);

    /** Something that is only counted. */
    void count(Event event, long timeNanos, long number);

    /** A fact about the JVM. */
    void fact(Fact fact, String value);

    /** Countable events. */
    enum Event {
        EVACUATION_FAILURE,
        HUMONGOUS,
        CONCURRENT_FAILURE,
        ALLOCATION_STALL,
        SYSTEM_GC
    }

    /** Facts about the JVM that wrote the log. */
    enum Fact {
        COLLECTOR,
        JDK,
        HEAP_INITIAL,
        HEAP_MAXIMUM
    }
}
