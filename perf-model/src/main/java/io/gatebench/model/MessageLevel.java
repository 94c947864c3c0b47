/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Locale;

/**
 * One level of the message axis of the matrix: a size, a GraphQL query or a number of elements.
 *
 * @param kind what the value counts
 * @param value bytes, query number or elements; at least 1
 * @since 0.1
 */
public record MessageLevel(Kind kind, int value) implements Comparable<MessageLevel> {

    /** Thing that a message level counts. */
    public enum Kind {
        /** Request payload in bytes. */
        SIZE_BYTES,
        /** Number of the GraphQL query. */
        GRAPHQL_QUERY,
        /** Number of elements of the bare XML payload. */
        ELEMENTS
    }

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if {@code value} is less than 1
     */
    public MessageLevel {
        if (value < 1) {
            throw new IllegalArgumentException("a "
                    + kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " must be at least 1 but was " + value);
        }
    }

    /** Returns a message size. */
    public static MessageLevel bytes(int bytes) {
        return new MessageLevel(Kind.SIZE_BYTES, bytes);
    }

    /** Returns a GraphQL query number. */
    public static MessageLevel query(int number) {
        return new MessageLevel(Kind.GRAPHQL_QUERY, number);
    }

    /** Returns a number of XML elements. */
    public static MessageLevel elements(int count) {
        return new MessageLevel(Kind.ELEMENTS, count);
    }

    /** Returns the directory name of the results tree: {@code 1024B}, {@code 2_query} or {@code 100_elements}. */
    public String directoryName() {
        return switch (kind) {
            case SIZE_BYTES -> value + "B";
            case GRAPHQL_QUERY -> value + "_query";
            case ELEMENTS -> value + "_elements";
        };
    }

    @Override
    public int compareTo(MessageLevel other) {
        int byKind = kind.compareTo(other.kind);
        return byKind != 0 ? byKind : Integer.compare(value, other.value);
    }
}
