/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.stats;

import org.jspecify.annotations.Nullable;

/**
 * One finished request.
 *
 * @param startNanos when it began, by the clock of the recorder; the intended start in an open model
 * @param elapsedNanos from then to the last byte of the answer, or to the failure
 * @param latencyNanos from then to the first byte of the answer
 * @param connectNanos time to connect, or -1 if a kept connection was used
 * @param receivedBytes bytes received, head included
 * @param sentBytes bytes sent, head included
 * @param failure why the sample failed, or null if it succeeded
 * @param unanswered whether it was given up for want of a whole answer: a failure of which the server knows nothing
 */
public record Sample(
        long startNanos,
        long elapsedNanos,
        long latencyNanos,
        long connectNanos,
        long receivedBytes,
        long sentBytes,
        @Nullable String failure,
        boolean unanswered) {

    /** Creates a sample to which there was an answer, or which the server has ended. */
    public Sample(
            long startNanos,
            long elapsedNanos,
            long latencyNanos,
            long connectNanos,
            long receivedBytes,
            long sentBytes,
            @Nullable String failure) {
        this(startNanos, elapsedNanos, latencyNanos, connectNanos, receivedBytes, sentBytes, failure, false);
    }
}
