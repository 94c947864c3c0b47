/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

import io.gatebench.load.engine.steps.Template;

/**
 * One request. In path, headers, body and {@code contains} {@code ${name}} stands for a value, as in a gateway file.
 *
 * @param place where it stands among the others
 * @param name what the source calls it
 * @param method the HTTP method
 * @param base scheme, host and port, empty if the source does not say them
 * @param path path and query, beginning with a slash
 * @param headers the headers to send
 * @param body the body, if it has one
 * @param status the status of a right answer, if the source says one
 * @param contains text of a right answer, if the source says one
 * @param taken the values that later requests need of its answer
 */
record Request(
        Place place,
        String name,
        String method,
        String base,
        String path,
        Map<String, String> headers,
        Optional<String> body,
        OptionalInt status,
        Optional<String> contains,
        List<Taken> taken) {

    /**
     * Place of a request among the others.
     *
     * @param sequence the scenario whose step it is, empty for one of its own
     * @param route the route of it, empty for the one that has no name
     * @param weight the weight of that route
     */
    record Place(String sequence, String route, int weight) {

        static Place ofItsOwn() {
            return new Place("", "", 1);
        }
    }

    /**
     * A value of an answer.
     *
     * @param name the variable
     * @param key {@code json} or {@code header}, empty for the body as text
     * @param place the JSON pointer or the header
     * @param regex a regular expression for the part that is meant, if it is one
     */
    record Taken(String name, String key, String place, Optional<String> regex) {}

    Request withHeaders(Map<String, String> others) {
        return new Request(place, name, method, base, path, others, body, status, contains, taken);
    }

    /** Returns the variables that it needs. */
    Set<String> needs() {
        Set<String> names = new HashSet<>(Template.of(path).names());
        headers.values().forEach(value -> names.addAll(Template.of(value).names()));
        body.ifPresent(text -> names.addAll(Template.of(text).names()));
        contains.ifPresent(text -> names.addAll(Template.of(text).names()));
        return names;
    }
}
