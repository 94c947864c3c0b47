/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.jtl;

import java.io.IOException;
import java.io.Serial;

/** A file is no JTL in CSV form, or lacks a column without which no sample can be counted. */
public final class JtlFormatException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Creates an exception with the file, the rule and the way out. */
    public JtlFormatException(String message) {
        super(message);
    }
}
