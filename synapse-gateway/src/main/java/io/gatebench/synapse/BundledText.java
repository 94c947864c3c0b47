/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Reads the text files that travel inside this jar. */
final class BundledText {
    private BundledText() {}

    /** Returns the text of a resource named relative to this package. */
    static String read(String name) {
        try (InputStream in = Objects.requireNonNull(BundledText.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
