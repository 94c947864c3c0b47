/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

/** The program. */
public final class Main {

    private Main() {}

    /** Runs the program and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        System.exit(new CommandLineProgram().execute(arguments));
    }
}
