/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.role;

/**
 * A role did not start or did not become ready; the message holds the end of its log.
 *
 * @since 0.1
 */
public final class RoleStartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates one with its message. */
    public RoleStartException(String message) {
        super(message);
    }
}
