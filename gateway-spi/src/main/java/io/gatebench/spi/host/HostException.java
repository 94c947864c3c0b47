/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

/**
 * A host could not be reached, or refused what was asked of it.
 *
 * @since 0.1
 */
public sealed class HostException extends RuntimeException permits HostUnreachableException {

    private static final long serialVersionUID = 1L;

    /** Creates one with a message that names the host and what was asked. */
    public HostException(String message) {
        super(message);
    }

    /** Creates one with a message that names the host and what was asked. */
    public HostException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Returns what lies at the root of a failure, in words. */
    public static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
