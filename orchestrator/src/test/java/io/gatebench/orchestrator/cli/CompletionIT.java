/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Bash itself says what it would offer. */
@EnabledOnOs(OS.LINUX)
class CompletionIT {

    @Test
    void offersOptionsValuesAndFilesWithAndWithoutTheWordRun(@TempDir Path directory) throws Exception {
        Files.createFile(directory.resolve("gateway.yaml"));
        String script = script();
        String questions = ask("--prod")
                + ask("--product", "")
                + ask("run", "--profile", "")
                + ask("--profile", "r")
                + ask("--scenario", "star")
                + ask("compare", "--format", "")
                + ask("tokens", "--algorithm", "R")
                + ask("--gateway-config", "gate");

        List<String> answers = bash(directory, script + questions);

        assertThat(answers)
                .containsExactly(
                        "--product",
                        "apim ei http mi microgateway",
                        "quick release",
                        "release",
                        "starwars",
                        "html json markdown",
                        "RS256",
                        "gateway.yaml");
    }

    private static String script() {
        StringWriter out = new StringWriter();
        CommandLineProgram program = CommandLineProgram.forArguments("completion");
        program.commandLine().setOut(new PrintWriter(out));
        assertThat(program.execute("completion")).isZero();
        return out.toString();
    }

    private static String ask(String... words) {
        return "COMP_WORDS=(gatebench" + quoted(words) + "); COMP_CWORD=" + words.length
                + "; COMPREPLY=(); _complete_gatebench gatebench '" + words[words.length - 1] + "' '"
                + (words.length > 1 ? words[words.length - 2] : "gatebench")
                + "'; printf '%s\\n' \"${COMPREPLY[@]}\" | sort -u | paste -sd' '\n";
    }

    private static String quoted(String... words) {
        StringBuilder text = new StringBuilder();
        for (String word : words) {
            text.append(" '").append(word).append('\'');
        }
        return text.toString();
    }

    private static List<String> bash(Path directory, String script) throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("script.sh"), script);
        Process bash = new ProcessBuilder("bash", file.toString())
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        bash.getOutputStream().close();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(output).isZero();
        return output.lines().toList();
    }
}
