/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Gives bytes a path, for parsers that read files: one file of a name in this process, written anew for each input. */
public final class InputFile {

    private static final Path DIRECTORY = directory();

    private InputFile() {}

    /** Writes the bytes into the file of that name, which may be a path of several names. */
    public static Path of(byte[] bytes, String name) {
        try {
            Path file = DIRECTORY.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path directory() {
        try {
            Path directory = Files.createTempDirectory("gatebench-fuzz-");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Corpus.delete(directory)));
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
