/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import picocli.CommandLine;

import io.gatebench.echo.EchoException;
import io.gatebench.settings.PlanException;

/** Builds the command line and maps every way in which a command can end to an exit code and one clear line. */
public final class CommandLineProgram {

    private static final Set<String> OF_THE_ROOT = Set.of("-h", "--help", "-V", "--version");
    private static final Set<String> OF_THE_VERSION = Set.of("-V", "--version");

    private final CommandLine commandLine;
    private final GatebenchCommand root = new GatebenchCommand();

    /** Creates the program with all its commands and the standard streams. */
    public CommandLineProgram() {
        this(SubCommands::addAll);
    }

    private CommandLineProgram(Consumer<CommandLine> subCommands) {
        commandLine = new CommandLine(root);
        // Settings reach the commands that are there already.
        subCommands.accept(commandLine);
        commandLine.setParameterExceptionHandler(this::usageError);
        commandLine.setExecutionExceptionHandler(this::executionError);
        commandLine.setExecutionStrategy(this::executed);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        commandLine.setUsageHelpAutoWidth(true);
    }

    /** Creates the program with the commands that the arguments need: the others would take longer than a short one's work. */
    public static CommandLineProgram forArguments(String... arguments) {
        String[] all = withDefaultCommand(arguments);
        if (all.length == 1 && OF_THE_VERSION.contains(all[0])) {
            return new CommandLineProgram(root -> {});
        }
        return new CommandLineProgram(root -> SubCommands.addFor(all[0], root));
    }

    /** Returns the underlying command line, for tests and for the documentation's generators. */
    CommandLine commandLine() {
        return commandLine;
    }

    /** Runs a command and returns the exit code of the process. */
    public int execute(String... arguments) {
        int code = run(arguments);
        root.ending().ended(code);
        return code;
    }

    private int run(String... arguments) {
        try {
            return commandLine.execute(withDefaultCommand(arguments));
        } catch (Error e) {
            // An error ends the program too, but with its code and not with that of an interruption.
            commandLine.getErr().println("unexpected error: " + e);
            e.printStackTrace(commandLine.getErr());
            commandLine.getErr().flush();
            return ExitStatus.UNEXPECTED.code();
        }
    }

    /** The help may move a terminal, what a command prints of foreign files may not. */
    private int executed(CommandLine.ParseResult result) {
        CommandLine.ParseResult last = result.asCommandLineList()
                .get(result.asCommandLineList().size() - 1)
                .getParseResult();
        if (last.hasMatchedOption(OptionGroups.ALL)) {
            last.commandSpec().commandLine().usage(commandLine.getOut());
            return ExitStatus.OK.code();
        }
        Integer helped = CommandLine.executeHelpRequest(result);
        if (helped != null) {
            return helped;
        }
        commandLine.setOut(PrintableWriter.to(commandLine.getOut()));
        commandLine.setErr(PrintableWriter.to(commandLine.getErr()));
        return new CommandLine.RunLast().execute(result);
    }

    /** Without a sub-command the arguments are those of {@code run}. */
    private static String[] withDefaultCommand(String[] arguments) {
        if (arguments.length > 0 && (OF_THE_ROOT.contains(arguments[0]) || !arguments[0].startsWith("-"))) {
            return arguments;
        }
        if (arguments.length == 0) {
            return new String[] {"--help"};
        }
        List<String> all = new ArrayList<>(List.of("run"));
        all.addAll(Arrays.asList(arguments));
        return all.toArray(String[]::new);
    }

    private int usageError(CommandLine.ParameterException e, String[] arguments) {
        PrintWriter err = PrintableWriter.to(e.getCommandLine().getErr());
        CommandLine command = e.getCommandLine();
        err.println(UsageError.text(e, List.of(arguments)));
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return ExitStatus.USAGE.code();
    }

    private int executionError(Exception e, CommandLine command, CommandLine.ParseResult result) {
        PrintWriter err = command.getErr();
        int code;
        if (e instanceof PlanException plan) {
            plan.problems().forEach(err::println);
            code = ExitStatus.USAGE.code();
        } else if (e instanceof EchoException echo) {
            err.println(echo.getMessage());
            code = ExitStatus.USAGE.code();
        } else if (e instanceof CommandException known) {
            err.println(known.getMessage());
            code = known.status().code();
        } else {
            err.println("unexpected error: " + e);
            code = ExitStatus.UNEXPECTED.code();
        }
        if (GatebenchCommand.wantsStackTrace(result)) {
            e.printStackTrace(err);
        } else if (code == ExitStatus.UNEXPECTED.code()) {
            err.println("Run again with --stacktrace to see where it came from.");
        }
        err.flush();
        return code;
    }
}
