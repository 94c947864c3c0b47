/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

/**
 * Number of one load generator among several, and so the part of a token file that it uses; parts never overlap.
 *
 * @param index which load generator this is, from 0
 * @param count number of load generators, at least 1
 * @since 0.1
 */
public record TokenSlice(int index, int count) {

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if {@code index} is not in [0, count)
     */
    public TokenSlice {
        if (count < 1 || index < 0 || index >= count) {
            throw new IllegalArgumentException("token slice " + index + " of " + count + " does not exist");
        }
    }

    /** Returns the share of a number of things: as even as whole numbers allow, the first shares being the larger ones. */
    int shareOf(int things) {
        return things / count + (index < things % count ? 1 : 0);
    }

    /** Returns the slice that is the whole file. */
    public static TokenSlice whole() {
        return new TokenSlice(0, 1);
    }
}
