/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

/** A step of a set-up failed; the message says which, what was asked of which URL, and what the server answered. */
final class RestFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RestFailure(String message) {
        super(message);
    }
}
