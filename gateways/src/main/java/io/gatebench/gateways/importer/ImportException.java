/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import org.jspecify.annotations.Nullable;

/** A file that cannot be imported; the message is one line with the file. */
public final class ImportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ImportException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
