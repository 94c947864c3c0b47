/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.gatebench.model.DataSize;

/**
 * Rule for what may stand at a place of a settings file.
 *
 * <p>Readers and schemas walk the same shapes: a {@link ConfigNode} gives out nothing that its shape does not describe, and
 * refuses what its shape refuses, so that a schema can be looser than its reader but never stricter.
 */
public sealed interface Shape {

    /** Returns what a JSON Schema says of it; a number or a truth value may also stand in quotes, as text. */
    Map<String, Object> schema();

    /**
     * A plain value.
     *
     * @param reader reads the text; refuses by an {@link IllegalArgumentException} whose message follows the key's name
     * @param schema what every text that the reader takes obeys
     */
    record Scalar<T>(Function<String, T> reader, Map<String, Object> schema) implements Shape, Function<String, T> {

        @Override
        public T apply(String text) {
            return reader.apply(text);
        }
    }

    /** Nothing: the key alone, where that says enough. */
    record Nothing() implements Shape {

        @Override
        public Map<String, Object> schema() {
            return of("type", "null");
        }
    }

    /**
     * A list.
     *
     * @param item what each item is
     * @param least the least number of items
     * @param most the most, 0 for any number
     */
    record Items(Shape item, int least, int most) implements Shape {

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> list = of("type", "array");
            if (least > 0) {
                list.put("minItems", least);
            }
            if (most > 0) {
                list.put("maxItems", most);
            }
            return with(list, "items", item.schema());
        }
    }

    /**
     * A mapping whose keys the user chooses.
     *
     * @param value what each value is
     */
    record Names(Shape value) implements Shape {

        @Override
        public Map<String, Object> schema() {
            return with(of("type", "object"), "additionalProperties", value.schema());
        }
    }

    /** A mapping with these keys and no others. */
    record Keys(List<Key> keys) implements Shape {

        /** Copies the list. */
        public Keys {
            keys = List.copyOf(keys);
        }

        /** Returns these keys and more. */
        public Keys and(Key... more) {
            List<Key> all = new ArrayList<>(keys);
            all.addAll(List.of(more));
            return new Keys(all);
        }

        List<String> names() {
            return keys.stream().map(Key::name).toList();
        }

        Optional<Shape> shapeOf(String name) {
            return keys.stream()
                    .filter(key -> key.name().equals(name))
                    .map(Key::shape)
                    .findFirst();
        }

        @Override
        public Map<String, Object> schema() {
            Map<String, Object> properties = new LinkedHashMap<>();
            keys.forEach(key -> properties.put(key.name(), key.schema()));
            Map<String, Object> schema = with(of("type", "object"), "additionalProperties", false);
            List<String> required =
                    keys.stream().filter(Key::required).map(Key::name).toList();
            if (!required.isEmpty()) {
                schema.put("required", required);
            }
            return with(schema, "properties", properties);
        }
    }

    /** One of several, which differ in being a value, a list or a mapping. */
    record Either(List<Shape> shapes) implements Shape {

        @Override
        public Map<String, Object> schema() {
            return of("anyOf", shapes.stream().map(Shape::schema).toList());
        }
    }

    /** Any text that is not empty. */
    static Scalar<String> text() {
        return read(Function.identity());
    }

    /** Any text that a reader takes. */
    static <T> Scalar<T> read(Function<String, T> reader) {
        return new Scalar<>(reader, with(of("type", List.of("string", "number", "boolean")), "minLength", 1));
    }

    /**
     * Text of a pattern, which has to mean the same in Java and in JavaScript.
     *
     * @param words what the text must be, for the message
     */
    static Scalar<String> matching(Pattern pattern, String words) {
        return new Scalar<>(
                text -> {
                    if (!pattern.matcher(text).matches()) {
                        throw new IllegalArgumentException("must be " + words + " but was '" + text + "'");
                    }
                    return text;
                },
                with(text().schema(), "pattern", "^(?:" + pattern.pattern() + ")$"));
    }

    /** A whole number. */
    static Scalar<Integer> number(int min, int max) {
        return new Scalar<>(
                text -> {
                    if (text.matches("[+-]?[0-9]{1,10}")
                            && Long.parseLong(text) >= min
                            && Long.parseLong(text) <= max) {
                        return Integer.parseInt(text);
                    }
                    throw new IllegalArgumentException(
                            "must be a whole number from " + min + " to " + max + " but was '" + text + "'");
                },
                with(
                        with(with(of("type", List.of("integer", "string")), "minimum", min), "maximum", max),
                        "pattern",
                        "^[+-]?[0-9]+$"));
    }

    /**
     * A number.
     *
     * @param words what it must be, for the message
     */
    static Scalar<Double> decimal(double min, double max, String words) {
        return new Scalar<>(
                text -> {
                    try {
                        double value = Double.parseDouble(text);
                        if (value >= min && value <= max) {
                            return value;
                        }
                    } catch (NumberFormatException e) {
                        // The message below holds for both.
                    }
                    throw new IllegalArgumentException("must be " + words + " but was '" + text + "'");
                },
                with(with(of("type", List.of("number", "string")), "minimum", min), "maximum", max));
    }

    /** A truth value. */
    static Scalar<Boolean> flag() {
        return new Scalar<>(
                text -> switch (text.toLowerCase(Locale.ROOT)) {
                    case "true", "yes", "on" -> Boolean.TRUE;
                    case "false", "no", "off" -> Boolean.FALSE;
                    default -> throw new IllegalArgumentException("must be true or false but was '" + text + "'");
                },
                with(
                        of("type", List.of("boolean", "string")),
                        "pattern",
                        "^(?:[Tt][Rr][Uu][Ee]|[Yy][Ee][Ss]|[Oo][Nn]|[Ff][Aa][Ll][Ss][Ee]|[Nn][Oo]|[Oo][Ff][Ff])$"));
    }

    /**
     * A time.
     *
     * @param unit the unit of a bare number, {@code ms} or {@code s}
     */
    static Scalar<Duration> duration(String unit) {
        return new Scalar<>(
                text -> Durations.parse(text, unit),
                with(
                        with(of("type", List.of("string", "integer")), "minimum", 0),
                        "pattern",
                        "^\\s*[0-9]{1,9}\\s*(?:[Mm][Ss]|[Ss]|[Mm]|[Mm][Ii][Nn]|[Hh]|)\\s*$"));
    }

    /** An amount of memory or data. */
    static Scalar<DataSize> size() {
        return new Scalar<>(
                DataSize::parse,
                with(
                        with(of("type", List.of("string", "integer")), "minimum", 0),
                        "pattern",
                        "^\\s*[0-9]{1,18}\\s*[kKmMgGtT]?(?:i?[bB])?\\s*$"));
    }

    /** One of a few values, by their names. */
    static <T> Scalar<T> choice(List<T> values, Function<T, String> name) {
        List<String> names = values.stream().map(name).toList();
        return new Scalar<>(
                text -> {
                    if (!names.contains(text)) {
                        throw new IllegalArgumentException("must be "
                                + (names.size() > 2 ? "one of " + String.join(", ", names) : String.join(" or ", names))
                                + " but was '" + text + "'"
                                + Suggestion.closest(text, names)
                                        .map(near -> "; did you mean '" + near + "'?")
                                        .orElse(""));
                    }
                    return values.get(names.indexOf(text));
                },
                of("enum", names));
    }

    /** One of a few words. */
    static Scalar<String> choice(String... names) {
        return choice(List.of(names), Function.identity());
    }

    /** A constant of an enumeration: its name in small letters and with dashes. */
    static <E extends Enum<E>> Scalar<E> choice(Class<E> type) {
        return choice(
                Arrays.asList(type.getEnumConstants()),
                constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }

    /** A list, which may be empty. */
    static Items list(Shape item) {
        return new Items(item, 0, 0);
    }

    /** A list with at least one item. */
    static Items filledList(Shape item) {
        return new Items(item, 1, 0);
    }

    /** One of several shapes. */
    static Either either(Shape... shapes) {
        return new Either(List.of(shapes));
    }

    /** A mapping with these keys. */
    static Keys keys(Key... keys) {
        return new Keys(List.of(keys));
    }

    private static Map<String, Object> of(String name, Object value) {
        return with(Map.of(), name, value);
    }

    private static Map<String, Object> with(Map<String, Object> schema, String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(schema);
        more.put(name, value);
        return more;
    }
}
