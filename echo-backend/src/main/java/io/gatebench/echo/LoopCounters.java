/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** The counts of one event loop, written by it alone and read by anyone; single-writer, so that no count needs a CAS. */
final class LoopCounters {

    /** One hour in microseconds. */
    private static final long MAX_MICROS = 3_600_000_000L;

    final AtomicLong requests = new AtomicLong();
    final AtomicLong requestBytes = new AtomicLong();
    final AtomicLong responseBytes = new AtomicLong();
    final AtomicLong connectionsOpened = new AtomicLong();
    final AtomicLong connectionsClosed = new AtomicLong();
    final AtomicLong resets = new AtomicLong();
    final AtomicLong neverAnswered = new AtomicLong();
    final AtomicLong timeouts = new AtomicLong();
    final AtomicLongArray byStatus = new AtomicLongArray(600);

    private final SingleWriterRecorder asked = new SingleWriterRecorder(MAX_MICROS, 3);
    private final SingleWriterRecorder late = new SingleWriterRecorder(MAX_MICROS, 3);

    static void add(AtomicLong counter, long amount) {
        counter.setRelease(counter.getPlain() + amount);
    }

    void response(int status) {
        byStatus.setRelease(status, byStatus.getPlain(status) + 1);
    }

    void delayed(long askedNanos, long actualNanos) {
        asked.recordValue(Math.min(MAX_MICROS, askedNanos / 1000));
        late.recordValue(Math.max(0, Math.min(MAX_MICROS, (actualNanos - askedNanos + 500) / 1000)));
    }

    /** Adds what was recorded since the last call; callers take turns. */
    void drainDelaysInto(Histogram askedMicros, Histogram lateMicros) {
        askedMicros.add(asked.getIntervalHistogram());
        lateMicros.add(late.getIntervalHistogram());
    }
}
