/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Requests that each user of a scenario sends where they are not the same request again and again.
 *
 * <p>A user takes a route by its weight, sends the route's steps one after the other, and begins again. {@code ${name}} in the
 * path, the headers, the body and the check of a step stands for a column of the data, or for a value that an earlier step of
 * the route took from its answer. A step whose answer is wrong, or lacks a value, ends the route.
 *
 * @param routes at least one
 * @param data what the users' routes take their rows from, if anything
 * @since 0.1
 */
public record ScenarioSteps(List<Route> routes, Optional<Data> data) {

    /** The variable that stands for the payload of the scenario's kind and the case's size. */
    public static final String PAYLOAD = "payload";

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there is no route
     */
    public ScenarioSteps {
        routes = List.copyOf(routes);
        if (routes.isEmpty()) {
            throw new IllegalArgumentException("a scenario with steps must have at least one route");
        }
    }

    /** Returns all steps of all routes, in order. */
    public List<Step> all() {
        return routes.stream().flatMap(route -> route.steps().stream()).toList();
    }

    /**
     * Steps that belong together.
     *
     * @param name what the report calls it
     * @param weight how often it is taken, in proportion to the weights of the others; at least 1
     * @param steps at least one, whose names no other step of the scenario has
     */
    public record Route(String name, int weight, List<Step> steps) {

        /**
         * Copies the list.
         *
         * @throws IllegalArgumentException if there is no step, or the weight is not positive
         */
        public Route {
            steps = List.copyOf(steps);
            if (steps.isEmpty() || weight < 1) {
                throw new IllegalArgumentException(
                        "the route " + name + " must have a step, and a weight of at least 1 but it was " + weight);
            }
        }
    }

    /**
     * One request and what is taken from its answer.
     *
     * @param name the label of its samples
     * @param method the HTTP method
     * @param path path and query at the gateway, beginning with a slash
     * @param headers the headers
     * @param body the body, if it has one
     * @param check what the answer must be
     * @param values what is taken from the answer
     */
    public record Step(
            String name,
            String method,
            String path,
            Map<String, String> headers,
            Optional<String> body,
            ResponseCheck check,
            List<Value> values) {

        /** Copies the collections. */
        public Step {
            headers = Map.copyOf(headers);
            values = List.copyOf(values);
        }

        /** Returns this step with other headers. */
        public Step withHeaders(Map<String, String> others) {
            return new Step(name, method, path, others, body, check, values);
        }
    }

    /**
     * A value of an answer, which later steps of the route use.
     *
     * @param name the variable
     * @param source where it lies
     * @param place the JSON pointer or the name of the header; empty for the body as text
     * @param pattern a regular expression for the part of it that is meant: its first group, or the whole match
     */
    public record Value(String name, Source source, String place, Optional<String> pattern) {

        /** Part of an answer in which a value lies. */
        public enum Source {
            /** In the JSON body. */
            JSON,
            /** In a header. */
            HEADER,
            /** In the body as text. */
            BODY
        }
    }

    /**
     * A file of rows whose columns are variables.
     *
     * @param file CSV whose first row names the columns
     * @param unique whether no two users ever send the same row
     */
    public record Data(Path file, boolean unique) {}
}
