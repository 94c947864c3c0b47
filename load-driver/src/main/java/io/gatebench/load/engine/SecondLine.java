/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.util.Locale;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;

import io.gatebench.model.SecondOfLoad;

/**
 * The line of output by which a load generator tells of one second; for the eye and for a warm-up, never for results.
 *
 * @since 0.1
 */
public final class SecondLine {

    private static final String START = "{\"second\"";

    private SecondLine() {}

    /** Returns the line of a second, without its end. */
    public static String text(SecondOfLoad second) {
        return String.format(
                Locale.ROOT,
                START + ":%d,\"samples\":%d,\"errors\":%d,\"p99Millis\":%.3f,\"users\":%d,\"meanMillis\":%.3f}",
                second.second(),
                second.samples(),
                second.errors(),
                second.p99Millis(),
                second.users(),
                second.meanMillis());
    }

    /** Returns whether a line of output tells of a second. */
    public static boolean isOne(String line) {
        return line.startsWith(START);
    }

    /**
     * Reads a line; what it does not tell is 0.
     *
     * @throws LoadException if it is no JSON, as where its end was cut off
     */
    public static SecondOfLoad read(String line) {
        try {
            JsonNode node = LoadJson.MAPPER.readTree(line);
            return new SecondOfLoad(
                    node.path("second").asInt(),
                    node.path("samples").asLong(),
                    node.path("errors").asLong(),
                    node.path("meanMillis").asDouble(),
                    0,
                    node.path("p99Millis").asDouble(),
                    0,
                    node.path("users").asInt());
        } catch (JsonProcessingException e) {
            throw new LoadException("a load generator wrote a line that is no JSON: " + line, e);
        }
    }
}
