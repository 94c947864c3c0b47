/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.host;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts that are part of the program, as the scripts that hosts run. */
public final class BundledText {

    private BundledText() {}

    /**
     * Returns a text.
     *
     * @param owner a class of the jar that holds it
     * @param name its name in the package of the class, or from the root with a leading slash
     * @throws IllegalStateException if the program was packed without it
     */
    public static String of(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the program was packed without " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + name + " of this program", e);
        }
    }
}
