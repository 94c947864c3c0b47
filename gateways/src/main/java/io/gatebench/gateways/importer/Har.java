/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.settings.SecretHeaders;

/** Reads an HTTP archive, version 1.2, as one sequence of requests with the values that one answer gives the next. */
final class Har {

    private final Requests requests;
    private final Correlation correlation = new Correlation();

    private Har(Requests requests) {
        this.requests = requests;
    }

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
        Har har = new Har(requests);
        for (JsonNode entry : log.path("entries")) {
            har.entry(entry);
        }
        har.correlation.into(requests);
        if (requests.all().size() > 1) {
            requests.leftOut("pauses between requests: say --think-time or --pacing");
        }
        return requests;
    }

    private void entry(JsonNode entry) {
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
        StringBuilder cookies = new StringBuilder();
        request.path("headers").forEach(header -> {
            String name = header.path("name").asText();
            String value = header.path("value").asText();
            if (name.equalsIgnoreCase("Cookie") && correlation.knowsCookieOf(value)) {
                cookies.append(cookies.isEmpty() ? "" : "; ").append(value);
            } else if (SecretHeaders.isSecret(name) && correlation.knows(value)) {
                headers.put(name, value);
            } else {
                requests.header(headers, name, value);
            }
        });
        JsonNode data = request.path("postData");
        Optional<String> body = Optional.of(data.path("text").asText()).filter(text -> !text.isEmpty());
        if (body.isEmpty() && data.path("params").size() > 0) {
            requests.leftOut("the form of " + method + " " + uri.getRawPath() + ": the archive has no text of it");
            return;
        }
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        correlation.add(
                new Request(
                        new Request.Place(requests.title().isBlank() ? "recorded" : requests.title(), "", 1),
                        method.toLowerCase(Locale.ROOT) + path.replaceAll("/+", "-"),
                        method,
                        scheme + "://" + uri.getRawAuthority().replaceFirst(".*@", ""),
                        path + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()),
                        headers,
                        body,
                        OptionalInt.of(status),
                        Optional.empty(),
                        List.of()),
                cookies.toString(),
                entry.path("response"));
    }
}
