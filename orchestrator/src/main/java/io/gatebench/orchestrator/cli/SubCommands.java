/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.util.List;

import picocli.CommandLine;

import io.gatebench.echo.EchoCommand;

/**
 * The commands below the root, in the order of the help.
 *
 * <p>picocli reads the options of every command that it is given, which takes longer than a short command's work: a
 * program that was told its command gets that one only.
 */
final class SubCommands {

    private static final List<String> NAMES = List.of(
            "run",
            "products",
            "hosts",
            "kubernetes",
            "aws",
            "gc",
            "ab",
            "compare",
            "trend",
            "verify",
            "echo",
            "tokens",
            "summarize",
            "report",
            "import",
            "schema",
            "watch",
            "version",
            "completion");

    private SubCommands() {}

    static void addAll(CommandLine root) {
        for (String name : NAMES) {
            add(name, root);
        }
    }

    private static void add(String name, CommandLine root) {
        root.addSubcommand(name, command(name));
        OptionGroups.apply(name, root.getSubcommands().get(name));
    }

    /** Adds what a command needs: itself, or all where it speaks of the others too. */
    static void addFor(String name, CommandLine root) {
        if (name.equals("completion") || !NAMES.contains(name)) {
            addAll(root);
        } else {
            add(name, root);
        }
    }

    private static Object command(String name) {
        return switch (name) {
            case "run" -> new RunCommand();
            case "products" -> new ProductsCommand();
            case "hosts" -> new HostsCommand();
            case "kubernetes" -> new KubernetesCommand();
            case "aws" -> new AwsCommand();
            case "gc" -> new GcCommand();
            case "ab" -> new AbCommand();
            case "compare" -> new CompareCommand();
            case "trend" -> new TrendCommand();
            case "verify" -> new VerifyCommand();
            case "echo" -> new EchoCommand();
            case "tokens" -> new TokensCommand();
            case "summarize" -> new SummarizeCommand();
            case "report" -> new ReportCommand();
            case "import" -> new ImportCommand();
            case "schema" -> new SchemaCommand();
            case "watch" -> new WatchCommand();
            case "version" -> new VersionCommand();
            case "completion" -> new CompletionCommand();
            default -> throw new IllegalArgumentException("there is no command '" + name + "'");
        };
    }
}
