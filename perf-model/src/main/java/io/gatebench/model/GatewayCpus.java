/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Number of processors that the gateway of a test case gets: a number, its share of the machine, or all that there are.
 *
 * @param kind which of them
 * @param count the number; 0 unless there is one
 * @since 0.1
 */
public record GatewayCpus(Kind kind, double count) {

    /** Half of the processors where other roles share its machine, else all. */
    public static final GatewayCpus AUTO = new GatewayCpus(Kind.AUTO, 0);

    /** Whatever the machine has, together with all that runs there. */
    public static final GatewayCpus ALL = new GatewayCpus(Kind.ALL, 0);

    /** Rule that decides how many processors it gets. */
    public enum Kind {
        /** The machine, and what else runs there. */
        AUTO,
        /** Nothing. */
        ALL,
        /** The plan. */
        COUNT
    }

    /**
     * Checks the number.
     *
     * @throws IllegalArgumentException if there is a number without its kind, or it is not above 0
     */
    public GatewayCpus {
        if (kind == Kind.COUNT ? !(count > 0) || Double.isInfinite(count) : count != 0) {
            throw new IllegalArgumentException("a number of processors must be above 0 but was " + count);
        }
    }

    /** Returns that many processors. */
    public static GatewayCpus of(double count) {
        return new GatewayCpus(Kind.COUNT, count);
    }

    /**
     * Reads {@code auto}, {@code all} or a number such as {@code 2} or {@code 0.5}.
     *
     * @throws IllegalArgumentException if the text is none of them
     */
    public static GatewayCpus parse(String text) {
        switch (text) {
            case "auto":
                return AUTO;
            case "all":
                return ALL;
            default:
                try {
                    return of(Double.parseDouble(text));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(
                            "must be auto, all or a number of processors but was '" + text + "'", e);
                }
        }
    }

    /** Returns the number, if there is one. */
    public OptionalDouble number() {
        return kind == Kind.COUNT ? OptionalDouble.of(count) : OptionalDouble.empty();
    }

    /** Returns the form that {@link #parse} reads. */
    @Override
    public String toString() {
        if (kind != Kind.COUNT) {
            return kind.name().toLowerCase(Locale.ROOT);
        }
        return count == Math.rint(count) && count < 1e15 ? Long.toString((long) count) : Double.toString(count);
    }
}
