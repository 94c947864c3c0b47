/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/** Lines that a parser could not make sense of, per JVM run. */
final class ParserHealth {

    /** Lines that were understood as the end of a pause. */
    long pausesUnderstood;
    /** Lines that look like the end of a pause and were not understood. */
    long pausesNotUnderstood;
    /** Pauses whose begin is in the log and whose end is not. */
    long pausesWithoutEnd;
    /** Lines that came a second time, byte for byte. */
    long repeatedLines;
    /** Places where time went back by more than a second without a new JVM. */
    long backwardJumps;
    /** Collections whose numbers are skipped. */
    long missingCollections;
    /** Lines longer than the buffer. */
    long overlongLines;
    /** Number of the first collection, or -1. */
    long firstCollection = -1;
    /** Cycles of a collector whose pauses are not in this log. */
    long cyclesWithoutPauses;
    /** True if several JVM starts are mixed up in lines that are out of order. */
    boolean disorderedStarts;

    boolean endsInsidePause;
    boolean lastLineCut;
    boolean exitSeen;
    boolean startSeen;
    long firstNanos = Collection.UNKNOWN;
    long lastNanos = Collection.UNKNOWN;
}
