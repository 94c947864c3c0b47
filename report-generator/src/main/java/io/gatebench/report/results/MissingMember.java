/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** Finds what a record that was read from JSON does not have: a record says what it does not know, it never holds null. */
final class MissingMember {

    private MissingMember() {}

    /** Returns the path of the first member without a value, e.g. {@code load.window}, or empty if all have one. */
    static Optional<String> of(Object value) {
        return in(value, "");
    }

    private static Optional<String> in(@Nullable Object value, String path) {
        if (value == null) {
            return Optional.of(path);
        }
        if (value instanceof Optional<?> optional) {
            return optional.flatMap(inner -> in(inner, path));
        }
        if (value instanceof Collection<?> items) {
            return items.stream()
                    .map(item -> in(item, path))
                    .flatMap(Optional::stream)
                    .findFirst();
        }
        if (value instanceof Map<?, ?> map) {
            return in(map.values(), path);
        }
        return value instanceof Record ? inRecord((Record) value, path) : Optional.empty();
    }

    private static Optional<String> inRecord(Record value, String path) {
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            if (component.getType().isPrimitive()) {
                continue;
            }
            Optional<String> missing =
                    in(read(value, component), path.isEmpty() ? component.getName() : path + "." + component.getName());
            if (missing.isPresent()) {
                return missing;
            }
        }
        return Optional.empty();
    }

    private static @Nullable Object read(Record value, RecordComponent component) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the member " + component.getName() + " cannot be read", e);
        }
    }
}
