/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.http;

import java.io.IOException;
import java.io.Serial;

/**
 * A request got no usable answer.
 *
 * <p>The message is free of what differs from request to request, so that equal failures can be counted together.
 */
public final class HttpExchangeException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final Kind kind;

    /** Kind of failure. */
    public enum Kind {
        /** The connection could not be made. */
        CONNECT,
        /** The TLS handshake failed. */
        TLS,
        /** A time-out passed. */
        TIMEOUT,
        /** The connection ended before the answer was whole. */
        CLOSED,
        /** The answer is no valid HTTP/1.1, or exceeds a limit. */
        PROTOCOL
    }

    HttpExchangeException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    HttpExchangeException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Returns what went wrong. */
    public Kind kind() {
        return kind;
    }
}
