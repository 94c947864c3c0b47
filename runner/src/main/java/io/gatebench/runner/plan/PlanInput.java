/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Input of a user, still as text, with the place where each value was written. */
public final class PlanInput {

    private final Map<PlanKey, Entry> entries = new EnumMap<>(PlanKey.class);

    /**
     * The values of a key.
     *
     * @param values the texts, at least one
     * @param where the place that a message names, e.g. {@code --users} or {@code plan.yaml:4: users}
     */
    public record Entry(List<String> values, String where) {

        /** Copies the list. */
        public Entry {
            values = List.copyOf(values);
        }
    }

    /** Sets the values of a key as given by the option of that name; commas separate values. Null sets nothing. */
    public void option(PlanKey key, @org.jspecify.annotations.Nullable String text) {
        if (text != null) {
            List<String> values =
                    Arrays.stream(text.split(",", -1)).map(String::trim).toList();
            put(key, new Entry(values, "--" + key.key()));
        }
    }

    /** Sets the values of a key. */
    public void put(PlanKey key, Entry entry) {
        entries.put(key, entry);
    }

    /** Returns the values of a key, if it was given. */
    public Optional<Entry> get(PlanKey key) {
        return Optional.ofNullable(entries.get(key));
    }

    /** Returns these values, and those of another input where there are none here. */
    public PlanInput over(PlanInput weaker) {
        PlanInput merged = new PlanInput();
        merged.entries.putAll(weaker.entries);
        merged.entries.putAll(entries);
        return merged;
    }

    /** Returns the same with paths that are not absolute taken as of a directory. */
    public PlanInput relativeTo(Path directory) {
        PlanInput resolved = new PlanInput();
        entries.forEach((key, entry) -> resolved.put(
                key,
                key.isPath()
                        ? new Entry(
                                entry.values().stream()
                                        .map(value -> isRemote(value)
                                                ? value
                                                : directory.resolve(value).toString())
                                        .toList(),
                                entry.where())
                        : entry));
        return resolved;
    }

    /** Returns whether a place is in S3, and so no path of this machine. */
    static boolean isRemote(String place) {
        return place.startsWith("s3://");
    }
}
