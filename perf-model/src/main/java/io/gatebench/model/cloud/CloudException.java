/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model.cloud;

import java.util.List;

/** Machines could not be rented or given back; the message says what, why and the way out. */
public final class CloudException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean usage;

    private CloudException(boolean usage, String message, Throwable cause) {
        super(message, cause);
        this.usage = usage;
    }

    /** Returns one for settings or limits that the user must change. */
    public static CloudException usage(List<String> problems) {
        return new CloudException(true, String.join(System.lineSeparator(), problems), null);
    }

    /** Returns one for what the provider refused or what failed there. */
    public static CloudException failed(String message) {
        return new CloudException(false, message, null);
    }

    /** Returns one for what the provider refused or what failed there, with its cause. */
    public static CloudException failed(String message, Throwable cause) {
        return new CloudException(false, message, cause);
    }

    /** Returns whether the user must change something before anything is tried. */
    public boolean isUsage() {
        return usage;
    }
}
