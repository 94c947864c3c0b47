/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.util.Map;

/** Status codes and their reason phrases as texts that are made once. */
final class StatusText {

    private static final String[] CODES = codes();

    private static final Map<Integer, String> REASONS = Map.ofEntries(
            Map.entry(200, "OK"),
            Map.entry(201, "Created"),
            Map.entry(202, "Accepted"),
            Map.entry(204, "No Content"),
            Map.entry(301, "Moved Permanently"),
            Map.entry(302, "Found"),
            Map.entry(304, "Not Modified"),
            Map.entry(307, "Temporary Redirect"),
            Map.entry(308, "Permanent Redirect"),
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(408, "Request Timeout"),
            Map.entry(413, "Content Too Large"),
            Map.entry(415, "Unsupported Media Type"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(500, "Internal Server Error"),
            Map.entry(501, "Not Implemented"),
            Map.entry(502, "Bad Gateway"),
            Map.entry(503, "Service Unavailable"),
            Map.entry(504, "Gateway Timeout"));

    private StatusText() {}

    private static String[] codes() {
        String[] texts = new String[1000];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = String.valueOf(i);
        }
        return texts;
    }

    static String code(int status) {
        return CODES[status];
    }

    static String reason(int status) {
        return REASONS.getOrDefault(status, "");
    }
}
