/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import io.gatebench.settings.SecretHeaders;

/** Requests read from a source, and what of it has no place in a gateway file. */
final class Requests {

    /** Headers that the client sets itself, or that make a server answer in another way than to a first call. */
    private static final Set<String> OF_THE_CLIENT = Set.of(
            "host",
            "connection",
            "content-length",
            "accept-encoding",
            "transfer-encoding",
            "upgrade-insecure-requests",
            "if-none-match",
            "if-modified-since",
            "keep-alive",
            "te",
            "priority",
            "pragma",
            "dnt");

    private static final Pattern HEADER = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");
    private static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");
    private static final Pattern BASE = Pattern.compile("(?:https?://[^/?#\\s{}@]+)?");
    private static final Pattern PATH = Pattern.compile("/[\\x21-\\x22\\x24-\\x7e]*");

    private final String title;
    private final List<Request> all = new ArrayList<>();
    private final Map<String, Integer> leftOut = new LinkedHashMap<>();
    private final Map<String, Data> data = new LinkedHashMap<>();

    /**
     * The data of a sequence of requests.
     *
     * @param columns the names of the columns
     * @param text the CSV, the names included
     */
    record Data(Set<String> columns, String text) {}

    Requests(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    List<Request> all() {
        return all;
    }

    /** Keeps the data of a sequence. */
    void data(String sequence, Data ofSequence) {
        data.put(sequence, ofSequence);
    }

    /** Returns the data of a sequence, or else those of all sequences, if there are any. */
    Optional<Data> data(String sequence) {
        return Optional.ofNullable(data.getOrDefault(sequence, data.get("")));
    }

    /** Takes a request, or leaves one out that no client could send. */
    void add(Request request) {
        if (METHOD.matcher(request.method()).matches()
                && BASE.matcher(request.base()).matches()
                && PATH.matcher(request.path()).matches()
                && request.status().orElse(200) >= 100
                && request.status().orElse(200) <= 599) {
            all.add(request);
        } else {
            leftOut("the request '" + request.name() + "': its method, URL or status is none");
        }
    }

    /** Notes something that is left out; what is noted again is counted. */
    void leftOut(String what) {
        leftOut.merge(what.replaceAll("\\s+", " ").strip(), 1, Integer::sum);
    }

    /** Returns a sentence for each thing that was left out. */
    List<String> leftOut() {
        return leftOut.entrySet().stream()
                .map(entry -> entry.getKey() + (entry.getValue() > 1 ? " (" + entry.getValue() + " times)" : ""))
                .toList();
    }

    /** Puts a header among those that are sent, or says why not. */
    void header(Map<String, String> headers, String name, String value) {
        String plain = name.toLowerCase(Locale.ROOT);
        if (name.startsWith(":") || plain.startsWith("sec-") || OF_THE_CLIENT.contains(plain)) {
            return;
        }
        if (!HEADER.matcher(name).matches()) {
            leftOut("header '" + name + "': it is no name of one");
        } else if (SecretHeaders.isSecret(name) && !value.contains("${")) {
            leftOut("header " + name + ": it looks like a secret; take it from a file or a variable, or use tokens");
        } else if (value.isBlank()) {
            leftOut("header " + name + ": it has no value");
        } else if (value.chars().anyMatch(c -> c < ' ' || c == 127)) {
            leftOut("header " + name + ": its value is not one line");
        } else {
            headers.put(name, value);
        }
    }
}
