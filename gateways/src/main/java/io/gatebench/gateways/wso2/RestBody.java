/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The body of a request.
 *
 * @param contentType its media type, empty for none
 * @param text the body itself
 */
record RestBody(String contentType, String text) {

    /** No body. */
    static final RestBody NONE = new RestBody("", "");

    static RestBody json(JsonNode node) {
        return new RestBody("application/json", node.toString());
    }

    static RestBody form(Map<String, String> fields) {
        return new RestBody(
                "application/x-www-form-urlencoded",
                fields.entrySet().stream()
                        .map(field ->
                                field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&")));
    }

    /**
     * Returns a body of several parts (RFC 7578).
     *
     * @param fields plain fields by name
     * @param files files by name
     */
    static RestBody multipart(Map<String, String> fields, Map<String, File> files) {
        String boundary = "gatebench-" + UUID.randomUUID();
        StringBuilder out = new StringBuilder();
        new LinkedHashMap<>(fields)
                .forEach((name, value) -> out.append("--" + boundary + "\r\n"
                        + "Content-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"));
        new LinkedHashMap<>(files)
                .forEach((name, file) -> out.append("--" + boundary + "\r\n"
                        + "Content-Disposition: form-data; name=\"" + name + "\"; filename=\"" + file.name() + "\"\r\n"
                        + "Content-Type: " + file.contentType() + "\r\n\r\n" + file.text() + "\r\n"));
        return new RestBody(
                "multipart/form-data; boundary=" + boundary,
                out.append("--" + boundary + "--\r\n").toString());
    }

    /**
     * A file in a body of several parts.
     *
     * @param name its name
     * @param contentType its media type
     * @param text its content
     */
    record File(String name, String contentType, String text) {}
}
