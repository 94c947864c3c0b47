/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

/**
 * Says in one sentence why a report could not be made or results could not be stored or read.
 *
 * @since 0.1
 */
public final class ReportException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates an exception with a message for the user. */
    public ReportException(String message) {
        super(message);
    }

    /** Creates an exception with a message for the user and what caused it. */
    public ReportException(String message, Throwable cause) {
        super(message, cause);
    }
}
