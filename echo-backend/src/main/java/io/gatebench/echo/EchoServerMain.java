/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import picocli.CommandLine;

/** Starts the echo back end as a program of its own; see {@link EchoCommand}. */
public final class EchoServerMain {

    private EchoServerMain() {}

    /** Serves until the process is told to stop. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new EchoCommand())
                .setCommandName("echo-backend")
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler((exception, command, parsed) -> {
                    if (!(exception instanceof EchoException)) {
                        throw exception;
                    }
                    command.getErr().println("echo-backend: " + exception.getMessage());
                    return CommandLine.ExitCode.SOFTWARE;
                });
    }
}
