/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts that are part of the program. */
final class BundledText {

    private BundledText() {}

    /**
     * Returns a text.
     *
     * @param name its name in this package, or from the root with a leading slash
     * @throws IllegalStateException if the program was packed without it
     */
    static String read(String name) {
        try (InputStream in = BundledText.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is no part of this program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
