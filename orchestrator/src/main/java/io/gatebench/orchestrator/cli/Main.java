/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

/** The program. */
public final class Main {

    private Main() {}

    /** Runs the program and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        denyExternalXml();
        Plugins.besideTheProgram();
        System.exit(CommandLineProgram.forArguments(arguments).execute(arguments));
    }

    /** Nothing that is read here needs another file than itself; a library that parses XML must not fetch one either. */
    static void denyExternalXml() {
        System.setProperty("javax.xml.accessExternalDTD", "");
        System.setProperty("javax.xml.accessExternalSchema", "");
        System.setProperty("javax.xml.accessExternalStylesheet", "");
    }
}
