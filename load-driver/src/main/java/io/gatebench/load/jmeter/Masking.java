/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.gatebench.model.ResponseExcerpt;

/** Removes secrets from what is kept of answers. */
final class Masking {

    private static final String MASK = "***";
    private static final Pattern JWT = Pattern.compile("eyJ[A-Za-z0-9_=-]+\\.[A-Za-z0-9_=-]+(\\.[A-Za-z0-9_=-]*)?");
    private static final Pattern BEARER = Pattern.compile("(?i)(bearer\\s+)[A-Za-z0-9._~+/=-]{8,}");
    private static final Set<String> SECRET_HEADERS =
            Set.of("authorization", "set-cookie", "cookie", "proxy-authorization", "x-jwt-assertion");

    private Masking() {}

    static ResponseExcerpt masked(ResponseExcerpt excerpt, List<byte[]> tokens) {
        Map<String, String> headers = new LinkedHashMap<>();
        excerpt.headers()
                .forEach((name, value) -> headers.put(
                        name, SECRET_HEADERS.contains(name.toLowerCase(Locale.ROOT)) ? MASK : masked(value, tokens)));
        return new ResponseExcerpt(
                excerpt.at(),
                excerpt.status(),
                headers,
                masked(excerpt.body(), tokens),
                masked(excerpt.message(), tokens));
    }

    private static String masked(String text, List<byte[]> tokens) {
        String masked = BEARER.matcher(JWT.matcher(text).replaceAll(MASK)).replaceAll("$1" + MASK);
        for (byte[] token : tokens) {
            String secret = new String(token, StandardCharsets.US_ASCII);
            if (masked.contains(secret)) {
                masked = masked.replace(secret, MASK);
            }
        }
        return masked;
    }
}
