/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The beginning of an answer, kept so that a failure can be understood; tokens in it are masked.
 *
 * @param at when the request began
 * @param status the status code, if there was an answer
 * @param headers the answer's headers
 * @param body the first bytes of the body, as text
 * @param message why the sample failed
 * @since 0.1
 */
public record ResponseExcerpt(
        Instant at, Optional<Integer> status, Map<String, String> headers, String body, String message) {

    /** Copies the headers. */
    public ResponseExcerpt {
        headers = Map.copyOf(headers);
    }
}
