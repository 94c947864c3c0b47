/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import io.gatebench.settings.PlanException;

/** Reads what the user wrote key by key, and collects every problem, so that the user sees all of them at once. */
final class PlanReader {

    private final PlanInput input;
    private final List<String> problems = new ArrayList<>();

    PlanReader(PlanInput input) {
        this.input = input;
    }

    /** Returns what was written of a key. */
    Optional<PlanInput.Entry> entry(PlanKey key) {
        return input.get(key);
    }

    boolean has(PlanKey key) {
        return input.get(key).isPresent();
    }

    /** Returns the problems until now. */
    List<String> problems() {
        return problems;
    }

    void problem(String problem) {
        problems.add(problem);
    }

    /** Adds a problem of a key, if the user wrote it. */
    void refuse(PlanKey key, String why) {
        input.get(key).ifPresent(entry -> problems.add(entry.where() + " " + why));
    }

    /** Adds that a key has a name which is not known: it says itself what it is, and only a file's line is worth naming before it. */
    void unknown(PlanInput.Entry entry, String problem) {
        problems.add((entry.where().startsWith("--") ? "" : entry.where() + ": ") + problem);
    }

    /** Makes something; returns empty, with a problem, if it cannot be made of what the user wrote. */
    <T> Optional<T> made(Supplier<T> maker) {
        try {
            return Optional.of(maker.get());
        } catch (PlanException e) {
            problems.addAll(e.problems());
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
        }
        return Optional.empty();
    }

    boolean flag(PlanKey key, boolean otherwise) {
        return single(key, PlanValues.FLAG).orElse(otherwise);
    }

    OptionalInt port(PlanKey key) {
        return single(key, PlanValues.PORT).map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }

    /** Returns the value of a key that has one; empty if there is none that can be read. */
    <T> Optional<T> single(PlanKey key, Function<String, T> parser) {
        Optional<PlanInput.Entry> entry = input.get(key);
        if (entry.isPresent() && entry.get().values().size() > 1) {
            refuse(key, "takes one value but has " + entry.get().values().size());
            return Optional.empty();
        }
        return list(key, parser).map(values -> values.get(0));
    }

    /** Returns the values of a key; empty if there is none that can be read. */
    <T> Optional<List<T>> list(PlanKey key, Function<String, T> parser) {
        Optional<PlanInput.Entry> entry = input.get(key);
        if (entry.isEmpty()) {
            return Optional.empty();
        }
        List<T> values = new ArrayList<>();
        Set<T> seen = new HashSet<>();
        for (String text : entry.get().values()) {
            try {
                key.shape().apply(text);
                T value = parser.apply(text);
                if (!seen.add(value)) {
                    refuse(key, "has the value '" + text + "' twice");
                }
                values.add(value);
            } catch (IllegalArgumentException e) {
                refuse(key, e.getMessage());
            }
        }
        return values.isEmpty() ? Optional.empty() : Optional.of(values);
    }
}
