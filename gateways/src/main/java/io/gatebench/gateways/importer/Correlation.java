/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.load.engine.steps.Template;

/**
 * Finds the values that an answer of a recording gave and a later request sent: members of a JSON body, cookies, and hidden
 * fields of a page.
 *
 * <p>A value counts if it is long enough not to be there by chance, and no request had sent it before its answer came.
 */
final class Correlation {

    private static final int MIN_LENGTH = 4;
    private static final int MIN_FIELD_LENGTH = 8;
    private static final Pattern COOKIE = Pattern.compile("\\s*([^=;\\s]+)=([^;]*)");
    private static final Pattern HIDDEN = Pattern.compile("name=\"([^\"<>]+)\"[^<>]*\\svalue=\"([^\"<>]+)\"");

    private final List<Request> all = new ArrayList<>();
    private final List<Set<Request.Taken>> taken = new ArrayList<>();
    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Map<String, Source> cookies = new LinkedHashMap<>();
    private final Set<String> names = new LinkedHashSet<>();
    private final StringBuilder sent = new StringBuilder();
    private final List<String> found = new ArrayList<>();

    /** The answer that gave a value, and where it lay. */
    private record Source(int index, String proposed, String key, String place, Optional<String> regex) {}

    boolean knows(String value) {
        return sources.keySet().stream().anyMatch(known -> !value.equals(replaced(value, known, "")));
    }

    boolean knowsCookieOf(String header) {
        return COOKIE.matcher(header).results().anyMatch(c -> cookies.containsKey(c.group(1) + "=" + c.group(2)));
    }

    /** Takes a request, in which values of earlier answers become variables, and looks what its own answer gives. */
    void add(Request request, String cookieHeader, JsonNode response) {
        Map<String, String> headers = new LinkedHashMap<>();
        request.headers().forEach((name, value) -> headers.put(name, variables(value)));
        Matcher cookie = COOKIE.matcher(cookieHeader);
        List<String> pairs = new ArrayList<>();
        while (cookie.find()) {
            Source source = cookies.get(cookie.group(1) + "=" + cookie.group(2));
            if (source != null) {
                pairs.add(cookie.group(1) + "=${" + variable(source) + "}");
            }
        }
        if (!pairs.isEmpty()) {
            headers.put("Cookie", String.join("; ", pairs));
        }
        sent.append(request.path()).append('\n').append(request.headers()).append('\n');
        request.body().ifPresent(body -> sent.append(body).append('\n'));
        all.add(new Request(
                request.place(),
                request.name(),
                request.method(),
                request.base(),
                variables(request.path()),
                headers,
                request.body().map(this::variables),
                request.status(),
                Optional.empty(),
                List.of()));
        taken.add(new LinkedHashSet<>());
        look(response, all.size() - 1);
    }

    private void look(JsonNode response, int index) {
        response.path("headers").forEach(header -> {
            if (header.path("name").asText().equalsIgnoreCase("Set-Cookie")) {
                // Several cookies of one answer stand in one header of an archive, one a line.
                for (String line : header.path("value").asText().split("\n")) {
                    Matcher cookie = COOKIE.matcher(line);
                    if (cookie.lookingAt()) {
                        cookies.put(
                                cookie.group(1) + "=" + cookie.group(2),
                                new Source(
                                        index,
                                        cookie.group(1),
                                        "header",
                                        "Set-Cookie",
                                        Optional.of("(?:^|[\\s,;])" + plain(cookie.group(1)) + "=([^;,]*)")));
                    }
                }
            }
        });
        String text = response.path("content").path("text").asText();
        if (text.isEmpty() || response.path("content").has("encoding")) {
            return;
        }
        try {
            if (text.stripLeading().startsWith("{") || text.stripLeading().startsWith("[")) {
                members(new ObjectMapper().readTree(text), "", "value", index);
                return;
            }
        } catch (IOException e) {
            // It only looks like JSON, and may be any text.
        }
        Matcher field = HIDDEN.matcher(text);
        while (field.find()) {
            if (field.group(2).length() >= MIN_FIELD_LENGTH) {
                source(
                        field.group(2),
                        new Source(
                                index,
                                field.group(1),
                                "",
                                "",
                                Optional.of("name=\"" + plain(field.group(1)) + "\"[^<>]*\\svalue=\"([^\"<>]+)\"")));
            }
        }
    }

    private void members(JsonNode node, String pointer, String name, int index) {
        if (node.isObject()) {
            node.properties()
                    .forEach(member -> members(
                            member.getValue(),
                            pointer + "/" + member.getKey().replace("~", "~0").replace("/", "~1"),
                            member.getKey(),
                            index));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                members(node.get(i), pointer + "/" + i, name, index);
            }
        } else if (node.isTextual() || node.isNumber()) {
            if (node.asText().length() >= MIN_LENGTH && !pointer.isEmpty()) {
                source(node.asText(), new Source(index, name, "json", pointer, Optional.empty()));
            }
        }
    }

    private void source(String value, Source source) {
        if (sent.indexOf(value) < 0 || replaced(sent.toString(), value, "").contentEquals(sent)) {
            sources.putIfAbsent(value, source);
        }
    }

    private String variables(String text) {
        String result = Template.escaped(text);
        for (Map.Entry<String, Source> source : sources.entrySet()) {
            String value = Template.escaped(source.getKey());
            if (!replaced(result, value, "").equals(result)) {
                result = replaced(result, value, "${" + variable(source.getValue()) + "}");
            }
        }
        return result;
    }

    /** Replaces a value where it stands alone: neither a letter nor a digit before or after it. */
    private static String replaced(String text, String value, String by) {
        if (!text.contains(value)) {
            return text;
        }
        return Pattern.compile("(?<![A-Za-z0-9{$])" + Pattern.quote(value) + "(?![A-Za-z0-9}])")
                .matcher(text)
                .replaceAll(Matcher.quoteReplacement(by));
    }

    private String variable(Source source) {
        Optional<Request.Taken> known = taken.get(source.index()).stream()
                .filter(t -> t.key().equals(source.key())
                        && t.place().equals(source.place())
                        && t.regex().equals(source.regex()))
                .findFirst();
        if (known.isPresent()) {
            return known.get().name();
        }
        String plain = source.proposed().replaceAll("[^A-Za-z0-9_]+", "_").replaceAll("^(?=[0-9])", "_");
        String name = plain.equals("payload") || plain.equals("message") ? plain + "_" : plain;
        for (int i = 2; !names.add(name); i++) {
            name = plain + "_" + i;
        }
        taken.get(source.index()).add(new Request.Taken(name, source.key(), source.place(), source.regex()));
        found.add(name);
        return name;
    }

    private static String plain(String text) {
        return text.replaceAll("([^A-Za-z0-9_-])", "\\\\$1");
    }

    /** Puts the requests, with what is taken of their answers, where they belong. */
    void into(Requests requests) {
        for (int i = 0; i < all.size(); i++) {
            Request request = all.get(i);
            requests.add(new Request(
                    request.place(),
                    request.name(),
                    request.method(),
                    request.base(),
                    request.path(),
                    request.headers(),
                    request.body(),
                    request.status(),
                    request.contains(),
                    List.copyOf(taken.get(i))));
        }
        if (!found.isEmpty()) {
            requests.leftOut("the recorded values of " + String.join(", ", found)
                    + ": each is taken from the earlier response that gave it; look whether they are meant so");
        }
    }
}
