/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

import io.gatebench.spi.Product;

/** The product {@code http} with the configuration that one URL amounts to. */
public final class UrlProduct {

    private UrlProduct() {}

    /**
     * Returns the product whose only scenario {@code url} is a POST to that URL.
     *
     * @throws io.gatebench.settings.PlanException if it is no HTTP URL
     */
    public static Product at(URI url) {
        String text = url.toString();
        // A scalar in single quotes ends at the next single quote only, and a URL holds no line breaks.
        String quoted = "'" + text.replace("'", "''") + "'";
        try {
            Path file = Files.createTempFile("gatebench-", ".yaml");
            try {
                Files.writeString(file, """
                        name: %s
                        url: %s
                        uses-backend: false
                        scenarios:
                          - name: url
                            description: A POST to one URL; only the status of the answer is checked.
                            url: %s
                        """.formatted(quoted, base(url), quoted));
                return new HttpProduct().withConfiguration(file);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the configuration of " + url, e);
        }
    }

    private static String base(URI url) {
        return "'" + (url.getScheme() + "://" + url.getRawAuthority()).replace("'", "''") + "'";
    }
}
