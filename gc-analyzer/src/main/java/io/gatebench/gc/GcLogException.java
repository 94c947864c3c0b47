/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/**
 * A GC log that could not be read as a file at all; odd content never throws.
 *
 * @since 0.1
 */
public final class GcLogException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception with the file, the rule and the way out in its message. */
    public GcLogException(String message) {
        super(message);
    }

    /** Creates the exception for a failed access to a file. */
    public GcLogException(String message, Throwable cause) {
        super(message, cause);
    }
}
