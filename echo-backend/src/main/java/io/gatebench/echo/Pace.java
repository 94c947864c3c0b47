/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

/** Spreads a response body over time, so that bytes leave evenly at a rate; pure arithmetic. */
final class Pace {

    /** Interval at which a slow body sends something, unless a single byte takes longer. */
    private static final long STEP_NANOS = 10_000_000;

    private static final double NANOS_PER_SECOND = 1e9;

    private Pace() {}

    /** Returns how many bytes of the body may have been sent when {@code elapsedNanos} have passed since its start. */
    static long allowed(long bytesPerSecond, long elapsedNanos, long length) {
        return Math.min(length, (long) (bytesPerSecond * (elapsedNanos / NANOS_PER_SECOND)));
    }

    /** Returns when, counted from the start of the body, the next bytes may be sent. */
    static long nextNanos(long bytesPerSecond, long sentBytes, long length) {
        long stepBytes = Math.max(1, (long) (bytesPerSecond * (STEP_NANOS / NANOS_PER_SECOND)));
        long target = Math.min(length, sentBytes + stepBytes);
        return (long) Math.ceil(target * NANOS_PER_SECOND / bytesPerSecond) + 1;
    }
}
