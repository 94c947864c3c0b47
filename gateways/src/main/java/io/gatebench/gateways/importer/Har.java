/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Reads an HTTP archive, version 1.2. */
final class Har {

    private Har() {}

    static Requests read(byte[] bytes) {
        JsonNode log;
        try {
            log = new ObjectMapper().readTree(bytes).path("log");
        } catch (IOException e) {
            throw new IllegalArgumentException("is no JSON, and so no HAR", e);
        }
        if (!log.path("entries").isArray()) {
            throw new IllegalArgumentException("is no HAR: it has no log.entries");
        }
        Requests requests = new Requests(log.path("pages").path(0).path("title").asText("recorded"));
        for (JsonNode entry : log.path("entries")) {
            entry(entry, requests);
        }
        if (log.path("entries").size() > 1) {
            requests.leftOut(
                    "order, pauses and values that one answer gives the next request: each request is a scenario of"
                            + " its own");
        }
        return requests;
    }

    private static void entry(JsonNode entry, Requests requests) {
        JsonNode request = entry.path("request");
        String method = request.path("method").asText().toUpperCase(Locale.ROOT);
        URI uri;
        try {
            uri = new URI(request.path("url").asText());
        } catch (URISyntaxException e) {
            requests.leftOut("a request whose URL is none");
            return;
        }
        String scheme = String.valueOf(uri.getScheme());
        if (!scheme.equals("http") && !scheme.equals("https") || uri.getHost() == null) {
            requests.leftOut("requests of the scheme " + scheme);
            return;
        }
        int status = entry.path("response").path("status").asInt();
        if (status < 100 || status == 304) {
            requests.leftOut("requests that were not answered, or from a cache");
            return;
        }
        if (!method.matches("[A-Z]{1,20}") || method.equals("CONNECT")) {
            requests.leftOut("requests of the method '" + method + "'");
            return;
        }
        Map<String, String> headers = new LinkedHashMap<>();
        request.path("headers")
                .forEach(header -> requests.header(
                        headers,
                        header.path("name").asText(),
                        header.path("value").asText()));
        JsonNode data = request.path("postData");
        Optional<String> body = Optional.of(data.path("text").asText()).filter(text -> !text.isEmpty());
        if (body.isEmpty() && data.path("params").size() > 0) {
            requests.leftOut("the form of " + method + " " + uri.getRawPath() + ": the archive has no text of it");
            return;
        }
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        requests.add(new Request(
                method.toLowerCase(Locale.ROOT) + path.replaceAll("/+", "-"),
                method,
                scheme + "://" + uri.getRawAuthority().replaceFirst(".*@", ""),
                path + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()),
                headers,
                body,
                OptionalInt.of(status),
                Optional.empty()));
    }
}
