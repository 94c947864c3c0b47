/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.stats;

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
 */
public record Sample(
        long startNanos,
        long elapsedNanos,
        long latencyNanos,
        long connectNanos,
        long receivedBytes,
        long sentBytes,
        @Nullable String failure) {}
