/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

import java.util.Locale;

/**
 * Degree to which the figures of a row can be believed.
 *
 * @since 0.1
 */
public enum Level {
    /** No rule speaks against them. */
    VALID,
    /** They may be used with the reason beside them. */
    DOUBTFUL,
    /** They do not describe what the row says; they are published, and compared with nothing. */
    INVALID;

    /** Returns the worse of two levels. */
    public Level or(Level other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /** Returns the word that reports carry. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
