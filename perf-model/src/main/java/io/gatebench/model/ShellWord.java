/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.regex.Pattern;

/**
 * A word as a POSIX shell reads it unchanged.
 *
 * @since 0.1
 */
public final class ShellWord {

    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    private ShellWord() {}

    /** Returns a word in single quotes, between which nothing has a meaning but the quote itself. */
    public static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /** Returns a word for a reader to copy: in single quotes only where a shell would not take it as it is. */
    public static String readable(String word) {
        return PLAIN.matcher(word).matches() ? word : quoted(word);
    }
}
