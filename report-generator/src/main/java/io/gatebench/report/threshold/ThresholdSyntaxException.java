/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.threshold;

/**
 * A text that is no threshold; the message shows it with a mark below the place.
 *
 * @since 0.1
 */
public final class ThresholdSyntaxException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final int position;

    ThresholdSyntaxException(String text, int position, String problem) {
        super("threshold '" + text + "', position " + (position + 1) + ": " + problem);
        this.position = position;
    }

    /** Returns the place of the problem in the text, from 0. */
    public int position() {
        return position;
    }
}
