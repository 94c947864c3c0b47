/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * A file whose bytes are the payload of every request.
 *
 * @param path where it is
 * @param bytes its size, at least 1
 */
record PayloadFile(Path path, int bytes) {

    /** Users of one load generator share its bytes, which are in memory. */
    private static final int LARGEST = 256 << 20;

    /**
     * Returns the file of that name.
     *
     * @throws IllegalArgumentException if it cannot be sent; the message goes behind the name of the option
     */
    static PayloadFile of(String text) {
        try {
            Path path = Path.of(text);
            if (!Files.isRegularFile(path) || !Files.isReadable(path)) {
                throw new IllegalArgumentException("must be a file that can be read but was '" + text + "'");
            }
            long size = Files.size(path);
            if (size < 1 || size > LARGEST) {
                throw new IllegalArgumentException(
                        "must be a file of 1 byte to 256 MiB but '" + text + "' has " + size + " bytes");
            }
            return new PayloadFile(path, (int) size);
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("cannot be read: " + e.getMessage(), e);
        }
    }
}
