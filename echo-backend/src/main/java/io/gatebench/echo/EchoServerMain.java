/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import picocli.CommandLine;

/**
 * Starts the echo back end as a program of its own; see {@link EchoCommand}.
 *
 * @since 0.1
 */
public final class EchoServerMain {

    private EchoServerMain() {}

    /** Serves until the process is told to stop. */
    public static void main(String[] args) {
        quietLog();
        System.exit(commandLine().execute(args));
    }

    /** Netty tells of every misbehaving client at INFO; a user can still ask for it with the same property. */
    private static void quietLog() {
        String level = "org.slf4j.simpleLogger.defaultLogLevel";
        if (System.getProperty(level) == null) {
            System.setProperty(level, "warn");
        }
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
