/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

/** Says in one line why the gateway could not be started. */
final class GatewayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GatewayException(String message) {
        super(message);
    }

    GatewayException(String message, Throwable cause) {
        super(message, cause);
    }
}
