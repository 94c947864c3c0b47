/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.gatebench.load.engine.steps.Template;
import io.gatebench.settings.JsonSchema;

/** Writes the gateway file, and each body and each file of data into a file of its own. */
final class GatewayFileWriter {

    private static final String DEFAULT_BASE = "http://localhost:8080";
    private static final int MAX_NAME = 60;

    private final Requests requests;
    private final Path directory;
    private final String base;
    private final Set<String> bodies = new HashSet<>();
    private final StringBuilder text = new StringBuilder();

    private GatewayFileWriter(Requests requests, Path directory, String base) {
        this.requests = requests;
        this.directory = directory;
        this.base = base;
    }

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
        Files.createDirectories(directory);
        return new GatewayFileWriter(requests, directory, base).write(source);
    }

    private Importer.Imported write(String source) throws IOException {
        text.append(JsonSchema.firstLine("http"));
        text.append("# From ").append(source.replaceAll("\\p{Cntrl}", " ")).append(".\n");
        text.append(
                "# Before it is measured: set url, and say in uses-backend whether it forwards to the back end of the run.\n");
        line("", "name", quoted(requests.title().isBlank() ? "imported" : requests.title()));
        line("", "url", quoted(base));
        text.append("uses-backend: false\nscenarios:\n");
        Set<String> names = new HashSet<>();
        Set<String> seen = new HashSet<>();
        int count = 0;
        Map<String, List<Request>> sequences = new LinkedHashMap<>();
        for (Request request : requests.all()) {
            if (!request.base().isEmpty() && !request.base().equals(base)) {
                requests.leftOut("requests to " + request.base() + ": a gateway file has one address");
            } else if (!request.place().sequence().isEmpty()) {
                sequences
                        .computeIfAbsent(request.place().sequence(), name -> new ArrayList<>())
                        .add(request);
            } else if (!request.needs().isEmpty()) {
                requests.leftOut(
                        "the request '" + request.name() + "': it stands in no thread group, and needs a variable");
            } else if (seen.add(request.method() + " " + request.path() + " " + request.body())) {
                String name = name(request.name(), request.method(), names);
                text.append("- name: ").append(name).append('\n');
                displayName(request.name());
                request("  ", request, name, request.body().isPresent());
                count++;
            } else {
                requests.leftOut("repeated " + request.method() + " " + request.path());
            }
        }
        for (Map.Entry<String, List<Request>> sequence : sequences.entrySet()) {
            count += sequence(sequence.getKey(), sequence.getValue(), names) ? 1 : 0;
        }
        if (count == 0) {
            throw new ImportException(
                    "no request can be sent; left out: " + String.join("; ", requests.leftOut()), null);
        }
        Path file = directory.resolve("gateway.yaml");
        Files.writeString(file, text);
        return new Importer.Imported(file, count, List.copyOf(requests.leftOut()));
    }

    /** Leaves an empty name out: that of the scenario is shown then. */
    private void displayName(String title) {
        if (!title.isBlank()) {
            line("  ", "display-name", quoted(title));
        }
    }

    private boolean sequence(String title, List<Request> all, Set<String> names) throws IOException {
        Map<String, List<Request>> routes = new LinkedHashMap<>();
        Set<String> columns = requests.data(title).map(Requests.Data::columns).orElse(Set.of());
        Map<String, Set<String>> known = new LinkedHashMap<>();
        for (Request asIs : all) {
            Set<String> ofRoute = known.computeIfAbsent(asIs.place().route(), route -> new HashSet<>(columns));
            Request request = asIs.withHeaders(headers(asIs, ofRoute));
            Set<String> missing = new java.util.TreeSet<>(request.needs());
            missing.removeAll(ofRoute);
            if (missing.isEmpty()) {
                routes.computeIfAbsent(request.place().route(), route -> new ArrayList<>())
                        .add(request);
                request.taken().forEach(taken -> ofRoute.add(taken.name()));
            } else {
                requests.leftOut("the request '" + request.name() + "': it needs " + String.join(", ", missing)
                        + ", which nothing before it gives");
            }
        }
        if (routes.isEmpty()) {
            return false;
        }
        String name = name(title, "steps", names);
        text.append("- name: ").append(name).append('\n');
        displayName(title);
        if (requests.data(title).isPresent()) {
            Files.createDirectories(directory.resolve("data"));
            Files.writeString(
                    directory.resolve("data").resolve(name + ".csv"),
                    requests.data(title).get().text());
            line("  ", "data", "data/" + name + ".csv");
        }
        Set<String> labels = new HashSet<>();
        if (routes.size() == 1) {
            steps("  ", routes.values().iterator().next(), labels);
            return true;
        }
        text.append("  routes:\n");
        Set<String> routeNames = new HashSet<>();
        for (Map.Entry<String, List<Request>> route : routes.entrySet()) {
            text.append("  - name: ")
                    .append(name(route.getKey(), "others", routeNames))
                    .append('\n');
            line(
                    "    ",
                    "weight",
                    String.valueOf(route.getValue().get(0).place().weight()));
            steps("    ", route.getValue(), labels);
        }
        return true;
    }

    /** A header whose value comes later, such as that of a login, is not sent before. */
    private Map<String, String> headers(Request request, Set<String> known) {
        Map<String, String> headers = new LinkedHashMap<>(request.headers());
        headers.entrySet().removeIf(header -> {
            boolean early = !known.containsAll(Template.of(header.getValue()).names());
            if (early) {
                requests.leftOut(
                        "header " + header.getKey() + " of '" + request.name() + "': nothing before gives its value");
            }
            return early;
        });
        return headers;
    }

    private void steps(String indent, List<Request> steps, Set<String> labels) throws IOException {
        text.append(indent).append("steps:\n");
        for (Request step : steps) {
            String label = name(step.name(), step.method(), labels);
            text.append(indent).append("- name: ").append(label).append('\n');
            request(indent + "  ", step, label, true);
        }
    }

    private void request(String indent, Request request, String name, boolean ofStep) throws IOException {
        line(indent, "url", quoted(ofStep ? request.path() : plain(request.path())));
        line(indent, "method", request.method());
        if (!request.headers().isEmpty()) {
            text.append(indent).append("headers:\n");
            request.headers()
                    .forEach((header, value) ->
                            line(indent + "  ", quoted(header), quoted(ofStep ? value : plain(value))));
        }
        if (request.body().isPresent()) {
            String file = name(name, "body", bodies);
            Files.createDirectories(directory.resolve("bodies"));
            Files.writeString(
                    directory.resolve("bodies").resolve(file), request.body().get());
            line(indent, "body-file", "bodies/" + file);
        } else if (!ofStep) {
            line(indent, "payload", "none");
        }
        if (request.status().isPresent() || request.contains().isPresent()) {
            text.append(indent).append("check:\n");
            request.status().ifPresent(status -> line(indent + "  ", "status", String.valueOf(status)));
            request.contains().ifPresent(part -> line(indent + "  ", "contains", quoted(ofStep ? part : plain(part))));
        }
        if (!request.taken().isEmpty()) {
            text.append(indent).append("extract:\n");
            for (Request.Taken taken : request.taken()) {
                text.append(indent).append("  ").append(quoted(taken.name())).append(":\n");
                if (!taken.key().isEmpty()) {
                    line(indent + "    ", taken.key(), quoted(taken.place()));
                }
                taken.regex().ifPresent(regex -> line(indent + "    ", "regex", quoted(regex)));
            }
        }
    }

    private void line(String indent, String key, String value) {
        text.append(indent).append(key).append(": ").append(value).append('\n');
    }

    /** A text of a request that is no step, where nothing stands for a value. */
    private static String plain(String template) {
        return Template.of(template).fill(Map.of());
    }

    /** The name of a directory: letters, digits and few signs, as none of the others is. */
    private static String name(String text, String otherwise, Set<String> names) {
        String plain = text.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[-._]+|[-._]+$", "");
        if (plain.isEmpty()) {
            plain = otherwise.toLowerCase(Locale.ROOT);
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
