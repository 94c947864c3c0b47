/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.io.Serial;

/**
 * The load could not be sent, or a file of this module could not be read.
 *
 * @since 0.1
 */
public final class LoadException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates an exception with what happened and the way out. */
    public LoadException(String message) {
        super(message);
    }

    /** Creates an exception with what happened, the way out and the cause. */
    public LoadException(String message, Throwable cause) {
        super(message, cause);
    }
}
