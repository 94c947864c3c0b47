/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

/** The exit codes of the program, which scripts rely on. */
public enum ExitStatus {
    /** All test cases completed. */
    OK(0),
    /** An error that nobody foresaw. */
    UNEXPECTED(1),
    /** Wrong usage, or a plan that cannot be run. */
    USAGE(2),
    /** The run finished and some test cases failed. */
    FAILED_CELLS(3),
    /** A threshold was not met, or a regression was found. */
    THRESHOLD(4),
    /** The environment could not be created or removed, or results not be written. */
    ENVIRONMENT(5),
    /** The user interrupted the run. */
    INTERRUPTED(130);

    private final int code;

    ExitStatus(int code) {
        this.code = code;
    }

    /** Returns the code that the process ends with. */
    public int code() {
        return code;
    }
}
