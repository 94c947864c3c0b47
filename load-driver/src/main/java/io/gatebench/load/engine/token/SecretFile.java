/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.token;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads the small files of keys, key stores and passwords.
 *
 * <p>Only reading tells how large a file is: a device or a pipe says 0.
 *
 * @since 0.1
 */
public final class SecretFile {

    private static final int LARGEST = 1 << 20;

    private SecretFile() {}

    /**
     * Returns all bytes.
     *
     * @throws IOException if the file cannot be read, or is larger than any key
     */
    public static byte[] bytes(Path file) throws IOException {
        if (!Files.exists(file)) {
            // The message of the JDK's own exception is the path alone.
            throw new IOException("there is no such file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new IOException("a file of a key or a password has at most 1 MiB; name the right file");
            }
            return bytes;
        }
    }

    /**
     * Returns the first line; empty if there is none.
     *
     * @throws IOException if the file cannot be read, or is larger than any password
     */
    public static String firstLine(Path file) throws IOException {
        return new String(bytes(file), StandardCharsets.UTF_8)
                .lines()
                .findFirst()
                .orElse("");
    }
}
