/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import io.gatebench.model.DataSize;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.TestCase;

/**
 * Test case of a matrix that a row belongs to, as far as the file says it.
 *
 * <p>A published file may lack any part of the key, e.g. when a directory name did not match its pattern, so every part
 * but the scenario is optional.
 *
 * @param scenario the scenario as the file names it, may be empty if it names none
 * @param heap the gateway's heap
 * @param users the concurrent users
 * @param message message size, GraphQL query or number of elements
 * @param delayMillis the back-end delay in milliseconds
 * @param variant what else tells rows apart, e.g. the sampler's label where a test case has several; empty if nothing
 *     does
 * @since 0.1
 */
public record CellKey(
        String scenario,
        Optional<DataSize> heap,
        OptionalInt users,
        Optional<MessageLevel> message,
        OptionalLong delayMillis,
        String variant) {

    /** Sorts by scenario, variant, heap, users, message and delay; absent parts come first. */
    public static final Comparator<CellKey> ORDER = Comparator.comparing(CellKey::scenario)
            .thenComparing(CellKey::variant)
            .thenComparingLong(key -> key.heap().map(DataSize::bytes).orElse(-1L))
            .thenComparingInt(key -> key.users().orElse(-1))
            .thenComparingInt(
                    key -> key.message().map(level -> level.kind().ordinal()).orElse(-1))
            .thenComparingInt(key -> key.message().map(MessageLevel::value).orElse(-1))
            .thenComparingLong(key -> key.delayMillis().orElse(-1L));

    /** Returns the key of a test case under the name that published documents give its scenario. */
    public static CellKey of(TestCase testCase, String displayName) {
        return new CellKey(
                displayName,
                Optional.of(testCase.heap()),
                OptionalInt.of(testCase.users()),
                Optional.of(testCase.message()),
                OptionalLong.of(testCase.backendDelay().toMillis()),
                testCase.limits().orElse(""));
    }

    /**
     * Returns a form under which keys of different files are equal if they mean the same test case: letters and digits
     * of the scenario in lower case, so that {@code Direct Proxy} meets {@code DirectProxy}.
     */
    public CellKey matching() {
        StringBuilder plain = new StringBuilder();
        scenario.toLowerCase(Locale.ROOT)
                .codePoints()
                .filter(Character::isLetterOrDigit)
                .forEach(plain::appendCodePoint);
        return new CellKey(
                plain.toString(),
                heap,
                users,
                message,
                delayMillis,
                variant.strip().toLowerCase(Locale.ROOT));
    }

    /** Returns this key with another variant. */
    public CellKey withVariant(String other) {
        return new CellKey(scenario, heap, users, message, delayMillis, other);
    }

    /**
     * Returns the key as one line in the form of the results tree, e.g. {@code
     * Passthrough/2G_heap/100_users/1024B/0ms_sleep}; parts that are absent are left out.
     */
    public String text() {
        List<String> parts = new ArrayList<>();
        if (!scenario.isEmpty()) {
            parts.add(scenario);
        }
        if (!variant.isEmpty()) {
            parts.add(variant);
        }
        heap.ifPresent(size -> parts.add(size + "_heap"));
        users.ifPresent(count -> parts.add(count + "_users"));
        message.ifPresent(level -> parts.add(level.directoryName()));
        delayMillis.ifPresent(millis -> parts.add(millis + "ms_sleep"));
        return parts.isEmpty() ? "(no key)" : String.join("/", parts);
    }
}
