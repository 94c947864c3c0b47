/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;

/**
 * A number that was measured, or the reason why there is none.
 *
 * <p>Nothing in a report is a bare {@code N/A}: whoever could not measure says why, here.
 *
 * @since 0.1
 */
public sealed interface MeasuredValue {

    /**
     * A measured number.
     *
     * @param number the number, finite; its unit is in the name of the component that holds the figure
     */
    record Measured(double number) implements MeasuredValue {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if it is NaN or infinite: such a figure is absent, with a reason
         */
        public Measured {
            if (!Double.isFinite(number)) {
                throw new IllegalArgumentException("a measured figure must be finite but was " + number);
            }
        }
    }

    /**
     * No number.
     *
     * @param reason why, as part of a sentence a reader understands, e.g. {@code the log holds no full GC}
     */
    record Absent(String reason) implements MeasuredValue {
        /**
         * Checks the reason.
         *
         * @throws IllegalArgumentException if it is blank
         */
        public Absent {
            if (Objects.requireNonNull(reason, "reason").isBlank()) {
                throw new IllegalArgumentException("an absent figure must say why");
            }
        }
    }

    /** Returns a measured figure. */
    static MeasuredValue of(double number) {
        return new Measured(number);
    }

    /** Returns an absent figure with its reason. */
    static MeasuredValue absent(String reason) {
        return new Absent(reason);
    }

    /** Returns what the function for this case makes of it. */
    default <T> T fold(DoubleFunction<? extends T> measured, Function<String, ? extends T> absent) {
        if (this instanceof Measured m) {
            return measured.apply(m.number());
        }
        return absent.apply(((Absent) this).reason());
    }

    /** Returns the number, or empty if there is none. */
    default OptionalDouble value() {
        return this instanceof Measured m ? OptionalDouble.of(m.number()) : OptionalDouble.empty();
    }
}
