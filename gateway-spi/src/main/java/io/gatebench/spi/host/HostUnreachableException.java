/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

/** A host cannot be reached at this moment; what runs on it may go on. */
public final class HostUnreachableException extends HostException {

    private static final long serialVersionUID = 1L;

    /** Creates one with a message that names the host and what was asked. */
    public HostUnreachableException(String message) {
        super(message);
    }

    /** Creates one with a message that names the host and what was asked. */
    public HostUnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
