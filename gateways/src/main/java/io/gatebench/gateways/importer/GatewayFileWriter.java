/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes the gateway file, and each body into a file of its own. */
final class GatewayFileWriter {

    private static final String DEFAULT_BASE = "http://localhost:8080";
    private static final int MAX_NAME = 60;

    private GatewayFileWriter() {}

    static Importer.Imported write(Requests requests, String source, Path directory) throws IOException {
        Map<String, Long> hosts = requests.all().stream()
                .map(Request::base)
                .filter(base -> !base.isEmpty())
                .collect(Collectors.groupingBy(base -> base, LinkedHashMap::new, Collectors.counting()));
        String base = hosts.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(DEFAULT_BASE);
        if (hosts.isEmpty()) {
            requests.leftOut("the gateway's address: the file says none, so that url is " + DEFAULT_BASE);
        }
        StringBuilder scenarios = new StringBuilder();
        Set<String> names = new HashSet<>();
        Set<String> seen = new HashSet<>();
        int count = 0;
        Files.createDirectories(directory);
        for (Request request : requests.all()) {
            if (!request.base().isEmpty() && !request.base().equals(base)) {
                requests.leftOut("requests to " + request.base() + ": a gateway file has one address");
                continue;
            }
            if (!seen.add(request.method() + " " + request.path() + " " + request.body())) {
                requests.leftOut("repeated " + request.method() + " " + request.path()
                        + ": each request is one scenario, and scenarios have no weight");
                continue;
            }
            String name = name(request, names);
            scenarios.append(scenario(request, name));
            count++;
            if (request.body().isPresent()) {
                Path body = directory.resolve("bodies").resolve(name);
                Files.createDirectories(directory.resolve("bodies"));
                Files.writeString(body, request.body().get());
            }
        }
        StringBuilder text = new StringBuilder("# From " + source.replaceAll("\\p{Cntrl}", " ") + ".\n");
        text.append(
                "# Before it is measured: set url, and say in uses-backend whether it forwards to the back end of the run.\n");
        text.append("name: ").append(quoted(requests.title())).append('\n');
        text.append("url: ").append(quoted(base)).append('\n');
        text.append("uses-backend: false\n");
        text.append("scenarios:\n").append(scenarios);
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, text);
        return new Importer.Imported(file, count, List.copyOf(requests.leftOut()));
    }

    private static String scenario(Request request, String name) {
        StringBuilder text = new StringBuilder();
        if (request.body().isPresent()) {
            text.append("# Measure it alone: --scenario ")
                    .append(name)
                    .append(" --payload-file bodies/")
                    .append(name);
            text.append('\n');
        }
        text.append("- name: ").append(name).append('\n');
        text.append("  display-name: ").append(quoted(request.name())).append('\n');
        text.append("  url: ").append(quoted(request.path().replace("{", "{{"))).append('\n');
        text.append("  method: ").append(request.method()).append('\n');
        if (!request.headers().isEmpty()) {
            text.append("  headers:\n");
            request.headers()
                    .forEach((header, value) -> text.append("    ")
                            .append(quoted(header))
                            .append(": ")
                            .append(quoted(value))
                            .append('\n'));
        }
        text.append("  payload: ")
                .append(request.body().isPresent() ? "json-simple" : "none")
                .append('\n');
        if (request.status().isPresent() || request.contains().isPresent()) {
            text.append("  check:\n");
            request.status()
                    .ifPresent(
                            status -> text.append("    status: ").append(status).append('\n'));
            request.contains()
                    .ifPresent(part ->
                            text.append("    contains: ").append(quoted(part)).append('\n'));
        }
        return text.toString();
    }

    /** The name of a directory: letters, digits and few signs, as no other scenario has it. */
    private static String name(Request request, Set<String> names) {
        String plain = request.name().replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[-._]+|[-._]+$", "");
        if (plain.isEmpty()) {
            plain = request.method().toLowerCase(Locale.ROOT);
        }
        plain = plain.substring(0, Math.min(MAX_NAME, plain.length()));
        String name = plain;
        for (int i = 2; !names.add(name); i++) {
            name = plain + "-" + i;
        }
        return name;
    }

    /** A text in double quotes, in which YAML and JSON agree. */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(c -> {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                default -> {
                    if (c < ' ' || c >= 127 && c < 160 || c == 0x2028 || c == 0x2029 || c == 0xFEFF) {
                        quoted.append(String.format(Locale.ROOT, "\\u%04x", c));
                    } else {
                        quoted.appendCodePoint(c);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }
}
