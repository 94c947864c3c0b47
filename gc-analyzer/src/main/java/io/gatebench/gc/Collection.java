/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/**
 * One stop-the-world pause, or one concurrent cycle that the log gives heap sizes for.
 *
 * <p>Internal to the analyzer; {@link #UNKNOWN} stands for what the log does not tell.
 *
 * @param kind kind of pause, e.g. {@code young}
 * @param cause why it happened, empty if unknown
 * @param pause whether it stopped the application
 * @param full whether it collected the whole heap on demand or in despair
 * @param startNanos start on the log's clock, or {@link #UNKNOWN}
 * @param durationNanos length, for cycles {@link #UNKNOWN}
 * @param beforeBytes heap used before
 * @param afterBytes heap used after
 * @param capacityBytes heap size after
 */
record Collection(
        String kind,
        String cause,
        boolean pause,
        boolean full,
        long startNanos,
        long durationNanos,
        long beforeBytes,
        long afterBytes,
        long capacityBytes) {

    static final long UNKNOWN = Long.MIN_VALUE;

    /** Returns the same, beginning earlier and with what was used then. */
    Collection from(long earlierNanos, long longerNanos, long usedBytes) {
        return new Collection(
                kind, cause, pause, full, earlierNanos, longerNanos, usedBytes, afterBytes, capacityBytes);
    }
}
