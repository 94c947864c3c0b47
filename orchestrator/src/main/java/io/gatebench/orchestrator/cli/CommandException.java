/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

/** A command cannot do what was asked; the message is one clear line, the status the exit code. */
final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ExitStatus status;

    CommandException(ExitStatus status, String message) {
        super(message);
        this.status = status;
    }

    CommandException(ExitStatus status, String message, Throwable cause) {
        super(message, cause);
        this.status = status;
    }

    /** Returns the refusal of something that cannot be asked. */
    static CommandException usage(String message) {
        return new CommandException(ExitStatus.USAGE, message);
    }

    ExitStatus status() {
        return status;
    }
}
