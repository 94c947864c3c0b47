/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The help is what a newcomer reads first: every change of it is seen in a review. */
class HelpTest {

    /** Set by {@code -Dgolden.update}, which writes the golden files anew. */
    private static final boolean REWRITE = System.getProperty("golden.update") != null;

    private static final Path GOLDEN = Path.of("src/test/resources/golden/help");
    private static final Path REFERENCE = Path.of("../docs/reference/options.md");

    /** Returns the words of every command, those of commands that have commands of their own included. */
    static Stream<String> commands() {
        return Stream.concat(Stream.of(""), below("", new CommandLineProgram().commandLine()));
    }

    private static Stream<String> below(String command, CommandLine line) {
        return line.getSubcommands().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(entry -> {
                    String words = (command + " " + entry.getKey()).strip();
                    return Stream.concat(Stream.of(words), below(words, entry.getValue()));
                });
    }

    private static String help(String command) {
        return help(command, "--help");
    }

    private static String help(String command, String option) {
        String[] words = (command + " " + option).strip().split(" ");
        CommandLineProgram program = CommandLineProgram.forArguments(words);
        CommandLine line = program.commandLine();
        StringWriter out = new StringWriter();
        line.setUsageHelpAutoWidth(false);
        line.setUsageHelpWidth(100);
        line.setOut(new PrintWriter(out));
        int code = program.execute(words);
        assertThat(code).isZero();
        return out.toString();
    }

    @ParameterizedTest
    @MethodSource("commands")
    void isTheGoldenFile(String command) throws IOException {
        String help = help(command);

        Path file = GOLDEN.resolve((command.isEmpty() ? "gatebench" : command.replace(' ', '-')) + ".txt");
        if (REWRITE) {
            Files.createDirectories(GOLDEN);
            Files.writeString(file, help);
        }
        assertThat(help).doesNotContainPattern("\\bnull\\b");
        assertThat(help).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
        assertThat(help.lines()).allSatisfy(text -> assertThat(text).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void isTheReferenceOfTheOptions() throws IOException {
        StringBuilder document = new StringBuilder("""
                # Commands and options

                What `--help` (for `run`, `--help-all`) prints for each command, `gatebench` standing for `./gatebench`. Keys of plan
                files, with their defaults: [plan](plan.md). Exit codes: [exit codes](exit-codes.md).

                This page is written by `HelpTest` with `-Dgolden.update`.
                """);
        for (String command : commands().toList()) {
            document.append("\n## ")
                    .append(command.isEmpty() ? "gatebench" : command)
                    .append("\n\n```text\n")
                    .append(help(command, command.equals("run") ? OptionGroups.ALL : "--help")
                            .stripTrailing())
                    .append("\n```\n");
        }
        if (REWRITE) {
            Files.writeString(REFERENCE, document);
        }
        assertThat(Files.readString(REFERENCE)).isEqualTo(document.toString());
    }
}
