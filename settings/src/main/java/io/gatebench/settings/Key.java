/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A key of a settings file.
 *
 * @param name how it is written
 * @param shape what may stand there
 * @param says one sentence for the user
 * @param required whether the mapping must have it
 * @param otherwise what holds without it, if that is one value
 */
public record Key(String name, Shape shape, String says, boolean required, Optional<Object> otherwise) {

    /** Returns a key that may be left out. */
    public static Key of(String name, Shape shape, String says) {
        return new Key(name, shape, says, false, Optional.empty());
    }

    /** Returns a key that must be there. */
    public static Key required(String name, Shape shape, String says) {
        return new Key(name, shape, says, true, Optional.empty());
    }

    /**
     * Returns this key with a value that holds without it.
     *
     * @param value a text, a number or a truth value
     */
    public Key otherwise(Object value) {
        return new Key(name, shape, says, required, Optional.of(value));
    }

    /** Returns the sentence as the end of another one. */
    String clause() {
        return says.substring(0, 1).toLowerCase(Locale.ROOT) + says.substring(1).replaceFirst("\\.$", "");
    }

    Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("description", says);
        otherwise.ifPresent(value -> schema.put("default", value));
        schema.putAll(shape.schema());
        return schema;
    }
}
