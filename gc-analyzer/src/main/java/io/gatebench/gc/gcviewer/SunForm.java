/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc.gcviewer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reader of GCViewer's that a log of a JVM of Sun, Oracle or OpenJDK is for.
 *
 * <p>GCViewer's own choice knows the logs of other vendors too, two of them in XML, and so is never asked. Here are its
 * rules for the rest, in its order, so that the published figures stay the same.
 */
enum SunForm {
    /** JDK 9 and later. */
    UNIFIED("][gc"),
    /** G1 of JDK 6 to 8. */
    G1(" (young)", "G1Ergonomics", " (mixed)"),
    /** JDK 6 to 8 with details. */
    JDK6("[Times:", "[Pause Init Mark"),
    /** JDK 5. */
    JDK5("CMS-initial-mark", "PSYoungGen"),
    /** JDK 1.4, and later ones without details. */
    JDK4(": [GC"),
    /** Without time stamps. */
    JDK3("[GC", "[Full GC", "[Inc GC");

    /** Part of a log that decides. */
    static final int HEAD_BYTES = 100 * 4096;

    private static final int CHUNK_BYTES = 4096;

    private final List<String> signs;

    SunForm(String... signs) {
        this.signs = List.of(signs);
    }

    /** Returns the form by the first chunk of the head that tells one. */
    static Optional<SunForm> of(byte[] head) {
        String rest = "";
        for (int from = 0; from < head.length; from += CHUNK_BYTES) {
            int to = Math.min(from + CHUNK_BYTES, head.length);
            String chunk = new String(head, from, to - from, StandardCharsets.US_ASCII);
            String sample = rest + chunk;
            Optional<SunForm> form = Arrays.stream(values())
                    .filter(candidate -> candidate.signs.stream().anyMatch(sample::contains))
                    .findFirst();
            if (form.isPresent()) {
                return form;
            }
            // A line that a chunk cuts is seen whole with the next one.
            rest = chunk.substring(chunk.lastIndexOf('\n') + 1);
        }
        return Optional.empty();
    }
}
