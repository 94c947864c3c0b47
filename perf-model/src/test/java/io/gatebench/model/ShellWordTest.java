/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

class ShellWordTest {

    private static final List<String> WORDS =
            List.of("", "a", "a b", "it's", "''", "$HOME", "`id`", "a\nb", "\\", "\"", "*", "-n", "a;b&c|d<e>f#g~");

    @Test
    void isReadAsItIsByAShell() throws IOException {
        assumeThat(Path.of("/bin/sh")).exists();
        assertThat(readByAShell(WORDS.stream().map(ShellWord::quoted).collect(Collectors.joining(" "))))
                .isEqualTo(WORDS);
        assertThat(readByAShell(WORDS.stream().map(ShellWord::readable).collect(Collectors.joining(" "))))
                .isEqualTo(WORDS);
    }

    @Test
    void hasNoQuotesForAReaderWhereItNeedsNone() {
        assertThat(ShellWord.readable("results/2026-11-23_10:15.d")).isEqualTo("results/2026-11-23_10:15.d");
        assertThat(ShellWord.readable("my results")).isEqualTo("'my results'");
    }

    private static List<String> readByAShell(String words) throws IOException {
        Process shell = new ProcessBuilder("/bin/sh", "-c", "printf '%s\\0' " + words).start();
        shell.getOutputStream().close();
        String read = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return List.of(read.substring(0, read.length() - 1).split("\0", -1));
    }
}
