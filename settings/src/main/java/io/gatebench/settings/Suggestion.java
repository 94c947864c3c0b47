/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what a user probably meant by an unknown name. */
public final class Suggestion {

    private static final int LONG_LIST = 14;

    private Suggestion() {}

    /** Returns the end of a message: {@code ; did you mean 'x'? Known: ...}, a long list only where nothing is near. */
    public static String among(String wrong, Collection<String> known) {
        Optional<String> near = closest(wrong, known);
        String list = " Known: " + String.join(", ", known);
        return near.map(name -> "; did you mean '" + name + "'?" + (known.size() > LONG_LIST ? "" : list))
                .orElse(";" + list);
    }

    /** Returns the known name that is near enough to be a slip of the pen. */
    static Optional<String> closest(String wrong, Collection<String> known) {
        String lower = wrong.toLowerCase(Locale.ROOT);
        return known.stream()
                .filter(name -> distance(lower, name.toLowerCase(Locale.ROOT)) <= Math.max(2, name.length() / 3))
                .min(Comparator.comparingInt(name -> distance(lower, name.toLowerCase(Locale.ROOT))));
    }

    /** Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. */
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + cost);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
