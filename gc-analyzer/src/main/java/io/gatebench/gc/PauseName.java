/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.util.Arrays;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * The words of a pause.
 *
 * @param kind the kind that figures are kept by; {@code initial mark} is decided by the collector
 * @param groups the brackets behind the name
 * @param cause the content of the last bracket that is a cause, empty if there is none
 * @param full whether the whole heap is collected
 * @param evacuationFailed whether a place to copy to was missing
 * @param humongous whether a humongous allocation caused it
 */
record PauseName(String kind, String groups, String cause, boolean full, boolean evacuationFailed, boolean humongous) {

    static PauseName of(String name, String groups) {
        String kind = switch (name) {
            case "Young" -> groups.startsWith(" (Mixed)") ? "mixed" : "young";
            case "Degenerated GC", "Degenerated" -> "degenerated";
            default -> name.toLowerCase(Locale.ROOT);
        };
        return new PauseName(
                kind,
                groups,
                cause(groups),
                name.equals("Full"),
                groups.contains("(Evacuation Failure")
                        && (groups.contains("Failure)") || groups.contains("Allocation)")),
                groups.contains("Humongous Allocation"));
    }

    private static String cause(String groups) {
        String cause = "";
        int depth = 0;
        int from = 0;
        for (int i = 0; i < groups.length(); i++) {
            char c = groups.charAt(i);
            if (c == '(') {
                if (depth == 0) {
                    from = i + 1;
                }
                depth++;
            } else if (c == ')' && depth > 0) {
                depth--;
                if (depth == 0) {
                    String group = groups.substring(from, i);
                    if (!group.startsWith("Evacuation Failure")) {
                        cause = group;
                    }
                }
            }
        }
        return switch (cause) {
            case "Normal", "Mixed", "Prepare Mixed", "Concurrent Start", "Major", "unload classes" -> "";
            default -> cause;
        };
    }

    /** Keeps the few names a log uses, so that a pause makes no strings; bounded, not thread safe. */
    static final class Known {

        private static final int SLOTS = 64;
        private static final int LONGEST = 200;

        private final byte[][] keys = new byte[SLOTS][];
        private final @Nullable PauseName[] names = new PauseName[SLOTS];

        Known() {
            Arrays.fill(keys, new byte[0]);
        }

        /** Returns the name in these bytes: the words up to the first bracket, and the brackets. */
        PauseName of(byte[] b, int from, int to) {
            long hash = Bytes.hash(b, from, to);
            int slot = (int) (hash ^ hash >>> 32) & SLOTS - 1;
            PauseName known = names[slot];
            byte[] key = keys[slot];
            if (known != null && Arrays.equals(key, 0, key.length, b, from, to)) {
                return known;
            }
            int bracket = Bytes.indexOf(b, from, to, " (");
            int nameTo = bracket >= 0 ? bracket : to > from && b[to - 1] == ' ' ? to - 1 : to;
            PauseName fresh = PauseName.of(Bytes.text(b, from, nameTo), Bytes.text(b, nameTo, to));
            if (to - from <= LONGEST) {
                keys[slot] = Arrays.copyOfRange(b, from, to);
                names[slot] = fresh;
            }
            return fresh;
        }
    }
}
