/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root of the command line. */
@Command(
        name = "gatebench",
        header = "Measures how fast an API gateway is, and publishes honest figures.",
        description = {
            "",
            "Without a command the options are those of 'run':",
            "  ./gatebench --product apim",
            "measures the built-in gateway in minutes and writes a complete report.",
            ""
        },
        versionProvider = Version.class,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all test cases completed",
            "1:unexpected error",
            "2:wrong usage, or a plan that cannot be run",
            "3:finished, with failed test cases",
            "4:a threshold was not met, or a regression was found",
            "5:the environment could not be created or removed, or results not be written",
            "130:interrupted; what was measured is kept"
        })
final class GatebenchCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Mixin
    private HelpOption help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    private boolean version;

    @Option(names = "--stacktrace", scope = ScopeType.INHERIT, description = "Show where an error came from.")
    private boolean stacktrace;

    private final Ending ending = new Ending();

    /** Returns what holds the end of the program back. */
    Ending ending() {
        return ending;
    }

    @Override
    public void run() {
        spec.commandLine().usage(PrintableWriter.terminal(spec.commandLine().getOut()));
    }

    static boolean wantsStackTrace(CommandLine.ParseResult result) {
        return result.asCommandLineList().stream()
                .anyMatch(command -> command.getParseResult().hasMatchedOption("--stacktrace"));
    }
}
