/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Optional;

/**
 * Condition that a response must meet for its sample to count as a success.
 *
 * @param status the status code that it must have
 * @param contains text that the body must contain; {@code {size}} in it stands for the message size, as in {@code
 *     {size}B}
 * @param sameLengthAsRequest whether the body must have exactly the length of the request's body (an echo)
 * @param noGraphQlErrors whether a top-level member {@code errors} in the JSON body fails the sample
 * @param body what the whole body is held to
 * @since 0.1
 */
public record ResponseCheck(
        int status, Optional<String> contains, boolean sameLengthAsRequest, boolean noGraphQlErrors, Body body) {

    /**
     * Condition that a whole body is held to.
     *
     * @param form how the body follows from that of the request
     * @param count how many times each order of the request must be there ({@link Form#ORDERS}), or how many trades
     *     there must be, 0 for one per order ({@link Form#TRADES}); else 0
     */
    public record Body(Form form, int count) {

        /** Relation of a body to that of the request. */
        public enum Form {
            /** It is not looked at as a whole. */
            ANY,
            /** It is the request's own, byte for byte. */
            ECHO,
            /** It is a JSON object of the members {@code payload} and {@code size} of the request's, in that order. */
            PAYLOAD_AND_SIZE,
            /** It is XML with the orders of the request's, member by member, in any order. */
            ORDERS,
            /** As {@link #ORDERS}, and what the back end got is not the request: it was built anew for it, and back. */
            ORDERS_REBUILT,
            /** It is XML with a trade for each order: volume, price, buyer, symbol. */
            TRADES,
            /** It is XML with each of the symbols of the request's JSON. */
            SYMBOLS
        }

        /** Returns that the body is not looked at as a whole. */
        public static Body any() {
            return new Body(Form.ANY, 0);
        }

        /** Returns that the body is the request's own. */
        public static Body echo() {
            return new Body(Form.ECHO, 0);
        }
    }

    /** Makes of an absent body, which older files have, what the length says. */
    public ResponseCheck {
        body = given(body, sameLengthAsRequest);
    }

    /** Creates a check that holds the whole body to the request's if it must have its length. */
    public ResponseCheck(int status, Optional<String> contains, boolean sameLengthAsRequest, boolean noGraphQlErrors) {
        this(status, contains, sameLengthAsRequest, noGraphQlErrors, given(null, sameLengthAsRequest));
    }

    private static Body given(Body body, boolean sameLength) {
        return body != null ? body : sameLength ? Body.echo() : Body.any();
    }

    /** Returns this check with another demand on the whole body. */
    public ResponseCheck withBody(Body other) {
        return new ResponseCheck(status, contains, sameLengthAsRequest, noGraphQlErrors, other);
    }

    /** Returns the check that a status of 200 alone satisfies. */
    public static ResponseCheck ok() {
        return new ResponseCheck(200, Optional.empty(), false, false);
    }

    /** Returns the check for a status of 200 and a body with that text. */
    public static ResponseCheck okContaining(String text) {
        return new ResponseCheck(200, Optional.of(text), false, false);
    }
}
