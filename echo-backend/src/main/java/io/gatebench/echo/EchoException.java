/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import org.jspecify.annotations.Nullable;

/**
 * Says in one line why the echo server could not be started: what, the value, and the way out.
 *
 * @since 0.1
 */
public final class EchoException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EchoException(String message) {
        super(message);
    }

    EchoException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
