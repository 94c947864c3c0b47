/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/** Writes the JSON Schema (2020-12) of a settings file, by which editors complete and check it. */
public final class JsonSchema {

    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";
    private static final String INDENT = "  ";

    private JsonSchema() {}

    /**
     * Returns the schema of a file.
     *
     * @param title what the file is
     * @param root its keys
     */
    public static String of(String title, Shape.Keys root) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", DIALECT);
        schema.put("title", title);
        schema.putAll(root.schema());
        return json(schema, "\n") + "\n";
    }

    /** Returns the schema of a gateway configuration for a product. */
    public static String ofGateway(String product, Shape.Keys root) {
        return of("Gateway configuration of Gatebench for the product " + product, root);
    }

    /**
     * Returns the comment, with the end of its line, by which editors find the schema of a file.
     *
     * @param name {@code plan}, {@code hosts}, {@code aws}, {@code kubernetes}, or the product whose gateway a file describes
     */
    public static String firstLine(String name) {
        return "# yaml-language-server: $schema=" + home() + "/raw/HEAD/docs/schemas/" + name + ".schema.json\n";
    }

    private static String home() {
        Properties project = new Properties();
        try (InputStream in = JsonSchema.class.getResourceAsStream("project.properties")) {
            project.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return project.getProperty("url");
    }

    private static String json(Object value, String end) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> quoted(entry.getKey()) + ": " + json(entry.getValue(), end + INDENT))
                    .collect(Collectors.joining("," + end + INDENT, "{" + end + INDENT, end + "}"));
        }
        if (value instanceof Collection<?> items) {
            Optional<?> nested = items.stream().filter(Map.class::isInstance).findFirst();
            return nested.isPresent()
                    ? items.stream()
                            .map(item -> json(item, end + INDENT))
                            .collect(Collectors.joining("," + end + INDENT, "[" + end + INDENT, end + "]"))
                    : items.stream().map(item -> json(item, end)).collect(Collectors.joining(", ", "[", "]"));
        }
        return value instanceof Number || value instanceof Boolean ? value.toString() : quoted(value);
    }

    private static String quoted(Object text) {
        return '"' + text.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
