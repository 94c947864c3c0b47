/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Optional;

/**
 * What a response must be for its sample to count as a success.
 *
 * @param status the status code that it must have
 * @param contains text that the body must contain; {@code {size}} in it stands for the message size, as in {@code
 *     {size}B}
 * @param sameLengthAsRequest whether the body must have exactly the length of the request's body (an echo)
 * @param noGraphQlErrors whether a top-level member {@code errors} in the JSON body fails the sample
 * @since 0.1
 */
public record ResponseCheck(
        int status, Optional<String> contains, boolean sameLengthAsRequest, boolean noGraphQlErrors) {

    /** Returns the check that a status of 200 alone satisfies. */
    public static ResponseCheck ok() {
        return new ResponseCheck(200, Optional.empty(), false, false);
    }

    /** Returns the check for a status of 200 and a body with that text. */
    public static ResponseCheck okContaining(String text) {
        return new ResponseCheck(200, Optional.of(text), false, false);
    }
}
