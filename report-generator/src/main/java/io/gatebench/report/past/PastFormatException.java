/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.past;

import java.nio.file.Path;

/** An input that cannot be read as results at all. */
public final class PastFormatException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Makes an exception that names the input and the reason. */
    public PastFormatException(Path input, String reason) {
        super(input + ": " + reason);
    }

    /** Makes an exception that names the input, the reason and the cause. */
    public PastFormatException(Path input, String reason, Throwable cause) {
        super(input + ": " + reason, cause);
    }
}
