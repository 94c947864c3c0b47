/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.gatebench.model.ResponseTimes;
import io.gatebench.model.SampleStatistics;
import io.gatebench.model.SecondOfLoad;

/**
 * Finds what a record that was read from JSON does not have, or cannot have been measured: a record says what it does not
 * know, it never holds null, and samples have finite times.
 */
final class DamagedMember {

    /** Members that can be damaged at all: asking each second of a series for its primitives would take longer than reading it. */
    private static final ClassValue<List<RecordComponent>> CHECKED = new ClassValue<>() {
        @Override
        protected List<RecordComponent> computeValue(Class<?> type) {
            boolean figures = type == SampleStatistics.class || type == ResponseTimes.class;
            return Arrays.stream(type.getRecordComponents())
                    .filter(component -> figures || !component.getType().isPrimitive())
                    .toList();
        }
    };

    private DamagedMember() {}

    /**
     * Returns what is wrong with the first damaged member, e.g. {@code no member 'load.window', or null in it}, or empty if
     * there is none.
     */
    static Optional<String> of(Object value) {
        return in(value, "");
    }

    private static Optional<String> in(@Nullable Object value, String path) {
        if (value == null) {
            return Optional.of("no member '" + path + "', or null in it");
        }
        if (value instanceof Optional<?> optional) {
            return optional.flatMap(inner -> in(inner, path));
        }
        if (value instanceof Collection<?> items) {
            for (Object item : items) {
                Optional<String> damage = in(item, path);
                if (damage.isPresent()) {
                    return damage;
                }
            }
            return Optional.empty();
        }
        if (value instanceof Map<?, ?> map) {
            return in(map.values(), path);
        }
        if (value instanceof SecondOfLoad second && second.completions() != null) {
            // It has no other member that can be damaged, and a run has a million of them.
            return Optional.empty();
        }
        return value instanceof Record ? inRecord((Record) value, path) : Optional.empty();
    }

    private static Optional<String> inRecord(Record value, String path) {
        for (RecordComponent component : CHECKED.get(value.getClass())) {
            Object member = read(value, component);
            String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
            Optional<String> damage =
                    member instanceof Number number ? inNumber(value, number, name) : in(member, name);
            if (damage.isPresent()) {
                return damage;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> inNumber(Record of, Number number, String name) {
        boolean possible = of instanceof SampleStatistics statistics
                ? Double.isFinite(number.doubleValue()) && statistics.samples() > 0
                : !(of instanceof ResponseTimes) || Double.isFinite(number.doubleValue());
        return possible ? Optional.empty() : Optional.of("figures that no samples have: '" + name + "' is " + number);
    }

    private static @Nullable Object read(Record value, RecordComponent component) {
        try {
            return component.getAccessor().invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the member " + component.getName() + " cannot be read", e);
        }
    }
}
