/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileProblemTest {

    @TempDir
    private Path directory;

    private static String of(ThrowingCallable call) {
        return FileProblem.of(catchThrowableOfType(IOException.class, call));
    }

    @Test
    void saysWhyInWordsAndNotThePathAgain() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");

        assertThat(of(() -> Files.readString(directory.resolve("none"))))
                .isEqualTo("there is no such file or directory");
        assertThat(of(() -> Files.createDirectories(file))).isEqualTo("a file of that name is there");
        assertThat(of(() -> Files.writeString(file.resolve("below"), "x"))).isEqualTo("Not a directory");
        assertThat(of(() -> Files.readString(directory))).isEqualTo("Is a directory");
        assertThat(FileProblem.of(new AccessDeniedException("/etc/shadow"))).isEqualTo("access is denied");
        assertThat(FileProblem.of(new IOException())).isEqualTo("java.io.IOException");
    }
}
